//! A key of a document and its place.

use super::key::{Key, Object};
use crate::document::{Node, Span};

/// A key of the specification, or of the generator, at one place of a document.
#[derive(Debug, Clone)]
pub struct KeyPlace<'d> {
    /// The object that has the key.
    pub object: &'static Object,
    /// The entry of the key; `None` for `$ref`.
    pub key: Option<&'static Key>,
    /// The JSON Pointer of the value.
    pub pointer: String,
    /// The position of the key.
    pub span: Span,
    /// The value.
    pub value: &'d Node,
}
