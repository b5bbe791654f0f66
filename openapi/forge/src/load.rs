//! Loading: turns a text into the document that all later stages read.
//!
//! The loader copies referenced files into the document and removes operations that are marked so.
//! It writes out parts that are given once for many places. Then it rewrites a document of OpenAPI
//! 3.1 in the words of 3.0.3, so that one model serves both versions.

mod root;

use std::path::Path;

use crate::document::{self, Diagnostic, Diagnostics, Document, Files, Refused, Source, Span};
use crate::{quarantine, upgrade};
use root::Root;

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
        load(name, text, Files::below(name, &read, &|_| Vec::new()))
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
        let own = path.parent().unwrap_or(Path::new(""));
        let document = Path::new(path.file_name().unwrap_or_default());
        let list = |folder: &str| list_folder(own, document, folder);
        load(name, &text, Files::below(name, &read, &list))
    }

    /// Reads a document from a file, and the files below the folder `root` that it refers to. This
    /// is the folder of the document, or one above it. Symbolic links do not lead out of it.
    ///
    /// The names of the other files in diagnostics begin with `root`.
    ///
    /// # Errors
    ///
    /// As [`Document::load_file`]; also when the document is not below `root`.
    pub fn load_file_within(
        path: impl AsRef<Path>,
        root: impl AsRef<Path>,
    ) -> Result<Document, Refused> {
        let (path, root) = (path.as_ref(), root.as_ref());
        let name = path.display().to_string();
        let text = read_file(path).map_err(|unreadable| unreadable.refused(&name))?;
        let within = Root::of(path, root).map_err(|why| {
            let finding = Diagnostic::error("reference-root", Span::default(), why);
            let help = "name the folder of the document, or one above it";
            Refused {
                source: Source::new(&name, ""),
                diagnostics: finding.help(help).into(),
            }
        })?;
        let read = |file: &str| {
            let found = within.find(file).map_err(Unreadable::from);
            let text = found.and_then(|path| read_file(&path));
            text.map_err(|unreadable| unreadable.to_string())
        };
        let list = |folder: &str| match within.find(folder) {
            Ok(_) => list_folder(&within.folder, Path::new(&within.document), folder),
            Err(_) => Vec::new(),
        };
        let files = Files {
            // Names of files do not begin with `./`.
            folder: root.strip_prefix(".").unwrap_or(root),
            document: &within.document,
            read: &read,
            list: &list,
        };
        load(&name, &text, files)
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

/// The names of the files in a folder, without the document itself. Empty if the folder cannot be
/// read. Both `document` and `folder` are paths below `base`.
fn list_folder(base: &Path, document: &Path, folder: &str) -> Vec<String> {
    let entries = std::fs::read_dir(Path::new(".").join(base).join(folder));
    let entries = entries.into_iter().flatten().flatten();
    // A file of another folder may have the name of the document.
    let is_document = |name: &std::ffi::OsStr| Path::new(folder).join(name) == document;
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
