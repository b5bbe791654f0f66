//! How the client treats a service: what it sends, what it repeats, how it logs in.
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
