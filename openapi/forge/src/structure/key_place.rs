//! The keys of a document, each with its place.

use super::key::{Key, Object};
use super::walk::Walk;
use crate::document::{Document, Node, Span};

/// A key of the specification, or of the generator, at one place of a document.
#[derive(Debug, Clone)]
pub struct KeyPlace<'d> {
    /// The object that has the key.
    pub object: &'static Object,
    /// The entry of the key; none for `$ref`.
    pub key: Option<&'static Key>,
    /// The JSON Pointer of the value.
    pub pointer: String,
    /// Where the key stands.
    pub span: Span,
    /// The value.
    pub value: &'d Node,
}

/// Every key of a document that the specification or the generator defines, in its order. Keys
/// that the author chooses, and those of examples and other values, are not among them.
pub fn keys(document: &Document) -> Vec<KeyPlace<'_>> {
    let mut walk = Walk::new(document);
    walk.keys = Some(Vec::new());
    walk.all();
    let mut keys = walk.keys.unwrap_or_default();
    keys.sort_by_key(|place| place.span.start);
    keys.dedup_by_key(|place| place.span);
    keys
}
