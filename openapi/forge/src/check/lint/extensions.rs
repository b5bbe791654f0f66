//! Rules about extensions, ours and the generator's.

use crate::check::survey::{Place, Survey};
use crate::document::{Diagnostic, Diagnostics};

/// The extensions that the generator knows, after `x-dropforge-`.
const KNOWN: [&str; 11] = [
    "extensible",
    "lenient",
    "max-body-bytes",
    "method-not-allowed",
    "not-found",
    "or-integer",
    "raw",
    "response-headers",
    "secret",
    "source",
    "stream",
];

const PREFIX: &str = "x-dropforge-";

pub(super) fn check(survey: &Survey<'_>, findings: &mut Diagnostics) {
    walk(&survey.root(), findings);
}

/// Goes through everything but the values of examples, which are not ours.
fn walk(place: &Place<'_>, findings: &mut Diagnostics) {
    for element in place.elements() {
        walk(&element, findings);
    }
    let keys = place.node.as_object().into_iter().flat_map(|o| o.keys());
    for (key, value) in keys.filter_map(|key| Some((key, place.get(key)?))) {
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
            "example" | "examples" | "default" | "enum" => {}
            _ => {
                if key.starts_with(PREFIX) {
                    known(key, &value, findings);
                }
                walk(&value, findings);
            }
        }
    }
}

fn known(key: &str, value: &Place<'_>, findings: &mut Diagnostics) {
    if !KNOWN.iter().any(|known| key == format!("{PREFIX}{known}")) {
        let known = KNOWN.map(|known| format!("`{PREFIX}{known}`")).join(", ");
        findings.push(
            Diagnostic::error(
                "extension-unknown",
                value.span,
                format!("the generator does not support `{key}`"),
            )
            .help(format!("it supports {known}")),
        );
    }
}
