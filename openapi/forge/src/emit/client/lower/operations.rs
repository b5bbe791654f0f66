//! Operations: their names, and the order in which the parts of each are lowered.

use super::{
    Lowering, forms,
    naming::{Names, pascal, snake},
    operation::{Errors, Form, Operation},
    parameters, requests, responses,
    walk::{METHODS, Object},
};
use crate::{
    document::{Document, pointer::join},
    emit::client::report::LossKind,
    structure,
};
use serde_json::Value;

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
pub struct Given {
    methods: Names,
    types: Names,
}

impl Given {
    fn new() -> Self {
        Self {
            methods: Names::reserved(&METHODS_OF_CLIENT),
            types: Names::reserved(&TYPES_OF_BUILDERS),
        }
    }

    /// Gives a method this name, or the next that is free for it and for its type.
    pub fn give(&mut self, wanted: &str) -> String {
        let wanted = snake(wanted);
        let mut name = wanted.clone();
        let mut number = 2;
        while self.methods.contains(&name) || self.types.contains(&pascal(&name)) {
            name = snake(&format!("{wanted}_{number}"));
            number += 1;
        }
        self.types.give(&pascal(&name));
        self.methods.give(&name)
    }
}

/// Lowers every operation, and takes from the document whatever progenitor does not need.
pub fn all(lowering: &mut Lowering<'_>) {
    let mut given = Given::new();
    let paths = match lowering
        .root
        .as_object_mut()
        .and_then(|root| root.remove("paths"))
    {
        Some(Value::Object(paths)) => paths,
        _ => Object::new(),
    };
    let mut lowered: Vec<(Operation, Value)> = Vec::new();
    for (path, item) in paths {
        if !path.starts_with('/') {
            continue;
        }
        let pointer = join("/paths", &path);
        if item.get("servers").is_some() {
            lowering.lose(
                LossKind::Server,
                join(&pointer, "servers"),
                "servers of the path",
            );
        }
        for method in METHODS {
            let Some(Value::Object(value)) = item.get(method) else {
                continue;
            };
            let pointer = join(&pointer, method);
            lowered.extend(one(
                lowering,
                &mut given,
                &path,
                method,
                &pointer,
                value.clone(),
            ));
        }
    }
    let mut paths = Object::new();
    for (operation, value) in lowered {
        let item = paths
            .entry(operation.lowered_path.clone())
            .or_insert_with(|| Value::Object(Object::new()));
        if let Some(item) = item.as_object_mut() {
            item.insert(operation.method.to_ascii_lowercase(), value);
        }
        lowering.operations.push(operation);
    }
    if let Some(root) = lowering.root.as_object_mut() {
        root.insert("paths".to_owned(), Value::Object(paths));
        root.retain(|key, _| matches!(key.as_str(), "openapi" | "info" | "paths" | "components"));
    }
}

/// One operation in all its forms; none if it cannot be called.
fn one(
    lowering: &mut Lowering<'_>,
    given: &mut Given,
    path: &str,
    method: &str,
    pointer: &str,
    value: Object,
) -> Vec<(Operation, Value)> {
    for (key, kind, what) in [
        (
            "callbacks",
            LossKind::Unused,
            "callbacks: requests that the server sends",
        ),
        ("servers", LossKind::Server, "servers of the operation"),
    ] {
        if value.contains_key(key) {
            lowering.lose(kind, join(pointer, key), what);
        }
    }
    if value.contains_key("x-dropshot-websocket") {
        lowering.lose(LossKind::Operation, pointer, "a WebSocket");
        return vec![];
    }
    let document_id = value
        .get("operationId")
        .and_then(Value::as_str)
        .filter(|id| !id.is_empty())
        .map(str::to_owned);
    let wanted = document_id
        .clone()
        .unwrap_or_else(|| format!("{method} {path}"));
    let id = given.give(&wanted);
    if document_id.is_none() {
        lowering.lose(
            LossKind::Name,
            pointer,
            format!("no operationId; the method is `{id}`"),
        );
    } else if id != snake(&wanted) {
        lowering.lose(
            LossKind::Name,
            pointer,
            format!("operationId {wanted:?}; the method is `{id}`"),
        );
    }
    let mut operation = Operation {
        base: id.clone(),
        document_id: document_id.unwrap_or_else(|| id.clone()),
        id,
        pointer: pointer.to_owned(),
        method: method.to_ascii_uppercase(),
        path: path.to_owned(),
        lowered_path: path.to_owned(),
        accept: None,
        content_type: None,
        moved: vec![],
        security: requirements(lowering.document, path, method),
        form: Form::Plain,
        successes: None,
        errors: Errors::default(),
    };
    let mut lowered = Object::new();
    for key in ["summary", "description"] {
        if let Some(Value::String(text)) = value.get(key) {
            lowered.insert(key.to_owned(), Value::String(super::docs::text(text)));
        }
    }
    let body = match requests::reduce(lowering, &mut operation, value.get("requestBody")) {
        Ok(body) => body,
        Err(what) => {
            lowering.lose(LossKind::Operation, pointer, what);
            return vec![];
        }
    };
    let answers = responses::reduce(lowering, &mut operation, value.get("responses"));
    let parameters = parameters::reduce(
        lowering,
        &mut operation,
        value.get("parameters"),
        &answers.choice,
    );
    lowered.insert("parameters".to_owned(), Value::Array(parameters));
    forms::of(lowering, given, operation, lowered, body, answers)
}

/// The alternatives of an operation's security: names of schemes, with their scopes.
fn requirements(document: &Document, path: &str, method: &str) -> Vec<Vec<(String, Vec<String>)>> {
    let pointer = join("/paths", path);
    let item = document
        .at(&pointer)
        .and_then(|item| document.resolve(item, &pointer).ok());
    let Some(operation) = item.and_then(|(_, item)| item.get(method)) else {
        return vec![];
    };
    structure::alternatives(document, operation)
        .into_iter()
        .map(|alternative| {
            let uses = alternative.uses.into_iter().map(|used| {
                let scopes = used.scopes.into_iter().map(str::to_owned);
                (used.scheme.to_owned(), scopes.collect())
            });
            uses.collect()
        })
        .collect()
}
