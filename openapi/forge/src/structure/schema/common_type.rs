//! Finds compositions whose types exclude each other: no value satisfies all schemas of `allOf`.

use super::named_types::{TYPES, types_of};
use crate::document::{Diagnostic, Document, Node, Span};

/// Warns of a schema of `allOf` that has no type in common with those before it, and with the schema beside `allOf`.
pub(super) fn check(document: &Document, schema: &Node) -> Option<Diagnostic> {
    let parts = schema.get("allOf")?.elements();
    let own = types(schema).map(|own| (own, schema.key_span("type")));
    let mut common: Option<(Vec<&str>, Span)> = own;
    for part in parts {
        let resolved = document.follow(part, "");
        let Some(types) = resolved.and_then(|(_, resolved)| types(resolved)) else {
            continue;
        };
        let Some((known, span)) = common else {
            common = Some((types, part.span));
            continue;
        };
        let mut both = known.clone();
        both.retain(|name| types.contains(name));
        if both.is_empty() {
            let (known, types) = (names(&known), names(&types));
            let message = format!("no value has the type `{types}` and also `{known}`");
            return Some(
                Diagnostic::warning("contradicting-types", part.span, message)
                    .related(span, "the other type")
                    .help("correct one of the types"),
            );
        }
        common = Some((both, span));
    }
    None
}

/// The types of the values that a schema allows. `None` if it names none, or an unknown one.
fn types(schema: &Node) -> Option<Vec<&str>> {
    let mut found = types_of(schema);
    if found.is_empty() || !found.iter().all(|name| TYPES.contains(name)) {
        return None;
    }
    // An integer is also a number.
    if found.contains(&"number") {
        found.push("integer");
    }
    if schema.flag("nullable") {
        found.push("null");
    }
    Some(found)
}

/// The types in a message, without the integers of `number`.
fn names(types: &[&str]) -> String {
    let is_number = types.contains(&"number");
    let named = types
        .iter()
        .filter(|name| !is_number || **name != "integer");
    named.copied().collect::<Vec<_>>().join("` or `")
}
