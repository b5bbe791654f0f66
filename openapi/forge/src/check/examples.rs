//! Checks every example against its schema.
//!
//! Authors of clients copy examples, so a wrong one is worse than none. The `jsonschema` crate,
//! which is independent of this generator, checks each one, formats included. The schema of an
//! event stream describes one event, and so do the media type's examples. Whole streams are in
//! `x-dropforge-stream`: the check splits them into events and validates each.

mod form;
mod validators;

use jsonschema::ValidationError;
use serde_json::Value;

use super::document_index::{Content, Direction, DocumentIndex, LocatedNode};
use super::events;
use crate::document::{Diagnostic, Diagnostics, Document, Node, pointer};
pub(super) use validators::INVALID;
pub use validators::UNUSABLE;
use validators::{Checked, MAX_STEPS, Validators};

/// The maximum number of characters of a value in a message.
const MAX_VALUE_CHARACTERS: usize = 40;

/// The word for an example in messages.
const EXAMPLE: &str = "the example";

/// The word for a value of `enum`.
const LISTED: &str = "a value of `enum`";

/// Checks the examples of bodies, parameters and headers, and the examples, defaults and enum
/// values of schemas.
pub fn check(document: &Document) -> Diagnostics {
    of_index(&DocumentIndex::new(document))
}

/// As [`check`], for a document that has been walked.
pub(super) fn of_index(index: &DocumentIndex<'_>) -> Diagnostics {
    all(&Validators::new(index))
}

fn all(validators: &Validators<'_, '_>) -> Diagnostics {
    let index = validators.index;
    let mut findings = Diagnostics::default();
    for content in &index.contents {
        body(validators, content, &mut findings);
    }
    for (places, direction) in [
        (&index.parameters, Direction::Request),
        (&index.headers, Direction::Response),
    ] {
        for place in places {
            let Some(schema) = place.get("schema") else {
                continue;
            };
            for example in examples(index, place) {
                against(validators, &schema, direction, &example, &mut findings);
            }
        }
    }
    for schema in &index.schemas {
        in_schema(validators, schema, &mut findings);
    }
    findings.sort();
    findings
}

/// The values of the examples of a media type, a parameter or a header.
fn examples<'d>(index: &DocumentIndex<'d>, owner: &LocatedNode<'d>) -> Vec<LocatedNode<'d>> {
    let named = owner.entries_of("examples").into_iter();
    named
        .filter_map(|(_, example)| index.resolve(&example)?.get("value"))
        .chain(owner.get("example"))
        .collect()
}

fn body<'d>(validators: &Validators<'_, 'd>, content: &Content<'d>, findings: &mut Diagnostics) {
    let index = validators.index;
    let Some(schema) = content.place.get("schema") else {
        return;
    };
    let direction = content.direction;
    if let Some(rules) = content.place.get("x-dropforge-stream") {
        for example in examples(index, &rules) {
            stream(validators, content, &schema, &rules, &example, findings);
        }
    }
    for example in examples(index, &content.place) {
        let text = example.node.as_str();
        match (content.essence().as_str(), text) {
            ("text/event-stream", Some(_)) if !is_string(index, &schema) => {
                let message = "the schema is that of one event, and so is its example; \
                               a whole stream is one of the `examples` of `x-dropforge-stream`";
                findings.push(invalid(example.node, message.into()));
            }
            ("application/x-www-form-urlencoded", Some(text)) => {
                if let Some(form) = form::read(index, &schema, text) {
                    let form = (EXAMPLE, form);
                    check_value(validators, &schema, direction, &example, &form, findings);
                }
            }
            // The check skips text and bytes, written as a string, if the schema is not one of
            // strings.
            (_, Some(_)) if !content.is_json() && !is_string(index, &schema) => {}
            _ => against(validators, &schema, direction, &example, findings),
        }
    }
}

fn is_string<'d>(index: &DocumentIndex<'d>, schema: &LocatedNode<'d>) -> bool {
    let schema = index.resolve(schema);
    schema.is_some_and(|schema| schema.text("type") == Some("string"))
}

/// Each event of a stream, by the rules of `x-dropforge-stream`.
fn stream<'d>(
    validators: &Validators<'_, 'd>,
    content: &Content<'_>,
    schema: &LocatedNode<'d>,
    rules: &LocatedNode<'_>,
    example: &LocatedNode<'_>,
    findings: &mut Diagnostics,
) {
    let mut wrong = |message: String| {
        findings.push(invalid(example.node, message));
    };
    let Some(text) = example.node.as_str() else {
        return wrong("a stream is written as text".into());
    };
    let events = match events::parse(text) {
        Ok(events) if events.is_empty() => return wrong("the stream has no event".into()),
        Ok(events) => events,
        Err(message) => return wrong(message),
    };
    for (position, event) in events.iter().enumerate() {
        let number = position + 1;
        if rules.text("terminator") == Some(&event.data) {
            if number < events.len() {
                wrong(format!(
                    "the stream continues after event {number}, which ends it"
                ));
            }
            continue;
        }
        let value: Value = match serde_json::from_str(&event.data) {
            Ok(value) => value,
            Err(error) => {
                wrong(format!("the data of event {number} is not JSON: {error}"));
                continue;
            }
        };
        if let Some(property) = rules.text("event")
            && value.get(property).and_then(Value::as_str)
                != Some(&*event.name).filter(|name| !name.is_empty())
        {
            wrong(format!(
                "the name of event {number} differs from `{property}` of its data"
            ));
        }
        let checked = match validators.of(schema, content.direction, &value) {
            Ok(checked) => checked,
            Err(finding) => return findings.push(finding),
        };
        for error in checked.errors(&value) {
            let at = error.instance_path().as_str();
            wrong(format!("event {number}: {at}: {}", reason(&error)));
        }
    }
}

