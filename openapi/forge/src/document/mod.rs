//! Documents, loaded with the position of every node.
//!
//! A generator that refuses a document owes its author the line. The usual
//! models of OpenAPI lose it while they deserialize, so a document is kept here
//! as what it is: a tree of JSON values, each with the bytes it stands in. Both
//! notations end in the same tree, and nothing here knows what OpenAPI means.
//!
//! YAML is read by the core schema of YAML 1.2 (`yes` and `on` are strings),
//! and reduced to what JSON can say: no tags of one's own, no merge keys, one
//! document in a file. JSON is read strictly. In both, a repeated key is an
//! error, and nesting is bounded, so that no input can exhaust the stack.
//!
//! What several documents share stands in a file beside or below them. [`bundle()`] copies
//! what a document refers to there, so that everything behind it sees one document, in
//! which each node knows its file. [`Document::load_file`] does this and the rest of loading.

mod bundle;
mod defects;
mod diagnostic;
mod expand;
mod json;
mod node;
mod parse;
pub mod pointer;
mod reference;
mod render;
pub(crate) mod similar;
mod source;
mod tree;
pub(crate) mod visit;
mod yaml;

pub(crate) use bundle::bundle;
pub use defects::MAX_DEPTH;
pub use diagnostic::{Diagnostic, Diagnostics, Severity};
pub use expand::EXTENSIBLE;
pub(crate) use expand::{EXTENSIBLE_ENUM, RESPONSE_HEADERS, expand};
pub use node::{Entry, Kind, Node, Object};
pub(crate) use reference::References;
pub use source::{File, Place, Source, Span};
pub(crate) use tree::is_of_31;
pub use tree::{Document, Refused};

#[cfg(test)]
mod tests;
