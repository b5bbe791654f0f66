//! Documents, loaded with the position of every node.
//!
//! A generator that refuses a document owes its author the line. The usual
//! models of OpenAPI lose it while they deserialize, so a document is kept here
//! as what it is: a tree of JSON values, each with the bytes it stands in. Both
//! notations end in the same tree, and nothing here knows what OpenAPI means.
//!
//! YAML is read by the core schema of YAML 1.2 (`yes` and `on` are strings),
//! and reduced to what JSON can say: no tags of one's own, no merge keys, one
//! document in a file. JSON is read strictly. In both, a repeated key is an
//! error, and nesting is bounded, so that no input can exhaust the stack.
//!
//! A document of OpenAPI 3.1 is rewritten in the words of 3.0.3 by `upgrade`, so
//! that everything behind the loader knows one version.
//!
//! What several documents share stands in a file beside or below them. [`Document::load_file`]
//! copies what a document refers to there, so that everything behind it sees one
//! document, in which each node knows its file.

mod bundle;
mod diagnostic;
mod expand;
mod json;
mod node;
pub mod pointer;
mod reference;
mod render;
pub(crate) mod similar;
mod source;
pub(crate) mod visit;
mod yaml;

pub use diagnostic::{Diagnostic, Diagnostics, Severity};
pub(crate) use expand::{EXTENSIBLE, EXTENSIBLE_ENUM, RESPONSE_HEADERS};
pub use node::{Entry, Kind, Node, Object};
pub(crate) use reference::References;
pub use source::{File, Place, Source, Span};

use std::borrow::Cow;
use std::fmt;
use std::path::Path;

use crate::{quarantine, upgrade};

/// How deep a document may be nested. Real ones stay far below, and `serde_json`, which
/// reads documents in servers and tests, stops at 128.
pub const MAX_DEPTH: usize = 120;

/// A document: its text and the tree in it.
#[derive(Debug, Clone)]
pub struct Document {
    /// Where it came from.
    pub source: Source,
    /// The whole document; always an object, in the words of OpenAPI 3.0.3.
    pub root: Node,
    /// The document of OpenAPI 3.1 that `root` has been made of.
    pub written: Option<Node>,
    /// What the author of the document should know. The check of the structure reports it.
    pub findings: Diagnostics,
}

/// A document that could not be loaded, with what is needed to say why.
#[derive(Debug, Clone)]
pub struct Refused {
    /// The text that the diagnostics point into.
    pub source: Source,
    /// What is wrong with it.
    pub diagnostics: Diagnostics,
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.diagnostics.render(&self.source))
    }
}

impl std::error::Error for Refused {}

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

impl Document {
    /// Reads a document from its text alone. References to other files are left
    /// as they are, and refused by whoever follows them.
    ///
    /// `name` is what diagnostics call it, usually its path; an extension
    /// `.json`, `.yaml` or `.yml` settles the notation.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with the text. The spans are offsets into
    /// `text`; [`Diagnostics::render`] with `Source::new(name, text)` shows them.
    pub fn load(name: &str, text: &str) -> Result<Document, Diagnostics> {
        let mut document = Document::read(name, text)?;
        document.prepare(|_, _| {})?;
        Ok(document)
    }

    /// Reads a document from its text, and the files that it refers to by `read`:
    /// given the path of a file below the document's folder, it returns the text, or
    /// says why it cannot.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with the text, with the references to other files,
    /// and with these files.
    pub fn load_with(
        name: &str,
        text: &str,
        read: impl Fn(&str) -> Result<String, String>,
    ) -> Result<Document, Refused> {
        let mut document = Document::read(name, text).map_err(|diagnostics| Refused {
            source: Source::new(name, text),
            diagnostics,
        })?;
        let bundled = |document: &mut Document, diagnostics: &mut Diagnostics| {
            bundle::bundle(document, &read, diagnostics);
        };
        match document.prepare(bundled) {
            Ok(()) => Ok(document),
            Err(diagnostics) => Err(Refused {
                source: document.source,
                diagnostics,
            }),
        }
    }

