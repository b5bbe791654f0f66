//! Loading: turns a text into the document that all later stages read.
//!
//! The loader copies referenced files into the document and removes operations that are marked so.
//! It writes out parts that are given once for many places. Then it rewrites a document of OpenAPI
//! 3.1 in the words of 3.0.3, so that one model serves both versions.

use std::path::Path;

use crate::document::{self, Diagnostic, Diagnostics, Document, Refused, Source, Span};
use crate::{quarantine, upgrade};

impl Document {
    /// Reads a document from its text alone. References to other files remain, and later stages
    /// reject them.
    ///
    /// `name` is the document's name in diagnostics, usually its path. Its extension `.json`,
    /// `.yaml` or `.yml` decides the notation.
    ///
    /// # Errors
    ///
    /// All errors in the text. The spans are offsets into `text`; [`Diagnostics::render`] with
    /// `Source::new(name, text)` shows them.
    pub fn load(name: &str, text: &str) -> Result<Document, Diagnostics> {
        let mut document = Document::read(name, text)?;
        document.prepare(|_, _| {})?;
        Ok(document)
    }

    /// Reads a document from its text, and the files that it refers to with `read`: it takes the
    /// path of a file below the document's folder, and returns its text, or why it cannot.
    ///
    /// # Errors
    ///
    /// All errors in the text, in the references to other files, and in these files.
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
            document::bundle(document, &read, diagnostics);
        };
        match document.prepare(bundled) {
            Ok(()) => Ok(document),
            Err(diagnostics) => Err(Refused {
                source: document.source,
                diagnostics,
            }),
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

    /// Prepares a parsed document for all later stages.
    fn prepare(
        &mut self,
        bundle: impl FnOnce(&mut Document, &mut Diagnostics),
    ) -> Result<(), Diagnostics> {
        let mut diagnostics = Diagnostics::default();
        if document::is_of_31(&self.root) {
            upgrade::resolve_identifiers(&mut self.root);
        }
        bundle(self, &mut diagnostics);
        quarantine::skip(self, &mut diagnostics);
        document::expand(self, &mut diagnostics);
        if diagnostics.has_errors() {
            diagnostics.sort();
            return Err(diagnostics);
        }
        self.findings.extend(diagnostics);
        upgrade::upgrade(self);
        Ok(())
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
