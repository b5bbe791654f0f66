//! Checks the names of components (OpenAPI 3.0.3, "Components Object").

use super::key::Version;
use super::tables;
use crate::document::{Diagnostic, Document, Node};

/// Warns of names that other tools may reject. Components of other files are checked in these files.
pub(super) fn check(document: &Document, components: &Node, version: Version) -> Vec<Diagnostic> {
    let is_name = |name: &str| {
        // Refused elsewhere, as a reference.
        if name == tables::REFERENCE {
            return true;
        }
        let mut bytes = name.bytes();
        !name.is_empty() && bytes.all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte))
    };
    components
        .members()
        .filter(|(kind, _)| tables::COMPONENTS.key(kind, version).is_some())
        .flat_map(|(_, of_kind)| of_kind.value.members())
        .filter(|(name, entry)| !is_name(name) && document.source.is_own(entry.key_span))
        .map(|(name, entry)| {
            let message = format!("OpenAPI does not allow the name `{name}` for a component");
            Diagnostic::warning("component-name", entry.key_span, message)
                .help("use letters and digits of ASCII, `.`, `-` and `_` only")
        })
        .collect()
}
