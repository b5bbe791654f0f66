//! Definitions and references, between documents, handlers and callers.

use std::path::Path;

use gen_lsp_types::{Location, TextDocumentPositionParams};

use super::files;
use super::operation::Operation;
use super::reference::{self, Target};
use super::sources::Use;
use super::state::{State, is_yaml};
use super::text::Text;

/// The places that define the thing at a place: the target of a `$ref`, the handler of an operation,
/// or in Rust the operation of a handler or a caller, and the schema of a type.
pub(super) fn definitions(state: &mut State, at: &TextDocumentPositionParams) -> Vec<Location> {
    let Some(path) = files::path(&at.text_document.uri) else {
        return Vec::new();
    };
    if !is_yaml(&path) {
        let Some(word) = word(state, &path, at) else {
            return Vec::new();
        };
        let operations = Operation::called(state, &word).into_iter();
        let mut found: Vec<Location> = operations.map(|operation| operation.location).collect();
        if found.is_empty() {
            found.extend(types(state, &path, &word));
        }
        return found;
    }
    let Some(spot) = state.spot(at) else {
        return Vec::new();
    };
    if let Some(text) = reference::at(&spot.written, &spot.pointer)
        && let Some(target) = Target::of(text, &spot.path)
    {
        return target.location(state).into_iter().collect();
    }
    let Some(operation) = Operation::at(state, &spot.path, &spot.pointer) else {
        return Vec::new();
    };
    let [handlers, ..] = operation.uses(state);
    locations(state, &handlers)
}

/// The places that refer to the thing at a place: to a component, or to an operation.
pub(super) fn references(state: &mut State, at: &TextDocumentPositionParams) -> Vec<Location> {
    let Some(path) = files::path(&at.text_document.uri) else {
        return Vec::new();
    };
    if !is_yaml(&path) {
        let Some(word) = word(state, &path, at) else {
            return Vec::new();
        };
        let operations = Operation::called(state, &word);
        let found = operations.iter().flat_map(|operation| {
            let own = std::iter::once(operation.location.clone());
            own.chain(uses(state, operation)).collect::<Vec<_>>()
        });
        return found.collect();
    }
    let Some(spot) = state.spot(at) else {
        return Vec::new();
    };
    if let Some(operation) = Operation::at(state, &spot.path, &spot.pointer) {
        return uses(state, &operation);
    }
    let target = match reference::at(&spot.written, &spot.pointer) {
        Some(text) => Target::of(text, &spot.path),
        None => reference::component(&spot.pointer).map(|pointer| Target {
            path: spot.path.clone(),
            pointer,
        }),
    };
    target.map_or_else(Vec::new, |target| target.references(state))
}

/// The handlers, callers and tests of an operation.
fn uses(state: &State, operation: &Operation) -> Vec<Location> {
    let uses = operation.uses(state).concat();
    locations(state, &uses)
}

fn locations(state: &State, uses: &[&Use]) -> Vec<Location> {
    let uses = uses.iter();
    uses.filter_map(|one| state.files.line(&one.path, one.line))
        .collect()
}

/// The places of the documents that a type of this name is made of. Of several areas, that of the
/// file counts.
fn types(state: &State, path: &Path, name: &str) -> Vec<Location> {
    let mut found: Vec<(bool, Location)> = Vec::new();
    for (document, generated) in &state.generated {
        let area = document.file_stem().and_then(|stem| stem.to_str());
        let parts = path
            .components()
            .filter_map(|part| part.as_os_str().to_str());
        let is_own = area.is_some_and(|area| {
            let mut parts = parts.map(|part| part.trim_end_matches(".rs"));
            parts.any(|part| part == area)
        });
        for place in generated.places(name) {
            if let Some((file, line)) = place.rsplit_once(':')
                && let Ok(line) = line.parse()
                && let Some(location) = state.files.line(&files::named(file), line)
            {
                found.push((is_own, location));
            }
        }
    }
    let has_own = found.iter().any(|(is_own, _)| *is_own);
    found.retain(|(is_own, _)| *is_own || !has_own);
    let mut found: Vec<Location> = found.into_iter().map(|(_, location)| location).collect();
    found.dedup();
    found
}

/// The word of a Rust source at a place.
fn word(state: &State, path: &Path, at: &TextDocumentPositionParams) -> Option<String> {
    let text = state.files.read(path).ok()?;
    let offset = Text::new(&text).offset(at.position);
    let is_outside = |c: char| !c.is_alphanumeric() && c != '_';
    let start = text[..offset].rfind(is_outside).map_or(0, |at| {
        at + text[at..].chars().next().map_or(1, char::len_utf8)
    });
    let end = text[offset..].find(is_outside);
    let word = &text[start..end.map_or(text.len(), |end| offset + end)];
    (!word.is_empty()).then(|| word.to_owned())
}
