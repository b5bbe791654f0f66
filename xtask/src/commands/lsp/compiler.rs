//! The compiler's messages at the lines of the documents.

use std::path::PathBuf;

use gen_lsp_types::{
    Diagnostic as Shown, DiagnosticRelatedInformation, DiagnosticSeverity, Location,
};
use serde_json::Value;

use super::files::{self, Files};
use super::finding::Finding;
use super::text::Text;
use crate::places::Places;
use crate::repository;

/// Converts a message of the compiler into a finding, with the path of its file.
///
/// The finding is at the line of the document from which the code is generated, and the places in
/// the code are related to it. If the code is not of a document, the finding is at the first place
/// in the code. `None` for a message without a place.
pub(super) fn finding(
    message: &Value,
    places: &Places,
    files: &Files,
) -> Option<(PathBuf, Finding)> {
    let mut code = code(message, files);
    let mut lines = places.of(message).into_iter().filter_map(|place| {
        let (file, line) = place.rsplit_once(':')?;
        let path = files::named(file);
        let location = files.line(&path, line.parse().ok()?)?;
        Some((path, location))
    });
    let (path, location) = match lines.next() {
        Some(first) => first,
        None => {
            let first = (!code.is_empty()).then(|| code.remove(0))?;
            (files::path(&first.location.uri)?, first.location)
        }
    };
    let mut related = code;
    related.extend(lines.map(|(_, location)| DiagnosticRelatedInformation {
        location,
        message: "the code is also generated from this line".to_owned(),
    }));
    let children = message["children"].as_array().into_iter().flatten();
    let notes = children.filter_map(|child| child["message"].as_str());
    let texts = message["message"].as_str().into_iter().chain(notes);
    let texts: Vec<&str> = texts.collect();
    let shown = Shown {
        range: location.range,
        severity: Some(match message["level"].as_str() {
            Some("warning") => DiagnosticSeverity::Warning,
            _ => DiagnosticSeverity::Error,
        }),
        code: message["code"]["code"].as_str().map(Into::into),
        source: Some("rustc".to_owned()),
        message: texts.join("\n").into(),
        related_information: (!related.is_empty()).then_some(related),
        ..Shown::default()
    };
    Some((path, Finding { shown, fix: None }))
}

/// The places in hand-written code, primary ones first.
fn code(message: &Value, files: &Files) -> Vec<DiagnosticRelatedInformation> {
    let spans = message["spans"].as_array().into_iter().flatten();
    let mut spans: Vec<&Value> = spans.collect();
    spans.sort_by_key(|span| span["is_primary"] != true);
    let places = spans.into_iter().filter_map(|span| {
        let name = span["file_name"].as_str()?;
        // The paths of generated code and of other crates are absolute or begin with `target/`.
        let path = repository::root().join(name);
        let is_own = !name.starts_with('/') && !name.starts_with("target/");
        let text = is_own.then(|| files.read(&path).ok()).flatten()?;
        let text = Text::new(&text);
        // The compiler counts lines and characters from 1.
        let number = |key: &str| usize::try_from(span[key].as_u64()?.checked_sub(1)?).ok();
        let start = text.offset_of_character(number("line_start")?, number("column_start")?);
        let end = text.offset_of_character(number("line_end")?, number("column_end")?);
        let location: Location = files.location(&path, text.underline(start, end))?;
        let label = span["label"].as_str().unwrap_or("here");
        Some(DiagnosticRelatedInformation {
            location,
            message: label.to_owned(),
        })
    });
    places.collect()
}
