//! OpenAPI 3.1, rewritten in the words of OpenAPI 3.0.3.
//!
//! One model serves both versions: a document of OpenAPI 3.1 is rewritten when it is
//! loaded, and everything behind the loader reads 3.0.3. Each node keeps its position, and
//! the author's own text stays in [`Document::written`], for the check of the structure
//! and for the published form.
//!
//! A keyword that the model cannot hold is left out with a warning if the server then only
//! accepts more than the document says, and refused otherwise.
//!
//! - [`identifiers`]: `$id`, `$anchor` and `$defs`, before references are followed;
//! - [`outline`]: the objects of the document apart from schemas;
//! - [`schema`]: schemas, with a file for each group of keywords.

mod bounds;
mod compositions;
mod identifiers;
mod looser;
mod outline;
mod schema;
#[cfg(test)]
mod tests;
mod types;
mod walk;

use crate::document::{Diagnostic, Diagnostics, Document, Entry, Kind, Node, Object, Span};
use crate::structure;

pub(crate) use identifiers::resolve as resolve_identifiers;
pub(crate) use types::OF_TYPE;

/// Rewrites a document of OpenAPI 3.1 in the words of 3.0.3, and reads what documents of
/// 3.0 borrow from 3.1. What the author should know is in [`Document::findings`].
pub(crate) fn upgrade(document: &mut Document) {
    let mut findings = Diagnostics::default();
    if is_newer(&document.root) {
        document.written = Some(document.root.clone());
        identifiers::hoist_definitions(&mut document.root);
        outline::rewrite(&mut document.root, &mut findings);
        schema::rewrite(&mut document.root, &mut findings);
    } else {
        schema::read_constants(&mut document.root, &mut findings);
    }
    document.findings.extend(findings);
}

/// Whether a document says that it is OpenAPI 3.1.
pub(crate) fn is_newer(root: &Node) -> bool {
    let version = root.get("openapi").and_then(Node::as_str);
    version.is_some_and(structure::is_of_31)
}

/// The warning about a keyword that is left out.
fn warning(code: &'static str, span: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::warning(code, span, message)
}

/// A node that has the position of what it is made of.
fn node(span: Span, kind: Kind) -> Node {
    Node { span, kind }
}

/// An entry whose key and value have one position.
fn entry(span: Span, kind: Kind) -> Entry {
    Entry {
        key_span: span,
        value: node(span, kind),
    }
}

/// Sets a key, and replaces its value if it has one.
fn set(object: &mut Object, key: &str, entry: Entry) {
    object.remove(key);
    object.get_or_insert(key, entry);
}
