//! Parameters: those of the path item first, overridden by the operation's
//! own (OpenAPI 3.0.3, "Parameter Object").

use super::cursor::Cursor;
use super::lowering::Lowering;
use super::media_names;
use super::names::{Scope, snake_name, type_name};
use super::nested_parameters;
use super::pages;
use super::part_types;
use super::path_parameters;
use super::routes::Path;
use super::shared_names;
use crate::document::similar;
use crate::ir::{Codec, Location, Parameter, SchemaId, Style, Types};
use std::collections::{HashMap, HashSet};

/// Headers that OpenAPI describes elsewhere, with that place.
const NOT_PARAMETERS: [(&str, &str); 3] = [
    (
        "accept",
        "the media types of the responses are the keys of `content`",
    ),
    (
        "content-type",
        "the media types of the body are the keys of `content`",
    ),
    (
        "authorization",
        "declare a security scheme, and name it in `security`",
    ),
];

pub(super) fn lower<'d>(
    lowering: &mut Lowering<'d>,
    item: &Cursor<'d>,
    operation: &Cursor<'d>,
    path: &Path<'_>,
    stem: &str,
) -> Vec<Parameter> {
    let found = declared(lowering, item, operation);
    let in_path: Vec<_> = found
        .iter()
        .filter(|(location, ..)| *location == Location::Path)
        .map(|(_, name, cursor)| (name.as_str(), cursor))
        .collect();
    path_parameters::check(lowering, item, operation, path, &in_path);
    let mut fields = Scope::default();
    let mut places: HashMap<String, usize> = HashMap::new();
    for (_, name, _) in &found {
        *places.entry(name.clone()).or_default() += 1;
    }
    let mut parameters = Vec::new();
    for (location, name, cursor) in found {
        let key = match places[&name] > 1 || begins_with_place(&name) {
            true => format!("{}.{name}", location.as_str()),
            false => name.clone(),
        };
        let lowered = parameter(lowering, &cursor, location, name, key, stem, &mut fields);
        parameters.extend(lowered.map(|parameter| (parameter, cursor)));
    }
    shared_names::check(lowering, &parameters);
    let parameters = parameters.into_iter();
    parameters.map(|(parameter, _)| parameter).collect()
}

/// Whether a name could be the key of a parameter that shares its own name. The runtime has the same
/// rule (`parameter_key`).
fn begins_with_place(name: &str) -> bool {
    let mut places = ["path.", "query.", "header.", "cookie."].into_iter();
    places.any(|place| name.starts_with(place))
}

