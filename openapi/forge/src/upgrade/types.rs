//! Rewrites `type` with several types, and `null` among them.

use super::nodes::{also, exclude_all, excludes_all, node, set};
use crate::document::{Entry, Kind, Node, Object, Span};

/// Every type of JSON Schema except `null`; a number may be an integer.
const ALL: [&str; 5] = ["array", "boolean", "number", "object", "string"];

/// The keywords that apply to one type only.
pub(crate) const OF_TYPE: [(&str, &[&str]); 4] = [
    ("string", &["minLength", "maxLength", "pattern", "format"]),
    (
        "number",
        &[
            "minimum",
            "maximum",
            "exclusiveMinimum",
            "exclusiveMaximum",
            "multipleOf",
            "format",
        ],
    ),
    ("array", &["items", "minItems", "maxItems", "uniqueItems"]),
    (
        "object",
        &[
            "properties",
            "required",
            "additionalProperties",
            "minProperties",
            "maxProperties",
        ],
    ),
];

/// Formats of numbers; all others are formats of strings.
const NUMBER_FORMATS: [&str; 10] = [
    "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float", "double",
];

/// Rewrites `type` of a schema, unless it is the name of one type other than `null`.
pub(super) fn rewrite(schema: &mut Object) {
    let Some(types) = schema.entry("type") else {
        return;
    };
    let span = types.value.span;
    let mut names: Vec<String> = Vec::new();
    match &types.value.kind {
        Kind::String(name) if name == "null" => names.push(name.clone()),
        Kind::Array(elements) => {
            for element in elements {
                // Later checks report elements that are not strings.
                let Some(name) = element.as_str() else {
                    return;
                };
                if !names.iter().any(|known| known == name) {
                    names.push(name.to_owned());
                }
            }
        }
        _ => return,
    }
    let with_null = names.len();
    names.retain(|name| name != "null");
    let allows_null = names.len() < with_null;
    if names.iter().any(|name| name == "number") {
        names.retain(|name| name != "integer");
    }
    let is_any = ALL.iter().all(|one| names.iter().any(|name| name == one));
    match names.as_slice() {
        [] if allows_null && excludes_all(schema) => _ = schema.remove("type"),
        [] if allows_null => return only_null(schema, span),
        [] => return,
        _ if is_any && allows_null => _ = schema.remove("type"),
        [one] => set_type(schema, one, span),
        several => return split(schema, several, allows_null, span),
    }
    if allows_null {
        nullable(schema, span);
    }
}

/// Makes `null` valid, unless an enumeration excludes it, or no value is valid.
pub(super) fn nullable(schema: &mut Object, span: Span) {
    let values = schema.get("enum").and_then(Node::as_array);
    let lists_null = values.is_none_or(|values| values.iter().any(Node::is_null));
    if lists_null && !excludes_all(schema) {
        set(schema, "nullable", Entry::at(span, Kind::Bool(true)));
    }
}

/// The schema of `null` alone, which is an enumeration in OpenAPI 3.0.
pub(super) fn only_null(schema: &mut Object, span: Span) {
    schema.remove("type");
    let null = node(span, Kind::Null);
    set(schema, "enum", Entry::at(span, Kind::Array(vec![null])));
    set(schema, "nullable", Entry::at(span, Kind::Bool(true)));
}

fn set_type(schema: &mut Object, name: &str, span: Span) {
    let kind = Kind::String(name.to_owned());
    match schema.get_mut("type") {
        Some(known) => known.kind = kind,
        None => _ = schema.get_or_insert("type", Entry::at(span, kind)),
    }
}

/// Rewrites several types as `anyOf`, each with the keywords of its type.
fn split(schema: &mut Object, names: &[String], allows_null: bool, span: Span) {
    schema.remove("type");
    // Before the branches take the values of the enumeration, which may exclude `null`.
    if allows_null {
        nullable(schema, span);
    }
    let values = schema.remove("enum");
    let lists_null = allows_null && values.as_ref().is_some_and(has_null);
    let branches = names.iter();
    let branches = branches.filter_map(|name| branch(schema, name, values.as_ref(), span));
    let branches: Vec<Node> = branches.collect();
    // The enumeration has values of other types alone, or null beside them.
    if branches.is_empty() {
        return match lists_null {
            true => only_null(schema, span),
            false => exclude_all(schema, span),
        };
    }
    if let [only] = branches.as_slice() {
        for (key, own) in only.members() {
            schema.get_or_insert(key, own.clone());
        }
        if lists_null && let Some(values) = schema.get_mut("enum").and_then(Node::as_array_mut) {
            values.push(node(span, Kind::Null));
        }
        return;
    }
    let union = Entry::at(span, Kind::Array(branches));
    if schema.contains_key("anyOf") {
        let mut inner = Object::default();
        inner.get_or_insert("anyOf", union);
        also(schema, node(span, Kind::Object(inner)));
    } else {
        schema.get_or_insert("anyOf", union);
    }
}

/// The branch for one type, with its values and keywords. `None` if all values have other types.
fn branch(schema: &mut Object, name: &str, values: Option<&Entry>, span: Span) -> Option<Node> {
    let mut branch = Object::default();
    set_type(&mut branch, name, span);
    if let Some(values) = values {
        branch.get_or_insert("enum", of_type(values, name)?);
    }
    let group = if name == "integer" { "number" } else { name };
    let keys = OF_TYPE.iter().find(|(of, _)| *of == group);
    for key in keys.into_iter().flat_map(|(_, keys)| keys.iter()) {
        if *key == "format" && is_number_format(schema) != Some(group == "number") {
            continue;
        }
        if let Some(own) = schema.remove(key) {
            branch.get_or_insert(key, own);
        }
    }
    Some(node(span, Kind::Object(branch)))
}

/// Whether the format of a schema is one of numbers. `None` without a format.
fn is_number_format(schema: &Object) -> Option<bool> {
    let format = schema.get("format")?.as_str()?;
    Some(NUMBER_FORMATS.contains(&format))
}

fn has_null(values: &Entry) -> bool {
    let values = values.value.as_array();
    values.is_some_and(|values| values.iter().any(Node::is_null))
}

/// The values of an enumeration that have one type; `None` if there are none.
fn of_type(values: &Entry, name: &str) -> Option<Entry> {
    let is = |value: &&Node| {
        matches!(
            (&value.kind, name),
            (Kind::String(_), "string")
                | (Kind::Number(_), "number" | "integer")
                | (Kind::Bool(_), "boolean")
                | (Kind::Array(_), "array")
                | (Kind::Object(_), "object")
        )
    };
    let own: Vec<Node> = values
        .value
        .as_array()?
        .iter()
        .filter(is)
        .cloned()
        .collect();
    (!own.is_empty()).then(|| Entry {
        key_span: values.key_span,
        value: node(values.value.span, Kind::Array(own)),
    })
}
