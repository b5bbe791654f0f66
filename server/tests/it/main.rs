//! The service, from outside.
#![allow(missing_docs)]

mod harness;
mod publish;
mod store;
