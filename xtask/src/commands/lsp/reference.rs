//! References (`$ref`) between the places of documents.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use dropforge::document::{Document, Kind, Node, Span, pointer};
use gen_lsp_types::Location;

use super::finding;
use super::state::State;
use super::text::Text;

/// A place in a YAML file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Target {
    pub(super) path: PathBuf,
    pub(super) pointer: String,
}

impl Target {
    /// The target of a reference in a file.
    pub(super) fn of(reference: &str, file: &Path) -> Option<Target> {
        let (name, fragment) = reference.split_once('#')?;
        Some(Target {
            path: match name {
                "" => file.to_owned(),
                name => file.with_file_name(name),
            },
            pointer: decoded(fragment),
        })
    }

    /// The document of the target.
    pub(super) fn document(&self, state: &mut State) -> Option<Arc<Document>> {
        state.written(&self.path)
    }

    /// The place of the target: its key.
    pub(super) fn location(&self, state: &mut State) -> Option<Location> {
        let document = self.document(state)?;
        let span = document.key_span(&self.pointer)?;
        finding::location(&document.source, span, &state.files)
    }

    /// The references to the target, in all files.
    pub(super) fn references(&self, state: &mut State) -> Vec<Location> {
        let mut found = Vec::new();
        for path in state.yaml() {
            let Some(document) = state.written(&path) else {
                continue;
            };
            let text = Text::new(&document.source.text);
            visit(&document.root, &mut |reference, name| {
                if Target::of(name, &path).is_some_and(|target| target == *self) {
                    let Span { start, end } = reference.span;
                    found.extend(state.files.location(&path, text.underline(start, end)));
                }
            });
        }
        found
    }
}

/// The reference that a pointer of a document is about: the text under `$ref`.
pub(super) fn at<'d>(document: &'d Document, place: &str) -> Option<&'d str> {
    let node = document.at(place)?;
    match place.ends_with("/$ref") {
        true => node.as_str(),
        false => node.get("$ref")?.as_str(),
    }
}

fn visit<'d>(node: &'d Node, found: &mut impl FnMut(&'d Node, &'d str)) {
    match &node.kind {
        Kind::Object(object) => {
            for (key, entry) in object.iter() {
                match entry.value.as_str() {
                    Some(text) if key == "$ref" => found(&entry.value, text),
                    _ => visit(&entry.value, found),
                }
            }
        }
        Kind::Array(elements) => elements.iter().for_each(|element| visit(element, found)),
        _ => {}
    }
}

/// The pointer of a fragment, which may be percent-encoded.
fn decoded(fragment: &str) -> String {
    let decoded = percent_encoding::percent_decode_str(fragment).decode_utf8();
    decoded.map_or_else(|_| fragment.to_owned(), |text| text.into_owned())
}

/// The component that a place is, or is in.
pub(super) fn component(place: &str) -> Option<String> {
    let segments: Vec<String> = pointer::segments(place).take(3).collect();
    let is_component = segments.len() == 3 && segments[0] == "components";
    let parts = segments.iter();
    is_component.then(|| parts.fold(String::new(), |at, part| pointer::join(&at, part)))
}
