//! Checks the keys that say how the value of a parameter or of a header is written (OpenAPI 3.0.3, "Parameter Object" and
//! "Header Object").

use super::key::Object;
use super::tables;
use crate::document::{Diagnostic, Node};

/// Checks a parameter or a header.
pub(super) fn check(node: &Node, object: &Object) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    found.extend(schema_and_content(node, object));
    found.extend(beside_content(node));
    if object.is(&tables::HEADER) {
        found.extend(style(node));
    } else {
        found.extend(reserved(node));
        found.extend(deep_object(node));
    }
    found
}

/// A value is written either by its schema or by its media type.
fn schema_and_content(node: &Node, object: &Object) -> Option<Diagnostic> {
    let (schema, content) = (node.get("schema"), node.get("content"));
    schema.and(content)?;
    let message = format!("{} has `schema` or `content`, not both", object.name);
    Some(
        Diagnostic::error("schema-and-content", node.key_span("content"), message)
            .related(node.key_span("schema"), "the other one")
            .help("remove `content`, unless a media type says how the value is written"),
    )
}

/// The style says how a value is written by its schema. A media type says all of it.
fn beside_content(node: &Node) -> Vec<Diagnostic> {
    if node.get("content").is_none() || node.get("schema").is_some() {
        return Vec::new();
    }
    let keys = ["style", "explode"].into_iter();
    keys.filter(|key| node.get(key).is_some())
        .map(|key| {
            let message = format!("`{key}` says nothing beside `content`, and is ignored");
            Diagnostic::warning("ignored-key", node.key_span(key), message)
                .related(node.key_span("content"), "says how the value is written")
                .help("remove it, or write `schema` in place of `content`")
        })
        .collect()
}

/// A header has one style.
fn style(header: &Node) -> Option<Diagnostic> {
    let node = header.get("style")?;
    let style = node.as_str().filter(|style| *style != "simple")?;
    Some(
        Diagnostic::error(
            "header-style",
            node.span,
            format!("a header has no style `{style}`"),
        )
        .help("write `simple`, or remove the key"),
    )
}

/// Only a query has reserved characters.
fn reserved(parameter: &Node) -> Option<Diagnostic> {
    let place = parameter.get("in")?.as_str()?;
    if place == "query" || parameter.get("allowReserved").is_none() {
        return None;
    }
    let span = parameter.key_span("allowReserved");
    let message = format!("`allowReserved` says nothing about a parameter in `{place}`");
    Some(Diagnostic::warning("ignored-key", span, message).help("remove it, or write `in: query`"))
}

/// An object in the style `deepObject` has a pair of the query for each property.
fn deep_object(parameter: &Node) -> Option<Diagnostic> {
    let is_deep = parameter.get("style")?.as_str() == Some("deepObject");
    let is_joined = parameter.get("explode")?.as_bool() == Some(false);
    if !is_deep || !is_joined || parameter.get("content").is_some() {
        return None;
    }
    let message = "`explode: false` says nothing beside `deepObject`, and is ignored";
    let finding = Diagnostic::warning("ignored-key", parameter.key_span("explode"), message);
    Some(finding.help("remove it, or write `style: form`"))
}
