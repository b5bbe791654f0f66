//! Parameters: those of the path item first, overridden by the operation's
//! own (OpenAPI 3.0.3, "Parameter Object").

use super::cursor::Cursor;
use super::names::{Scope, snake_name, type_name};
use super::{Lowering, bodies};
use crate::ir::{Codec, Location, Parameter, Segment, Style};

/// Headers that OpenAPI says are described elsewhere.
const NOT_PARAMETERS: &[&str] = &["accept", "content-type", "authorization"];

pub(super) fn lower<'d>(
    lowering: &mut Lowering<'d>,
    item: &Cursor<'d>,
    operation: &Cursor<'d>,
    segments: &[Segment],
    stem: &str,
) -> Vec<Parameter> {
    let mut found: Vec<(Location, String, Cursor<'d>)> = Vec::new();
    for holder in [item, operation] {
        let mut own = Vec::new();
        for cursor in holder
            .get("parameters")
            .map_or_else(Vec::new, |list| list.elements())
        {
            let Some(cursor) = lowering.resolve(&cursor) else {
                continue;
            };
            let Some((location, name)) = identity(lowering, &cursor) else {
                continue;
            };
            if location == Location::Header
                && NOT_PARAMETERS.contains(&name.to_ascii_lowercase().as_str())
            {
                continue;
            }
            if own.contains(&(location, name.clone())) {
                lowering.refuse(
                    "duplicate-parameter",
                    cursor.span(),
                    format!("`{name}` is declared twice"),
                    "keep one of the two",
                );
                continue;
            }
            own.push((location, name.clone()));
            match found
                .iter_mut()
                .find(|(l, n, _)| (*l, n.as_str()) == (location, name.as_str()))
            {
                Some(inherited) => inherited.2 = cursor,
                None => found.push((location, name, cursor)),
            }
        }
    }
    path_parameters(lowering, operation, segments, &found);
    let mut fields = Scope::default();
    let names: Vec<String> = found.iter().map(|(_, name, _)| name.clone()).collect();
    let mut parameters = Vec::new();
    for (location, name, cursor) in found {
        let key = match names.iter().filter(|other| **other == name).count() {
            1 => name.clone(),
            _ => format!("{}.{name}", location.as_str()),
        };
        parameters.extend(parameter(
            lowering,
            &cursor,
            location,
            name,
            key,
            stem,
            &mut fields,
        ));
    }
    parameters
}

fn identity(lowering: &mut Lowering<'_>, cursor: &Cursor<'_>) -> Option<(Location, String)> {
    let location = match cursor.text("in").as_deref() {
        Some("path") => Location::Path,
        Some("query") => Location::Query,
        Some("header") => Location::Header,
        Some("cookie") => Location::Cookie,
        None => return None,
        Some(other) => {
            let message = match other {
                "body" | "formData" => "Swagger 2.0 had this kind of parameter".to_owned(),
                other => format!("parameters cannot be in `{other}`"),
            };
            lowering.refuse(
                "parameter-location",
                cursor.span(),
                message,
                "write `in: path`, `query`, `header` or `cookie`; a body is `requestBody`",
            );
            return None;
        }
    };
    Some((location, cursor.text("name")?))
}

/// Path parameters and the path's variables are the same set.
fn path_parameters(
    lowering: &mut Lowering<'_>,
    operation: &Cursor<'_>,
    segments: &[Segment],
    found: &[(Location, String, Cursor<'_>)],
) {
    let variables = super::routes::variables(segments);
    for (location, name, cursor) in found {
        if *location == Location::Path && !variables.contains(&name.as_str()) {
            lowering.refuse(
                "unused-path-parameter",
                cursor.span(),
                format!("the path has no `{{{name}}}`"),
                "write it into the path, or remove the parameter",
            );
        }
    }
    for variable in variables {
        let declared = found
            .iter()
            .any(|(l, name, _)| *l == Location::Path && name == variable);
        if !declared {
            lowering.refuse(
                "undeclared-path-parameter",
                operation.span(),
                format!("the path has `{{{variable}}}`, but no parameter declares it"),
                "add a parameter with `in: path` and `required: true`",
            );
        }
    }
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
    let json = content.is_some();
    let schema = match content {
        Some(media) => media.get("schema"),
        None => cursor.get("schema"),
    };
    let Some(schema) = schema else {
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
    let style = style(lowering, cursor, location)?;
    let explode = cursor.node.get("explode").and_then(|node| node.as_bool());
    if location == Location::Path && !cursor.flag("required") {
        lowering.warn(
            "optional-path-parameter",
            cursor.span(),
            format!("path parameter `{name}` is not marked as required, and is required"),
            "add `required: true`",
        );
    }
    Some(Parameter {
        field: fields.take(snake_name(&name)),
        description: cursor.text("description"),
        place: lowering.place(cursor),
        location,
        required: cursor.flag("required") || location == Location::Path,
        style,
        explode: explode.unwrap_or(style == Style::Form),
        key,
        json,
        schema,
        ty,
        name,
    })
}

/// The media type of a parameter that has `content`, which must be JSON.
fn json_content<'d>(
    lowering: &mut Lowering<'d>,
    content: &Cursor<'d>,
    name: &str,
) -> Option<Cursor<'d>> {
    let problem = match content.members().as_slice() {
        [(media, cursor)] if bodies::codec(media) == Codec::Json => return Some(cursor.clone()),
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
            lowering.refuse(
                "parameter-style",
                cursor.span(),
                format!("a parameter at this place has no style `{other}`"),
                "see \"Style Values\" of OpenAPI 3.0.3",
            );
            return None;
        }
    };
    Some(style)
}
