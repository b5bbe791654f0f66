//! Rules about what stands in front of a reader: descriptions and examples.

use crate::check::survey::{Content, Direction, Place, Survey};
use crate::document::{Diagnostic, Diagnostics};

pub(super) fn check(survey: &Survey<'_>, findings: &mut Diagnostics) {
    descriptions(survey, findings);
    for content in &survey.contents {
        example(content, findings);
    }
}

fn descriptions(survey: &Survey<'_>, findings: &mut Diagnostics) {
    let root = survey.root();
    let mut described = |what: &str, place: &Place<'_>| {
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
    for tag in root.get("tags").iter().flat_map(Place::elements) {
        described("the tag", &tag);
    }
    for operation in &survey.operations {
        described("the operation", &operation.place);
    }
    for parameter in &survey.parameters {
        described("the parameter", parameter);
    }
    for body in &survey.request_bodies {
        described("the request body", body);
    }
    for response in &survey.responses {
        described("the response", response);
    }
    for header in &survey.headers {
        described("the header", header);
    }
    for (name, schema) in survey.components_of("schemas") {
        if schema.node.get("$ref").is_none() {
            described(&format!("the schema `{name}`"), &schema);
        }
    }
    for (name, scheme) in survey.components_of("securitySchemes") {
        described(&format!("the security scheme `{name}`"), &scheme);
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
