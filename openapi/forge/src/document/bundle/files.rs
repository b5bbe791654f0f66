//! The files that a document can refer to: those below one folder.

use std::path::Path;

use percent_encoding::percent_decode_str;

use crate::document::{Diagnostic, Span};

/// Reads a file by its path below the folder; the error says why it cannot be read.
pub(crate) type Read<'r> = &'r dyn Fn(&str) -> Result<String, String>;

/// Lists the names of the files in a folder by its path below the folder, for proposals.
pub(crate) type List<'r> = &'r dyn Fn(&str) -> Vec<String>;

/// The files below a folder. All their paths begin there.
#[derive(Clone, Copy)]
pub(crate) struct Files<'r> {
    /// The folder, as diagnostics name it.
    pub(crate) folder: &'r Path,
    /// The path of the document.
    pub(crate) document: &'r str,
    pub(crate) read: Read<'r>,
    pub(crate) list: List<'r>,
}

/// Why a reference does not lead to one of the files.
pub(super) enum Elsewhere {
    Address,
    AbsolutePath,
    Above,
    NotAFile,
}

impl<'r> Files<'r> {
    /// The files below the folder of a document. `name` is its path, as diagnostics name it.
    pub(crate) fn below(name: &'r str, read: Read<'r>, list: List<'r>) -> Files<'r> {
        let name = Path::new(name);
        let document = name.file_name().and_then(|own| own.to_str());
        Files {
            folder: name.parent().unwrap_or(Path::new("")),
            document: document.unwrap_or_default(),
            read,
            list,
        }
    }

    /// The name of a file in diagnostics.
    pub(super) fn name(&self, file: &str) -> String {
        self.folder.join(file).display().to_string()
    }

    /// The file that a path in the file `from` leads to. The document is the empty path.
    pub(super) fn find(&self, path: &str, from: &str) -> Result<String, Elsewhere> {
        let is_plain = |c: char| c.is_alphanumeric() || "._-@+ {}".contains(c);
        if path.contains(':') {
            return Err(Elsewhere::Address);
        }
        if path.starts_with('/') || path.contains('\\') {
            return Err(Elsewhere::AbsolutePath);
        }
        let path = decoded(path).ok_or(Elsewhere::NotAFile)?;
        let from = if from.is_empty() { self.document } else { from };
        let mut segments: Vec<&str> = from.split('/').collect();
        segments.pop();
        for segment in path.split('/') {
            match segment {
                "." => {}
                ".." if segments.pop().is_some() => {}
                ".." => return Err(Elsewhere::Above),
                "" => return Err(Elsewhere::NotAFile),
                name if name.starts_with('.') || !name.chars().all(is_plain) => {
                    return Err(Elsewhere::NotAFile);
                }
                name => segments.push(name),
            }
        }
        let file = segments.join("/");
        match file == self.document {
            true => Ok(String::new()),
            false => Ok(file),
        }
    }
}

impl Elsewhere {
    /// The finding about the reference `text`.
    pub(super) fn finding(self, text: &str, span: Span) -> Diagnostic {
        let message = match self {
            Elsewhere::Above => {
                format!("`{text}` leads out of the folder that references may reach")
            }
            _ => format!("`{text}` is not in a file of the same folder, or below it"),
        };
        let (label, help) = match self {
            Elsewhere::Address => ("an address", COPY),
            Elsewhere::AbsolutePath => ("a path from elsewhere", COPY),
            Elsewhere::Above => (
                "by default, the folder of the document",
                "name a folder above both files: `cargo xtask bundle --root DIR`, or \
                 `Build::reference_root`",
            ),
            Elsewhere::NotAFile => ("not the name of a file", COPY),
        };
        Diagnostic::error("reference-to-another-file", span, message)
            .label(label)
            .help(help)
    }
}

const COPY: &str =
    "write a path such as `common.yaml#/components/schemas/Name`, or copy it into `components`";

/// The text of a percent-encoded part of a reference.
pub(super) fn decoded(text: &str) -> Option<String> {
    let decoded = percent_decode_str(text).decode_utf8().ok()?;
    Some(decoded.into_owned())
}
