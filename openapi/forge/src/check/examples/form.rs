//! Forms (`application/x-www-form-urlencoded`) that an example writes as text.

use percent_encoding::percent_decode_str;
use serde_json::{Map, Value, json};

use crate::check::document_index::{DocumentIndex, LocatedNode};

/// The fields of a form (WHATWG URL, section 5.1) as values of the types that their schemas name. The
/// last field of a name counts, unless the field is a list. `None` if a field may be of several types.
pub(super) fn read<'d>(
    index: &DocumentIndex<'d>,
    schema: &LocatedNode<'d>,
    text: &str,
) -> Option<Value> {
    let whole = index.parts(vec![schema.clone()]);
    let mut form = Map::new();
    for field in text.trim_end().split('&').filter(|field| !field.is_empty()) {
        let (name, value) = field.split_once('=').unwrap_or((field, ""));
        let (name, value) = (decode(name), decode(value));
        let declared = declared(index, &whole, &name);
        match only_type(&declared)? {
            "array" => {
                let items = declared.iter().filter_map(|schema| schema.get("items"));
                let items = index.parts(items.collect());
                let element = typed(only_type(&items)?, value);
                match form.entry(name).or_insert_with(|| json!([])) {
                    Value::Array(elements) => elements.push(element),
                    other => *other = element,
                }
            }
            kind => _ = form.insert(name, typed(kind, value)),
        }
    }
    Some(form.into())
}

fn decode(text: &str) -> String {
    let text = text.replace('+', " ");
    percent_decode_str(&text).decode_utf8_lossy().into_owned()
}

/// The schemas of a field: those of its property, or those of other properties.
fn declared<'d>(
    index: &DocumentIndex<'d>,
    whole: &[LocatedNode<'d>],
    name: &str,
) -> Vec<LocatedNode<'d>> {
    let named = whole.iter();
    let named = named.filter_map(|part| part.get("properties")?.get(name));
    let mut schemas: Vec<LocatedNode<'d>> = named.collect();
    if schemas.is_empty() {
        let others = whole.iter();
        schemas.extend(others.filter_map(|part| part.get("additionalProperties")));
    }
    index.parts(schemas)
}

/// The only type of schemas. It is empty if they name none, and `None` if they name several.
fn only_type<'d>(schemas: &[LocatedNode<'d>]) -> Option<&'d str> {
    let types = schemas.iter().filter_map(|schema| schema.text("type"));
    let mut types: Vec<&'d str> = types.collect();
    types.sort_unstable();
    types.dedup();
    match types.as_slice() {
        [] => Some(""),
        [only] => Some(*only),
        _ => None,
    }
}

/// A text as a value of a type. Any other text stays one, which its schema does not allow.
fn typed(kind: &str, text: String) -> Value {
    if matches!(kind, "" | "string") {
        return text.into();
    }
    match serde_json::from_str(&text) {
        Ok(value @ (Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_))) => {
            value
        }
        _ => text.into(),
    }
}
