//! The variants of an operation.
//!
//! progenitor has one response and one body for an operation. If the document has more, the operation becomes several.
//! The path of each begins with one more empty segment than that of the variant before it; progenitor removes these.

use super::{
    naming::NameAllocator,
    operation::{Operation, OperationVariant},
    requests::Request,
    responses::Responses,
    walk::Object,
    writer::Writer,
};
use serde_json::Value;

/// The variants of an operation, each with its part of the subset. `written` is the common part.
pub fn of(
    writer: &Writer<'_>,
    allocator: &mut NameAllocator,
    base: Operation,
    mut written: Object,
    body: Option<Request>,
    responses: Responses,
) -> Vec<(Operation, Value)> {
    let mut variants = Vec::new();
    let body = body.as_ref();
    if let Some(responses) = responses.plain {
        if body.is_some_and(|body| body.optional) {
            let with_body = allocator.allocate(&format!("{}_with_body", base.id));
            let variant = Operation {
                variant: OperationVariant::WithoutBody {
                    with_body: with_body.clone(),
                },
                // A request without a body has no content type.
                content_type: None,
                ..base.clone()
            };
            add(&mut variants, variant, &written, None, responses.clone());
            let variant = Operation {
                id: with_body,
                variant: OperationVariant::WithBody,
                ..base.clone()
            };
            add(&mut variants, variant, &written, body, responses);
        } else {
            add(&mut variants, base.clone(), &written, body, responses);
        }
    }
    if let Some((responses, mut events)) = responses.events {
        events.selector = body.and_then(|body| selector(writer, body));
        // A caller cannot choose the media type of a stream of events.
        if let Some(parameters) = written.get_mut("parameters").and_then(Value::as_array_mut) {
            parameters
                .retain(|parameter| parameter.get("name").is_none_or(|name| name != "accept"));
        }
        let id = match variants.is_empty() {
            true => base.id.clone(),
            false => allocator.allocate(&format!("{}_stream", base.id)),
        };
        let variant = Operation {
            id,
            accept: Some("text/event-stream".to_owned()),
            successes: None,
            variant: OperationVariant::Events(events),
            ..base
        };
        add(&mut variants, variant, &written, body, responses);
    }
    variants
}

/// Adds a variant, whose path then differs from those of the variants before it.
fn add(
    variants: &mut Vec<(Operation, Value)>,
    mut operation: Operation,
    common: &Object,
    body: Option<&Request>,
    responses: Object,
) {
    let slashes = "/".repeat(variants.len());
    operation.written_path.insert_str(0, &slashes);
    let mut written = common.clone();
    written.insert(
        "operationId".to_owned(),
        Value::String(operation.id.clone()),
    );
    if let Some(body) = body {
        written.insert("requestBody".to_owned(), body.value.clone());
    }
    written.insert("responses".to_owned(), Value::Object(responses));
    variants.push((operation, Value::Object(written)));
}

/// The property that requests a stream: by convention a boolean called `stream` in the body.
fn selector(writer: &Writer<'_>, body: &Request) -> Option<String> {
    let schema = body.value.pointer("/content/application~1json/schema")?;
    let schema = writer.resolve(schema);
    let property = schema.get("properties")?.get("stream")?;
    (property.get("type")? == "boolean").then(|| "stream".to_owned())
}
