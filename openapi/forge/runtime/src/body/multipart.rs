//! `multipart/form-data` (RFC 7578), as an object of the parts.
//!
//! A part whose schema is binary becomes base64 text (see [`Binary`]). An object, an array within
//! an array, or a part whose media type is JSON is read as JSON. All other parts are text.
//!
//! A part may have the media types that the document lists for it. A part that names no media type
//! has the first of them.

use bytes::Bytes;
use futures::stream;
use http::{HeaderMap, header};
use serde_json::Value;

use super::form::{Fields, by_alternatives};
use crate::binary::Binary;
use crate::coerce::{self, coerce_if_known};
use crate::json;
use crate::media::MediaRange;
use crate::part::Part;
use crate::rejection::Rejection;
use crate::table::{MediaType, Schema};
use crate::violation::Violation;

/// Reads all parts: the object of their values, and their heads.
pub(super) async fn decode(
    media: &'static MediaType,
    boundary: Option<&str>,
    bytes: &Bytes,
    violations: &mut Vec<Violation>,
) -> Result<(Value, Vec<Part>), Rejection> {
    let boundary =
        boundary.ok_or_else(|| Rejection::unreadable("its Content-Type names no boundary"))?;
    let chunks = stream::iter([Ok::<_, std::convert::Infallible>(bytes.clone())]);
    let mut parts = multer::Multipart::new(chunks, boundary);
    let (mut heads, mut contents) = (Vec::new(), Vec::new());
    while let Some(part) = parts.next_field().await.map_err(Rejection::unreadable)? {
        let name = part
            .name()
            .ok_or_else(|| Rejection::unreadable("a part has no name"))?
            .to_owned();
        let json = media_type(media, &name, part.headers())?.is_some_and(|it| it.is_json());
        heads.push(Part {
            name: name.clone(),
            file_name: part.file_name().map(str::to_owned),
            headers: part.headers().clone(),
        });
        let bytes = content(part).await.map_err(Rejection::unreadable)?;
        contents.push(Content { name, json, bytes });
    }
    let value = by_alternatives(
        media.schema,
        |fields, violations| read(fields, &contents, violations),
        violations,
    )?;
    Ok((value, heads))
}

/// The content of one part.
struct Content {
    name: String,
    /// Whether its media type is JSON.
    json: bool,
    bytes: Bytes,
}

/// The object of the parts' values.
fn read(
    mut fields: Fields,
    contents: &[Content],
    violations: &mut Vec<Violation>,
) -> Result<Value, Rejection> {
    for content in contents {
        let value = value(content, fields.element_schema(&content.name))?;
        fields.add(&content.name, value, violations);
    }
    Ok(fields.into_value())
}

/// The value of one part.
fn value(content: &Content, schema: Option<&'static Schema>) -> Result<Value, Rejection> {
    let Content { name, json, bytes } = content;
    if schema.is_some_and(coerce::is_binary) {
        return Ok(Value::String(Binary::encode(bytes)));
    }
    if *json || schema.is_some_and(coerce::is_structured) {
        return json::parse(bytes)
            .map_err(|error| Rejection::unreadable(format!("part {name:?} is not JSON: {error}")));
    }
    let text = std::str::from_utf8(bytes)
        .map_err(|_| Rejection::unreadable(format!("part {name:?} is not UTF-8")))?;
    Ok(coerce_if_known(schema, text))
}

/// The content of a part. The body is in memory, so a part has one chunk, which needs no copy.
async fn content(mut part: multer::Field<'_>) -> Result<Bytes, multer::Error> {
    let mut content = part.chunk().await?.unwrap_or_default();
    while let Some(more) = part.chunk().await? {
        content = [&content[..], &more].concat().into();
    }
    Ok(content)
}

