//! Quotes and brackets that are not closed.
//!
//! The parser reports them far below, where another quote or the indentation does not fit.

use super::error::SyntaxError;
use super::indentation::width;
use super::{brackets, open};
use crate::document::Diagnostic;
use crate::document::cursor::Line;

/// The messages of the parser about the text behind the quote that closes a text.
const BEHIND_QUOTE: [&str; 2] = ["trailing content", "separated from other tokens"];

/// The messages of the parser about texts that an open bracket may cause.
const BEHIND_BRACKET: [&str; 7] = [
    "flow",
    "',' or",
    "illegal placement",
    "inside a block",
    "invalid indentation",
    "node content",
    "end of plain scalar",
];

/// The finding about a text whose closing quote is missing, so that the next quote of the document
/// closes it.
pub(super) fn quote(error: SyntaxError<'_>) -> Option<Diagnostic> {
    let text = error.text;
    let (start, close) = if error.is_about(&BEHIND_QUOTE) {
        let (start, close) = open::at(text, error.at).quoted?;
        let between = text.get(close + 1..error.at)?;
        if !between.trim_matches([' ', '\t']).is_empty() {
            return None;
        }
        (start, Some(close))
    } else if error.is_about(&["quoted scalar"]) {
        // The parser reports the quote that begins the text.
        let close = brackets::closing_quote(text, error.at, text.len());
        (error.at, close)
    } else {
        return None;
    };
    let quote = text[start..].chars().next();
    let quote = quote.filter(|quote| matches!(quote, '"' | '\''))?;
    if close.is_some_and(|close| !holds_structure(text, start, close)) {
        return None;
    }
    let first = text[start..].lines().next().unwrap_or_default();
    let help = match first.trim_end().ends_with("\\\"") {
        true if quote == '"' => {
            "write the backslash before the last quote as two, or use single quotes".to_owned()
        }
        _ => format!("write `{quote}` at the end of the text"),
    };
    let message = "the text that begins here has no closing quote";
    Some(error.finding(start..start + 1, message, help))
}

/// Whether one of the lines of a text in quotes is a key or an item that is indented like the key
/// of the text, or less.
fn holds_structure(text: &str, start: usize, close: usize) -> bool {
    let first = text[..start].rfind('\n').map_or(0, |end| end + 1);
    let last = text[close..]
        .find('\n')
        .map_or(text.len(), |length| close + length);
    let mut lines = text[first..last].lines();
    let own = lines.next().unwrap_or_default();
    let column = match open::at(text, start).open.is_empty() {
        true => Line::parse(own).last_column().unwrap_or(width(own)),
        // Within brackets, indentation has no meaning.
        false => usize::MAX,
    };
    lines.any(|line| {
        let parsed = Line::parse(line);
        let is_structure =
            !parsed.elements.is_empty() || parsed.rest.starts_with(['{', '[', '}', ']']);
        is_structure && width(line) <= column
    })
}

/// The finding about a bracket that is not closed.
pub(super) fn bracket(error: SyntaxError<'_>) -> Option<Diagnostic> {
    if !error.is_about(&BEHIND_BRACKET) {
        return None;
    }
    let text = error.text;
    let found = open::at(text, error.at);
    let start = *found.open.last()?;
    if brackets::end(text, start).is_some() {
        return None;
    }
    let (opening, closing) = match text[start..].starts_with('[') {
        true => ('[', ']'),
        false => ('{', '}'),
    };
    let comment = found.comment.filter(|comment| *comment > start);
    if let Some(finding) = comment.and_then(|at| in_comment(error, at, closing)) {
        return Some(finding);
    }
    let help = format!(
        "close the bracket of line {} with `{closing}`, or put a text that begins with `{opening}` in quotes",
        error.line_of(start)
    );
    let message = format!("the bracket `{opening}` is not closed");
    Some(error.finding(start..start + 1, message, help))
}

/// The finding about a comment that hides the bracket which closes the collection.
fn in_comment(error: SyntaxError<'_>, at: usize, closing: char) -> Option<Diagnostic> {
    let comment = error.text[at..].lines().next()?;
    if !comment.contains(closing) {
        return None;
    }
    let message = "`#` begins a comment, which hides the closing bracket";
    let help = match comment.starts_with("#/") {
        true => {
            let reference = comment.split([' ', ',']).next().unwrap_or_default();
            let reference = reference.trim_end_matches(['}', ']']);
            format!("put the reference in quotes: `'{reference}'`")
        }
        false => "put the text in quotes, or close the bracket before the comment".to_owned(),
    };
    Some(error.finding(at..at + 1, message, help))
}
