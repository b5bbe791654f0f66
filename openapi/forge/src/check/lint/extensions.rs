//! Rules about extensions, ours and the generator's.

use crate::check::survey::{Place, Survey};
use crate::document::{Diagnostic, Diagnostics};

/// The extensions that the generator knows, after `x-dropforge-`.
const KNOWN: [&str; 8] = [
    "lenient",
    "max-body-bytes",
    "method-not-allowed",
    "not-found",
    "raw",
    "secret",
    "source",
    "stream",
];

const PREFIX: &str = "x-dropforge-";

/// The grounds a decision can stand on, beside an RFC.
const GROUNDS: [&str; 5] = ["ours", "documented", "convention", "inferred", "seed"];

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
            "x-decision" => decisions(&value, findings),
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
                format!("the generator knows no `{key}`"),
            )
            .help(format!("it knows {known}")),
        );
    }
}

/// One decision, or several.
fn decisions(place: &Place<'_>, findings: &mut Diagnostics) {
    if place.node.as_array().is_none() {
        decision(place, findings);
        return;
    }
    let all = place.elements();
    if all.is_empty() {
        malformed(place, "there is no decision in it", findings);
    }
    for element in all {
        decision(&element, findings);
    }
}

fn decision(place: &Place<'_>, findings: &mut Diagnostics) {
    if place.node.as_object().is_none() {
        let what = format!("it is {}, not an object", place.node.type_name());
        malformed(place, &what, findings);
        return;
    }
    match place.text("number") {
        None => malformed(place, "it has no number", findings),
        Some(number) if !is_number(number) => {
            let what = format!("`{number}` is no number of a decision");
            malformed(
                &place.get("number").unwrap_or(place.clone()),
                &what,
                findings,
            );
        }
        Some(_) => {}
    }
    if place.text("choice").is_none() {
        malformed(place, "it does not say what was chosen", findings);
    }
    match place.text("ground") {
        None => malformed(place, "it does not say on what ground", findings),
        Some(ground) if !GROUNDS.contains(&ground) && !is_rfc(ground) => {
            let what = format!("`{ground}` is no ground");
            malformed(
                &place.get("ground").unwrap_or(place.clone()),
                &what,
                findings,
            );
        }
        Some(_) => {}
    }
    for (key, member) in place.entries() {
        if !["number", "choice", "ground"].contains(&key) {
            malformed(&member, &format!("it has no place for `{key}`"), findings);
        }
    }
}

/// A letter for the area, and a number: `A2`.
fn is_number(text: &str) -> bool {
    let digits = text.strip_prefix(|c: char| c.is_ascii_uppercase());
    digits.is_some_and(|d| !d.is_empty() && d.bytes().all(|b| b.is_ascii_digit()))
}

fn is_rfc(ground: &str) -> bool {
    let number = ground.strip_prefix("RFC ");
    number.is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()))
}

fn malformed(place: &Place<'_>, what: &str, findings: &mut Diagnostics) {
    findings.push(
        Diagnostic::error(
            "decision-malformed",
            place.span,
            format!("the decision is not complete: {what}"),
        )
        .help(
            "write `{number: A2, choice: \"…\", ground: ours}`; a ground is `ours`, `documented`, \
             `convention`, `inferred`, `seed` or an RFC",
        ),
    );
}
