//! Enumerations.
//!
//! An enumeration of strings becomes an enum that keeps values it does not know, which the give-back writes; one with a
//! single value stays closed, because it is what tells the members of a union apart. Other enumerations are their type.

use super::{Lowering, walk::Object};
use crate::emit::client::report::LossKind;
use serde_json::Value;

/// Brings every enumeration to one of three forms: several strings, one string, or none at all.
pub fn schemas(lowering: &mut Lowering<'_>) {
    lowering.each_schema(|lowering, pointer, schema| {
        if let Some(object) = schema.as_object_mut() {
            reduce(lowering, pointer, object);
        }
    });
}

fn reduce(lowering: &mut Lowering<'_>, pointer: &str, schema: &mut Object) {
    let Some(values) = schema.remove("enum") else {
        return;
    };
    let values = values.as_array().cloned().unwrap_or_default();
    if values.iter().any(Value::is_null) {
        schema.insert("nullable".to_owned(), Value::Bool(true));
    }
    let mut texts: Vec<Value> = Vec::new();
    for value in values.iter().filter(|value| !value.is_null()) {
        if value.is_string() && !texts.contains(value) {
            texts.push(value.clone());
        } else if !value.is_string() {
            texts.clear();
            break;
        }
    }
    if schema.get("type").and_then(Value::as_str) != Some("string") || texts.is_empty() {
        lowering.lose(
            LossKind::Constraint,
            pointer,
            "enum of values that are not strings",
        );
        return;
    }
    schema.remove("format");
    if texts.len() > 1 {
        lowering.lose(
            LossKind::Enumeration,
            pointer,
            format!("enum of {} values", texts.len()),
        );
    }
    schema.insert("enum".to_owned(), Value::Array(texts));
}

/// The values of an enumeration that is given back: several strings, and nothing else.
pub fn values(schema: &Value) -> Option<Vec<String>> {
    let values = schema.get("enum")?.as_array()?;
    (values.len() > 1).then(|| {
        values
            .iter()
            .filter_map(|value| value.as_str().map(str::to_owned))
            .collect()
    })
}
