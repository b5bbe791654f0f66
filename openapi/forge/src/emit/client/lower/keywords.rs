//! Keywords of a schema that typify does not need, does not know or takes too seriously.
//!
//! What remains is a shape: types, properties, items, unions. Constraints are the server's to check; typify would
//! enforce some of them, in answers too, and would so make a client that refuses tomorrow's server.

use super::{Lowering, SECRET, naming, walk::Object};
use crate::{document::pointer::join, emit::client::report::LossKind};
use serde_json::Value;

/// Keywords about documentation; they mean nothing to a type.
const DOCUMENTATION: [&str; 7] = [
    "title",
    "example",
    "examples",
    "externalDocs",
    "xml",
    "deprecated",
    "$comment",
];

/// Keywords that only the server checks.
const CONSTRAINTS: [&str; 13] = [
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "pattern",
    "minItems",
    "maxItems",
    "uniqueItems",
    "minProperties",
    "maxProperties",
];

/// Reduces every schema to its shape.
pub fn schemas(lowering: &mut Lowering<'_>) {
    lowering.each_schema(|lowering, pointer, schema| match schema {
        Value::Object(object) if !object.contains_key("$ref") => reduce(lowering, pointer, object),
        Value::Object(_) => {}
        other => *other = Value::Object(Object::new()),
    });
}

fn reduce(lowering: &mut Lowering<'_>, pointer: &str, schema: &mut Object) {
    if schema.get("x-dropforge-secret") == Some(&Value::Bool(true)) {
        schema.insert("format".to_owned(), SECRET.into());
    }
    schema.retain(|keyword, _| {
        !DOCUMENTATION.contains(&keyword.as_str()) && !keyword.starts_with("x-")
    });
    if schema
        .get("description")
        .is_some_and(|text| !text.is_string())
    {
        schema.remove("description");
    }
    constraints(lowering, pointer, schema);
    types(schema);
    properties(lowering, pointer, schema);
}

fn constraints(lowering: &mut Lowering<'_>, pointer: &str, schema: &mut Object) {
    let dropped: Vec<&str> = CONSTRAINTS
        .into_iter()
        .filter(|keyword| schema.remove(*keyword).is_some())
        .collect();
    if !dropped.is_empty() {
        lowering.lose(LossKind::Constraint, pointer, dropped.join(", "));
    }
    if schema.remove("not").is_some() {
        lowering.lose(LossKind::Constraint, pointer, "not");
    }
    if schema.get("additionalProperties") == Some(&Value::Bool(false)) {
        schema.remove("additionalProperties");
        lowering.lose(LossKind::Constraint, pointer, "additionalProperties: false");
    }
    if let Some(value) = schema.remove("default") {
        lowering.lose(LossKind::Default, pointer, format!("default {value}"));
    }
}

/// Says the type where the document leaves it to be inferred, and takes back what does not belong to it.
fn types(schema: &mut Object) {
    let has = |keyword: &str| schema.contains_key(keyword);
    let union = has("oneOf") || has("anyOf") || has("allOf");
    let kind = schema
        .get("type")
        .and_then(Value::as_str)
        .map(str::to_owned);
    let kind = match kind {
        Some(kind)
            if ["string", "number", "integer", "boolean", "array", "object"]
                .contains(&kind.as_str()) =>
        {
            Some(kind)
        }
        _ if has("properties") || has("additionalProperties") || has("required") && !union => {
            Some("object".to_owned())
        }
        _ if has("items") => Some("array".to_owned()),
        _ if is_text(schema.get("enum")) => Some("string".to_owned()),
        _ => None,
    };
    match &kind {
        Some(kind) if !union => schema.insert("type".to_owned(), Value::String(kind.clone())),
        // The members of the union say it, each its own way.
        Some(kind) if kind != "object" => schema.remove("type"),
        Some(_) => None,
        None => schema.remove("type"),
    };
    match kind.as_deref() {
        Some("array") => {
            schema
                .entry("items")
                .or_insert_with(|| Value::Object(Object::new()));
            schema.retain(|keyword, _| {
                !matches!(
                    keyword.as_str(),
                    "properties" | "required" | "additionalProperties" | "enum" | "format"
                )
            });
        }
        Some("object") => {
            schema.retain(|keyword, _| !matches!(keyword.as_str(), "items" | "enum" | "format"))
        }
        Some(_) => schema.retain(|keyword, _| {
            !matches!(
                keyword.as_str(),
                "items" | "properties" | "required" | "additionalProperties"
            )
        }),
        None => schema.retain(|keyword, _| !matches!(keyword.as_str(), "format")),
    }
    // A map with typed values beside its properties, which are all strings to typify, unless it is said like this.
    if schema.contains_key("properties")
        && schema.get("additionalProperties") == Some(&Value::Bool(true))
    {
        schema.insert(
            "additionalProperties".to_owned(),
            Value::Object(Object::new()),
        );
    }
    if schema
        .get("properties")
        .and_then(Value::as_object)
        .is_some_and(Object::is_empty)
    {
        schema.remove("properties");
        schema.remove("required");
    }
}

