//! Finds defaults that are never applied: a required parameter is never absent.

use super::tables::REFERENCE;
use crate::document::{Diagnostic, Node};

/// Warns of a default in the own schema of a required parameter. A shared schema may have it for other uses.
pub(super) fn check(parameter: &Node) -> Option<Diagnostic> {
    let schema = parameter.get("schema")?;
    schema.get("default")?;
    // A default that is the only value says what to send, such as a version.
    let values = schema.get("enum").and_then(Node::as_array);
    let is_only_value =
        values.is_some_and(|values| values.len() == 1) || schema.get("const").is_some();
    if !parameter.flag("required") || is_only_value || schema.get(REFERENCE).is_some() {
        return None;
    }
    let help = match parameter.text("in") {
        Some("path") => "remove it: a path contains all its parameters",
        _ => "remove it, or `required`",
    };
    Some(
        Diagnostic::warning(
            "default-not-applied",
            schema.key_span("default"),
            "a required parameter is never absent, so this default is not applied",
        )
        .related(parameter.key_span("required"), "required here")
        .help(help),
    )
}
