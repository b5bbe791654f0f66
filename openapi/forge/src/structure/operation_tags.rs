//! Compares the tags of an operation with those that the document declares. OpenAPI allows other tags.

use indexmap::IndexSet;

use crate::document::similar::Proposals;
use crate::document::{Diagnostic, Document, Node};

/// The names of the tags that a document declares.
pub(super) fn declared(document: &Document) -> IndexSet<&str> {
    let all = document.root.elements_of("tags").iter();
    all.filter_map(|tag| tag.get("name")?.as_str()).collect()
}

/// Warns of a tag that resembles a declared one.
pub(super) fn check(
    declared: &IndexSet<&str>,
    operation: &Node,
    proposals: &Proposals,
) -> Vec<Diagnostic> {
    let tags = operation.elements_of("tags").iter();
    let finding = |node: &Node| {
        let tag = node.as_str().filter(|tag| !declared.contains(tag))?;
        let tolerance = if tag.chars().count() < 6 { 1 } else { 2 };
        let near = proposals.nearest(declared.iter().copied(), tag, tolerance)?;
        let message = format!("`tags` of the document does not declare `{tag}`");
        Some(Diagnostic::warning("undeclared-tag", node.span, message).did_you_mean(near))
    };
    tags.filter_map(finding).collect()
}
