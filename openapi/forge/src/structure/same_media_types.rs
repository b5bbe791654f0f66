//! Finds media types that differ only in their spelling. Their names, and those of their parameters, have no case (RFC
//! 9110, section 8.3.1).

use std::collections::HashMap;

use super::media_types::parts;
use crate::document::{Diagnostic, Node, Span};

/// Rejects each media type of `content` that equals an earlier one: only one of them would be read.
pub(super) fn check(owner: &Node) -> Vec<Diagnostic> {
    let mut known: HashMap<String, (&str, Span)> = HashMap::new();
    let mut found = Vec::new();
    for (name, entry) in owner.members_of("content") {
        let key = normalized(name);
        if let Some((first, span)) = known.get(&key) {
            let message = format!("`{name}` is the same media type as `{first}`");
            found.push(
                Diagnostic::error("duplicate-media-type", entry.key_span, message)
                    .related(*span, "first here")
                    .help("keep one of the two"),
            );
        } else {
            known.insert(key, (name, entry.key_span));
        }
    }
    found
}

/// A media type in the spelling that all equal ones share.
fn normalized(name: &str) -> String {
    let mut parts = parts(name).into_iter();
    let essence = parts.next().unwrap_or_default().to_ascii_lowercase();
    let parameters = parts.filter(|parameter| !parameter.is_empty());
    parameters.fold(essence, |so_far, parameter| {
        let (name, value) = parameter.split_once('=').unwrap_or((parameter, ""));
        let name = name.trim().to_ascii_lowercase();
        // Other values may have a case.
        let value = match name.as_str() {
            "charset" => value.trim().to_ascii_lowercase(),
            _ => value.trim().to_owned(),
        };
        format!("{so_far};{name}={value}")
    })
}
