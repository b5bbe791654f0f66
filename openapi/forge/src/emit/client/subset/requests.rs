//! Request bodies: chooses one media type that progenitor can write.

use super::{multipart, operation::Operation, parameters::is_scalar, writer::Writer};
use crate::{
    document::pointer::join,
    emit::{client::report::LossKind, comment},
    ir::{Body, Codec, MediaType},
};
use serde_json::{Value, json};

/// The body of a request in the subset.
pub struct Request {
    /// The `requestBody` of the written operation.
    pub value: Value,
    /// Whether the body is optional.
    pub optional: bool,
}

/// The preference of a media type; the lowest rank wins.
fn rank(media: &MediaType) -> u8 {
    match media.codec {
        Codec::Json if media.essence() == "application/json" => 0,
        Codec::Json => 1,
        Codec::Form => 2,
        Codec::Multipart => 3,
        Codec::Text | Codec::EventStream => 4,
        Codec::Binary => 5,
    }
}

/// Chooses the media type of a body.
pub fn write(writer: &mut Writer<'_>, operation: &mut Operation, body: &Body) -> Option<Request> {
    let pointer = join(&join(&operation.pointer, "requestBody"), "content");
    // `min_by_key` returns the first of equal ranks.
    let media = body.media.iter().min_by_key(|media| rank(media))?;
    for other in body.media.iter().filter(|other| other.name != media.name) {
        writer.lose_at(
            LossKind::RequestMediaType,
            &join(&pointer, &other.name),
            format!("sent as `{}`", media.name),
        );
    }
    let mut schema = writer.used(media.schema);
    let written = match media.codec {
        Codec::Json => "application/json",
        Codec::Form if is_flat(writer, &schema, 0) => "application/x-www-form-urlencoded",
        Codec::Form => {
            operation.encode_form = true;
            "application/json"
        }
        Codec::Multipart => {
            operation.multipart = true;
            multipart::add_parts(writer, operation, media);
            schema = json!({ "type": "string", "format": "binary" });
            "application/octet-stream"
        }
        Codec::Text | Codec::EventStream => {
            schema = json!({ "type": "string" });
            "text/plain"
        }
        Codec::Binary => {
            schema = json!({ "type": "string", "format": "binary" });
            "application/octet-stream"
        }
    };
    // progenitor sends the media type that it writes.
    let is_other = operation.encode_form || media.essence() != written;
    let is_concrete = !media.name.contains('*');
    if media.codec != Codec::Multipart && is_other && is_concrete {
        operation.content_type = Some(media.name.clone());
    }
    if media.codec == Codec::Binary && !is_bytes(&writer.used(media.schema)) {
        let what = format!("`{}`", media.name);
        writer.lose_at(LossKind::RawBody, &join(&pointer, &media.name), what);
    }
    let mut value = json!({ "required": true, "content": { written: { "schema": schema } } });
    if let Some(text) = &body.description {
        value["description"] = comment::description(text).into();
    }
    Some(Request {
        value,
        optional: !body.required,
    })
}

/// Whether a schema only describes bytes.
pub fn is_bytes(schema: &Value) -> bool {
    let is_text = schema.get("type").is_some_and(|kind| kind == "string");
    is_text || schema.as_object().is_some_and(|schema| schema.is_empty())
}

/// Whether a form of this schema has single values only. The encoder rejects others when the form is sent.
fn is_flat(writer: &Writer<'_>, schema: &Value, depth: usize) -> bool {
    let schema = writer.resolve(schema);
    let Some(object) = schema.as_object() else {
        return false;
    };
    if depth < 4
        && let Some(members) =
            (object.get("oneOf").or(object.get("allOf"))).and_then(Value::as_array)
    {
        return members
            .iter()
            .all(|member| is_flat(writer, member, depth + 1));
    }
    let properties = object.get("properties").and_then(Value::as_object);
    properties.is_some_and(|properties| {
        properties
            .values()
            .all(|property| is_scalar(&writer.resolve(property)))
    })
}
