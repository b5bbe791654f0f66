//! Where schemas are, and how to visit all of them.

use crate::document::pointer::join;
use serde_json::{Map, Value};

/// A JSON object.
pub type Object = Map<String, Value>;

/// The methods that a path item can have.
pub const METHODS: [&str; 8] = [
    "get", "put", "post", "delete", "options", "head", "patch", "trace",
];

/// Keywords that hold one schema.
const SINGLE: [&str; 3] = ["items", "not", "additionalProperties"];
/// Keywords that hold a list of schemas.
const LISTS: [&str; 3] = ["allOf", "oneOf", "anyOf"];

/// Calls `visit` for each schema of a document, outer ones before inner ones, with its pointer. References are visited
/// too, and not followed.
pub fn schemas(root: &mut Value, visit: &mut dyn FnMut(&str, &mut Value)) {
    let Some(root) = root.as_object_mut() else {
        return;
    };
    if let Some(components) = root.get_mut("components") {
        for (section, each) in [
            (
                "schemas",
                schema as fn(&str, &mut Value, &mut dyn FnMut(&str, &mut Value)),
            ),
            ("parameters", parameter),
            ("requestBodies", content),
            ("responses", content),
        ] {
            let pointer = format!("/components/{section}");
            for_members(components.get_mut(section), &pointer, |pointer, value| {
                each(pointer, value, visit)
            });
        }
    }
    for_members(root.get_mut("paths"), "/paths", |pointer, item| {
        parameters(pointer, item, visit);
        for method in METHODS {
            if let Some(operation) = item.get_mut(method) {
                self::operation(&join(pointer, method), operation, visit);
            }
        }
    });
}

/// Calls `visit` for each schema of one operation.
pub fn operation(pointer: &str, operation: &mut Value, visit: &mut dyn FnMut(&str, &mut Value)) {
    parameters(pointer, operation, visit);
    if let Some(body) = operation.get_mut("requestBody") {
        content(&join(pointer, "requestBody"), body, visit);
    }
    let responses = join(pointer, "responses");
    for_members(
        operation.get_mut("responses"),
        &responses,
        |pointer, value| content(pointer, value, visit),
    );
}

fn parameters(pointer: &str, holder: &mut Value, visit: &mut dyn FnMut(&str, &mut Value)) {
    let pointer = join(pointer, "parameters");
    if let Some(list) = holder.get_mut("parameters").and_then(Value::as_array_mut) {
        for (index, value) in list.iter_mut().enumerate() {
            parameter(&join(&pointer, &index.to_string()), value, visit);
        }
    }
}

fn parameter(pointer: &str, parameter: &mut Value, visit: &mut dyn FnMut(&str, &mut Value)) {
    if let Some(value) = parameter.get_mut("schema") {
        schema(&join(pointer, "schema"), value, visit);
    }
    content(pointer, parameter, visit);
}

fn content(pointer: &str, holder: &mut Value, visit: &mut dyn FnMut(&str, &mut Value)) {
    let pointer = join(pointer, "content");
    for_members(
        holder.get_mut("content"),
        &pointer,
        |pointer, media_type| {
            if let Some(value) = media_type.get_mut("schema") {
                schema(&join(pointer, "schema"), value, visit);
            }
        },
    );
}

/// Calls `visit` for a schema and for all that is in it.
pub fn schema(pointer: &str, value: &mut Value, visit: &mut dyn FnMut(&str, &mut Value)) {
    visit(pointer, value);
    let Some(object) = value.as_object_mut() else {
        return;
    };
    if object.contains_key("$ref") {
        return;
    }
    for_members(
        object.get_mut("properties"),
        &join(pointer, "properties"),
        |pointer, value| {
            schema(pointer, value, visit);
        },
    );
    for keyword in SINGLE {
        if let Some(value) = object.get_mut(keyword).filter(|value| value.is_object()) {
            schema(&join(pointer, keyword), value, visit);
        }
    }
    for keyword in LISTS {
        let pointer = join(pointer, keyword);
        if let Some(list) = object.get_mut(keyword).and_then(Value::as_array_mut) {
            for (index, value) in list.iter_mut().enumerate() {
                schema(&join(&pointer, &index.to_string()), value, visit);
            }
        }
    }
}

/// Calls `each` for the members of an object; extensions are none.
fn for_members(holder: Option<&mut Value>, pointer: &str, mut each: impl FnMut(&str, &mut Value)) {
    for (key, value) in holder.and_then(Value::as_object_mut).into_iter().flatten() {
        if !key.starts_with("x-")
            || pointer.ends_with("/properties")
            || pointer == "/components/schemas"
        {
            each(&join(pointer, key), value);
        }
    }
}

/// The name of the component that a schema refers to.
pub fn component(schema: &Value) -> Option<&str> {
    schema
        .get("$ref")?
        .as_str()?
        .strip_prefix("#/components/schemas/")
}

/// A reference to a component.
pub fn reference(name: &str) -> Value {
    serde_json::json!({ "$ref": format!("#/components/schemas/{name}") })
}

/// The components of a document.
pub fn components(root: &mut Value) -> &mut Object {
    let components = entry(root, "components");
    entry_of(components, "schemas")
}

fn entry<'a>(value: &'a mut Value, key: &str) -> &'a mut Object {
    if !value.is_object() {
        *value = Value::Object(Object::new());
    }
    match value {
        Value::Object(object) => entry_of(object, key),
        _ => unreachable!("it has just been made an object"),
    }
}

fn entry_of<'a>(object: &'a mut Object, key: &str) -> &'a mut Object {
    let value = object
        .entry(key)
        .or_insert_with(|| Value::Object(Object::new()));
    if !value.is_object() {
        *value = Value::Object(Object::new());
    }
    match value {
        Value::Object(object) => object,
        _ => unreachable!("it has just been made an object"),
    }
}
