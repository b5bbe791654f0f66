//! Finds keywords among the names that an author chooses: they are indented too deep.

use crate::document::{Diagnostic, Node};
use crate::structure::key::{ValueType, Version};
use crate::structure::tables::SCHEMA;

/// Warns of booleans under the names of keywords, as in `properties: {additionalProperties: false}`.
/// OpenAPI 3.0 has no boolean schemas, and the walk rejects other values that are not schemas.
pub(super) fn check(schema: &Node, version: Version) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    if SCHEMA.boolean != Some(version) {
        return found;
    }
    let maps = SCHEMA
        .keys_of(version)
        .filter(|key| matches!(key.value_type, ValueType::Map(of) if of.is(&SCHEMA)));
    for map in maps.map(|key| key.name) {
        for (name, entry) in schema.members_of(map) {
            let Some(allows_any) = entry.value.as_bool().filter(|_| is_keyword(name)) else {
                continue;
            };
            let meant = if allows_any { "{}" } else { "{not: {}}" };
            let message = format!("`{name}` is one of the names in `{map}` here, not a keyword");
            found.push(
                Diagnostic::warning("keyword-as-name", entry.key_span, message).help(format!(
                    "indent it like `{map}`, or write `{meant}` if the name is meant"
                )),
            );
        }
    }
    found
}

/// Whether an object may have a keyword of this name with a boolean beside `properties`. `items: true`
/// says nothing about an object, and its `default` is not a boolean: these are names.
fn is_keyword(name: &str) -> bool {
    // Authors also write `required: true`, as in early drafts of JSON Schema.
    if let "required" | "unevaluatedProperties" = name {
        return true;
    }
    let mut keys = SCHEMA.keys.iter().filter(|key| key.name == name);
    keys.any(|key| matches!(key.value_type, ValueType::Boolean | ValueType::BooleanOr(_)))
}
