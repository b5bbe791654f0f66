//! The behavior of the client towards a service: requests, retries and logins.
//!
//! The service is a script.

mod command;
mod credentials;
mod deadlines;
mod failures;
mod login;
mod network;
mod pages;
mod requests;
mod retries;
mod script;
mod streams;
