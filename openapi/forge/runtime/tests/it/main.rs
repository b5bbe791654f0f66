//! The runtime from outside: schema checks against another implementation, and
//! whole requests over plain HTTP.

mod api;
mod description;
mod lower;
mod oracle;
mod serving;
mod shop;
mod streaming;
mod tables;
