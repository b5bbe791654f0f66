//! What a place of a document means: its key, its schema and its generated code.

use std::path::Path;
use std::sync::Arc;

use dropforge::document::{Document, pointer};
use dropforge::structure::key::Version;
use dropforge::structure::{Slot, describe};
use gen_lsp_types::{Hover, MarkupContent, MarkupKind, TextDocumentPositionParams};

use super::files;
use super::generated::{Generated, Item};
use super::operation::Operation;
use super::reference::{self, Target};
use super::state::State;

/// The maximum number of lines of a schema that are shown.
const MAX_LINES: usize = 30;

/// The maximum number of generated items that are shown for each side.
const MAX_ITEMS: usize = 2;

/// The hover text of a place.
pub(super) fn hover(state: &mut State, at: &TextDocumentPositionParams) -> Option<Hover> {
    let spot = state.spot(at)?;
    let mut parts = Vec::new();
    let version = Version::of(&spot.written);
    let (outer, name) = spot.pointer.rsplit_once('/').unwrap_or(("", ""));
    let object = Slot::at(outer, version).and_then(Slot::object);
    if let Some(object) = object
        && let Some(key) = object.key(name, version)
    {
        parts.push(describe(object, key));
    }
    if let Some(operation) = Operation::at(state, &spot.path, &spot.pointer) {
        let pointer = pointer::join(&operation.pointer, "operationId");
        let [server, client] = code(state, &spot.path, &spot.written, &pointer, |item| {
            item.is_function
        });
        parts.push(format!("**{}** {}", operation.id, operation.route));
        parts.extend(fence("rust", "Server", &server));
        parts.extend(fence("rust", "Client", &client));
    }
    if let Some((target, document)) = schema(state, &spot.path, &spot.written, &spot.pointer) {
        if let Some(text) = source(&document, &target.pointer) {
            parts.extend(fence("yaml", "Schema", &[text]));
        }
        let [server, client] = code(state, &target.path, &document, &target.pointer, |item| {
            !item.is_function
        });
        parts.extend(fence("rust", "Server", &server));
        if client != server {
            parts.extend(fence("rust", "Client", &client));
        }
    }
    (!parts.is_empty()).then(|| Hover {
        contents: MarkupContent::new(MarkupKind::Markdown, parts.join("\n\n")).into(),
        range: None,
    })
}

/// The schema or other component that a place is, or refers to.
fn schema(
    state: &mut State,
    path: &Path,
    written: &Arc<Document>,
    place: &str,
) -> Option<(Target, Arc<Document>)> {
    if let Some(text) = reference::at(written, place) {
        let target = Target::of(text, path)?;
        let document = target.document(state)?;
        return Some((target, document));
    }
    let version = Version::of(written);
    let object = Slot::at(place, version)?.object()?;
    let is_schema = object.section == "Schema Object";
    let names_one = pointer::segments(place).next_back()? == "schema" || {
        let mut segments = pointer::segments(place);
        segments.next_back();
        matches!(
            segments.next_back().as_deref(),
            Some("schemas" | "properties")
        )
    };
    (is_schema && names_one).then(|| {
        let target = Target {
            path: path.to_owned(),
            pointer: place.to_owned(),
        };
        (target, Arc::clone(written))
    })
}

/// The code of both sides that is made of a place.
fn code(
    state: &State,
    path: &Path,
    document: &Document,
    place: &str,
    is_wanted: impl Fn(&Item) -> bool,
) -> [Vec<String>; 2] {
    let Some(span) = document.key_span(place) else {
        return [Vec::new(), Vec::new()];
    };
    let line = document.source.place(span.start).line;
    let file = files::name(path);
    let of_side = |side: for<'g> fn(&'g Generated, &str, usize) -> &'g [Item]| {
        let mut codes: Vec<String> = Vec::new();
        for generated in state.generated_of(path) {
            let items = side(generated, &file, line).iter();
            for item in items.filter(|item| is_wanted(item)) {
                if !codes.contains(&item.code) {
                    codes.push(item.code.clone());
                }
            }
        }
        codes.truncate(MAX_ITEMS);
        codes
    };
    [of_side(Generated::of_server), of_side(Generated::of_client)]
}

fn fence(language: &str, title: &str, codes: &[String]) -> Option<String> {
    let code = codes.join("\n\n");
    (!codes.is_empty()).then(|| format!("{title}:\n\n```{language}\n{code}\n```"))
}

/// The text of a key with its value, as the document has it.
fn source(document: &Document, place: &str) -> Option<String> {
    let key = document.key_span(place)?;
    let value = document.at(place)?.span;
    let text = &document.source.text;
    let start = text.get(..key.start)?.rfind('\n').map_or(0, |at| at + 1);
    let text = text.get(start..value.end.max(key.end))?;
    let indent = text.len() - text.trim_start_matches(' ').len();
    let lines = text.lines();
    let mut lines: Vec<&str> = lines
        .map(|line| line.get(indent..).unwrap_or(line.trim_start()))
        .collect();
    if lines.len() > MAX_LINES {
        lines.truncate(MAX_LINES);
        lines.push("# …");
    }
    Some(lines.join("\n"))
}
