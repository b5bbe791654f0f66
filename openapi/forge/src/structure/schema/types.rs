//! Finds keywords that do not apply to the types of their schema.

use super::named_types::types_of;
use crate::document::{Diagnostic, Node};
use crate::structure::key::Version;
use crate::upgrade::OF_TYPE;

/// Keywords that limit the same thing in values of different types.
const COUNTERPARTS: [[(&str, &str); 4]; 2] = [
    [
        ("string", "minLength"),
        ("number", "minimum"),
        ("array", "minItems"),
        ("object", "minProperties"),
    ],
    [
        ("string", "maxLength"),
        ("number", "maximum"),
        ("array", "maxItems"),
        ("object", "maxProperties"),
    ],
];

pub(super) fn check(schema: &Node, version: Version) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    if let Some(node) = schema.get("type")
        && node.as_array().is_some_and(<[Node]>::is_empty)
    {
        found.push(
            Diagnostic::error(
                "no-type",
                node.span,
                "`type` names no type: no value is valid",
            )
            .help("name a type, or remove the key"),
        );
    }
    if ["readOnly", "writeOnly"].iter().all(|key| schema.flag(key)) {
        found.push(
            Diagnostic::error(
                "read-only-and-write-only",
                schema.key_span("writeOnly"),
                "a value that is both `readOnly` and `writeOnly` is never sent",
            )
            .related(schema.key_span("readOnly"), "the other one")
            .help("remove one of them"),
        );
    }
    let types: Vec<&str> = types_of(schema).into_iter().map(group).collect();
    let is_known = |name: &&str| matches!(*name, "boolean" | "null") || keywords(name).is_some();
    if types.is_empty() || !types.iter().all(is_known) {
        return found;
    }
    for (of, keys) in OF_TYPE {
        if types.contains(&of) {
            continue;
        }
        for key in keys.iter().filter(|key| **key != "format") {
            if schema.get(key).is_some() {
                found.push(misplaced(schema, key, &types));
            }
        }
    }
    if version == Version::V30 && types.contains(&"array") && schema.get("items").is_none() {
        found.push(
            Diagnostic::warning(
                "array-without-items",
                schema.key_span("type"),
                "OpenAPI 3.0 requires `items` beside `type: array`",
            )
            .help("add `items` with the schema of an item; `items: {}` allows any"),
        );
    }
    found
}

/// The keywords of a number also apply to an integer.
fn group(name: &str) -> &str {
    match name {
        "integer" => "number",
        name => name,
    }
}

fn keywords(name: &str) -> Option<&'static [&'static str]> {
    let of = OF_TYPE.iter().find(|(of, _)| *of == name);
    of.map(|(_, keys)| *keys)
}

fn misplaced(schema: &Node, key: &str, types: &[&str]) -> Diagnostic {
    let named = types_of(schema).join("` or `");
    let family = COUNTERPARTS
        .iter()
        .find(|family| family.iter().any(|(_, known)| *known == key));
    let meant = family.into_iter().flatten();
    let meant = meant.copied().find(|(of, _)| types.contains(of));
    let message = format!("`{key}` says nothing about values of type `{named}`");
    let finding = Diagnostic::warning("keyword-of-other-type", schema.key_span(key), message);
    match meant {
        Some((_, meant)) if schema.get(meant).is_none() => finding.did_you_mean(meant),
        _ => finding.help("remove it, or correct the `type`"),
    }
}
