//! Finds values that are listed twice.

use std::collections::HashMap;

use serde_json::Value;

use crate::document::{Diagnostic, Node};

/// Warns of each value that equals an earlier one.
pub(super) fn check<'d>(values: impl IntoIterator<Item = &'d Node>) -> Vec<Diagnostic> {
    let mut first = HashMap::new();
    let mut found = Vec::new();
    for node in values {
        let value = comparable(node);
        match first.get(&value) {
            Some(known) => found.push(
                Diagnostic::warning("repeated-value", node.span, "this value is listed twice")
                    .related(*known, "first here")
                    .help("remove it, or correct it"),
            ),
            None => _ = first.insert(value, node.span),
        }
    }
    found
}

/// The value in a form that equal numbers share: `1.0` is the integer 1.
pub(crate) fn comparable(node: &Node) -> Value {
    let integer = node.as_i64().map(Value::from);
    let integer = integer.or_else(|| node.as_u64().map(Value::from));
    integer.unwrap_or_else(|| node.to_json())
}
