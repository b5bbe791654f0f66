//! The service, from outside.
#![allow(missing_docs)]

mod fidelity;
mod harness;
mod process;
mod publish;
mod store;
