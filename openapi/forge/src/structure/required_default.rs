//! Finds defaults that are never applied: a required parameter is never absent.

use super::tables::REFERENCE;
use crate::document::{Diagnostic, Node};

/// Warns of a default in the own schema of a required parameter. A shared schema may have it for other uses.
pub(super) fn check(parameter: &Node) -> Option<Diagnostic> {
    let is_required = parameter.get("required")?.as_bool() == Some(true);
    let schema = parameter.get("schema")?;
    schema.get("default")?;
    if !is_required || schema.get(REFERENCE).is_some() {
        return None;
    }
    let help = match parameter.get("in").and_then(Node::as_str) {
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
