//! The objects of a document, without its data values.
//!
//! Under `properties` a key is a name, under `example` everything is data: there
//! `$ref` is not a reference, and `enum` not a keyword.

use super::{Kind, Node, Object};

/// Keys whose members have names that the author chooses.
const NAMED: [&str; 22] = [
    "$defs",
    "callbacks",
    "content",
    "dependentSchemas",
    "encoding",
    "examples",
    "headers",
    "links",
    "parameters",
    "pathItems",
    "paths",
    "patternProperties",
    "properties",
    "requestBodies",
    "responses",
    "schemas",
    "scopes",
    "securitySchemes",
    "variables",
    "webhooks",
    "x-dropforge-not-found",
    "x-dropforge-response-headers",
];

/// Keys whose values are of any kind.
const DATA: [&str; 5] = ["const", "default", "enum", "example", "value"];

/// The prefix of the generator's extensions.
pub(crate) const OURS: &str = "x-dropforge-";

/// Whether a key is an extension of another tool: its value has no objects of OpenAPI.
pub(crate) fn is_foreign(key: &str) -> bool {
    key.starts_with("x-") && !key.starts_with(OURS)
}

/// Calls `visit` with each object whose keys are those of the specification,
/// outer objects first.
pub(crate) fn objects(node: &mut Node, visit: &mut impl FnMut(&mut Object)) {
    match &mut node.kind {
        Kind::Object(object) => {
            visit(object);
            for (key, entry) in object.iter_mut() {
                let is_named = NAMED.contains(&key);
                let is_data = DATA.contains(&key) || is_foreign(key);
                match &mut entry.value.kind {
                    _ if is_data => {}
                    // `examples` of a schema are a list of values.
                    Kind::Array(_) if key == "examples" => {}
                    Kind::Object(members) if is_named => {
                        for (_, member) in members.iter_mut() {
                            objects(&mut member.value, visit);
                        }
                    }
                    _ => objects(&mut entry.value, visit),
                }
            }
        }
        Kind::Array(elements) => {
            for element in elements {
                objects(element, visit);
            }
        }
        _ => {}
    }
}
