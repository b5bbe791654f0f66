//! Loading: turns a text into the document that all later stages read.
//!
//! The loader copies referenced files into the document and removes operations that are marked so.
//! It writes out parts that are given once for many places. Then it rewrites a document of OpenAPI
//! 3.1 in the words of 3.0.3, so that one model serves both versions.

use std::path::Path;

use crate::document::{self, Diagnostic, Diagnostics, Document, Files, Refused, Source, Span};
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
        let list = |_: &str| Vec::new();
        load(
            name,
            text,
            Files {
                read: &read,
                list: &list,
            },
        )
    }

    /// Reads a document from a file, and the files below its folder that it refers to.
    ///
    /// # Errors
    ///
    /// As [`Document::load_with`]; also when a file cannot be read or is not UTF-8.
    pub fn load_file(path: impl AsRef<Path>) -> Result<Document, Refused> {
        let path = path.as_ref();
        Document::load_file_as(&path.display().to_string(), path)
    }

    /// Reads a document from a file, and gives it another name in diagnostics than the path.
    ///
    /// # Errors
    ///
    /// As [`Document::load_file`].
    pub fn load_file_as(name: &str, path: impl AsRef<Path>) -> Result<Document, Refused> {
        let path = path.as_ref();
        let text = read_file(path).map_err(|unreadable| unreadable.refused(name))?;
        let read = |file: &str| {
            read_file(&path.with_file_name(file)).map_err(|unreadable| unreadable.to_string())
        };
        let list = |folder: &str| list_folder(path, folder);
        load(
            name,
            &text,
            Files {
                read: &read,
                list: &list,
            },
        )
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

/// Loads a document with the files that it refers to.
fn load(name: &str, text: &str, files: Files<'_>) -> Result<Document, Refused> {
    let mut document = Document::read(name, text).map_err(|diagnostics| Refused {
        source: Source::new(name, text),
        diagnostics,
    })?;
    let bundled = |document: &mut Document, diagnostics: &mut Diagnostics| {
        document::bundle(document, files, diagnostics);
    };
    match document.prepare(bundled) {
        Ok(()) => Ok(document),
        Err(diagnostics) => Err(Refused {
            source: document.source,
            diagnostics,
        }),
    }
}

/// The maximum number of files in a folder among which a similar name is searched.
const MAX_LISTED: usize = 1000;

/// The names of the files in a folder below that of a document, without the document itself. Empty
/// if the folder cannot be read.
fn list_folder(document: &Path, folder: &str) -> Vec<String> {
    let own = document.parent().unwrap_or(Path::new(""));
    let entries = std::fs::read_dir(Path::new(".").join(own).join(folder));
    let entries = entries.into_iter().flatten().flatten();
    // A file of another folder may have the name of the document.
    let is_document = |name: &std::ffi::OsStr| folder.is_empty() && document.ends_with(name);
    let others = entries.filter(|entry| !is_document(&entry.file_name()));
    let names = others.filter_map(|entry| entry.file_name().into_string().ok());
    let documents = names.filter(|name| document::names_file(name));
    let mut names: Vec<String> = documents.take(MAX_LISTED).collect();
    names.sort();
    names
}

/// Why a file has no text.
#[derive(Debug, thiserror::Error)]
enum Unreadable {
    #[error("cannot read the file: {0}")]
    Io(#[from] std::io::Error),
    #[error("the file is not UTF-8: the first wrong byte is at {}; save it as UTF-8", place(.0))]
    NotUtf8(#[from] std::string::FromUtf8Error),
}

impl Unreadable {
    /// The finding about a document that cannot be read.
    fn refused(self, name: &str) -> Refused {
        let code = "unreadable-file";
        match self {
            Unreadable::Io(_) => Refused {
                source: Source::new(name, ""),
                diagnostics: Diagnostic::error(code, Span::default(), self.to_string()).into(),
            },
            Unreadable::NotUtf8(error) => {
                let at = error.utf8_error().valid_up_to();
                // The text up to the wrong byte is the same.
                let text = String::from_utf8_lossy(error.as_bytes()).into_owned();
                let span = Span::new(at, at + char::REPLACEMENT_CHARACTER.len_utf8());
                let message = "the file is not UTF-8: this is the first wrong byte";
                Refused {
                    source: Source::new(name, text),
                    diagnostics: Diagnostic::error(code, span, message)
                        .help("save the file as UTF-8")
                        .into(),
                }
            }
        }
    }
}

/// The line and the column of the first wrong byte.
fn place(error: &std::string::FromUtf8Error) -> String {
    let text = String::from_utf8_lossy(error.as_bytes());
    let source = Source::new("", text);
    let (line, column) = source.line_column(error.utf8_error().valid_up_to());
    format!("line {line}, column {column}")
}

/// The text of a file.
fn read_file(path: &Path) -> Result<String, Unreadable> {
    Ok(String::from_utf8(std::fs::read(path)?)?)
}
