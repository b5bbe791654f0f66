//! Visits the schemas of a document of OpenAPI 3.1.

use crate::document::{Kind, Node, Object, pointer::join, visit::is_foreign};

/// Keys whose members are objects under names that the author chooses.
const NAMED: [&str; 12] = [
    "callbacks",
    "content",
    "encoding",
    "headers",
    "parameters",
    "pathItems",
    "paths",
    "requestBodies",
    "responses",
    "webhooks",
    "x-dropforge-not-found",
    "x-dropforge-response-headers",
];

/// Keys whose values have no schemas.
const WITHOUT_SCHEMAS: [&str; 10] = [
    "example",
    "examples",
    "externalDocs",
    "info",
    "links",
    "security",
    "securitySchemes",
    "servers",
    "tags",
    "value",
];

/// Keywords whose value is a schema.
const SINGLE: [&str; 11] = [
    "additionalProperties",
    "contains",
    "contentSchema",
    "else",
    "if",
    "items",
    "not",
    "propertyNames",
    "then",
    "unevaluatedItems",
    "unevaluatedProperties",
];

/// Keywords whose value is a list of schemas.
const LISTS: [&str; 4] = ["allOf", "anyOf", "oneOf", "prefixItems"];

/// Keywords whose value has schemas under names.
const MAPS: [&str; 5] = [
    "$defs",
    "definitions",
    "dependentSchemas",
    "patternProperties",
    "properties",
];

/// Calls `visit` with each schema that is not part of another one, and with its pointer.
pub(super) fn schemas(node: &mut Node, pointer: &str, visit: &mut dyn FnMut(&str, &mut Node)) {
    match &mut node.kind {
        Kind::Object(object) => {
            for (key, entry) in object.iter_mut() {
                let at = join(pointer, key);
                let skipped = WITHOUT_SCHEMAS.contains(&key) || is_foreign(key);
                match (key, &mut entry.value.kind) {
                    ("schema", _) => visit(&at, &mut entry.value),
                    _ if skipped => {}
                    ("schemas", Kind::Object(members)) => {
                        for (name, member) in members.iter_mut() {
                            visit(&join(&at, name), &mut member.value);
                        }
                    }
                    (_, Kind::Object(members)) if NAMED.contains(&key) => {
                        for (name, member) in members.iter_mut() {
                            schemas(&mut member.value, &join(&at, name), visit);
                        }
                    }
                    _ => schemas(&mut entry.value, &at, visit),
                }
            }
        }
        Kind::Array(elements) => {
            for (index, element) in elements.iter_mut().enumerate() {
                schemas(element, &join(pointer, &index.to_string()), visit);
            }
        }
        _ => {}
    }
}

/// Calls `visit` with each direct part of a schema: the keyword, the pointer relative to
/// the outer schema, and the part.
pub(super) fn parts(schema: &mut Object, mut visit: impl FnMut(&str, &str, &mut Node)) {
    for (key, entry) in schema.iter_mut() {
        let at = join("", key);
        match &mut entry.value.kind {
            _ if SINGLE.contains(&key) => visit(key, &at, &mut entry.value),
            Kind::Array(elements) if LISTS.contains(&key) => {
                for (index, element) in elements.iter_mut().enumerate() {
                    visit(key, &join(&at, &index.to_string()), element);
                }
            }
            Kind::Object(members) if MAPS.contains(&key) => {
                for (name, member) in members.iter_mut() {
                    visit(key, &join(&at, name), &mut member.value);
                }
            }
            _ => {}
        }
    }
}

/// Calls `visit` with a schema and each schema in it, outer ones first.
pub(super) fn every(node: &mut Node, pointer: &str, visit: &mut dyn FnMut(&str, &mut Object)) {
    let Kind::Object(schema) = &mut node.kind else {
        return;
    };
    visit(pointer, schema);
    parts(schema, |_, behind, part| {
        every(part, &format!("{pointer}{behind}"), visit);
    });
}
