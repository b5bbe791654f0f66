//! The service, from outside.
#![allow(missing_docs)]

mod store;
