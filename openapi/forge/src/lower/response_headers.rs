//! Headers of responses: their names, the types of their values, and which part of the server sets them.

use super::cursor::Cursor;
use super::lowering::Lowering;
use super::media_names::codec;
use super::names::{Scope, snake_name, type_name};
use super::pages;
use super::part_types;
use crate::ir::{Codec, Header, HeaderSource, SchemaId, Shape, Type, Types};
use std::collections::HashSet;

/// The headers of a response. `name` is the response's type.
pub(super) fn lower<'d>(
    lowering: &mut Lowering<'d>,
    cursor: &Cursor<'d>,
    name: &str,
) -> Vec<Header> {
    let mut fields = Scope::default();
    fields.take("body".to_string());
    let mut headers: Vec<Header> = Vec::new();
    let mut known: HashSet<String> = HashSet::new();
    for (key, cursor) in cursor.members_of("headers") {
        let (place, span) = (lowering.place(&cursor), lowering.key_span(&cursor));
        if key.eq_ignore_ascii_case("content-type") {
            lowering.warn(
                "ignored-header",
                span,
                format!("OpenAPI ignores a response header of the name `{key}`"),
                "the media types of the response are the keys of `content`",
            );
            continue;
        }
        if known.contains(&key.to_ascii_lowercase()) {
            lowering.refuse(
                "duplicate-header",
                span,
                format!("the header `{key}` is here twice: names of headers have no case"),
                "keep one of the two",
            );
            continue;
        }
        if !lowering.check_header_name(key, span) {
            continue;
        }
        let Some(cursor) = lowering.resolve(&cursor) else {
            continue;
        };
        let Some(schema) = header_schema(lowering, &cursor, key) else {
            continue;
        };
        let Some(source) = source(lowering, &cursor) else {
            continue;
        };
        let (schema, ty) = header_type(lowering, &cursor, key, schema, name);
        known.insert(key.to_ascii_lowercase());
        headers.push(Header {
            name: key.to_string(),
            field: fields.take(snake_name(key)),
            description: cursor.text("description"),
            place,
            required: cursor.flag("required"),
            schema,
            source,
            next_page: cursor.text(pages::KEY),
            ty,
        });
    }
    headers
}

/// The part of the server that sets a header.
fn source(lowering: &mut Lowering<'_>, header: &Cursor<'_>) -> Option<HeaderSource> {
    const KEY: &str = "x-dropforge-source";
    match header.text(KEY).as_deref() {
        None => Some(HeaderSource::Handler),
        Some("request-id") => Some(HeaderSource::RequestId),
        Some(other) => {
            lowering.refuse(
                "header-source",
                header.span_of(KEY),
                format!("`{other}` is not a value of `{KEY}`"),
                "write `request-id`, or remove the key",
            );
            None
        }
    }
}

/// The schema of a header, or of its one media type if that does not change how the value is written.
fn header_schema<'d>(
    lowering: &mut Lowering<'d>,
    header: &Cursor<'d>,
    key: &str,
) -> Option<SchemaId> {
    if let Some(schema) = header.get("schema") {
        return lowering.schema(&schema);
    }
    let Some(content) = header.get("content") else {
        lowering.refuse(
            "header-schema",
            header.span(),
            format!("header `{key}` has no schema"),
            "add `schema`, for example `type: string`",
        );
        return None;
    };
    let problem = match content.members().as_slice() {
        [(name, media)] => {
            part_types::warn_ignored(lowering, media, "a header");
            let schema = media.get("schema");
            let schema = schema.and_then(|schema| lowering.schema(&schema));
            let types = schema.map(|id| lowering.schemas.get(id).types);
            match (codec(name), types) {
                (Codec::Text, Some(Types::String))
                | (Codec::Json, Some(Types::Boolean | Types::Integer | Types::Number)) => {
                    return schema;
                }
                (Codec::Text, _) => format!("the schema of header `{key}` is not a string"),
                (Codec::Json, _) => {
                    format!("the schema of header `{key}` is not a number or a boolean")
                }
                _ => format!("header `{key}` is of the media type `{name}`"),
            }
        }
        _ => format!("`content` of header `{key}` does not have exactly one media type"),
    };
    lowering.refuse(
        "header-content",
        content.span(),
        problem,
        "write `schema` in place of `content`, or one media type: a number or boolean as JSON, or a string as text",
    );
    None
}

/// The type of a header's value. The handler itself writes an object, or a list within a list, as
/// text without a check.
fn header_type(
    lowering: &mut Lowering<'_>,
    header: &Cursor<'_>,
    key: &str,
    schema: SchemaId,
    response: &str,
) -> (SchemaId, Type) {
    let ty = lowering.ty(schema, &format!("{response}{}", type_name(key)));
    let can_be_written = match lowering.behind_aliases(&ty) {
        Some(Type::Array(items)) => is_simple(lowering, items),
        _ => is_simple(lowering, &ty),
    };
    if can_be_written {
        return (schema, ty);
    }
    lowering.warn(
        "header-schema",
        header.span(),
        format!("the value of header `{key}` is not checked; the handler writes it as text"),
        "write `type: string`, or a list of strings or numbers",
    );
    (lowering.any_text(schema), Type::String)
}

/// Whether a header can hold a value as a single text.
fn is_simple(lowering: &Lowering<'_>, ty: &Type) -> bool {
    match lowering.behind_aliases(ty) {
        Some(
            Type::Bool
            | Type::I32
            | Type::I64
            | Type::U64
            | Type::F64
            | Type::String
            | Type::DateTime
            | Type::Date
            | Type::Uuid,
        ) => true,
        Some(Type::Named(id)) => matches!(lowering.shape_of(*id), Shape::Enum(_)),
        _ => false,
    }
}
