//! What the server knows: the files, their documents, and the sources.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use dropforge::document::{Cursor, Document};
use gen_lsp_types::TextDocumentPositionParams;

use super::files::{self, Files};
use super::generated::Generated;
use super::sources::Sources;
use super::text::Text;
use crate::{panics, repository};

/// What the server knows.
#[derive(Default)]
pub(super) struct State {
    pub(super) files: Files,
    pub(super) sources: Sources,
    /// The last valid state of each YAML file, with its text.
    written: BTreeMap<PathBuf, (Arc<str>, Arc<Document>)>,
    /// The last state of each document that could be loaded.
    pub(super) loaded: BTreeMap<PathBuf, Arc<Document>>,
    /// The last code of each document.
    pub(super) generated: BTreeMap<PathBuf, Generated>,
}

/// A place in a YAML file.
pub(super) struct Spot {
    pub(super) path: PathBuf,
    /// The text of the file.
    pub(super) text: Arc<str>,
    /// The offset of the place in the text.
    pub(super) offset: usize,
    /// The JSON Pointer of the key or the value there.
    pub(super) pointer: String,
    /// The file as it is written, or its last valid state.
    pub(super) written: Arc<Document>,
}

impl State {
    /// A YAML file as it is written: references to other files are not resolved. While its text is
    /// invalid, this is its last valid state that was requested or loaded.
    pub(super) fn written(&mut self, path: &Path) -> Option<Arc<Document>> {
        let text = self.files.read(path).ok()?;
        if let Some((known, document)) = self.written.get(path)
            && *known == text
        {
            return Some(Arc::clone(document));
        }
        let name = files::name(path);
        let read = panics::catch(|| Document::read(&name, &text).ok());
        match read.ok().flatten().map(Arc::new) {
            Some(document) => {
                let known = (text, Arc::clone(&document));
                self.written.insert(path.to_owned(), known);
                Some(document)
            }
            None => {
                let written = self.written.get(path).map(|(_, document)| document);
                written.or(self.loaded.get(path)).cloned()
            }
        }
    }

    /// Removes the document of a file that no longer exists, and its code.
    pub(super) fn forget(&mut self, path: &Path) {
        self.written.remove(path);
        self.loaded.remove(path);
        self.generated.remove(path);
    }

    /// The place in a YAML file that a request is about.
    pub(super) fn spot(&mut self, at: &TextDocumentPositionParams) -> Option<Spot> {
        let path = files::path(&at.text_document.uri)?;
        let text = self.files.read(&path).ok()?;
        let offset = Text::new(&text).offset(at.position);
        let written = self.written(&path)?;
        let pointer = match *written.source.text == *text {
            true => written.locate(offset).pointer,
            false => Cursor::new(&text, offset).pointer,
        };
        Some(Spot {
            path,
            text,
            offset,
            pointer,
            written,
        })
    }

    /// The YAML files of the contract, and those that are open.
    pub(super) fn yaml(&self) -> Vec<PathBuf> {
        let mut all = repository::yaml().unwrap_or_default();
        let opened = self.files.opened().filter(|path| is_yaml(path));
        all.extend(opened.map(Path::to_owned));
        all.sort();
        all.dedup();
        all
    }

    /// The code of a file: of the document itself, or of those that share the file.
    pub(super) fn generated_of(&self, path: &Path) -> Vec<&Generated> {
        match self.generated.get(path) {
            Some(generated) => vec![generated],
            None => self.generated.values().collect(),
        }
    }
}

/// Whether a file is YAML, by its name.
pub(super) fn is_yaml(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str());
    matches!(extension, Some("yaml" | "yml"))
}