/// The parameters that a path item and its operation declare. Those of the operation override.
fn declared<'d>(
    lowering: &mut Lowering<'d>,
    item: &Cursor<'d>,
    operation: &Cursor<'d>,
) -> Vec<(Location, String, Cursor<'d>)> {
    let mut found: Vec<(Location, String, Cursor<'d>)> = Vec::new();
    // The index of each parameter in `found`.
    let mut indexes: HashMap<(Location, String), usize> = HashMap::new();
    for holder in [item, operation] {
        let mut own: HashSet<(Location, String)> = HashSet::new();
        for cursor in holder.elements_of("parameters") {
            let listed = cursor.span();
            let Some(cursor) = lowering.resolve(&cursor) else {
                continue;
            };
            let Some((location, name)) = identity(lowering, &cursor) else {
                continue;
            };
            let can_be_sent = match location {
                Location::Header => is_header(lowering, &cursor, &name),
                Location::Cookie => lowering.check_cookie_name(&name, cursor.span_of("name")),
                Location::Path | Location::Query => true,
            };
            if !can_be_sent {
                continue;
            }
            let key = key(location, &name);
            if !own.insert(key.clone()) {
                lowering.refuse(
                    "duplicate-parameter",
                    listed,
                    format!("`{name}` is declared twice"),
                    match location {
                        Location::Header => "keep one of the two: names of headers have no case",
                        _ => "keep one of the two",
                    },
                );
                continue;
            }
            match indexes.get(&key) {
                Some(index) => found[*index] = (location, name, cursor),
                None => {
                    indexes.insert(key, found.len());
                    found.push((location, name, cursor));
                }
            }
        }
    }
    found
}

/// Two parameters with one key are the same. Names of headers are case-insensitive (RFC 9110, section
/// 5.1).
fn key(location: Location, name: &str) -> (Location, String) {
    let name = match location {
        Location::Header => name.to_ascii_lowercase(),
        _ => name.to_owned(),
    };
    (location, name)
}

/// Whether a header can be a parameter.
fn is_header(lowering: &mut Lowering<'_>, cursor: &Cursor<'_>, name: &str) -> bool {
    let span = cursor.span_of("name");
    let mut elsewhere = NOT_PARAMETERS.iter();
    if let Some((_, help)) = elsewhere.find(|(known, _)| known.eq_ignore_ascii_case(name)) {
        let message = format!("OpenAPI ignores a header parameter of the name `{name}`");
        lowering.warn("ignored-parameter", span, message, help);
        return false;
    }
    lowering.check_header_name(name, span)
}

fn identity(lowering: &mut Lowering<'_>, cursor: &Cursor<'_>) -> Option<(Location, String)> {
    let place = cursor.text("in")?;
    let Some(location) = Location::parse(&place) else {
        let message = match place.as_str() {
            "body" | "formData" => "Swagger 2.0 had this kind of parameter".to_owned(),
            other => format!("parameters cannot be in `{other}`"),
        };
        let known = Location::ALL.map(Location::as_str);
        lowering.refuse_near(
            "parameter-location",
            cursor.span_of("in"),
            message,
            similar::nearest(known, &place, 1),
            "write `in: path`, `query`, `header` or `cookie`; a body is `requestBody`",
        );
        return None;
    };
    let name = cursor.text("name")?;
    if name.is_empty() {
        lowering.refuse(
            "parameter-name",
            cursor.span_of("name"),
            "the name of the parameter is empty",
            "write the name that callers send",
        );
        return None;
    }
    Some((location, name))
}

fn parameter<'d>(
    lowering: &mut Lowering<'d>,
    cursor: &Cursor<'d>,
    location: Location,
    name: String,
    key: String,
    stem: &str,
    fields: &mut Scope,
) -> Option<Parameter> {
    let content = match cursor.get("content") {
        Some(content) => Some(json_content(lowering, &content, &name)?),
        None => None,
    };
    let Some(schema) = content.as_ref().unwrap_or(cursor).get("schema") else {
        lowering.refuse(
            "parameter-schema",
            cursor.span(),
            format!("parameter `{name}` has no schema"),
            "add `schema`, or `content` with one media type",
        );
        return None;
    };
    let schema = lowering.schema(&schema)?;
    let ty = lowering.ty(schema, &format!("{stem}{}", type_name(&name)));
    let mut style = style(lowering, cursor, location)?;
    if content.is_none() {
        if !has_style(lowering, schema, style, cursor) {
            style = Style::Form;
        }
        nested_parameters::check(lowering, schema, style, &name, cursor);
    }
    let explode = cursor.node.get("explode").and_then(|node| node.as_bool());
    let required = is_required(lowering, cursor, location, &name);
    Some(Parameter {
        idempotency_key: is_idempotency_key(lowering, cursor, location, &name),
        first_page_only: pages::is_first_page_only(lowering, cursor, location, required),
        field: fields.take(snake_name(&name)),
        description: cursor.text("description"),
        place: lowering.place(cursor),
        location,
        required,
        style,
        explode: explode.unwrap_or(style == Style::Form),
        key,
        json: content.is_some(),
        default: None, // The pass of the defaults sets it.
        schema,
        ty,
        name,
    })
}

/// Whether a parameter is required. One in the path always is.
fn is_required(
    lowering: &mut Lowering<'_>,
    cursor: &Cursor<'_>,
    location: Location,
    name: &str,
) -> bool {
    let is_marked = cursor.flag("required");
    if location == Location::Path && !is_marked {
        let key = match cursor.get("required") {
            Some(_) => "required",
            None => "in",
        };
        lowering.warn(
            "optional-path-parameter",
            cursor.span_of(key),
            format!("path parameter `{name}` is not marked as required, and is required"),
            "add `required: true`",
        );
    }
    is_marked || location == Location::Path
}

/// Whether a parameter is an idempotency key, which only a header can be.
fn is_idempotency_key(
    lowering: &mut Lowering<'_>,
    cursor: &Cursor<'_>,
    location: Location,
    name: &str,
) -> bool {
    const KEY: &str = "x-dropforge-idempotency-key";
    let is_key = cursor.flag(KEY);
    if is_key && location != Location::Header {
        lowering.refuse(
            "idempotency-key",
            cursor.span_of(KEY),
            format!("parameter `{name}` is not a header, and only headers can be idempotency keys"),
            "write `in: header`, or remove the key",
        );
    }
    is_key
}