    /// Makes a document that has been read into what everything behind the loader sees.
    fn prepare(
        &mut self,
        bundle: impl FnOnce(&mut Document, &mut Diagnostics),
    ) -> Result<(), Diagnostics> {
        let mut diagnostics = Diagnostics::default();
        if upgrade::is_newer(&self.root) {
            upgrade::resolve_identifiers(&mut self.root);
        }
        bundle(self, &mut diagnostics);
        quarantine::skip(self, &mut diagnostics);
        expand::expand(self, &mut diagnostics);
        if diagnostics.has_errors() {
            diagnostics.sort();
            return Err(diagnostics);
        }
        self.findings.extend(diagnostics);
        upgrade::upgrade(self);
        Ok(())
    }

    /// The document in the words of its own version, for whoever shows it or checks how it is
    /// written. Pointers into it are not always pointers into `root`.
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

    /// Reads a document as it is written, for whoever edits its text: references to other
    /// files and what it says once for many places stay as they are.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with the text.
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

    /// Reads a document from a file, and the files below its folder that it refers to.
    ///
    /// # Errors
    ///
    /// As [`Document::load_with`]; also when a file cannot be read or is not UTF-8.
    pub fn load_file(path: impl AsRef<Path>) -> Result<Document, Refused> {
        let path = path.as_ref();
        let name = path.display().to_string();
        let text = read_file(path).map_err(|message| Refused {
            source: Source::new(&name, ""),
            diagnostics: Diagnostic::error("unreadable-file", Span::default(), message).into(),
        })?;
        Document::load_with(&name, &text, |file| read_file(&path.with_file_name(file)))
    }

    /// The node that a JSON Pointer names (RFC 6901); `""` is the root.
    pub fn at(&self, pointer: &str) -> Option<&Node> {
        pointer::find(&self.root, pointer)
    }

    /// Where to point when the node that a pointer names is meant as a whole:
    /// its key, or itself in an array.
    pub fn key_span(&self, pointer: &str) -> Option<Span> {
        let node = self.at(pointer)?;
        let Some((parent, _)) = pointer.rsplit_once('/') else {
            return Some(node.span);
        };
        let key = pointer::segments(pointer).next_back().unwrap_or_default();
        let parent = self.at(parent).and_then(Node::as_object);
        let key_span = parent.and_then(|parent| parent.key_span(&key));
        Some(key_span.unwrap_or(node.span))
    }

    /// The document without its positions.
    pub fn to_json(&self) -> serde_json::Value {
        self.root.to_json()
    }
}

/// The text of a file.
fn read_file(path: &Path) -> Result<String, String> {
    let bytes = std::fs::read(path).map_err(|e| format!("cannot read the file: {e}"))?;
    String::from_utf8(bytes).map_err(|e| {
        let at = e.utf8_error().valid_up_to();
        format!("the file is not UTF-8: the first wrong byte is byte {at}")
    })
}

/// Reads a text that begins at the offset `start` of its source, which has to be an object.
/// `None` if something is wrong with it.
fn parse(name: &str, text: &str, start: usize, diagnostics: &mut Diagnostics) -> Option<Node> {
    // A byte order mark is part of the file, and not of the document: it is
    // skipped, and positions still count from the first byte.
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

/// The finding about a key that an object has twice.
fn duplicate_key(key: &str, second: Span, first: Span) -> Diagnostic {
    Diagnostic::error(
        "duplicate-key",
        second,
        format!("the key `{key}` is here twice"),
    )
    .label("again here")
    .related(first, "first here")
    .help("readers disagree about which of them counts: keep one")
}

/// The finding about what is nested deeper than [`MAX_DEPTH`].
fn too_deep(span: Span) -> Diagnostic {
    Diagnostic::error(
        "too-deep",
        span,
        format!("the document is nested deeper than {MAX_DEPTH} levels"),
    )
    .label("one level too many")
}

#[cfg(test)]
mod tests;
