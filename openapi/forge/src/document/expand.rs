//! Keys that apply to many places of a document.
//!
//! `x-dropforge-response-headers` lists headers that every response has, and
//! `x-extensible-enum` the values of an enum that may grow. The loader expands
//! both, so that later stages do not know them.

use std::collections::HashSet;

use super::node::Entry;
use super::{Diagnostic, Diagnostics, Document, Kind, Node, Object, visit};

/// At the document: headers of every response that does not declare them itself.
pub(crate) const RESPONSE_HEADERS: &str = "x-dropforge-response-headers";

/// At a schema: the known values of an enum that may grow.
pub(crate) const EXTENSIBLE_ENUM: &str = "x-extensible-enum";

/// At a schema with `enum`: the document has the values as `x-extensible-enum`.
pub const EXTENSIBLE: &str = "x-dropforge-extensible";

/// The methods of a path item.
pub const METHODS: [&str; 8] = [
    "get", "put", "post", "delete", "options", "head", "patch", "trace",
];

pub(crate) fn expand(document: &mut Document, diagnostics: &mut Diagnostics) {
    response_headers(&mut document.root, diagnostics);
    visit::objects(&mut document.root, &mut |object| {
        extensible_enum(object, diagnostics);
    });
}

fn response_headers(root: &mut Node, diagnostics: &mut Diagnostics) {
    let Some(all) = root
        .as_object_mut()
        .and_then(|root| root.remove(RESPONSE_HEADERS))
    else {
        return;
    };
    if all.value.as_object().is_none() {
        let message = format!(
            "`{RESPONSE_HEADERS}` must be an object, and is {}",
            all.value.type_name()
        );
        diagnostics.push(
            Diagnostic::error("wrong-type", all.value.span, message)
                .help("write the headers below it as below `headers` of a response"),
        );
        return;
    }
    let mut add = |response: &mut Node| add_headers(response, &all);
    members(root.get_mut("x-dropforge-not-found")).for_each(&mut add);
    root.get_mut("x-dropforge-method-not-allowed")
        .into_iter()
        .for_each(&mut add);
    let components = root.get_mut("components");
    members(components.and_then(|all| all.get_mut("responses"))).for_each(&mut add);
    for path in members(root.get_mut("paths")) {
        responses_of_path(path, &mut add);
    }
    let components = root.get_mut("components");
    let shared = components.and_then(|all| all.get_mut("pathItems"));
    // A component may have any name.
    let shared = shared.and_then(Node::as_object_mut).into_iter();
    for (_, path) in shared.flat_map(Object::iter_mut) {
        responses_of_path(&mut path.value, &mut add);
    }
}

/// Calls `add` with each response of a path item.
fn responses_of_path(path: &mut Node, add: &mut impl FnMut(&mut Node)) {
    path.get_mut("x-dropforge-method-not-allowed")
        .into_iter()
        .for_each(&mut *add);
    for method in METHODS {
        let operation = path.get_mut(method);
        members(operation.and_then(|operation| operation.get_mut("responses"))).for_each(&mut *add);
    }
}

/// The values of an object, without extensions.
fn members(node: Option<&mut Node>) -> impl Iterator<Item = &mut Node> {
    let object = node.and_then(Node::as_object_mut);
    let entries = object.into_iter().flat_map(Object::iter_mut);
    entries
        .filter(|(key, _)| !key.starts_with("x-"))
        .map(|(_, entry)| &mut entry.value)
}

/// Adds the headers that a response does not have. A reference has none of its own.
fn add_headers(response: &mut Node, all: &Entry) {
    let Some(response) = response.as_object_mut() else {
        return;
    };
    if response.contains_key("$ref") {
        return;
    }
    let none = Entry {
        key_span: all.key_span,
        ..Entry::at(all.value.span, Kind::Object(Object::default()))
    };
    let Some(own) = response.get_or_insert("headers", none).as_object_mut() else {
        return;
    };
    let known = own.keys().map(str::to_ascii_lowercase);
    let mut known: HashSet<String> = known.collect();
    for (name, header) in all.value.members() {
        if known.insert(name.to_ascii_lowercase()) {
            // The name is new, so this cannot fail.
            let _ = own.insert(name.to_owned(), header.clone());
        }
    }
}

fn extensible_enum(object: &mut Object, diagnostics: &mut Diagnostics) {
    let Some(entry) = object.entry(EXTENSIBLE_ENUM) else {
        return;
    };
    let key_span = entry.key_span;
    if entry.value.as_array().is_none() {
        let message = format!(
            "`{EXTENSIBLE_ENUM}` must be a list, and is {}",
            entry.value.type_name()
        );
        diagnostics.push(Diagnostic::error("wrong-type", entry.value.span, message));
    } else if let Some(closed) = object.key_span("enum") {
        diagnostics.push(
            Diagnostic::error(
                "extensible-and-closed",
                key_span,
                format!("a schema has `enum` or `{EXTENSIBLE_ENUM}`, not both"),
            )
            .related(closed, "closed here")
            .help("keep `enum` if no value will ever be added"),
        );
    } else {
        object.rename(EXTENSIBLE_ENUM, "enum");
        object.get_or_insert(EXTENSIBLE, Entry::at(key_span, Kind::Bool(true)));
    }
}
