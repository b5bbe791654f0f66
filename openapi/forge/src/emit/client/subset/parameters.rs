//! Parameters with unique names.
//!
//! progenitor writes single values into paths and headers, and lists into the query. Other values become arguments:
//! progenitor writes their JSON into a header, and the session moves it to its place, in its style. A parameter that
//! progenitor cannot name or place gets a substitute name, and is moved the same way.

use super::{
    naming::snake,
    nullable::without_null,
    operation::{Operation, Pages, Parameter, Serialization},
    walk::reference,
    writer::{SECRET, Writer},
};
use crate::emit::comment;
use crate::ir::{self, Location, Style};
use crate::lower::names::Scope;
use serde_json::{Value, json};

/// Names that a builder has besides those of its parameters, and those of variables in its code.
const RESERVED: [&str; 9] = [
    "new",
    "send",
    "call",
    "stream",
    "body",
    "body_map",
    "form",
    "header_map",
    "info",
];

/// The header that progenitor adds itself; the session removes it.
const HEADER_OF_PROGENITOR: &str = "api-version";

/// The content type of a multipart body with its boundary, which the method `form` sets.
pub const CONTENT_TYPE: &str = "content-type";

/// Writes the parameters of an operation; `choice` holds the media types that a caller can choose from.
pub fn write(
    writer: &mut Writer<'_>,
    operation: &mut Operation,
    of: &ir::Operation,
    choice: &[String],
) -> Vec<Value> {
    let mut names = ParameterNames {
        fields: Scope::reserved(&RESERVED),
        wire: Scope::reserved(&[HEADER_OF_PROGENITOR]),
    };
    let mut all = Vec::new();
    if operation.multipart {
        names.fields.take(snake(CONTENT_TYPE));
        names.wire.take(CONTENT_TYPE.to_owned());
        all.push(json!({
            "name": CONTENT_TYPE,
            "in": "header",
            "required": false,
            "description": "The content type of the body, with the boundary between its parts; `form` sets it.",
            "schema": { "type": "string" },
        }));
    }
    // The methods of lists.
    for method in of.pages.iter().flat_map(|_| ["pages", "items"]) {
        names.fields.take(method.to_owned());
    }
    let mut first_only = Vec::new();
    for parameter in &of.parameters {
        let written = one(writer, operation, parameter, &mut names);
        if parameter.first_page_only
            && let Some(name) = written["name"].as_str()
        {
            first_only.push(snake(name));
        }
        if parameter.idempotency_key {
            let name = parameter.name.to_ascii_lowercase();
            operation.idempotency_keys.push(name);
        }
        if let Some(pages) = &of.pages
            && parameter.location == Location::Query
            && parameter.name == pages.parameter
            && let Some(name) = written["name"].as_str()
        {
            operation.pages = Some(Pages {
                header: pages.header.to_ascii_lowercase(),
                setter: snake(name),
                first_only: vec![],
            });
        }
        all.push(written);
    }
    if let Some(pages) = &mut operation.pages {
        pages.first_only = first_only;
    }
    all.extend(accept(&mut names, choice));
    all
}

/// The parameter with which a caller chooses the media type of the response.
fn accept(names: &mut ParameterNames, choice: &[String]) -> Option<Value> {
    const ACCEPT: &str = "accept";
    let is_free = choice.len() > 1
        && names.fields.take(ACCEPT.to_owned()) == ACCEPT
        && names.wire.take(ACCEPT.to_owned()) == ACCEPT;
    is_free.then(|| {
        json!({
            "name": ACCEPT,
            "in": "header",
            "required": false,
            "description": "The media type of the response.",
            "schema": { "type": "string", "enum": choice },
        })
    })
}

/// The names of the parameters of one operation.
struct ParameterNames {
    /// The methods of the builder.
    fields: Scope,
    /// The names in the written document: progenitor distinguishes parameters by name only.
    wire: Scope,
}

