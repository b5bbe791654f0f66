//! Operations: their names, and the order in which the parts of each are written.

use super::{
    headers,
    naming::NameAllocator,
    operation::{Errors, Operation, OperationVariant},
    parameters, requests, responses, variants,
    walk::Object,
    writer::Writer,
};
use crate::{emit::comment, ir};
use serde_json::{Value, json};

/// Writes every operation.
pub fn write(writer: &mut Writer<'_>) {
    let mut allocator = NameAllocator::new();
    let api = writer.api;
    for operation in &api.operations {
        for (operation, value) in one(writer, &mut allocator, operation) {
            writer.root["paths"][&operation.written_path][operation.written_method] = value;
            writer.operations.push(operation);
        }
    }
}

/// One operation in all its variants.
fn one(
    writer: &mut Writer<'_>,
    allocator: &mut NameAllocator,
    of: &ir::Operation,
) -> Vec<(Operation, Value)> {
    let id = allocator.allocate(&of.id);
    let (written_method, slashes) = written_method(of);
    let mut operation = Operation {
        base: id.clone(),
        document_id: of.id.clone(),
        id,
        pointer: of.origin.pointer.clone(),
        method: of.method.clone(),
        path: of.template.clone(),
        written_path: format!("{slashes}{}", of.template),
        written_method,
        accept: None,
        content_type: None,
        encode_form: false,
        multipart: false,
        parameters: vec![],
        idempotency_keys: vec![],
        pages: None,
        headers: headers::of_successes(writer.api, &of.responses),
        error_headers: headers::of_errors(writer.api, &of.responses),
        security: of.security.clone(),
        variant: OperationVariant::Plain,
        successes: None,
        errors: Errors::default(),
    };
    let mut written = Object::new();
    for (key, text) in [("summary", &of.summary), ("description", &of.description)] {
        if let Some(text) = text {
            written.insert(key.to_owned(), comment::description(text).into());
        }
    }
    let body = of
        .body
        .as_ref()
        .and_then(|body| requests::write(writer, &mut operation, body));
    let responses = responses::write(writer, &mut operation, &of.responses);
    let parameters = parameters::write(writer, &mut operation, of, &responses.choice);
    written.insert("parameters".to_owned(), json!(parameters));
    variants::of(writer, allocator, operation, written, body, responses)
}

/// The method in the written document, and slashes that make its path differ from that of another operation of this
/// method; progenitor removes them. reqwest has no methods for OPTIONS and TRACE, so the session sets them.
fn written_method(operation: &ir::Operation) -> (&'static str, &'static str) {
    let (plain, slashes) = match operation.method.as_str() {
        "GET" => return ("get", ""),
        "PUT" => return ("put", ""),
        "POST" => return ("post", ""),
        "DELETE" => return ("delete", ""),
        "HEAD" => return ("head", ""),
        "PATCH" => return ("patch", ""),
        "OPTIONS" => ("get", "////"),
        _ => ("get", "////////"),
    };
    match operation.body {
        Some(_) => ("post", slashes),
        None => (plain, slashes),
    }
}
