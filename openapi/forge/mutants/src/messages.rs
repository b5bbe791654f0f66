//! Edits of what requests and responses consist of: parameters, bodies, headers, media types.

use dropforge::check::document_index::{Content, Direction, DocumentIndex, LocatedNode};
use serde_json::json;

use crate::edit::Edit;
use crate::examples;
use crate::mutant::Mutants;
use crate::operator::Operator;

pub(crate) fn add(index: &DocumentIndex<'_>, found: &mut Mutants) {
    for parameter in &index.parameters {
        self::parameter(parameter, found);
    }
    for body in &index.request_bodies {
        let operators = [Operator::BodyFlipped, Operator::BodyFlipped];
        flipped(body, "the body", operators, found);
    }
    for response in &index.responses {
        headers(response, found);
    }
    for header in &index.headers {
        // A response promises a required header, as it promises a required member.
        flipped(header, "the header", REQUIRED, found);
    }
    for content in &index.contents {
        self::content(content, found);
        examples::add(&content.place, found);
    }
}

/// The operators that make something optional, and something required.
const REQUIRED: [Operator; 2] = [Operator::RequiredDropped, Operator::RequiredAdded];

fn parameter(parameter: &LocatedNode<'_>, found: &mut Mutants) {
    if let Some(name) = parameter.get("name")
        && let Some(text) = name.node.as_str()
    {
        let other = format!("{text}x");
        let what = format!("`{text}` becomes `{other}`");
        found.set(
            Operator::ParameterRenamed,
            &name.pointer,
            what,
            json!(other),
        );
    }
    if parameter.text("in") != Some("path") {
        flipped(parameter, "the parameter", REQUIRED, found);
    }
    if let Some(example) = parameter.get("example") {
        let what = "the example is removed";
        found.remove(Operator::ExampleDropped, &example.pointer, what);
    }
}

/// `required`, turned around.
fn flipped(owner: &LocatedNode<'_>, what: &str, operators: [Operator; 2], found: &mut Mutants) {
    let at = &owner.pointer;
    let required = owner.get("required");
    match required.filter(|required| required.node.as_bool() == Some(true)) {
        Some(required) => {
            let edit = Edit::Remove(required.pointer);
            found.add(operators[0], at, format!("{what} is optional"), edit);
        }
        None => {
            let edit = Edit::Insert(at.clone(), "required".into(), json!(true));
            found.add(operators[1], at, format!("{what} is required"), edit);
        }
    }
}

fn headers(response: &LocatedNode<'_>, found: &mut Mutants) {
    let Some(headers) = response.get("headers") else {
        return;
    };
    for (name, header) in headers.entries() {
        let at = &header.pointer;
        found.remove(Operator::HeaderDropped, at, format!("`{name}` is removed"));
        let other = format!("{name}-x");
        let what = format!("`{name}` becomes `{other}`");
        let edit = Edit::Rename(headers.pointer.clone(), name.to_owned(), other);
        found.add(Operator::HeaderRenamed, at, what, edit);
    }
}

fn content(content: &Content<'_>, found: &mut Mutants) {
    let (at, media_type) = (&content.place.pointer, content.media_type);
    let way = match content.direction {
        Direction::Request => "of requests",
        Direction::Response => "of responses",
    };
    let what = format!("`{media_type}` {way} is removed");
    found.remove(Operator::MediaTypeDropped, at, what);
    let other = match media_type {
        "application/json" => "application/problem+json",
        _ => "application/json",
    };
    let what = format!("`{media_type}` {way} becomes `{other}`");
    let (parent, _) = at.rsplit_once('/').unwrap_or_default();
    let edit = Edit::Rename(parent.to_owned(), media_type.to_owned(), other.to_owned());
    found.add(Operator::MediaTypeChanged, at, what, edit);
}
