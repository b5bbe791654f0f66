//! Rewrites `null` as a branch of `anyOf` or `oneOf`, and `$ref` with other keywords beside it.

use super::nodes::{also, node};
use super::types;
use crate::document::{Entry, Kind, Node, Object};

/// Keywords that do not constrain values. Those of an outer schema take precedence.
const ANNOTATIONS: [&str; 7] = [
    "default",
    "deprecated",
    "description",
    "example",
    "examples",
    "nullable",
    "title",
];

/// Makes a schema with a branch for `null` nullable.
pub(super) fn null_branches(schema: &mut Object) {
    for key in ["anyOf", "oneOf"] {
        let Some(branches) = schema.get_mut(key).and_then(Node::as_array_mut) else {
            continue;
        };
        let mut null = None;
        branches.retain(|branch| {
            let is_null = is_null(branch);
            null = null.or(is_null.then_some(branch.span));
            !is_null
        });
        let Some(span) = null else {
            continue;
        };
        let after = branches.len();
        let only = (after == 1).then(|| branches.remove(0));
        if after < 2 {
            schema.remove(key);
        }
        // A type beside the branches excludes `null`.
        let is_typed = schema.contains_key("type");
        match only {
            Some(only) => fold(schema, with_null(only)),
            None if after == 0 => types::only_null(schema, span),
            None => {}
        }
        if !is_typed {
            types::nullable(schema, span);
        }
    }
}

/// Adds `null` to the enumeration of a branch that is merged into a nullable schema.
fn with_null(mut branch: Node) -> Node {
    let span = branch.span;
    if let Some(values) = branch.get_mut("enum").and_then(Node::as_array_mut)
        && !values.iter().any(Node::is_null)
    {
        values.push(node(span, Kind::Null));
    }
    branch
}

/// Whether only `null` is valid, in the form that [`types::only_null`] writes.
fn is_null(branch: &Node) -> bool {
    let values = branch.get("enum").and_then(Node::as_array);
    values.is_some_and(|values| !values.is_empty() && values.iter().all(Node::is_null))
}

/// Merges the only branch of a union into the schema that has it.
fn fold(schema: &mut Object, branch: Node) {
    let is_plain = schema
        .keys()
        .all(|key| ANNOTATIONS.contains(&key) || key.starts_with("x-"));
    match branch.as_object() {
        Some(object) if is_plain && !object.contains_key("$ref") => {
            for (key, own) in object.iter() {
                schema.get_or_insert(key, own.clone());
            }
        }
        _ => also(schema, branch),
    }
}

/// Rewrites `$ref` with other keywords beside it as `allOf`: OpenAPI 3.0 ignores these keywords.
pub(super) fn reference(schema: &mut Object) {
    if schema.len() < 2 {
        return;
    }
    let Some(target) = schema.remove("$ref") else {
        return;
    };
    let span = target.value.span;
    let mut reference = Object::default();
    reference.get_or_insert("$ref", target);
    let reference = node(span, Kind::Object(reference));
    let none = Entry::at(span, Kind::Array(Vec::new()));
    if let Some(all) = schema.get_or_insert("allOf", none).as_array_mut() {
        all.insert(0, reference);
    }
}
