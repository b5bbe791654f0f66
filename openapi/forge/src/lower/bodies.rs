//! Media types and request bodies.

use super::Lowering;
use super::cursor::Cursor;
use super::media_names;
use super::names::{Scope, is_token, type_name};
use super::part_types;
use crate::document::{Diagnostic, Span};
use crate::ir::{Body, BodyShape, Codec, Framing, MediaType, SchemaId, Type, Types, essence};

pub(super) fn lower<'d>(
    lowering: &mut Lowering<'d>,
    operation: &Cursor<'d>,
    stem: &str,
) -> Option<Body> {
    let cursor = operation.get("requestBody")?;
    let cursor = lowering.resolve(&cursor)?;
    let content = cursor.get("content")?;
    let media = media_types(lowering, &content);
    if media.is_empty() && !content.members().is_empty() {
        return None; // The check of the structure has reported each.
    }
    if media.is_empty() {
        lowering.refuse(
            "body-without-content",
            content.span(),
            "`content` lists no media type",
            "",
        );
        return None;
    }
    let shapes: Vec<BodyShape> = media
        .iter()
        .map(|media| shape(lowering, media, &format!("{stem}Body")))
        .collect();
    Some(Body {
        required: cursor.flag("required"),
        lenient: cursor.flag("x-dropforge-lenient"),
        description: cursor.text("description"),
        shape: several(lowering, &media, shapes, stem),
        media,
    })
}

/// One type if all media types agree, an enum if they differ.
fn several(
    lowering: &mut Lowering<'_>,
    media: &[MediaType],
    shapes: Vec<BodyShape>,
    stem: &str,
) -> BodyShape {
    let mut distinct: Vec<(String, BodyShape, Vec<usize>)> = Vec::new();
    for (index, shape) in shapes.into_iter().enumerate() {
        match distinct
            .iter_mut()
            .find(|(_, known, _)| same(known, &shape))
        {
            Some(known) => known.2.push(index),
            None => distinct.push((media_name(&media[index].name), shape, vec![index])),
        }
    }
    if distinct.len() == 1
        && let Some((_, shape, _)) = distinct.pop()
    {
        return shape;
    }
    let mut variants = Scope::default();
    for variant in &mut distinct {
        variant.0 = variants.take(std::mem::take(&mut variant.0));
    }
    BodyShape::Several {
        name: lowering.body_names.take(format!("{stem}Body")),
        variants: distinct,
    }
}

fn same(left: &BodyShape, right: &BodyShape) -> bool {
    match (left, right) {
        (BodyShape::Typed(left), BodyShape::Typed(right))
        | (BodyShape::Raw(left), BodyShape::Raw(right)) => left == right,
        (BodyShape::Text, BodyShape::Text) | (BodyShape::Bytes, BodyShape::Bytes) => true,
        _ => false,
    }
}

fn shape(lowering: &mut Lowering<'_>, media: &MediaType, name: &str) -> BodyShape {
    let ty = match media.schema {
        Some(schema) => lowering.ty(schema, name),
        None => Type::Any,
    };
    match media.codec {
        Codec::Json if media.raw => BodyShape::Raw(ty),
        Codec::Json | Codec::Form | Codec::Multipart => BodyShape::Typed(ty),
        Codec::Text | Codec::EventStream => BodyShape::Text,
        Codec::Binary => BodyShape::Bytes,
    }
}

/// Lowers a `content` map.
pub(super) fn media_types<'d>(lowering: &mut Lowering<'d>, content: &Cursor<'d>) -> Vec<MediaType> {
    let mut media = Vec::new();
    for (name, cursor) in content.members() {
        let schema = cursor
            .get("schema")
            .and_then(|schema| lowering.schema(&schema));
        let span = lowering.key_span(&cursor);
        if !check_name(lowering, name, name, span) {
            continue;
        }
        let codec = match is_range(name) {
            true => range_codec(lowering, name, schema, &cursor),
            false => codec(name),
        };
        let stream = cursor.get("x-dropforge-stream");
        if let Some(stream) = &stream
            && codec != Codec::EventStream
        {
            lowering.refuse(
                "stream-media-type",
                lowering.key_span(stream),
                format!("`{name}` is not a stream of events"),
                "write `text/event-stream`, or remove `x-dropforge-stream`",
            );
        }
        let framing = |key: &str| stream.as_ref().and_then(|stream| stream.text(key));
        media.push(MediaType {
            name: name.to_string(),
            codec,
            schema,
            parts: part_types::lower(lowering, &cursor, codec, schema),
            raw: cursor.flag("x-dropforge-raw"),
            stream: Framing {
                terminator: framing("terminator"),
                event: framing("event"),
            },
        });
    }
    media
}

