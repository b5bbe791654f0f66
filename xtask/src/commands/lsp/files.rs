//! The files as the editor has them: open buffers, and otherwise the disk.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use gen_lsp_types::{Location, Range, TextDocumentContentChangeEvent as Change, Uri};
use url::Url;

use super::text::Text;
use crate::repository;

/// A file that is open in the editor.
#[derive(Clone)]
struct Buffer {
    /// The address, as the editor writes it.
    uri: Uri,
    text: Arc<str>,
}

/// The files. A copy of them keeps the texts of its time.
#[derive(Clone, Default)]
pub(super) struct Files {
    open: BTreeMap<PathBuf, Buffer>,
}

impl Files {
    /// Opens a file. Returns its path, unless the address is not one of a file.
    pub(super) fn open(&mut self, uri: &Uri, text: &str) -> Option<PathBuf> {
        let path = path(uri)?;
        let buffer = Buffer {
            uri: uri.clone(),
            text: text.into(),
        };
        self.open.insert(path.clone(), buffer);
        Some(path)
    }

    /// Changes the text of an open file. Returns its path.
    pub(super) fn change(&mut self, uri: &Uri, changes: &[Change]) -> Option<PathBuf> {
        let path = path(uri)?;
        let buffer = self.open.get_mut(&path)?;
        for change in changes {
            buffer.text = match change {
                Change::TextDocumentContentChangeWholeDocument(whole) => whole.text.as_str().into(),
                Change::TextDocumentContentChangePartial(part) => {
                    let text = Text::new(&buffer.text);
                    let start = text.offset(part.range.start);
                    let end = text.offset(part.range.end).max(start);
                    [&buffer.text[..start], &part.text, &buffer.text[end..]]
                        .concat()
                        .into()
                }
            };
        }
        Some(path)
    }

    /// Closes a file. Returns its path.
    pub(super) fn close(&mut self, uri: &Uri) -> Option<PathBuf> {
        let path = path(uri)?;
        self.open.remove(&path);
        Some(path)
    }

    /// Whether a file is open, or on the disk.
    pub(super) fn has(&self, path: &Path) -> bool {
        self.open.contains_key(path) || path.exists()
    }

    /// The paths of the open files.
    pub(super) fn opened(&self) -> impl Iterator<Item = &Path> {
        self.open.keys().map(PathBuf::as_path)
    }

    /// The text of a file.
    pub(super) fn read(&self, path: &Path) -> Result<Arc<str>, String> {
        if let Some(buffer) = self.open.get(path) {
            return Ok(Arc::clone(&buffer.text));
        }
        let text = std::fs::read_to_string(path);
        text.map(Arc::from).map_err(|error| error.to_string())
    }

    /// The address of a file.
    pub(super) fn uri(&self, path: &Path) -> Option<Uri> {
        if let Some(buffer) = self.open.get(path) {
            return Some(buffer.uri.clone());
        }
        let url = Url::from_file_path(path).ok()?;
        Some(Uri(url.into()))
    }

    /// A place in a file.
    pub(super) fn location(&self, path: &Path, range: Range) -> Option<Location> {
        let uri = self.uri(path)?;
        Some(Location { uri, range })
    }

    /// The words of a line of a file, which is counted from 1.
    pub(super) fn line(&self, path: &Path, line: usize) -> Option<Location> {
        let text = self.read(path).ok()?;
        let range = Text::new(&text).words_of_line(line.saturating_sub(1));
        self.location(path, range)
    }
}

/// The path of an address, if it is one of a file.
pub(super) fn path(uri: &Uri) -> Option<PathBuf> {
    let url = Url::parse(&uri.0).ok()?;
    Some(repository::real(&url.to_file_path().ok()?))
}

/// The name of a file in documents and generated code: its path in the repository.
pub(super) fn name(path: &Path) -> String {
    repository::relative(path).display().to_string()
}

/// The path of a file by its name.
pub(super) fn named(name: &str) -> PathBuf {
    repository::root().join(name)
}
