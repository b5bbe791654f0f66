//! The published form of a document.
//!
//! Consumers of a document should need neither this generator nor YAML nor the shared
//! files. So the published form is one document without the keys of the generator:
//!
//! - `x-dropforge-*` and `x-decision` are removed, as are components that only they used;
//! - a secret has `format: password`, which means the same to every tool;
//! - the description of an operation has the events of its stream, and the example of a
//!   whole stream, so that every renderer shows them;
//! - the description of the document has the responses to unknown paths and methods;
//! - `x-extensible-enum` is unchanged.
//!
//! The JSON has one key per line, in the order of the document. It has no comments,
//! anchors or styles of quoting, so that a diff shows only changes of content.

mod outside;
mod streams;
mod used;
mod yaml;

use serde_json::Value;

use crate::document::{Document, EXTENSIBLE, EXTENSIBLE_ENUM, Kind, Node, Object, visit};

pub use yaml::yaml;

/// Decisions are in a file of their own; other documents may still have this key.
const DECISION: &str = "x-decision";

const SECRET: &str = "x-dropforge-secret";

/// The published form of a document. Every remaining node keeps its position. Extensible
/// enums stay as the loader reads them, so that the result can be compared with a
/// published form that was loaded.
pub fn publish(document: &Document) -> Document {
    let mut published = published(document);
    if document.written.is_some() {
        published.written = Some(self::published(&document.as_written()).root);
    }
    published
}

fn published(document: &Document) -> Document {
    let mut published = document.clone();
    let before = used::components(&document.root);
    streams::describe(document, &mut published.root);
    outside::describe(document, &mut published.root);
    visit::objects(&mut published.root, &mut strip);
    let after = used::components(&published.root);
    let is_unused = |kind: &str, name: &str| {
        let component = (kind.to_owned(), name.to_owned());
        before.contains(&component) && !after.contains(&component)
    };
    let components = published.root.get_mut("components");
    if let Some(components) = components.and_then(Node::as_object_mut) {
        for (kind, of_kind) in components.iter_mut() {
            if let Some(of_kind) = of_kind.value.as_object_mut() {
                of_kind.retain(|name, _| !is_unused(kind, name));
            }
        }
        components.retain(|_, of_kind| of_kind.as_object().is_none_or(|all| !all.is_empty()));
    }
    published
}

/// The published form as JSON, in the version of OpenAPI that the document is written in.
pub fn json(document: &Document) -> Value {
    let mut root = published(&document.as_written()).root;
    visit::objects(&mut root, &mut |object| {
        if object.remove(EXTENSIBLE).is_some() {
            object.rename("enum", EXTENSIBLE_ENUM);
        }
    });
    root.to_json()
}

/// The published form as canonical JSON, with a line break at its end.
pub fn canonical(document: &Document) -> String {
    let mut text = format!("{:#}", json(document));
    text.push('\n');
    text
}

/// Removes the keys of the generator.
fn strip(object: &mut Object) {
    let secret = object.get(SECRET).and_then(Node::as_bool) == Some(true);
    if secret {
        object.rename(SECRET, "format");
        if let Some(format) = object.get_mut("format").filter(|f| f.as_bool().is_some()) {
            format.kind = Kind::String("password".to_owned());
        }
    }
    object.retain(|key, _| key == EXTENSIBLE || !(key.starts_with(visit::OURS) || key == DECISION));
}

#[cfg(test)]
mod tests;
