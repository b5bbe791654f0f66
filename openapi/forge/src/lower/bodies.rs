//! Media types and request bodies.

use super::cursor::Cursor;
use super::lowering::Lowering;
use super::media_names::{check_name, codec, is_range, media_name};
use super::names::Scope;
use super::part_types;
use crate::document::{Diagnostic, Severity, Span};
use crate::ir::{Body, BodyShape, Codec, Framing, MediaType, SchemaId, Type, Types, essence};

pub(super) fn lower<'d>(
    lowering: &mut Lowering<'d>,
    operation: &Cursor<'d>,
    stem: &str,
) -> Option<Body> {
    let cursor = operation.get("requestBody")?;
    let cursor = lowering.resolve(&cursor)?;
    let content = cursor.get("content")?;
    let media = media_types(lowering, &content, Direction::Request);
    if media.is_empty() {
        // A media type that is left out has been refused.
        if content.members().is_empty() {
            lowering.warn(
                "body-without-content",
                content.span(),
                "`content` lists no media type: no body is read",
                "list a media type, or remove `requestBody`",
            );
        }
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
        match distinct.iter_mut().find(|(_, known, _)| *known == shape) {
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

/// Whether a body is that of a request or of a response.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    Request,
    Response,
}

/// Lowers a `content` map.
pub(super) fn media_types<'d>(
    lowering: &mut Lowering<'d>,
    content: &Cursor<'d>,
    direction: Direction,
) -> Vec<MediaType> {
    let mut media = Vec::new();
    let mut unsound = Vec::new();
    let earlier = lowering.diagnostics.len();
    for (name, cursor) in content.members() {
        let schema = cursor
            .get("schema")
            .and_then(|schema| lowering.schema(&schema));
        let span = lowering.key_span(&cursor);
        if !check_name(lowering, name, name, span) {
            unsound.push(span);
            continue;
        }
        let codec = match is_range(name) {
            true => range_codec(lowering, name, schema, &cursor),
            false => codec(name),
        };
        check_codec(lowering, name, codec, schema, direction, &cursor);
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
            parts: parts(lowering, &cursor, name, codec, schema, direction),
            raw: cursor.flag("x-dropforge-raw"),
            stream: Framing {
                terminator: framing("terminator"),
                event: framing("event"),
            },
        });
    }
    if !media.is_empty() && !unsound.is_empty() {
        ignore(&mut lowering.diagnostics.0[earlier..], &unsound);
    }
    media
}

/// Makes the errors about these names warnings: the content has others, and a body of none of these can be written. A name
/// that is probably misspelled is still an error.
fn ignore(findings: &mut [Diagnostic], names: &[Span]) {
    for finding in findings {
        let is_error = finding.code == "media-type" && finding.severity == Severity::Error;
        if is_error && finding.replacement.is_none() && names.contains(&finding.span) {
            finding.severity = Severity::Warning;
            finding.message.push_str(", and is ignored");
        }
    }
}

/// The media types of the parts, if the body can have parts.
fn parts<'d>(
    lowering: &mut Lowering<'d>,
    media: &Cursor<'d>,
    name: &str,
    codec: Codec,
    schema: Option<SchemaId>,
    direction: Direction,
) -> Vec<(String, Vec<String>)> {
    let owner = match direction {
        Direction::Request if part_types::is_form(name) => {
            return part_types::lower(lowering, media, codec, schema);
        }
        Direction::Request => format!("`{name}`"),
        Direction::Response => "a response".to_owned(),
    };
    part_types::warn_ignored(lowering, media, &owner);
    Vec::new()
}

/// Warns of a schema that the values of a codec are not compared with, or never satisfy.
fn check_codec(
    lowering: &mut Lowering<'_>,
    name: &str,
    codec: Codec,
    schema: Option<SchemaId>,
    direction: Direction,
    at: &Cursor<'_>,
) {
    let types = schema.map_or(Types::Any, |id| lowering.schemas.get(id).types);
    let (right, code, problem) = match codec {
        Codec::Binary => (
            Types::String,
            "schema-not-checked",
            "bytes, which are not compared with its schema",
        ),
        Codec::Text => (
            Types::String,
            "schema-of-text",
            "a string, which never satisfies its schema",
        ),
        Codec::Form | Codec::Multipart if direction == Direction::Request => (
            Types::Object,
            "schema-of-form",
            "an object, which never satisfies its schema",
        ),
        Codec::Json | Codec::Form | Codec::Multipart | Codec::EventStream => return,
    };
    if types == Types::Any || types == right {
        return;
    }
    let help = match right {
        Types::Object => {
            "write `type: object` with a property for each field, or another media type"
        }
        _ => "write `type: string`, or a media type of JSON",
    };
    let message = format!("`{name}` is read and written as {problem}");
    lowering.warn(code, lowering.key_span(at), message, help);
}

/// How the bytes of a range of media types are read and written. The range does not say it,
/// so the schema decides.
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
