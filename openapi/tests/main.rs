//! The documents, tested as such: before any of them is served.
#![allow(missing_docs)]

mod catalogs;
mod documents;
mod examples;
mod interface;
mod secrets;
