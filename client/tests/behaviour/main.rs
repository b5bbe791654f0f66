//! The behavior of the client towards a service: requests, retries and logins.
//!
//! The service is a script.

mod command;
mod credentials;
mod deadlines;
mod failures;
mod login;
mod requests;
mod script;
mod streams;
