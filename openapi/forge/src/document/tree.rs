//! A document as a tree of nodes.

use std::borrow::Cow;
use std::fmt;

use super::{Diagnostics, Node, Source, Span, pointer};

/// A document: its text and the tree in it.
#[derive(Debug, Clone)]
pub struct Document {
    /// The files of the document.
    pub source: Source,
    /// The whole document; always an object, in the words of OpenAPI 3.0.3.
    pub root: Node,
    /// The original document, if it is OpenAPI 3.1.
    pub written: Option<Node>,
    /// Findings of the loader, which the check of the structure reports.
    pub findings: Diagnostics,
}

/// A document that could not be loaded, with its diagnostics.
#[derive(Debug, Clone)]
pub struct Refused {
    /// The text that the diagnostics point into.
    pub source: Source,
    /// The findings.
    pub diagnostics: Diagnostics,
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.diagnostics.render(&self.source))
    }
}

impl std::error::Error for Refused {}

impl Document {
    /// The document in its own version of OpenAPI, for code that shows it or checks its text.
    /// Pointers into it are not always pointers into `root`.
    pub fn as_written(&self) -> Cow<'_, Document> {
        match &self.written {
            None => Cow::Borrowed(self),
            Some(written) => Cow::Owned(Document {
                source: self.source.clone(),
                root: written.clone(),
                written: None,
                findings: Diagnostics::default(),
            }),
        }
    }

    /// The node that a JSON Pointer names (RFC 6901); `""` is the root.
    pub fn at(&self, pointer: &str) -> Option<&Node> {
        pointer::find(&self.root, pointer)
    }

    /// The position for a diagnostic about a whole node: its key, or the node itself in an array.
    pub fn key_span(&self, pointer: &str) -> Option<Span> {
        pointer::key_span(&self.root, pointer)
    }

    /// As [`Document::key_span`], or the position of the nearest node around it that exists. Finds webhooks, which only
    /// the original document has.
    pub fn nearest_key_span(&self, pointer: &str) -> Span {
        let root = match &self.written {
            Some(written) if pointer.starts_with("/webhooks/") => written,
            _ => &self.root,
        };
        let mut at = pointer;
        loop {
            match pointer::key_span(root, at) {
                Some(span) => return span,
                None => at = at.rsplit_once('/').map_or("", |(parent, _)| parent),
            }
        }
    }

    /// The document in its own version of OpenAPI, without its positions. Only this form has webhooks.
    pub fn to_written_json(&self) -> serde_json::Value {
        self.written.as_ref().unwrap_or(&self.root).to_json()
    }

    /// The document without its positions.
    pub fn to_json(&self) -> serde_json::Value {
        self.root.to_json()
    }
}

/// Whether a document declares OpenAPI 3.1, or one of its patches. `3.10.0` is not one.
pub(crate) fn is_of_31(root: &Node) -> bool {
    let version = root.text("openapi");
    let rest = version.and_then(|version| version.trim().strip_prefix("3.1"));
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}
