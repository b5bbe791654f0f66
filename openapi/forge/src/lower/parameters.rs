//! Parameters: those of the path item first, overridden by the operation's
//! own (OpenAPI 3.0.3, "Parameter Object").

use super::cursor::Cursor;
use super::names::{Scope, is_token, snake_name, type_name};
use super::operations::Path;
use super::{Lowering, bodies};
use crate::document::{Diagnostic, Span};
use crate::ir::{Codec, Location, Parameter, Style};

/// Headers that OpenAPI describes elsewhere, and where.
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
    let mut found: Vec<(Location, String, Cursor<'d>)> = Vec::new();
    for holder in [item, operation] {
        let mut own: Vec<(Location, String)> = Vec::new();
        for cursor in holder
            .get("parameters")
            .map_or_else(Vec::new, |list| list.elements())
        {
            let listed = cursor.span();
            let Some(cursor) = lowering.resolve(&cursor) else {
                continue;
            };
            let Some((location, name)) = identity(lowering, &cursor) else {
                continue;
            };
            if location == Location::Header && !is_header(lowering, &cursor, &name) {
                continue;
            }
            if own.iter().any(|(l, n)| is_same((*l, n), (location, &name))) {
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
            own.push((location, name.clone()));
            match found
                .iter_mut()
                .find(|(l, n, _)| is_same((*l, n), (location, &name)))
            {
                Some(inherited) => *inherited = (location, name, cursor),
                None => found.push((location, name, cursor)),
            }
        }
    }
    path_parameters(lowering, operation, path, &found);
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

/// Whether two parameters are one. Names of headers have no case (RFC 9110, section 5.1).
fn is_same(left: (Location, &str), right: (Location, &str)) -> bool {
    let names = match left.0 {
        Location::Header => left.1.eq_ignore_ascii_case(right.1),
        _ => left.1 == right.1,
    };
    left.0 == right.0 && names
}

/// Whether a header can be a parameter.
fn is_header(lowering: &mut Lowering<'_>, cursor: &Cursor<'_>, name: &str) -> bool {
    let span = value_span(cursor, "name");
    let elsewhere = NOT_PARAMETERS.iter();
    if let Some((_, help)) = elsewhere
        .clone()
        .find(|(known, _)| known.eq_ignore_ascii_case(name))
    {
        let message = format!("OpenAPI ignores a header parameter of the name `{name}`");
        lowering.warn("ignored-parameter", span, message, help);
        return false;
    }
    if !is_token(name) {
        lowering.refuse(
            "header-name",
            span,
            format!("`{name}` cannot be the name of a header"),
            "letters, digits and hyphens, for example `retry-after` (RFC 9110, section 5.6.2)",
        );
        return false;
    }
    true
}

/// Where the value of a key stands, or the object without the key.
fn value_span(cursor: &Cursor<'_>, key: &str) -> Span {
    cursor.get(key).map_or(cursor.span(), |value| value.span())
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
                value_span(cursor, "in"),
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
    path: &Path<'_>,
    found: &[(Location, String, Cursor<'_>)],
) {
    let variables = super::routes::variables(path.segments);
    // The server's own variables have been reported there.
    let is_in_path = |name: &&str| path.template.contains(&format!("{{{name}}}"));
    let declared = found.iter().filter(|(l, ..)| *l == Location::Path);
    let unused: Vec<_> = declared
        .clone()
        .filter(|(_, name, _)| !variables.contains(&name.as_str()))
        .collect();
    let is_declared = |variable: &str| declared.clone().any(|(_, name, _)| name == variable);
    let undeclared = variables.iter().copied().filter(is_in_path);
    let undeclared: Vec<&str> = undeclared.filter(|name| !is_declared(name)).collect();
    let mut renamed = unused.iter();
    for variable in &undeclared {
        let message = format!("the path has `{{{variable}}}`, but no parameter declares it");
        let mut finding = Diagnostic::error("undeclared-path-parameter", path.span, message);
        finding = match renamed.next().filter(|_| undeclared.len() == unused.len()) {
            Some((_, name, parameter)) => {
                finding.message = format!(
                    "{}; the parameter `{name}` has no place in it",
                    finding.message
                );
                finding
                    .related(parameter.span(), format!("`{name}` is declared here"))
                    .help("give both one name")
            }
            None => finding.help("add a parameter with `in: path` and `required: true`"),
        };
        let method = lowering.key_span(operation);
        lowering
            .diagnostics
            .push(finding.related(method, "for this operation"));
    }
    if undeclared.len() == unused.len() {
        return;
    }
    for (_, name, parameter) in unused {
        lowering.refuse(
            "unused-path-parameter",
            value_span(parameter, "name"),
            format!("the path has no `{{{name}}}`"),
            "write it into the path, or remove the parameter",
        );
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
                value_span(cursor, "style"),
                format!("a parameter at this place has no style `{other}`"),
                "see \"Style Values\" of OpenAPI 3.0.3",
            );
            return None;
        }
    };
    Some(style)
}