/// Whether values of a type can have a style of a query. Warns of a type that cannot: it is read as `form`.
fn has_style(lowering: &mut Lowering<'_>, schema: SchemaId, style: Style, at: &Cursor<'_>) -> bool {
    let types = lowering.schemas.get(schema).types;
    let (owner, has_style) = match style {
        Style::DeepObject => ("an object", matches!(types, Types::Object)),
        Style::SpaceDelimited | Style::PipeDelimited => (
            "a list or an object",
            matches!(types, Types::Array | Types::Object),
        ),
        Style::Simple | Style::Label | Style::Matrix | Style::Form => return true,
    };
    // The type of a composition is not known here.
    if has_style || types == Types::Any {
        return true;
    }
    let written = at.text("style").unwrap_or_default();
    lowering.warn(
        "style-of-other-type",
        at.span_of("style"),
        format!("only {owner} has the style `{written}`: the parameter is read as `form`"),
        "correct the `type`, or remove the style",
    );
    false
}

/// The media type of a parameter with `content`, which must be JSON.
fn json_content<'d>(
    lowering: &mut Lowering<'d>,
    content: &Cursor<'d>,
    name: &str,
) -> Option<Cursor<'d>> {
    let problem = match content.members().as_slice() {
        [(media, cursor)] if media_names::codec(media) == Codec::Json => {
            part_types::warn_ignored(lowering, cursor, "a parameter");
            return Some(cursor.clone());
        }
        [(media, _)] => format!("parameter `{name}` is of the media type `{media}`"),
        _ => format!("`content` of parameter `{name}` does not have exactly one media type"),
    };
    lowering.refuse(
        "parameter-content",
        content.span(),
        problem,
        "write `application/json`, or `schema` in place of `content`",
    );
    None
}

fn style(lowering: &mut Lowering<'_>, cursor: &Cursor<'_>, location: Location) -> Option<Style> {
    let written = cursor.text("style");
    let style = match (written.as_deref(), location) {
        (None | Some("simple"), Location::Path | Location::Header) => Style::Simple,
        (Some("label"), Location::Path) => Style::Label,
        (Some("matrix"), Location::Path) => Style::Matrix,
        (None | Some("form"), Location::Query | Location::Cookie) => Style::Form,
        (Some("spaceDelimited"), Location::Query) => Style::SpaceDelimited,
        (Some("pipeDelimited"), Location::Query) => Style::PipeDelimited,
        (Some("deepObject"), Location::Query) => Style::DeepObject,
        (Some(other), _) => {
            let known: &[&str] = match location {
                Location::Path => &["simple", "label", "matrix"],
                Location::Query => &["form", "spaceDelimited", "pipeDelimited", "deepObject"],
                Location::Header => &["simple"],
                Location::Cookie => &["form"],
            };
            lowering.refuse_near(
                "parameter-style",
                cursor.span_of("style"),
                format!("a parameter at this place has no style `{other}`"),
                similar::nearest(known.iter().copied(), other, 2),
                "see \"Style Values\" of OpenAPI 3.0.3",
            );
            return None;
        }
    };
    Some(style)
}

#[cfg(test)]
mod tests {
    use crate::document::Document;

    #[test]
    fn no_two_parameters_of_an_operation_have_one_key() {
        let text = "\
openapi: 3.0.3
info: {title: T, version: '1'}
paths:
  /t/{id}:
    get:
      operationId: get
      parameters:
        - {name: id, in: path, required: true, schema: {type: string}}
        - {name: id, in: query, schema: {type: string}}
        - {name: query.id, in: query, schema: {type: string}}
        - {name: query, in: query, schema: {type: string}}
      responses: {'204': {description: D.}}
";
        let document = Document::load("t.yaml", text).expect("a document");
        let lowered = crate::lower::lower(&document, "t").expect("an IR");
        let parameters = lowered.api.operations[0].parameters.iter();
        let keys: Vec<&str> = parameters.map(|one| one.key.as_str()).collect();
        assert_eq!(keys, ["path.id", "query.id", "query.query.id", "query"]);
    }
}
