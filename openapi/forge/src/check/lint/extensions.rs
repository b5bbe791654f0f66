//! Rules about extensions.

use crate::check::document_index::{DocumentIndex, LocatedNode, has_names};
use crate::document::{Diagnostic, Diagnostics};

pub(super) fn check(index: &DocumentIndex<'_>, findings: &mut Diagnostics) {
    walk(&index.root(), findings);
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
            "example" | "examples" | "default" | "enum" if !has_names(&place.pointer) => {}
            _ => walk(&value, findings),
        }
    }
}