/// The examples and values in a schema itself. Such a value may be valid in only one of the two
/// directions.
fn in_schema<'d>(
    validators: &Validators<'_, 'd>,
    schema: &LocatedNode<'d>,
    findings: &mut Diagnostics,
) {
    let mut values: Vec<(&str, LocatedNode<'_>)> = [(EXAMPLE, "example"), ("`default`", "default")]
        .into_iter()
        .filter_map(|(what, key)| Some((what, schema.get(key)?)))
        .collect();
    let listed = schema.elements_of("enum").into_iter();
    values.extend(listed.map(|one| (LISTED, one)));
    // OpenAPI 3.0 ignores `examples` of schemas.
    if validators.index.document.written.is_some() {
        let examples = schema.elements_of("examples").into_iter();
        values.extend(examples.map(|one| (EXAMPLE, one)));
    }
    let mut steps: u64 = 0;
    for (what, place) in &values {
        let value = place.node.to_json();
        let response = match checked(validators, schema, Direction::Response, what, &value) {
            Ok(checked) => checked,
            Err(finding) => return findings.push(finding),
        };
        steps = steps.saturating_add(response.steps);
        if steps > MAX_STEPS {
            return findings.push(validators::too_long(schema));
        }
        let found = violations(validators, &response, place, what, &value);
        if found.is_empty() {
            continue;
        }
        let request = checked(validators, schema, Direction::Request, what, &value);
        if !request.is_ok_and(|request| request.errors(&value).next().is_none()) {
            findings.extend(found);
        }
    }
}

/// An example against a schema.
fn against<'d>(
    validators: &Validators<'_, 'd>,
    schema: &LocatedNode<'d>,
    direction: Direction,
    place: &LocatedNode<'_>,
    findings: &mut Diagnostics,
) {
    let value = (EXAMPLE, place.node.to_json());
    check_value(validators, schema, direction, place, &value, findings);
}

/// Checks a value, with its name in messages, against a schema. `place` is the place of the value
/// or of its source.
fn check_value<'d>(
    validators: &Validators<'_, 'd>,
    schema: &LocatedNode<'d>,
    direction: Direction,
    place: &LocatedNode<'_>,
    (what, value): &(&str, Value),
    findings: &mut Diagnostics,
) {
    match checked(validators, schema, direction, what, value) {
        Ok(checked) => findings.extend(violations(validators, &checked, place, what, value)),
        Err(finding) => findings.push(finding),
    }
}

/// The validator for a value with this name in messages.
fn checked<'d>(
    validators: &Validators<'_, 'd>,
    schema: &LocatedNode<'d>,
    direction: Direction,
    what: &str,
    value: &Value,
) -> Result<Checked, Diagnostic> {
    match what {
        LISTED => validators.beside_enum(schema, direction, value),
        _ => validators.of(schema, direction, value),
    }
}

/// The findings about one value.
fn violations(
    validators: &Validators<'_, '_>,
    checked: &Checked,
    place: &LocatedNode<'_>,
    what: &str,
    value: &Value,
) -> Vec<Diagnostic> {
    let source = &validators.index.document.source;
    let finding = |error: ValidationError<'_>| {
        let at = error.instance_path().as_str();
        let node = pointer::find(place.node, at).unwrap_or(place.node);
        let subject = if at.is_empty() { what } else { at };
        let message = format!("{subject}: {}", reason(&error));
        let finding = match what {
            EXAMPLE => invalid(node, message),
            _ => Diagnostic::error(INVALID, node.span, message)
                .help("correct the value, or the schema"),
        };
        match source.help_for_comment(node) {
            Some(help) => finding.help(help),
            None => finding,
        }
    };
    checked.errors(value).map(finding).collect()
}

/// The text of an error. A long value is visible at the position, and would hide the reason.
fn reason(error: &ValidationError<'_>) -> String {
    match error.instance().to_string().chars().count() > MAX_VALUE_CHARACTERS {
        true => error.masked().to_string(),
        false => error.to_string(),
    }
}

fn invalid(node: &Node, message: String) -> Diagnostic {
    Diagnostic::error(INVALID, node.span, message)
        .help("callers copy examples: correct the example, or the schema")
}

#[cfg(test)]
mod tests;
