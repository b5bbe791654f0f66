//! dropforge generates dropshot servers and progenitor clients from documents of OpenAPI 3.0 and 3.1.
//!
//! A document passes four stages. [`document`] loads it and records the position of every node.
//! [`structure`] checks it against the objects of its version of OpenAPI. [`lower`] turns it into the plain
//! data of [`ir`]. [`emit`] writes that as tokens. The feature `check` adds tests of the documents
//! themselves.

// A diagnostic ends a run and not an inner loop: its size does not matter.
#![allow(clippy::result_large_err)]

#[cfg(feature = "check")]
pub mod check;
pub mod document;
pub mod emit;
pub mod ir;
pub mod lower;
pub mod publish;
pub mod quarantine;
pub mod structure;
mod upgrade;

pub mod build;
mod generate;
mod load;
mod stack;

pub use build::Build;
pub use generate::{Generated, Purpose, diagnose, generate_server, generate_server_for, pretty};

// The code of the README is a test.
#[cfg(all(doctest, feature = "client"))]
#[doc = include_str!("../README.md")]
struct Readme;
