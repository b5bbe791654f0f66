//! Checks of documents.
//!
//! A document can be wrong in ways that a type system does not find: an example that is invalid
//! against its own schema, an error that is not listed, a change that breaks existing clients. Each
//! file here checks one of them. The checks read only documents and JSON, so they hold for any
//! generator and any server.

pub mod changelog;
pub mod compatibility;
pub mod decisions;
pub mod document_index;
mod events;
pub mod examples;
pub mod json_schema;
pub mod lint;
pub mod prose;
pub mod release;
mod rule;
mod steps;

pub use crate::publish as published;
