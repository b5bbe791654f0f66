//! Nullable values: `nullable` belongs to the use of a component, never to the component.
//!
//! typify hides the `Option` of a nullable component in a newtype. The `Option` of a nullable use is in the struct that
//! has it, as callers expect.

use super::{
    walk::{Object, component, components, members, only_part},
    writer::Writer,
};
use crate::{document::pointer::join, emit::client::report::LossKind};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Moves `nullable` from components to their uses, once for each component; `moved` has the components of earlier
/// rounds. Returns whether there was a new one.
pub fn move_to_uses(writer: &mut Writer<'_>, moved: &mut BTreeSet<String>) -> bool {
    let mut nullable: BTreeSet<String> = BTreeSet::new();
    // A component that only refers to a nullable one is nullable.
    loop {
        let before = nullable.len();
        for (name, schema) in components(&mut writer.root) {
            if schema.get("nullable") == Some(&Value::Bool(true))
                || component(schema).is_some_and(|other| nullable.contains(other))
            {
                nullable.insert(name.clone());
            }
        }
        if nullable.len() == before {
            break;
        }
    }
    nullable.retain(|name| !moved.contains(name));
    writer.each_schema(|_, pointer, schema| {
        let is_component = pointer
            .strip_prefix("/components/schemas/")
            .is_some_and(|rest| !rest.contains('/'));
        // A merged schema is not nullable because one of its parts is.
        let is_merged = pointer.rsplit('/').nth(1) == Some("allOf");
        if is_component {
            if let Some(object) = schema.as_object_mut() {
                object.remove("nullable");
            }
        } else if !is_merged && component(schema).is_some_and(|name| nullable.contains(name)) {
            *schema = or_null(schema.take());
        }
    });
    let is_new = !nullable.is_empty();
    moved.extend(nullable);
    is_new
}

/// A schema that also allows null.
pub fn or_null(mut schema: Value) -> Value {
    if component(&schema).is_some() {
        return json!({ "nullable": true, "allOf": [schema] });
    }
    if let Some(object) = schema.as_object_mut() {
        object.insert("nullable".to_owned(), Value::Bool(true));
    }
    schema
}

/// The schema without null: undoes [`or_null`].
pub fn without_null(mut schema: Value) -> Value {
    let object = schema.as_object_mut();
    let is_nullable = object.is_some_and(|object| object.remove("nullable").is_some());
    match only_part(&schema).filter(|_| is_nullable) {
        Some(only) => only.clone(),
        None => schema,
    }
}

/// Makes optional lists and maps `Option`s. typify treats an empty collection as absent, and sends neither. To a
/// server, "no labels" and "keep the labels" may differ.
///
/// An optional and nullable property is one `Option`, which is a loss.
pub fn wrap_optional(writer: &mut Writer<'_>) {
    writer.each_schema(|writer, pointer, schema| {
        let Some(schema) = schema.as_object_mut() else {
            return;
        };
        let required = schema.get("required").and_then(Value::as_array).cloned();
        let required = required.unwrap_or_default();
        for (name, property) in members(schema.get_mut("properties")) {
            if required.iter().any(|one| one == name.as_str()) {
                continue;
            }
            let Some(property) = property.as_object_mut() else {
                continue;
            };
            if property.get("nullable") == Some(&Value::Bool(true)) {
                writer.lose(
                    LossKind::Nullable,
                    join(&join(pointer, "properties"), name),
                    "optional and nullable",
                );
            } else if is_collection(property) {
                property.insert("nullable".to_owned(), Value::Bool(true));
            }
        }
    });
}

fn is_collection(schema: &Object) -> bool {
    match schema.get("type").and_then(Value::as_str) {
        Some("array") => true,
        Some("object") => !schema.contains_key("properties"),
        _ => false,
    }
}
