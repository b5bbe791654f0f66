//! The rule about `null` where nothing can write it.

use std::collections::HashSet;

use crate::check::document_index::{Direction, DocumentIndex, LocatedNode, properties};
use crate::document::{Diagnostic, Diagnostics};

/// Parameters and the fields of forms are text. Only JSON has `null`.
pub(super) fn check(index: &DocumentIndex<'_>, findings: &mut Diagnostics) {
    let parameters = index.parameters.iter();
    let parameters = parameters.filter_map(|parameter| parameter.get("schema"));
    let mut reported = HashSet::new();
    for schema in parameters.chain(of_forms(index)) {
        let Some(schema) = index.resolve(&schema) else {
            continue;
        };
        if let Some(nullable) = schema.get("nullable")
            && nullable.node.as_bool() == Some(true)
            && reported.insert(schema.pointer)
        {
            findings.push(
                Diagnostic::error(
                    "null-outside-json",
                    nullable.span,
                    "a parameter or the field of a form cannot be null",
                )
                .help("remove `nullable`: only JSON has null"),
            );
        }
    }
}

/// The schemas of forms, their parts, and their fields.
fn of_forms<'d>(index: &DocumentIndex<'d>) -> Vec<LocatedNode<'d>> {
    let mut schemas = Vec::new();
    for content in &index.contents {
        if content.direction == Direction::Request
            && content.essence() == "application/x-www-form-urlencoded"
            && let Some(schema) = content.place.get("schema")
        {
            let parts = index.parts(vec![schema]);
            let fields = parts.iter().flat_map(properties);
            schemas.extend(fields.map(|(_, field)| field));
            schemas.extend(parts);
        }
    }
    schemas
}
