//! The service, from outside.
#![allow(missing_docs)]

mod harness;
mod process;
mod publish;
mod store;
