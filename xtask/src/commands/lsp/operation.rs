//! The operations of documents, with the names of their code.

use std::path::{Path, PathBuf};

use dropforge::document::{Document, METHODS, Node, Span, pointer};
use dropforge::lower::names::snake_name;
use gen_lsp_types::Location;

use super::files::{self, Files};
use super::generated::Generated;
use super::sources::Use;
use super::state::State;
use super::text::Text;

/// An operation of a document.
pub(super) struct Operation {
    /// The JSON Pointer of the operation.
    pub(super) pointer: String,
    /// Its operationId.
    pub(super) id: String,
    /// The name of its method in both sides.
    pub(super) method: String,
    /// Method and path.
    pub(super) route: String,
    /// The place of its operationId.
    pub(super) location: Location,
    /// The place of its method key.
    pub(super) key: Location,
    /// The traits of the document.
    traits: Vec<String>,
}

impl Operation {
    /// The operations of a document, in its order. Those without an operationId are left out.
    pub(super) fn all(state: &mut State, document: &Path) -> Vec<Operation> {
        let Some(written) = state.written(document) else {
            return Vec::new();
        };
        let reader = Reader::new(state, document, &written);
        let paths = members(written.root.get("paths"));
        let all = paths.flat_map(|(path, item)| {
            let read = |method| reader.operation(path, item, method);
            METHODS.map(read)
        });
        all.flatten().collect()
    }

    /// The operation that a pointer of its document is about: its method, or its operationId.
    pub(super) fn at(state: &mut State, document: &Path, place: &str) -> Option<Operation> {
        let own = place.strip_suffix("/operationId").unwrap_or(place);
        let mut segments = pointer::segments(own);
        let (root, path, method) = (segments.next()?, segments.next()?, segments.next()?);
        if root != "paths" || segments.next().is_some() {
            return None;
        }
        let method = METHODS.into_iter().find(|known| *known == method)?;
        let written = state.written(document)?;
        let item = written.root.get("paths")?.get(&path)?;
        Reader::new(state, document, &written).operation(&path, item, method)
    }

    /// The operations whose method has a name.
    pub(super) fn called(state: &mut State, method: &str) -> Vec<Operation> {
        let documents: Vec<PathBuf> = state.loaded.keys().cloned().collect();
        let all = documents
            .iter()
            .flat_map(|path| Operation::all(state, path));
        all.filter(|operation| operation.method == method).collect()
    }

    /// The handlers, the callers and the tests.
    pub(super) fn uses<'s>(&self, state: &'s State) -> [Vec<&'s Use>; 3] {
        [
            state.sources.handlers(&self.method, &self.traits),
            state.sources.callers(&self.method),
            state.sources.tests(&self.method, &self.id),
        ]
    }
}

/// Reads the operations of a document.
struct Reader<'s> {
    files: &'s Files,
    generated: Option<&'s Generated>,
    document: &'s Path,
    /// The name of the document in generated code.
    name: String,
    text: Text<'s>,
    traits: Vec<String>,
}

impl<'s> Reader<'s> {
    fn new(state: &'s State, document: &'s Path, written: &'s Document) -> Reader<'s> {
        let generated = state.generated.get(document);
        Reader {
            files: &state.files,
            generated,
            document,
            name: files::name(document),
            text: Text::new(&written.source.text),
            traits: generated.map_or_else(Vec::new, Generated::traits),
        }
    }

    /// The operation of a path with this method, if it has an operationId.
    fn operation(&self, path: &str, item: &Node, method: &'static str) -> Option<Operation> {
        let id = item.get(method)?.get("operationId")?;
        let text = id.as_str()?;
        // The generator writes the place of the operationId after the method.
        let line = self.text.position(id.span.start).line as usize + 1;
        let made = self.generated.and_then(|generated| {
            let mut items = generated.of_server(&self.name, line).iter();
            items.find(|item| item.is_function)
        });
        Some(Operation {
            pointer: pointer::join(&pointer::join("/paths", path), method),
            id: text.to_owned(),
            method: made.map_or_else(|| snake_name(text), |item| item.name.clone()),
            route: format!("{} {path}", method.to_uppercase()),
            location: self.location(id.span)?,
            key: self.location(item.key_span(method))?,
            traits: self.traits.clone(),
        })
    }

    fn location(&self, Span { start, end }: Span) -> Option<Location> {
        let range = self.text.underline(start, end);
        self.files.location(self.document, range)
    }
}

/// The members of an object.
fn members(node: Option<&Node>) -> impl Iterator<Item = (&str, &Node)> {
    let object = node.and_then(Node::as_object).into_iter();
    let members = object.flat_map(|object| object.iter());
    members.map(|(name, entry)| (name, &entry.value))
}
