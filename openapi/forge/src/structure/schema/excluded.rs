//! Finds properties of `allOf` that the schema itself excludes: `additionalProperties: false` allows only the properties
//! that are declared beside it.

use super::properties::Properties;
use crate::document::{Diagnostic, Document, Node};

pub(super) fn check(document: &Document, schema: &Node) -> Option<Diagnostic> {
    let is_closed = schema.get("additionalProperties")?.as_bool() == Some(false);
    let parts = schema.get("allOf")?.elements();
    if !is_closed || schema.get("patternProperties").is_some() {
        return None;
    }
    let mut known = Properties::default();
    for part in parts {
        known.collect(document, part);
    }
    let own = schema.get("properties").and_then(Node::as_object);
    let is_excluded = |name: &&str| !own.is_some_and(|own| own.contains_key(name));
    let mut names = known.names.into_iter().filter(is_excluded);
    // Without a required one, an object that has none of them is valid.
    let name = match known.required.into_iter().filter(is_excluded).min() {
        Some(required) => required,
        None => names.next()?,
    };
    let message =
        format!("`additionalProperties: false` excludes `{name}`, which a schema of `allOf` names");
    let span = schema.key_span("additionalProperties");
    Some(
        Diagnostic::warning("excluded-property", span, message)
            .related(schema.key_span("allOf"), "the schemas")
            .help(format!(
                "declare `{name}` in `properties` beside it, or remove `additionalProperties`"
            )),
    )
}
