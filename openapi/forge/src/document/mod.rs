//! Documents, loaded with the position of every node.
//!
//! A diagnostic needs the line of the document. The usual models of OpenAPI lose it while they
//! deserialize. So a document is a tree of JSON values here, each with its position. Both notations
//! have the same tree.
//!
//! YAML is read by the core schema of YAML 1.2 (`yes` and `on` are strings). It is limited to the
//! data model of JSON: no custom tags, no merge keys, one document in a file. JSON is read
//! strictly. In both, a repeated key is an error, and nesting is bounded, so that no input can
//! exhaust the stack.
//!
//! Several documents can share files beside or below them. [`bundle()`] copies the referenced nodes
//! of these files, so that later stages have one document in which each node knows its file.
//! [`Document::load_file`] does this and all other steps of loading.

mod bundle;
pub(crate) mod characters;
mod comment;
mod conflict;
mod cursor;
mod defects;
mod diagnostic;
mod expand;
pub(crate) mod expression;
mod json;
mod locate;
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

pub(crate) use bundle::{Files, bundle, is_own_name};
pub use cursor::Cursor;
pub use defects::MAX_DEPTH;
pub(crate) use diagnostic::more_places;
pub use diagnostic::{Diagnostic, Diagnostics, Severity};
pub use expand::{EXTENSIBLE, METHODS};
pub(crate) use expand::{EXTENSIBLE_ENUM, RESPONSE_HEADERS, expand};
pub use locate::Located;
pub use node::{Entry, Kind, Node, Object};
pub(crate) use parse::names_file;
pub(crate) use reference::References;
pub use source::{File, Place, Source, Span};
pub(crate) use tree::is_of_31;
pub use tree::{Document, Refused};
pub(crate) use yaml::{MAX_SHOWN, quoted};

#[cfg(test)]
mod tests;
