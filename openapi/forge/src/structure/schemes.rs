//! The security schemes of a document, and the scopes that each declares.

use super::scopes::SCOPES;
use super::unknown::is_extension;
use crate::document::{Diagnostic, Diagnostics, Document, Node};

/// The security schemes of a document by name, references followed. A scheme of another file has
/// only the name in the document, and not that in the other file.
pub(super) fn all(document: &Document) -> Vec<(&str, &Node)> {
    let schemes = document.at("/components/securitySchemes");
    let resolve = |node| document.resolve(node, "").ok().map(|(_, node)| node);
    schemes
        .into_iter()
        .flat_map(Node::members)
        .filter(|(_, entry)| document.source.is_own(entry.key_span))
        .filter_map(|(name, entry)| Some((name, resolve(&entry.value)?)))
        .collect()
}

/// The scopes that a scheme declares with `x-scopes`. Without that key it is `None`, and operations
/// need not list required scopes.
pub fn declared_scopes(scheme: &Node) -> Option<Vec<&str>> {
    let scopes = scheme.get(SCOPES)?.as_object();
    Some(scopes.map_or_else(Vec::new, |scopes| scopes.keys().collect()))
}

/// The scopes that a requirement may list, after the key that declares them: `flows` of `oauth2`, or `x-scopes`. `None`
/// if the document does not declare them, as for OpenID Connect, whose provider does.
pub(super) fn listed_scopes(scheme: &Node) -> Option<(&'static str, Vec<&str>)> {
    if scheme.get("type").and_then(Node::as_str) != Some("oauth2") {
        return Some((SCOPES, declared_scopes(scheme)?));
    }
    let flows = scheme.get("flows").into_iter().flat_map(Node::members);
    let scopes = flows
        .filter(|(name, _)| !is_extension(name))
        .filter_map(|(_, flow)| flow.value.get("scopes")?.as_object());
    let scopes = scopes.flat_map(|scopes| scopes.keys());
    Some(("flows", scopes.collect()))
}

/// Checks that only schemes without flows declare scopes with `x-scopes`.
pub(super) fn check(scheme: &Node, diagnostics: &mut Diagnostics) {
    if scheme.get(SCOPES).is_none() {
        return;
    }
    if let Some("oauth2" | "openIdConnect") = scheme.get("type").and_then(Node::as_str) {
        diagnostics.push(
            Diagnostic::error(
                "security-scopes",
                scheme.key_span(SCOPES),
                format!("`{SCOPES}` belongs to schemes that have no flows"),
            )
            .help("list the scopes in `flows`, and in the requirements of each operation"),
        );
    }
}
