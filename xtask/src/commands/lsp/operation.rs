//! The operations of documents, with the names of their code.

use std::path::{Path, PathBuf};

use dropforge::document::{METHODS, Node, pointer};
use dropforge::lower::names::snake_name;
use gen_lsp_types::Location;

use super::files;
use super::finding;
use super::sources::Use;
use super::state::State;

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
        let name = files::name(document);
        let mut all = Vec::new();
        for (path, item) in members(written.root.get("paths")) {
            for method in METHODS {
                let Some(operation) = item.get(method) else {
                    continue;
                };
                let Some(id) = operation.get("operationId") else {
                    continue;
                };
                let span = item.key_span(method);
                // The generator writes the place of the operationId after the method.
                let line = written.source.place(id.span.start).line;
                let location = finding::location(&written.source, id.span, &state.files);
                let key = finding::location(&written.source, span, &state.files);
                let (Some(text), Some(location), Some(key)) = (id.as_str(), location, key) else {
                    continue;
                };
                let generated = state.generated.get(document);
                let method_name = generated.and_then(|generated| {
                    let mut items = generated.of_server(&name, line).iter();
                    items.find(|item| item.is_function)
                });
                let at = pointer::join(&pointer::join("/paths", path), method);
                all.push(Operation {
                    pointer: at,
                    id: text.to_owned(),
                    method: method_name.map_or_else(|| snake_name(text), |item| item.name.clone()),
                    route: format!("{} {path}", method.to_uppercase()),
                    location,
                    key,
                    traits: generated.map_or_else(Vec::new, |generated| generated.traits()),
                });
            }
        }
        all
    }

    /// The operation that a pointer of its document is about: its method, or its operationId.
    pub(super) fn at(state: &mut State, document: &Path, pointer: &str) -> Option<Operation> {
        let own = pointer.strip_suffix("/operationId").unwrap_or(pointer);
        let mut all = Operation::all(state, document).into_iter();
        all.find(|operation| operation.pointer == own)
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

/// The members of an object.
fn members(node: Option<&Node>) -> impl Iterator<Item = (&str, &Node)> {
    let object = node.and_then(Node::as_object).into_iter();
    let members = object.flat_map(|object| object.iter());
    members.map(|(name, entry)| (name, &entry.value))
}
