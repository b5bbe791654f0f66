//! Rewrites the objects of OpenAPI 3.1 except schemas.

use super::nodes::{node, set};
use crate::document::{Diagnostic, Diagnostics, Entry, Kind, METHODS, Node, Object};

/// The dialects whose keywords are those of OpenAPI 3.1.
const DIALECTS: [&str; 3] = [
    "https://spec.openapis.org/oas/3.1/dialect/",
    "https://spec.openapis.org/oas/3.1/schema-base/",
    "https://json-schema.org/draft/2020-12/schema",
];

/// Rewrites everything around the schemas.
pub(super) fn rewrite(root: &mut Node, findings: &mut Diagnostics) {
    override_references(root);
    let span = root.span;
    let Some(document) = root.as_object_mut() else {
        return;
    };
    if let Some(version) = document.get_mut("openapi") {
        version.kind = Kind::String("3.0.3".to_owned());
    }
    if let Some(dialect) = document.remove("jsonSchemaDialect") {
        self::dialect(&dialect, findings);
    }
    // The check of the structure warns of webhooks.
    document.remove("webhooks");
    if let Some(info) = document.get_mut("info").and_then(Node::as_object_mut) {
        info.remove("summary");
        let license = info.get_mut("license").and_then(Node::as_object_mut);
        license.map(|license| license.remove("identifier"));
    }
    let none = Entry::at(span, Kind::Object(Object::default()));
    let paths = document.get_or_insert("paths", none).as_object_mut();
    paths.into_iter().for_each(responses);
    let shared = document
        .get_mut("components")
        .and_then(|components| components.get_mut("pathItems"))
        .and_then(Node::as_object_mut);
    shared.into_iter().for_each(responses);
}

fn dialect(dialect: &Entry, findings: &mut Diagnostics) {
    let text = dialect.value.as_str().unwrap_or_default();
    if !DIALECTS.iter().any(|known| text.starts_with(known)) {
        findings.push(
            Diagnostic::warning(
                "schema-dialect",
                dialect.value.span,
                format!("the dialect `{text}` of JSON Schema is not known"),
            )
            .help("schemas are read as those of OpenAPI 3.1"),
        );
    }
}

/// Adds one response for every status to an operation without responses.
fn responses(paths: &mut Object) {
    for (_, item) in paths.iter_mut() {
        let Some(item) = item.value.as_object_mut() else {
            continue;
        };
        for method in METHODS {
            let Some(span) = item.key_span(method) else {
                continue;
            };
            let Some(operation) = item.get_mut(method).and_then(Node::as_object_mut) else {
                continue;
            };
            let none = Entry::at(span, Kind::Object(Object::default()));
            let responses = operation.get_or_insert("responses", none);
            if let Some(responses) = responses.as_object_mut()
                && responses.is_empty()
            {
                let text = Kind::String("Any response.".to_owned());
                let mut any = Object::default();
                any.get_or_insert("description", Entry::at(span, text));
                responses.get_or_insert("default", Entry::at(span, Kind::Object(any)));
            }
        }
    }
}

/// Copies a parameter into each use with another description (OpenAPI 3.1, "Reference
/// Object"). Descriptions beside the references to other components are only for readers.
fn override_references(root: &mut Node) {
    let parameters = root
        .get("components")
        .and_then(|components| components.get("parameters"))
        .and_then(Node::as_object)
        .cloned()
        .unwrap_or_default();
    let paths = root.get_mut("paths").and_then(Node::as_object_mut);
    for (_, item) in paths.into_iter().flat_map(Object::iter_mut) {
        override_parameters(&mut item.value, &parameters);
        for method in METHODS {
            if let Some(operation) = item.value.get_mut(method) {
                override_parameters(operation, &parameters);
            }
        }
    }
}

fn override_parameters(holder: &mut Node, shared: &Object) {
    let Some(list) = holder.get_mut("parameters").and_then(Node::as_array_mut) else {
        return;
    };
    for parameter in list {
        let target = parameter
            .get("$ref")
            .and_then(Node::as_str)
            .and_then(|text| text.strip_prefix("#/components/parameters/"))
            .and_then(|name| shared.get(name));
        let description = parameter
            .as_object()
            .and_then(|parameter| parameter.entry("description"));
        if let (Some(target), Some(description)) = (target, description) {
            let mut copy = node(parameter.span, target.kind.clone());
            if let Some(copy) = copy.as_object_mut() {
                set(copy, "description", description.clone());
            }
            *parameter = copy;
        }
    }
}
