//! Request bodies: one media type, and one that progenitor writes.

use super::{
    Lowering,
    operation::Operation,
    walk::{component, components},
};
use crate::{document::pointer::join, emit::client::report::LossKind};
use serde_json::{Value, json};

/// The body of a request, as progenitor takes it.
pub struct Request {
    /// The `requestBody` of the lowered operation.
    pub value: Value,
    /// A caller may leave it out.
    pub optional: bool,
}

/// Media types in the order in which they are preferred.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Way {
    /// `application/json`.
    Json,
    /// Another JSON media type, written as JSON.
    Vendor,
    /// A form of simple fields.
    Form,
    /// Text.
    Text,
    /// Bytes.
    Bytes,
    /// Several parts, whose boundary no header of a document can say.
    Multipart,
}

impl Way {
    fn of(media_type: &str) -> Self {
        match essence(media_type).as_str() {
            "application/json" => Self::Json,
            other if other.ends_with("+json") => Self::Vendor,
            "application/x-www-form-urlencoded" => Self::Form,
            "text/plain" => Self::Text,
            other if other.starts_with("multipart/") => Self::Multipart,
            _ => Self::Bytes,
        }
    }
}

/// A media type without its parameters, in small letters.
pub fn essence(media_type: &str) -> String {
    media_type
        .split(';')
        .next()
        .unwrap_or_default()
        .trim()
        .to_ascii_lowercase()
}

/// Chooses the media type of a body. The error says why the operation cannot be called.
pub fn reduce(
    lowering: &mut Lowering<'_>,
    operation: &mut Operation,
    body: Option<&Value>,
) -> Result<Option<Request>, &'static str> {
    let Some(body) = body else { return Ok(None) };
    let Some(content) = body.get("content").and_then(Value::as_object) else {
        return Ok(None);
    };
    let pointer = join(&join(&operation.pointer, "requestBody"), "content");
    // The first of the best kind; `min_by_key` answers the first of equal ones.
    let Some((media_type, value)) = content
        .iter()
        .min_by_key(|(media_type, _)| Way::of(media_type))
    else {
        return Ok(None);
    };
    let optional = body.get("required") != Some(&Value::Bool(true));
    let mut way = Way::of(media_type);
    if way == Way::Multipart {
        return if optional {
            lowering.lose(
                LossKind::RequestMediaType,
                &pointer,
                "multipart body, which is left out",
            );
            Ok(None)
        } else {
            Err("a multipart body")
        };
    }
    for other in content.keys().filter(|other| *other != media_type) {
        lowering.lose(
            LossKind::RequestMediaType,
            join(&pointer, other),
            format!("sent as `{media_type}`"),
        );
    }
    let pointer = join(&pointer, media_type);
    let mut schema = value.get("schema").cloned().unwrap_or_else(|| json!({}));
    if way == Way::Form && !is_flat(lowering, &schema, 0) {
        way = Way::Text;
        lowering.lose(
            LossKind::RawBody,
            &pointer,
            "a form with fields that are not simple values; the caller writes it",
        );
    }
    let concrete = !media_type.contains('*');
    let lowered = match way {
        Way::Json | Way::Vendor => {
            if way == Way::Vendor {
                operation.content_type = Some(media_type.clone());
            }
            "application/json"
        }
        Way::Form => "application/x-www-form-urlencoded",
        Way::Text => {
            if essence(media_type) != "text/plain" {
                operation.content_type = Some(media_type.clone());
            }
            schema = json!({ "type": "string" });
            "text/plain"
        }
        Way::Bytes | Way::Multipart => {
            if concrete && essence(media_type) != "application/octet-stream" {
                operation.content_type = Some(media_type.clone());
                lowering.lose(LossKind::RawBody, &pointer, format!("`{media_type}`"));
            }
            schema = json!({ "type": "string", "format": "binary" });
            "application/octet-stream"
        }
    };
    if optional {
        lowering.lose(
            LossKind::OptionalBody,
            join(&operation.pointer, "requestBody"),
            "the body",
        );
    }
    let mut lowered = json!({ "required": true, "content": { lowered: { "schema": schema } } });
    if let Some(text) = body.get("description") {
        lowered["description"] = text.clone();
    }
    Ok(Some(Request {
        value: lowered,
        optional,
    }))
}

/// Whether a form of this schema has simple values only; the encoder refuses others when the form is sent.
fn is_flat(lowering: &mut Lowering<'_>, schema: &Value, depth: usize) -> bool {
    let schema = resolve(lowering, schema);
    let Some(object) = schema.as_object() else {
        return false;
    };
    if depth < 4
        && let Some(members) =
            (object.get("oneOf").or(object.get("allOf"))).and_then(Value::as_array)
    {
        return members
            .iter()
            .all(|member| is_flat(lowering, member, depth + 1));
    }
    let properties = object.get("properties").and_then(Value::as_object);
    properties.is_some_and(|properties| {
        properties
            .values()
            .all(|property| super::parameters::is_scalar(&resolve(lowering, property)))
    })
}

/// What a reference leads to.
pub fn resolve(lowering: &mut Lowering<'_>, schema: &Value) -> Value {
    let target = match (
        schema.get("nullable"),
        schema
            .get("allOf")
            .and_then(Value::as_array)
            .map(Vec::as_slice),
    ) {
        (Some(_), Some([only])) => only,
        _ => schema,
    };
    match component(target) {
        Some(name) => components(&mut lowering.root)
            .get(name)
            .cloned()
            .unwrap_or_default(),
        None => schema.clone(),
    }
}
