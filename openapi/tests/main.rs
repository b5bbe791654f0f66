//! The documents, tested as such: before any of them is served.
#![allow(missing_docs)]

mod catalogues;
mod documents;
mod examples;
mod interface;
mod secrets;
