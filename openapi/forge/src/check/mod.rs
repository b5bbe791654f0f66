//! Documents, tested like code.
//!
//! What a document says can be wrong in ways that no type system sees: an
//! example that its own schema refuses, an error nobody listed, a change that
//! breaks who is there already. Each file here is one such question. They read
//! documents and JSON and nothing else, so that they hold for whatever
//! generates from the document, and for whoever serves it.

pub mod changelog;
pub mod compatibility;
pub mod decisions;
mod document_index;
mod events;
pub mod examples;
pub mod fidelity;
mod json_schema;
pub mod lint;
pub mod mutation;
pub mod prose;
pub mod release;
pub mod replay;

pub use crate::publish as published;
