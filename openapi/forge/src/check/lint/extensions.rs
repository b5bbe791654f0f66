//! Rules about extensions.

use crate::check::document_index::{DocumentIndex, LocatedNode};
use crate::document::{Diagnostic, Diagnostics};

pub(super) fn check(index: &DocumentIndex<'_>, findings: &mut Diagnostics) {
    walk(&index.root(), findings);
}

/// Whether the keys of an object are names and statuses, such as the response `default`.
fn has_names(place: &LocatedNode<'_>) -> bool {
    ["/properties", "/responses"]
        .iter()
        .any(|end| place.pointer.ends_with(end))
}

/// Visits everything except the values of examples, which are data.
fn walk(place: &LocatedNode<'_>, findings: &mut Diagnostics) {
    for element in place.elements() {
        walk(&element, findings);
    }
    for (key, value) in place.entries() {
        match key {
            "x-decision" => findings.push(
                Diagnostic::error(
                    "decision-in-document",
                    value.span,
                    "the document contains a decision",
                )
                .help(
                    "callers cannot resolve its number: move it to `openapi/decisions.yaml`, \
                     and what a caller needs to know to a description",
                ),
            ),
            "example" | "examples" | "default" | "enum" if !has_names(place) => {}
            _ => walk(&value, findings),
        }
    }
}
