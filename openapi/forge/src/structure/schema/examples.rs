//! Finds members of examples that their schema does not allow, or that are misspelled.

use super::members::{Wholes, digits, tolerance};
use super::properties::Properties;
use crate::document::similar::{self, Proposals};
use crate::document::{Diagnostic, Document, Node, Object, Span};

/// Checks the examples of a schema, or of an object that has one: a media type, a parameter
/// or a header.
pub(in crate::structure) fn check<'d>(
    document: &'d Document,
    owner: &'d Node,
    is_schema: bool,
    wholes: &mut Wholes<'d>,
    proposals: &Proposals,
) -> Vec<Diagnostic> {
    let schema = match is_schema {
        true => Some(owner),
        false => owner.get("schema"),
    };
    let mut found = Vec::new();
    let Some(schema) = schema else {
        return found;
    };
    if let Some(example) = owner.get("example") {
        unknown(document, schema, example, wholes, proposals, &mut found);
    }
    match owner.get("examples") {
        Some(all) if is_schema => {
            for example in all.elements() {
                unknown(document, schema, example, wholes, proposals, &mut found);
            }
        }
        Some(all) => {
            for (_, entry) in all.members() {
                let Some((_, example)) = document.follow(&entry.value, "") else {
                    continue;
                };
                if let Some(value) = example.get("value") {
                    unknown(document, schema, value, wholes, proposals, &mut found);
                }
            }
        }
        None => {}
    }
    found
}

/// Warns of the unknown members of a value. A value is as deep as its document at most.
fn unknown<'d>(
    document: &'d Document,
    schema: &'d Node,
    value: &Node,
    wholes: &mut Wholes<'d>,
    proposals: &Proposals,
    found: &mut Vec<Diagnostic>,
) {
    let Some((_, schema)) = document.follow(schema, "") else {
        return;
    };
    if let (Some(items), Some(elements)) = (schema.get("items"), value.as_array()) {
        for element in elements {
            unknown(document, items, element, wholes, proposals, found);
        }
    }
    let Some(members) = value.as_object() else {
        return;
    };
    let properties = schema.get("properties").and_then(Node::as_object);
    let is_closed = schema.get("additionalProperties").and_then(Node::as_bool) == Some(false)
        && schema.get("patternProperties").is_none();
    let others = schema.get("additionalProperties");
    let is_map = others.is_some_and(|others| others.as_object().is_some());
    for (name, entry) in members.iter() {
        match properties.and_then(|all| all.get(name)) {
            Some(property) => unknown(document, property, &entry.value, wholes, proposals, found),
            None if is_closed => {
                let finding = Diagnostic::warning(
                    "example-with-unknown-member",
                    entry.key_span,
                    format!("the example has `{name}`, which its schema does not allow"),
                );
                let known = properties.into_iter().flat_map(|all| all.keys());
                found.push(finding.did_you_mean_or(
                    proposals.nearest(known, name, 2),
                    "remove it, or add the property to the schema",
                ));
            }
            // The members of a map have names of their own.
            None if is_map => {}
            None => {
                let known = wholes.properties(document, schema);
                found.extend(misspelled(known, members, name, entry.key_span, proposals));
            }
        }
    }
}

/// Warns of a member that is probably a misspelled property. An open schema allows other members, so the property must
/// be absent from the example.
fn misspelled(
    known: &Properties<'_>,
    members: &Object,
    name: &str,
    span: Span,
    proposals: &Proposals,
) -> Option<Diagnostic> {
    if known.is_partial || known.names.contains(name) {
        return None;
    }
    let names = proposals.limited(known.names.iter().copied());
    let absent = names.filter(|one| !members.contains_key(one) && digits(one) == digits(name));
    let near = similar::nearest(absent, name, tolerance(name))?;
    let message = format!("the example has `{name}`, which is not a property of its schema");
    Some(Diagnostic::warning("example-with-unknown-member", span, message).did_you_mean(near))
}
