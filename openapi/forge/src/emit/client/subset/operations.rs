//! Operations: their names, and the order in which the parts of each are written.

use super::{
    Writer, docs,
    naming::{Names, pascal, snake},
    operation::{Errors, Operation, OperationVariant},
    parameters, requests, responses, variants,
    walk::Object,
};
use crate::ir;
use serde_json::{Value, json};

/// Methods that the generated client has besides those of the operations.
const METHODS_OF_CLIENT: [&str; 9] = [
    "new",
    "new_with_client",
    "api_version",
    "baseurl",
    "client",
    "inner",
    "pre",
    "post",
    "exec",
];

/// Names that the code of a builder uses without a path; a builder of this name would hide them.
const TYPES_OF_BUILDERS: [&str; 14] = [
    "Result",
    "Option",
    "String",
    "Error",
    "ResponseValue",
    "ByteStream",
    "ClientInfo",
    "ClientHooks",
    "OperationInfo",
    "RequestBuilderExt",
    "Ok",
    "Err",
    "Some",
    "None",
];

/// The names of methods and of the types beside them, which must differ as well.
pub struct NameAllocator {
    methods: Names,
    types: Names,
}

impl NameAllocator {
    fn new() -> Self {
        Self {
            methods: Names::reserved(&METHODS_OF_CLIENT),
            types: Names::reserved(&TYPES_OF_BUILDERS),
        }
    }

    /// Allocates this name for a method, or the next that is free for the method and its type.
    pub fn allocate(&mut self, wanted: &str) -> String {
        let wanted = snake(wanted);
        let mut name = wanted.clone();
        let mut number = 2;
        while self.methods.contains(&name) || self.types.contains(&pascal(&name)) {
            name = snake(&format!("{wanted}_{number}"));
            number += 1;
        }
        self.types.allocate(&pascal(&name));
        self.methods.allocate(&name)
    }
}

/// Writes every operation.
pub fn all(writer: &mut Writer<'_>) {
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
        security: of.security.clone(),
        variant: OperationVariant::Plain,
        successes: None,
        errors: Errors::default(),
    };
    let mut written = Object::new();
    for (key, text) in [("summary", &of.summary), ("description", &of.description)] {
        if let Some(text) = text {
            written.insert(key.to_owned(), docs::text(text).into());
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
