//! The variants of an operation.
//!
//! progenitor has one response and one body for an operation. If the document has more, the operation becomes several,
//! each under a separate path with one more empty segment at its begin, which progenitor removes.

use super::{
    naming::NameAllocator,
    operation::{Operation, OperationVariant},
    requests::Request,
    responses::Responses,
    walk::Object,
    writer::Writer,
};
use serde_json::Value;

/// The variants of an operation, each with its part of the subset.
pub fn of(
    writer: &Writer<'_>,
    allocator: &mut NameAllocator,
    operation: Operation,
    mut written: Object,
    body: Option<Request>,
    responses: Responses,
) -> Vec<(Operation, Value)> {
    let mut variants = Vec::new();
    let mut push =
        |operation: Operation, mut written: Object, body: Option<&Request>, responses: Object| {
            written.insert(
                "operationId".to_owned(),
                Value::String(operation.id.clone()),
            );
            if let Some(body) = body {
                written.insert("requestBody".to_owned(), body.value.clone());
            }
            written.insert("responses".to_owned(), Value::Object(responses));
            variants.push((operation, Value::Object(written)));
        };
    let base = operation.clone();
    let mut slashes = String::new();
    let alone = responses.plain.is_none();
    if let Some(responses) = responses.plain {
        if body.as_ref().is_some_and(|body| body.optional) {
            let with_body = allocator.allocate(&format!("{}_with_body", base.id));
            let variant = OperationVariant::WithoutBody {
                with_body: with_body.clone(),
            };
            // A request without a body has no content type.
            push(
                Operation {
                    variant,
                    content_type: None,
                    ..base.clone()
                },
                written.clone(),
                None,
                responses.clone(),
            );
            slashes.push('/');
            let written_path = format!("{slashes}{}", base.written_path);
            let variant = Operation {
                id: with_body,
                written_path,
                variant: OperationVariant::WithBody,
                ..base.clone()
            };
            push(variant, written.clone(), body.as_ref(), responses);
        } else {
            push(base.clone(), written.clone(), body.as_ref(), responses);
        }
    }
    if let Some((responses, mut events)) = responses.events {
        events.selector = body.as_ref().and_then(|body| selector(writer, body));
        // A caller cannot choose the media type of a stream of events.
        if let Some(parameters) = written.get_mut("parameters").and_then(Value::as_array_mut) {
            parameters
                .retain(|parameter| parameter.get("name").is_none_or(|name| name != "accept"));
        }
        let id = if alone {
            base.id.clone()
        } else {
            allocator.allocate(&format!("{}_stream", base.id))
        };
        slashes.push('/');
        let written_path = if alone {
            base.written_path.clone()
        } else {
            format!("{slashes}{}", base.written_path)
        };
        let variant = Operation {
            id,
            written_path,
            accept: Some("text/event-stream".to_owned()),
            successes: None,
            variant: OperationVariant::Events(events),
            ..base
        };
        push(variant, written, body.as_ref(), responses);
    }
    variants
}

/// The property that requests a stream: by convention a boolean called `stream` in the body.
fn selector(writer: &Writer<'_>, body: &Request) -> Option<String> {
    let schema = body.value.pointer("/content/application~1json/schema")?;
    let schema = writer.resolve(schema);
    let property = schema.get("properties")?.get("stream")?;
    (property.get("type")? == "boolean").then(|| "stream".to_owned())
}
