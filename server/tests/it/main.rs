//! The service, from outside.
#![allow(missing_docs)]

mod accounts;
mod audit;
mod connections;
mod console;
mod consumer;
mod contract;
mod crash;
mod examples;
mod foreign;
mod generated;
mod harness;
mod http;
mod identity;
mod inference;
mod leaving;
mod listeners;
mod log;
mod lost_files;
mod mail;
mod page;
mod patterns;
mod process;
mod proxies;
mod publish;
mod quick_starts;
mod registration;
mod renderers;
mod rotation;
mod schemathesis;
mod scopes;
mod silent_database;
mod store;
mod stores;
mod tls;
mod traces;
