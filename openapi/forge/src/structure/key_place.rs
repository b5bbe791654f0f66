//! A key of a document and its place.

use super::key::{Key, Object};
use crate::document::{Node, Span};

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