/// Rejects a name that is not a media type or is probably misspelled. Returns whether it is valid.
/// `text` is the whole text at `span`, which may be a list of names.
pub(super) fn check_name(lowering: &mut Lowering<'_>, name: &str, text: &str, span: Span) -> bool {
    match (is_media_type(name), media_names::meant(name)) {
        (false, _) => lowering.refuse(
            "media-type",
            span,
            format!("`{name}` is not a media type"),
            "write it as in `application/json` (RFC 9110, section 8.3.1)",
        ),
        (true, Some(meant)) => {
            let message = format!("there is no media type `{name}`");
            let written = name.split(';').next().unwrap_or(name).trim();
            let corrected = text.replacen(written, &meant, 1);
            let finding = Diagnostic::error("media-type", span, message).did_you_mean(&meant);
            lowering.report(finding.replacement(corrected));
        }
        (true, None) => return true,
    }
    false
}

/// Whether a name is a media type or a range of them, with or without parameters, so that a header
/// can have it.
fn is_media_type(name: &str) -> bool {
    let (essence, parameters) = name.split_once(';').unwrap_or((name, ""));
    let Some((kind, subtype)) = essence.trim().split_once('/') else {
        return false;
    };
    let is_visible = |byte: u8| byte == b'\t' || (b' '..=b'~').contains(&byte);
    is_token(kind) && is_token(subtype) && parameters.bytes().all(is_visible)
}

/// Whether a key of `content` is a range: `*/*` or `application/*`.
pub(super) fn is_range(name: &str) -> bool {
    essence(name).ends_with("/*")
}

/// How the bytes of a range of media types are read and written. The schema decides, because the
/// range does not.
fn range_codec(
    lowering: &mut Lowering<'_>,
    name: &str,
    schema: Option<SchemaId>,
    at: &Cursor<'_>,
) -> Codec {
    let schema = schema.map(|id| lowering.schemas.get(id));
    let is_text = schema.is_some_and(|schema| schema.types == Types::String);
    let is_binary = schema.is_none_or(|schema| schema.format.as_deref() == Some("binary"));
    let (codec, read_as) = match essence(name).as_str() {
        "*/*" | "application/*" if !is_text && !is_binary => (Codec::Json, "JSON"),
        "*/*" if is_text && !is_binary => (Codec::Text, "text"),
        "text/*" => (Codec::Text, "text"),
        _ => (Codec::Binary, "bytes"),
    };
    lowering.warn(
        "media-range",
        lowering.key_span(at),
        format!("`{name}` does not say how a body is written; it is {read_as} here"),
        "name the media type, for example `application/json`",
    );
    codec
}

/// How the bytes of a media type are read and written.
pub(crate) fn codec(name: &str) -> Codec {
    match essence(name).as_str() {
        "application/json" => Codec::Json,
        "application/x-www-form-urlencoded" => Codec::Form,
        "multipart/form-data" => Codec::Multipart,
        "text/event-stream" => Codec::EventStream,
        text if text.ends_with("+json") || text == "text/json" => Codec::Json,
        text if text.starts_with("text/") => Codec::Text,
        _ => Codec::Binary,
    }
}

/// A variant's name for a media type: `Json`, `EventStream`, `TextPlain`.
pub(super) fn media_name(name: &str) -> String {
    match essence(name).as_str() {
        "application/json" => "Json".to_string(),
        "application/x-www-form-urlencoded" => "Form".to_string(),
        "multipart/form-data" => "Multipart".to_string(),
        "text/event-stream" => "EventStream".to_string(),
        "application/octet-stream" => "Bytes".to_string(),
        "*/*" => "Any".to_string(),
        other => type_name(other.strip_prefix("application/").unwrap_or(other)),
    }
}
