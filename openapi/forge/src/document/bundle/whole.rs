//! References to a whole file, such as `schemas/pet.yaml`.
//!
//! Such a file is one schema, one path item or another component. A file of components is not: it
//! would become a schema without keywords, and allow any value.

use crate::document::{Diagnostic, Node, Span, pointer};

/// The keys of a document, besides those of its extensions.
const OF_DOCUMENT: [&str; 9] = [
    "components",
    "externalDocs",
    "info",
    "jsonSchemaDialect",
    "paths",
    "security",
    "servers",
    "tags",
    "webhooks",
];

/// The finding about a reference to a whole file that is a document, and not the component that
/// the place needs. `text` is the reference, and `kind` the kind of the component.
pub(super) fn check(root: &Node, kind: &str, text: &str, span: Span) -> Option<Diagnostic> {
    if !is_document(root) {
        return None;
    }
    let components = pointer::join("/components", kind);
    let places = match kind {
        "pathItems" => vec!["/paths".to_owned(), components],
        _ => vec![components],
    };
    let first = places.iter().find_map(|place| {
        let mut members = pointer::find(root, place)?.members();
        let (name, _) = members.next()?;
        Some(pointer::join(place, name))
    });
    let first = first.unwrap_or_else(|| pointer::join(&places[0], "Name"));
    let (path, _) = text.split_once('#').unwrap_or((text, ""));
    let message = format!("`{path}` is a whole document, and one of its parts is needed here");
    Some(
        Diagnostic::error("reference-not-a-component", span, message)
            .help(format!("name the part, such as `{path}#{first}`")),
    )
}

fn is_document(root: &Node) -> bool {
    let has = |key| root.get(key).is_some();
    let is_of_document = |key: &str| OF_DOCUMENT.contains(&key) || key.starts_with("x-");
    has("openapi")
        || has("swagger")
        || has("components") && root.members().all(|(key, _)| is_of_document(key))
}
