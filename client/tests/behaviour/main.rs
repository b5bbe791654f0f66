//! The behavior of the client towards a service: requests, retries and logins.
//!
//! The service is a script, or the fake one of the documents.

mod chats;
mod command;
mod command_api;
mod command_config;
mod command_errors;
mod command_keys;
mod command_nouns;
mod command_options;
mod command_status;
mod command_streams;
mod credentials;
mod deadlines;
mod device;
mod failures;
mod login;
mod middleware;
mod network;
mod operations;
mod pages;
mod readme;
mod requests;
mod retries;
mod script;
mod stores;
mod storm;
mod streams;
mod token_sources;
mod tower;