/// The media type of a part, if it names one or the document lists some for it.
fn media_type(
    body: &MediaType,
    name: &str,
    headers: &HeaderMap,
) -> Result<Option<MediaRange>, Rejection> {
    let part = body.parts.iter().find(|(known, _)| *known == name);
    let listed = part.map_or(&[][..], |(_, listed)| listed);
    let mut ranges = listed.iter().filter_map(|one| MediaRange::parse(one));
    let Some(sent) = headers.get(header::CONTENT_TYPE) else {
        return Ok(ranges.next());
    };
    let text = String::from_utf8_lossy(sent.as_bytes());
    let sent = MediaRange::parse(&text);
    let fits = |sent: &MediaRange| ranges.any(|range| range.includes_unless_contradicted(sent));
    match listed.is_empty() || sent.as_ref().is_some_and(fits) {
        true => Ok(sent),
        false => Err(Rejection::unreadable(format!(
            "part {name:?} is {text:?}, and must be {}",
            listed.join(" or ")
        ))),
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;
    use serde_json::json;

    use super::*;
    use crate::table::{
        Additional, Codec, ObjectRules, Property, StringFormat, StringRules, Types,
    };

    static MEDIA: MediaType = MediaType::of("multipart/form-data", Codec::Multipart).parts(&[
        ("note", &["application/json; charset=utf-8", "text/plain"]),
        ("photo", &["image/*", "application/pdf"]),
    ]);

    /// Reads a body of one part with this name and these further headers.
    async fn read(name: &str, headers: &str, content: &str) -> Result<Value, String> {
        let body = format!(
            "--b\r\nContent-Disposition: form-data; name={name}\r\n{headers}\r\n{content}\r\n--b--\r\n"
        );
        match decode(&MEDIA, Some("b"), &body.into(), &mut Vec::new()).await {
            Ok((value, _)) => Ok(value[name].clone()),
            Err(Rejection::Unreadable { message }) => Err(message),
            Err(other) => panic!("{other:?}"),
        }
    }

    static FILE: Schema = Schema::of(Types::STRING, "").string(&StringRules {
        format: Some(StringFormat::Binary),
        ..StringRules::ANY
    });
    static UPLOAD: Schema = Schema::of(Types::OBJECT, "").object(&ObjectRules {
        properties: &[Property::of("file", &FILE)],
        required: &["file"],
        additional: Additional::Denied,
        ..ObjectRules::ANY
    });
    static FILES: MediaType =
        MediaType::of("multipart/form-data", Codec::Multipart).schema(&UPLOAD);

    #[tokio::test]
    async fn a_large_file_of_any_bytes_arrives_unchanged() {
        // Beginnings of the delimiter are content, too.
        let piece: Vec<u8> = (0..=255).chain(*b"\r\n--\r\n-b\r").collect();
        for content in [Vec::new(), piece.clone(), piece.repeat(8192)] {
            let head = &b"--b\r\nContent-Disposition: form-data; name=file\r\n\r\n"[..];
            let body = [head, &content, b"\r\n--b--\r\n"].concat();
            let (value, _) = decode(&FILES, Some("b"), &body.into(), &mut Vec::new())
                .await
                .unwrap();
            let file = Binary::deserialize(&value["file"]).unwrap();
            // Without the megabytes in the message of a failure.
            assert!(file == Binary::from(content));
        }
    }

    #[tokio::test]
    async fn a_part_is_read_by_its_media_type_or_by_the_first_that_the_document_lists() {
        for (name, headers, content, expected) in [
            ("note", "", "[1]", json!([1])),
            ("note", "Content-Type: application/json\r\n", "1", json!(1)),
            ("note", "Content-Type: text/plain\r\n", "1", json!("1")),
            ("photo", "", "1", json!("1")),
            ("photo", "Content-Type: Image/PNG\r\n", "1", json!("1")),
            ("other", "", "1", json!("1")),
            ("other", "Content-Type: a/b+json\r\n", "1", json!(1)),
            ("other", "Content-Type: nonsense\r\n", "1", json!("1")),
        ] {
            let value = read(name, headers, content).await;
            assert_eq!(value, Ok(expected), "{name} {headers}");
        }
    }

    #[tokio::test]
    async fn a_part_of_a_media_type_that_the_document_does_not_list_is_refused() {
        for (name, sent, listed) in [
            (
                "note",
                "application/xml",
                "application/json; charset=utf-8 or text/plain",
            ),
            (
                "note",
                "application/json; charset=latin1",
                "application/json; charset=utf-8 or text/plain",
            ),
            ("photo", "text/plain", "image/* or application/pdf"),
            ("photo", "nonsense", "image/* or application/pdf"),
        ] {
            let read = read(name, &format!("Content-Type: {sent}\r\n"), "1").await;
            let message = format!("part {name:?} is {sent:?}, and must be {listed}");
            assert_eq!(read, Err(message));
        }
    }

    #[tokio::test]
    async fn the_types_of_parts_are_those_of_the_alternative_that_fits() {
        const TEXT: Schema = Schema::of(Types::STRING, "");
        const OBJECT: Schema = Schema::of(Types::OBJECT, "");
        const OF_OBJECT: Schema = TEXT.enumeration(&[r#""object""#]);
        const OF_TEXT: Schema = TEXT.enumeration(&[r#""text""#]);
        static BY_OBJECT: Schema = Schema::ANY.object(&ObjectRules {
            properties: &[
                Property::of("kind", &OF_OBJECT),
                Property::of("value", &OBJECT),
            ],
            ..ObjectRules::ANY
        });
        static BY_TEXT: Schema = Schema::ANY.object(&ObjectRules {
            properties: &[Property::of("kind", &OF_TEXT), Property::of("value", &TEXT)],
            ..ObjectRules::ANY
        });
        static EITHER: Schema = Schema::ANY.one_of(&[&BY_OBJECT, &BY_TEXT]);
        static BODY: MediaType =
            MediaType::of("multipart/form-data", Codec::Multipart).schema(&EITHER);
        const HEAD: &str = "--b\r\nContent-Disposition: form-data; name=";
        for (kind, text, expected) in [
            ("object", r#"{"a":1}"#, json!({"a": 1})),
            ("text", r#"{"a":1}"#, json!(r#"{"a":1}"#)),
            // Not JSON, which only the first alternative requires.
            ("text", "{", json!("{")),
        ] {
            let body =
                format!("{HEAD}kind\r\n\r\n{kind}\r\n{HEAD}value\r\n\r\n{text}\r\n--b--\r\n");
            let (value, _) = decode(&BODY, Some("b"), &body.into(), &mut Vec::new())
                .await
                .unwrap();
            assert_eq!(value, json!({"kind": kind, "value": expected}));
        }
    }
}