fn one(
    writer: &mut Writer<'_>,
    operation: &mut Operation,
    parameter: &ir::Parameter,
    names: &mut ParameterNames,
) -> Value {
    let schema = writer.used(Some(parameter.schema));
    let written = written(writer, parameter, &schema);
    let schema = if written == Serialization::Text {
        plain(schema)
    } else {
        let wanted = format!("{}_{}", operation.base, parameter.name);
        reference(&writer.add_argument(&wanted, schema))
    };
    let sent = match (written, parameter.location) {
        (Serialization::Text, Location::Path | Location::Query) => parameter.location,
        _ => Location::Header,
    };
    let name = place(operation, parameter, names, sent, written);
    let mut value = json!({
        "name": name,
        "in": sent.as_str(),
        "required": parameter.required,
        "schema": schema,
    });
    if let Some(text) = &parameter.description {
        value["description"] = comment::description(text).into();
    }
    value
}

/// The serialization of a parameter: as progenitor's text, or by the session.
fn written(writer: &Writer<'_>, parameter: &ir::Parameter, schema: &Value) -> Serialization {
    let resolved = writer.resolve(schema);
    let usual = match parameter.location {
        Location::Path => parameter.style == Style::Simple,
        Location::Header | Location::Query | Location::Cookie => true,
    };
    let list = parameter.location == Location::Query
        && parameter.explode
        && resolved
            .get("items")
            .is_some_and(|items| is_scalar(&writer.resolve(items)));
    if parameter.json {
        Serialization::Json
    } else if usual && is_scalar(&resolved) || list {
        Serialization::Text
    } else {
        Serialization::Styled(parameter.style, parameter.explode)
    }
}

/// Removes the features that progenitor cannot write from the schema of a parameter: null, because a present parameter
/// is not null, and a type without a text.
fn plain(mut schema: Value) -> Value {
    if let Some(object) = schema.as_object_mut()
        && object.get("format").is_some_and(|format| format == SECRET)
    {
        object.remove("format");
    }
    without_null(schema)
}

/// Allocates a unique name for a parameter, as a field and for progenitor. Stores how the session writes the parameter.
fn place(
    operation: &mut Operation,
    parameter: &ir::Parameter,
    names: &mut ParameterNames,
    sent: Location,
    written: Serialization,
) -> String {
    let name = &parameter.name;
    let field = names.fields.take(snake(name));
    // The names of headers are case-insensitive, and progenitor writes them unchanged.
    let wanted = match sent {
        Location::Header => name.to_ascii_lowercase(),
        _ => name.clone(),
    };
    let is_free = field == snake(name) && !names.wire.contains(&wanted);
    let unchanged = is_free && parameter.location == sent && written == Serialization::Text;
    let given = names.wire.take(if unchanged {
        wanted.clone()
    } else if sent == Location::Path {
        field
    } else {
        field.replace('_', "-")
    });
    if sent == Location::Path {
        // Only the path and the parameter use this name, and they must agree on it.
        rename_variable(operation, name, &format!("{{{given}}}"));
        return given;
    }
    if given != wanted || parameter.location != sent || written != Serialization::Text {
        let marker = format!("(dropforge:{})", operation.parameters.len());
        if parameter.location == Location::Path {
            rename_variable(operation, name, &marker);
        }
        operation.parameters.push(Parameter {
            from: (sent, given.clone()),
            to: (parameter.location, name.clone()),
            marker,
            written,
        });
        // progenitor derives the name of the field from this name.
        names.fields.take(snake(&given));
    }
    given
}

fn rename_variable(operation: &mut Operation, name: &str, new: &str) {
    operation.written_path = operation.written_path.replace(&format!("{{{name}}}"), new);
}

/// Whether a value of this schema is written as one word.
pub fn is_scalar(schema: &Value) -> bool {
    if let Some(members) = schema.get("oneOf").and_then(Value::as_array) {
        return members.iter().all(is_scalar);
    }
    matches!(
        schema.get("type").and_then(Value::as_str),
        Some("string" | "integer" | "number" | "boolean")
    )
}
