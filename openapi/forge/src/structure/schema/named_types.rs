//! The types in `type`.

use crate::document::Node;

/// The types of JSON Schema.
pub(in crate::structure) const TYPES: [&str; 7] = [
    "array", "boolean", "integer", "null", "number", "object", "string",
];

/// The types of a schema; empty without `type`.
pub(super) fn types_of(schema: &Node) -> Vec<&str> {
    let Some(node) = schema.get("type") else {
        return Vec::new();
    };
    match node.as_array() {
        Some(all) => all.iter().filter_map(Node::as_str).collect(),
        None => node.as_str().into_iter().collect(),
    }
}
