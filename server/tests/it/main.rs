//! The service, from outside.
#![allow(missing_docs)]

mod accounts;
mod fidelity;
mod harness;
mod patterns;
mod process;
mod publish;
mod store;
