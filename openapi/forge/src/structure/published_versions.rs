//! Published versions of OpenAPI.

use crate::document::{Diagnostic, Node};

/// The published versions among those that the generator reads.
const PUBLISHED: [&str; 8] = [
    "3.0.0", "3.0.1", "3.0.2", "3.0.3", "3.0.4", "3.1.0", "3.1.1", "3.1.2",
];

/// Warns of a version that was never published; others than 3.0 and 3.1 are refused later.
pub(super) fn check(document: &Node) -> Option<Diagnostic> {
    let node = document.get("openapi")?;
    let version = node.as_str()?;
    let known = ["3.0.", "3.1."]
        .iter()
        .find(|line| version.starts_with(**line));
    let line = known
        .copied()
        .or_else(|| (version == "3.1").then_some("3.1."))?;
    (!PUBLISHED.contains(&version)).then(|| {
        let published = PUBLISHED.iter().filter(|one| one.starts_with(line));
        let published: Vec<String> = published.map(|one| format!("`{one}`")).collect();
        let message = format!("there is no OpenAPI {version}; it is read as {line}x");
        Diagnostic::warning("openapi-version", node.span, message)
            .help(format!("write {}", published.join(", ")))
    })
}
