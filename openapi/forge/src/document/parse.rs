//! Parses a text into a tree.

use std::path::Path;

use super::{Diagnostic, Diagnostics, Document, Node, Source, json, yaml};

/// The two notations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Notation {
    Json,
    Yaml,
}

impl Notation {
    /// The file's extension decides; without a known one, the first character.
    fn of(name: &str, text: &str) -> Notation {
        let extension = Path::new(name).extension().and_then(|e| e.to_str());
        match extension.map(str::to_ascii_lowercase).as_deref() {
            Some("json") => Notation::Json,
            Some("yaml" | "yml") => Notation::Yaml,
            _ if text.trim_start().starts_with('{') => Notation::Json,
            _ => Notation::Yaml,
        }
    }
}

/// Whether a text ends like the name of a document's file.
pub(crate) fn names_file(text: &str) -> bool {
    let ends = [".json", ".yaml", ".yml"];
    ends.iter().any(|end| text.ends_with(end))
}

impl Document {
    /// Reads a document as it is written, for commands that edit its text: references to other files
    /// and keys that apply to many places are not expanded.
    ///
    /// # Errors
    ///
    /// All findings in the text.
    pub fn read(name: &str, text: &str) -> Result<Document, Diagnostics> {
        let mut diagnostics = Diagnostics::default();
        match parse(name, text, 0, &mut diagnostics) {
            Some(root) => Ok(Document {
                source: Source::new(name, text),
                root,
                written: None,
                findings: diagnostics,
            }),
            None => {
                diagnostics.sort();
                Err(diagnostics)
            }
        }
    }
}

/// Reads a text that begins at the offset `start` of its source and must be an object.
/// `None` if the text is invalid.
pub(super) fn parse(
    name: &str,
    text: &str,
    start: usize,
    diagnostics: &mut Diagnostics,
) -> Option<Node> {
    // A byte order mark is not part of the document, but positions count from the first byte.
    let content = text.strip_prefix('\u{feff}').unwrap_or(text);
    let offset = start + text.len() - content.len();
    let mut found = Diagnostics::default();
    let root = match Notation::of(name, content) {
        Notation::Json => json::read(content, offset, &mut found),
        Notation::Yaml => yaml::read(content, offset, &mut found),
    };
    let root = root.filter(|root| {
        let is_object = root.as_object().is_some();
        if !is_object && !found.has_errors() {
            let message = format!("the document is {}, not an object", root.type_name());
            found.push(
                Diagnostic::error("not-an-object", root.span, message)
                    .help("an OpenAPI document starts with `openapi: 3.0.3`"),
            );
        }
        is_object
    });
    let root = root.filter(|_| !found.has_errors());
    diagnostics.extend(found);
    root
}
