//! The runtime from outside: schema checks against another implementation, and
//! whole requests over plain HTTP.

mod api;
mod bodies;
mod lower;
mod oracle;
mod registration;
mod serving;
mod shop;
mod streaming;
mod tables;
mod uniform;
