//! `multipart/form-data` (RFC 7578), as an object of the parts.
//!
//! A part whose schema is binary becomes base64 text (see
//! [`Binary`]); an object, an array within an array, or a part
//! that says it is JSON is read as JSON; everything else is text.

use bytes::Bytes;
use futures::stream;
use serde_json::Value;

use super::form::Fields;
use crate::binary::Binary;
use crate::coerce::{self, coerce};
use crate::part::Part;
use crate::rejection::Rejection;
use crate::table::Schema;
use crate::violation::Violation;

/// Reads all parts: the object of their values, and their heads.
pub(super) async fn decode(
    schema: Option<&'static Schema>,
    boundary: Option<&str>,
    bytes: &Bytes,
    violations: &mut Vec<Violation>,
) -> Result<(Value, Vec<Part>), Rejection> {
    let boundary = boundary.ok_or_else(|| unreadable("its Content-Type names no boundary"))?;
    let chunks = stream::iter([Ok::<_, std::convert::Infallible>(bytes.clone())]);
    let mut parts = multer::Multipart::new(chunks, boundary);
    let mut fields = Fields::new(schema);
    let mut heads = Vec::new();
    while let Some(part) = parts.next_field().await.map_err(unreadable)? {
        let name = part
            .name()
            .ok_or_else(|| unreadable("a part has no name"))?
            .to_owned();
        let json = part.content_type().is_some_and(|media| {
            media.subtype() == "json" || media.suffix().is_some_and(|suffix| suffix == "json")
        });
        heads.push(Part {
            name: name.clone(),
            file_name: part.file_name().map(str::to_owned),
            headers: part.headers().clone(),
        });
        let content = part.bytes().await.map_err(unreadable)?;
        let schema = fields.element_schema(&name);
        let value = if schema.is_some_and(coerce::is_binary) {
            Value::String(Binary::encode(&content))
        } else if json || schema.is_some_and(coerce::is_structured) {
            serde_json::from_slice(&content)
                .map_err(|error| unreadable(format!("part {name:?} is not JSON: {error}")))?
        } else {
            let text = std::str::from_utf8(&content)
                .map_err(|_| unreadable(format!("part {name:?} is not UTF-8")))?;
            schema.map_or_else(
                || Value::String(text.to_owned()),
                |schema| coerce(schema, text),
            )
        };
        fields.add(&name, value, violations);
    }
    Ok((fields.into_value(), heads))
}

fn unreadable(message: impl ToString) -> Rejection {
    Rejection::Unreadable {
        message: message.to_string(),
    }
}