fn is_text(values: Option<&Value>) -> bool {
    values.and_then(Value::as_array).is_some_and(|values| {
        values.iter().any(Value::is_string)
            && values
                .iter()
                .all(|value| value.is_string() || value.is_null())
    })
}

/// Properties whose fields would have one name, and `required` that is no list of properties.
fn properties(lowering: &mut Lowering<'_>, pointer: &str, schema: &mut Object) {
    let flattened = schema
        .get("additionalProperties")
        .is_some_and(Value::is_object);
    let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) else {
        return;
    };
    // What is left over is flattened into a field of this name.
    let mut fields = naming::Names::reserved(if flattened { &["extra"] } else { &[] });
    let clashing: Vec<String> = properties
        .keys()
        .filter(|name| {
            let field = naming::snake(name);
            fields.give(&field) != field
        })
        .cloned()
        .collect();
    for name in clashing {
        properties.remove(&name);
        lowering.lose(
            LossKind::Name,
            pointer,
            format!("property {name:?} has the field name of another and is left out"),
        );
    }
    if let Some(required) = schema.get_mut("required") {
        match required.as_array_mut() {
            Some(list) => list.retain(Value::is_string),
            None => *required = Value::Array(vec![]),
        }
    }
}

/// Leaves the secrets among parameters plain texts: progenitor prints them into addresses and headers.
pub fn parameters(lowering: &mut Lowering<'_>) {
    lowering.each_schema(|_, pointer, schema| {
        let is_parameter = pointer.contains("/parameters/") && !pointer.contains("/properties/");
        if let Some(schema) = schema.as_object_mut()
            && is_parameter
            && schema.get("format").is_some_and(|format| format == SECRET)
        {
            schema.remove("format");
        }
    });
}

/// Makes properties optional that are required in the other direction only.
pub fn directions(lowering: &mut Lowering<'_>) {
    let requests = lowering.components_of(|pointer| {
        pointer.contains("/requestBody") || pointer.contains("/requestBodies/")
    });
    let answers = lowering.components_of(|pointer| pointer.contains("/responses/"));
    lowering.each_schema(|lowering, pointer, schema| {
        let Some(schema) = schema.as_object_mut() else {
            return;
        };
        let owner = pointer
            .strip_prefix("/components/schemas/")
            .and_then(|rest| rest.split('/').next());
        let is_in = |names: &[String], part: &str| match owner {
            Some(owner) => names.iter().any(|name| name == owner),
            None => pointer.contains(part),
        };
        let sent = is_in(&requests, "/requestBod");
        let received = is_in(&answers, "/responses/");
        let mut freed = Vec::new();
        for (name, property) in schema
            .get_mut("properties")
            .and_then(Value::as_object_mut)
            .into_iter()
            .flatten()
        {
            let Some(property) = property.as_object_mut() else {
                continue;
            };
            let flag = |value: Option<Value>| value == Some(Value::Bool(true));
            let read_only = flag(property.remove("readOnly"));
            let write_only = flag(property.remove("writeOnly"));
            if read_only && sent || write_only && received {
                freed.push((
                    name.clone(),
                    if read_only { "readOnly" } else { "writeOnly" },
                ));
            }
        }
        let Some(required) = schema.get_mut("required").and_then(Value::as_array_mut) else {
            return;
        };
        for (name, why) in freed {
            let before = required.len();
            required.retain(|other| other.as_str() != Some(&name));
            if required.len() != before {
                lowering.lose(
                    LossKind::Direction,
                    join(&join(pointer, "properties"), &name),
                    why,
                );
            }
        }
    });
}
