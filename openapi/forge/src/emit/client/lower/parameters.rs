//! Parameters: simple values, each with a name of its own.
//!
//! progenitor writes simple values into paths and headers, and lists into the query. What it cannot write becomes a
//! string that the caller writes; what it cannot name, or cannot put in its place, gets a name of ours, and the session
//! puts it where it belongs.

use super::{
    Lowering,
    naming::{Names, snake},
    operation::{Moved, Operation, Place},
    requests::resolve,
    walk::Object,
};
use crate::{document::pointer::join, emit::client::report::LossKind, lower::names::is_token};
use serde_json::{Value, json};

/// Names that a builder has besides those of its parameters, and those of variables in its code.
const RESERVED: [&str; 8] = [
    "new",
    "send",
    "call",
    "stream",
    "body",
    "body_map",
    "header_map",
    "info",
];

/// Lowers the parameters of an operation; `choice` holds the media types that a caller can choose from.
pub fn reduce(
    lowering: &mut Lowering<'_>,
    operation: &mut Operation,
    parameters: Option<&Value>,
    choice: &[String],
) -> Vec<Value> {
    let mut fields = Names::reserved(&RESERVED);
    let mut wire = Names::default();
    let mut lowered = Vec::new();
    let path = operation.path.clone();
    let variables = variables(&path);
    let parameters: Vec<&Object> = parameters
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_object)
        .collect();
    for parameter in &parameters {
        let (Some(name), Some(place)) = (text(parameter, "name"), text(parameter, "in")) else {
            continue;
        };
        let pointer = join(&join(&operation.pointer, "parameters"), name);
        let required = parameter.get("required") == Some(&Value::Bool(true));
        let (schema, writable) = schema(lowering, parameter, place);
        let mut value =
            json!({ "name": name, "in": place, "required": required, "schema": schema });
        if let Some(text) = text(parameter, "description") {
            value["description"] = Value::String(super::docs::text(text));
        }
        match place {
            "path" if variables.contains(&name) => {
                value["required"] = Value::Bool(true);
                // The path and the parameter must agree on the name, and nothing else sees it.
                let field = fields.give(&snake(name));
                let given = wire.give(&if field == snake(name) {
                    name.to_owned()
                } else {
                    field
                });
                if given != name {
                    operation.lowered_path = operation
                        .lowered_path
                        .replace(&format!("{{{name}}}"), &format!("{{{given}}}"));
                    value["name"] = Value::String(given);
                }
            }
            "query" => place_at(
                operation,
                &mut value,
                &mut fields,
                &mut wire,
                Place::Query,
                name,
            ),
            // OpenAPI 3.0 ignores parameters of these names.
            "header"
                if ["accept", "content-type", "authorization"]
                    .contains(&&*name.to_ascii_lowercase()) =>
            {
                continue;
            }
            "header" if is_token(name) => place_at(
                operation,
                &mut value,
                &mut fields,
                &mut wire,
                Place::Header,
                name,
            ),
            "cookie" if is_token(name) => {
                value["in"] = json!("header");
                place_at(
                    operation,
                    &mut value,
                    &mut fields,
                    &mut wire,
                    Place::Cookie,
                    name,
                );
            }
            _ => {
                lowering.lose(LossKind::Parameter, pointer, format!("{place} parameter"));
                continue;
            }
        }
        if !writable {
            lowering.lose(
                LossKind::ParameterText,
                pointer,
                format!("{place} parameter that is not a simple value"),
            );
        }
        lowered.push(value);
    }
    for name in variables {
        let has = parameters
            .iter()
            .any(|p| text(p, "in") == Some("path") && text(p, "name") == Some(name));
        if !has && !wire.contains(name) {
            wire.give(name);
            lowering.lose(
                LossKind::ParameterText,
                &operation.pointer,
                format!("path variable {name:?}, which is not declared"),
            );
            lowered.push(json!({ "name": name, "in": "path", "required": true, "schema": { "type": "string" } }));
        }
    }
    if choice.len() > 1 && fields.give("accept") == "accept" && wire.give("accept") == "accept" {
        lowered.push(json!({
            "name": "accept",
            "in": "header",
            "required": false,
            "description": "The media type of the response.",
            "schema": { "type": "string", "enum": choice },
        }));
    }
    lowered
}

fn text<'a>(object: &'a Object, key: &str) -> Option<&'a str> {
    object.get(key).and_then(Value::as_str)
}

/// Gives a parameter a name that no other has, as a field and to progenitor, which tells parameters apart by name only.
fn place_at(
    operation: &mut Operation,
    value: &mut Value,
    fields: &mut Names,
    wire: &mut Names,
    place: Place,
    name: &str,
) {
    let field = fields.give(&snake(name));
    let sent = if place == Place::Query {
        Place::Query
    } else {
        Place::Header
    };
    // Headers are compared without case, and progenitor writes them as they are.
    let wanted = if place == Place::Query {
        name.to_owned()
    } else {
        name.to_ascii_lowercase()
    };
    let unchanged = field == snake(name) && place == sent && !wire.contains(&wanted);
    let given = wire.give(&if unchanged {
        wanted.clone()
    } else {
        field.replace('_', "-")
    });
    if given != wanted || place != sent {
        operation.moved.push(Moved {
            from: (sent, given.clone()),
            to: (place, name.to_owned()),
        });
        // progenitor makes the field's name of the one it is given.
        fields.give(&snake(&given));
    }
    value["name"] = Value::String(given);
}

/// The schema of a parameter, and whether progenitor can write it where it belongs.
fn schema(lowering: &mut Lowering<'_>, parameter: &Object, place: &str) -> (Value, bool) {
    let string = json!({ "type": "string" });
    let Some(schema) = parameter.get("schema") else {
        return (string, !parameter.contains_key("content"));
    };
    let mut resolved = resolve(lowering, schema);
    let style = text(parameter, "style");
    let simple = match place {
        "query" | "cookie" => style.is_none_or(|style| style == "form"),
        _ => style.is_none_or(|style| style == "simple"),
    };
    let scalar = is_scalar(&resolved);
    let list = place == "query"
        && parameter.get("explode") != Some(&Value::Bool(false))
        && resolved
            .get("items")
            .is_some_and(|items| is_scalar(&resolve(lowering, items)));
    if !simple || !(scalar || list) {
        return (string, false);
    }
    // A parameter that is there is not null.
    let mut schema = schema.clone();
    if let Some(Value::Array(inner)) = schema
        .get("allOf")
        .filter(|_| schema.get("nullable").is_some())
    {
        schema = inner.first().cloned().unwrap_or_default();
    }
    for schema in [&mut schema, &mut resolved] {
        if let Some(object) = schema.as_object_mut() {
            object.remove("nullable");
        }
    }
    (schema, true)
}

/// Whether a value of this schema is written as one word.
pub fn is_scalar(schema: &Value) -> bool {
    if let Some(members) = schema.get("oneOf").and_then(Value::as_array) {
        return members.iter().all(is_scalar);
    }
    matches!(
        schema.get("type").and_then(Value::as_str),
        Some("string" | "integer" | "number" | "boolean")
    )
}

/// The names of the variables of a path.
pub fn variables(path: &str) -> Vec<&str> {
    path.split('{')
        .skip(1)
        .filter_map(|rest| rest.split_once('}').map(|(name, _)| name))
        .collect()
}
