//! Visits the schemas of the subset while it is being written.

use crate::document::pointer::join;
use indexmap::IndexSet;
use serde_json::{Map, Value};

/// A JSON object.
pub type Object = Map<String, Value>;

/// The member of the root for the schemas that operations use, by their number, until the operations are written.
pub const USES: &str = "uses";

/// Keywords whose value is a schema.
const SINGLE: [&str; 2] = ["items", "additionalProperties"];
/// Keywords whose value is a list of schemas.
const LISTS: [&str; 3] = ["allOf", "oneOf", "anyOf"];

/// Calls `visit` for each schema of components and uses, outer ones before inner ones, with its pointer. References are
/// visited too, and not followed.
pub fn schemas(root: &mut Value, visit: &mut dyn FnMut(&str, &mut Value)) {
    for pointer in ["/components/schemas".to_owned(), format!("/{USES}")] {
        for_members(root.pointer_mut(&pointer), &pointer, |pointer, value| {
            schema(pointer, value, visit)
        });
    }
}

/// Calls `visit` for a schema and for all schemas in it.
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
        for (index, value) in elements(object.get_mut(keyword)).enumerate() {
            schema(&join(&pointer, &index.to_string()), value, visit);
        }
    }
}

fn for_members(holder: Option<&mut Value>, pointer: &str, mut each: impl FnMut(&str, &mut Value)) {
    for (key, value) in members(holder) {
        each(&join(pointer, key), value);
    }
}

/// The members of an object; none of another value.
pub fn members(value: Option<&mut Value>) -> impl Iterator<Item = (&String, &mut Value)> {
    value.and_then(Value::as_object_mut).into_iter().flatten()
}

/// The elements of an array; none of another value.
pub fn elements(value: Option<&mut Value>) -> impl Iterator<Item = &mut Value> {
    value.and_then(Value::as_array_mut).into_iter().flatten()
}

/// The part of an `allOf` that has one.
pub fn only_part(schema: &Value) -> Option<&Value> {
    match schema.get("allOf")?.as_array()?.as_slice() {
        [only] => Some(only),
        _ => None,
    }
}

/// The components that a schema reaches, itself included if it reaches itself.
pub fn reachable(schemas: &Object, start: &Value) -> IndexSet<String> {
    let mut found = IndexSet::new();
    let mut queue = vec![start.clone()];
    while let Some(mut value) = queue.pop() {
        schema("", &mut value, &mut |_, schema| {
            if let Some(name) = component(schema)
                && found.insert(name.to_owned())
            {
                queue.extend(schemas.get(name).cloned());
            }
        });
    }
    found
}

/// Whether the values of a component contain values of another without a list or a map between, so that their types would
/// be infinitely large.
pub fn holds(schemas: &Object, name: &str, target: &str) -> bool {
    let mut found = IndexSet::from([name.to_owned()]);
    let mut next = 0;
    while let Some(name) = found.get_index(next).cloned() {
        let mut value = schemas.get(&name).cloned().unwrap_or_default();
        schema("", &mut value, &mut |_, schema| {
            if let Some(object) = schema.as_object_mut() {
                object.retain(|key, _| !SINGLE.contains(&key.as_str()));
            }
            found.extend(component(schema).map(str::to_owned));
        });
        if found.get_index_of(target).is_some_and(|at| at > 0) {
            return true;
        }
        next += 1;
    }
    false
}

/// The target of a reference, also of a nullable one.
pub fn resolve(root: &Value, schema: &Value) -> Value {
    let nullable = only_part(schema).filter(|_| schema.get("nullable").is_some());
    match component(nullable.unwrap_or(schema)) {
        Some(name) => root["components"]["schemas"][name].clone(),
        None => schema.clone(),
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

/// The components of the subset.
pub fn components(root: &mut Value) -> &mut Object {
    match root.pointer_mut("/components/schemas") {
        Some(Value::Object(components)) => components,
        _ => unreachable!("the root is created with components"),
    }
}

/// The values of an enumeration of strings, which the client restores as an open one.
pub fn values(schema: &Value) -> Option<Vec<String>> {
    let values = schema.get("enum")?.as_array()?.iter();
    let values = values.filter_map(|value| value.as_str().map(str::to_owned));
    Some(values.collect())
}
