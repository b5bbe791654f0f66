//! Describes the responses to requests outside of the document.
//!
//! OpenAPI has no place for the 404 of an unknown path and the 405 of an unsupported
//! method. `x-dropforge-not-found` and `x-dropforge-method-not-allowed` are for the
//! generator. For readers, a section in the description of the document lists the same
//! responses with their bodies.

use super::streams::{append, cell, code, members};
use crate::document::{Document, Node};

const NOT_FOUND: &str = "x-dropforge-not-found";
const METHOD: &str = "x-dropforge-method-not-allowed";

/// Adds the section to the description of a document that declares such responses.
pub(super) fn describe(document: &Document, published: &mut Node) {
    let rows = rows(document);
    let info = published.get_mut("info").and_then(Node::as_object_mut);
    if let Some(info) = info.filter(|_| !rows.is_empty()) {
        let mut section = String::from(
            "## Unknown paths and methods\n\n| Request | Status | Body |\n|---|---|---|",
        );
        for (request, status, body) in rows {
            section.push_str(&format!("\n| {request} | {status} | {body} |"));
        }
        append(info, &section);
    }
}

/// Request, status and body of each response.
fn rows(document: &Document) -> Vec<(String, &'static str, String)> {
    let root = &document.root;
    let mut rows = Vec::new();
    for (prefix, response) in members(root.get(NOT_FOUND)) {
        let request = match prefix {
            "/" => "A path that this document does not have".to_owned(),
            prefix => format!(
                "A path under {} that this document does not have",
                code(prefix)
            ),
        };
        rows.extend(body(document, response).map(|body| (request, "404", body)));
    }
    let of_document = root.get(METHOD).and_then(|all| body(document, all));
    if let Some(body) = &of_document {
        let request = "A method that the path does not have".to_owned();
        rows.push((request, "405", body.clone()));
    }
    // Paths that differ, together if their bodies are the same.
    let mut others: Vec<(Vec<&str>, String)> = Vec::new();
    for (path, item) in members(root.get("paths")) {
        let own = item.get(METHOD).and_then(|own| body(document, own));
        let Some(own) = own.filter(|own| Some(own) != of_document.as_ref()) else {
            continue;
        };
        match others.iter_mut().find(|(_, body)| *body == own) {
            Some((paths, _)) => paths.push(path),
            None => others.push((vec![path], own)),
        }
    }
    rows.extend(others.into_iter().map(|(paths, body)| {
        let paths: Vec<_> = paths.into_iter().map(code).collect();
        let request = format!("Another method of {}", paths.join(", "));
        (request, "405", body)
    }));
    rows
}

/// The first example of a response, or its description without one.
fn body<'d>(document: &'d Document, response: &'d Node) -> Option<String> {
    let (_, response) = document.follow(response, "")?;
    let named = |media: &'d Node| {
        let (_, example) = members(media.get("examples")).next()?;
        let (_, example) = document.follow(example, "")?;
        example.get("value")
    };
    let mut media = members(response.get("content"));
    match media.find_map(|(_, media)| named(media).or_else(|| media.get("example"))) {
        Some(example) => Some(code(&example.to_json().to_string())),
        None => response.get("description").and_then(Node::as_str).map(cell),
    }
}
