//! Rules about texts for readers: descriptions and examples.

use crate::check::document_index::{Content, Direction, DocumentIndex, LocatedNode};
use crate::document::{Diagnostic, Diagnostics};

pub(super) fn check(index: &DocumentIndex<'_>, findings: &mut Diagnostics) {
    descriptions(index, findings);
    for content in &index.contents {
        example(content, findings);
    }
}

fn descriptions(index: &DocumentIndex<'_>, findings: &mut Diagnostics) {
    let root = index.root();
    let mut described = |what: &str, place: &LocatedNode<'_>| {
        if place.text("description").is_none() {
            findings.push(
                Diagnostic::error(
                    "description-missing",
                    place.span,
                    format!("{what} has no description"),
                )
                .help("say what it is for, and what a reader cannot see from its name"),
            );
        }
    };
    if let Some(info) = root.get("info") {
        described("the document", &info);
    }
    for tag in root.elements_of("tags") {
        described("the tag", &tag);
    }
    for operation in &index.operations {
        described("the operation", &operation.place);
    }
    for parameter in &index.parameters {
        described("the parameter", parameter);
    }
    for body in &index.request_bodies {
        described("the request body", body);
    }
    for response in &index.responses {
        described("the response", response);
    }
    for header in &index.headers {
        described("the header", header);
    }
    for (kind, what) in [
        ("schemas", "the schema"),
        ("securitySchemes", "the security scheme"),
    ] {
        for (name, component) in index.components_of(kind) {
            if component.node.get("$ref").is_none() {
                described(&format!("{what} `{name}`"), &component);
            }
        }
    }
}

fn example(content: &Content<'_>, findings: &mut Diagnostics) {
    let examples = content.place.get("examples");
    let named = examples.is_some_and(|examples| !examples.entries().is_empty());
    if named || content.place.get("example").is_some() {
        return;
    }
    let of = match content.direction {
        Direction::Request => "request",
        Direction::Response => "response",
    };
    findings.push(
        Diagnostic::error(
            "example-missing",
            content.place.span,
            format!("the {of} has no example as {}", content.media_type),
        )
        .help("add `examples:` with a name, a summary and a value"),
    );
}
