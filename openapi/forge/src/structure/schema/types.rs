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
    let mut found: Vec<Diagnostic> = no_type(schema).into_iter().collect();
    found.extend(never_sent(schema));
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
    if version == Version::V30 && types.contains(&"array") {
        found.extend(without_items(schema));
    }
    found
}

/// The error about an empty list of types.
fn no_type(schema: &Node) -> Option<Diagnostic> {
    let node = schema.get("type")?;
    node.as_array()?.is_empty().then(|| {
        let message = "`type` names no type: no value is valid";
        Diagnostic::error("no-type", node.span, message).help("name a type, or remove the key")
    })
}

/// The error about a value that neither requests nor responses have.
fn never_sent(schema: &Node) -> Option<Diagnostic> {
    (schema.flag("readOnly") && schema.flag("writeOnly")).then(|| {
        Diagnostic::error(
            "read-only-and-write-only",
            schema.key_span("writeOnly"),
            "a value that is both `readOnly` and `writeOnly` is never sent",
        )
        .related(schema.key_span("readOnly"), "the other one")
        .help("remove one of them")
    })
}

/// The warning about a list of OpenAPI 3.0 without the schema of its items.
fn without_items(schema: &Node) -> Option<Diagnostic> {
    schema.get("items").is_none().then(|| {
        Diagnostic::warning(
            "array-without-items",
            schema.key_span("type"),
            "OpenAPI 3.0 requires `items` beside `type: array`",
        )
        .help("add `items` with the schema of an item; `items: {}` allows any")
    })
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
