//! Finds keys that exclude each other.

use super::key::{Object, Version};
use super::tables;
use crate::document::{Diagnostic, Node};

/// The keys that OpenAPI calls mutually exclusive.
const PAIRS: [(&str, &str); 4] = [
    ("example", "examples"),
    ("value", "externalValue"),
    ("operationRef", "operationId"),
    ("identifier", "url"),
];

/// Warns of both keys of a pair in one object: readers of the document show only one of them.
pub(super) fn check(node: &Node, object: &Object, version: Version) -> Vec<Diagnostic> {
    // Both `example` and `examples` are annotations of a schema.
    if object.is(&tables::SCHEMA) {
        return Vec::new();
    }
    let has = |key: &str| object.key(key, version).is_some() && node.get(key).is_some();
    let pairs = PAIRS.iter().filter(|(one, other)| has(one) && has(other));
    pairs
        .map(|(one, other)| {
            let message = format!("{} has `{one}` or `{other}`, not both", object.name);
            Diagnostic::warning("exclusive-keys", node.key_span(other), message)
                .related(node.key_span(one), "the other one")
                .help("remove one of them")
        })
        .collect()
}
