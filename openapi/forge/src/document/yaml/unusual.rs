//! Unusual characters that cause a syntax error of YAML.

use super::block::is_in_block;
use super::error::SyntaxError;
use crate::document::Diagnostic;
use crate::document::characters::{self, Unusual};
use crate::document::cursor::Line;

/// The finding about such a character in the line of an error, or in the line above.
pub(super) fn finding(error: SyntaxError<'_>) -> Option<Diagnostic> {
    let (start, found) = error
        .lines()
        .take(2)
        .filter(|(start, _)| !is_in_block(error.text, *start))
        .find_map(|(start, line)| in_line(line).map(|found| (start, found)))?;
    let span = found.span(start);
    let message = format!("this character is {}", found.describe());
    Some(error.finding(span.start..span.end, message, found.help()))
}

/// The first character of a line that is in the place of syntax. In texts, such characters are
/// common.
fn in_line(line: &str) -> Option<Unusual> {
    let parsed = Line::parse(line);
    let value = line.len() - parsed.rest.len();
    let is_in_quotes = characters::unusual(parsed.rest)
        .last()
        .is_some_and(|last| last.is_quote() && last.span(0).end == parsed.rest.trim_end().len());
    characters::unusual(line).find(|one| {
        let before = &line[..one.at];
        let word = before.trim_start_matches([' ', '-']);
        let behind = &line[one.span(0).end..];
        let is_indentation = one.is_blank() && characters::plain(word).trim().is_empty();
        let is_behind_colon = one.is_blank() && !parsed.has_key() && before.ends_with(':');
        let is_colon = one.plain == ":" && is_key(word);
        let is_dash = one.plain == "-" && before.trim().is_empty() && behind.starts_with(' ');
        let is_quote = one.is_quote() && one.at == value && is_in_quotes;
        is_indentation || is_behind_colon || is_colon || is_dash || is_quote
    })
}

/// Whether a text may be a key: one word.
fn is_key(word: &str) -> bool {
    !word.is_empty() && word.is_ascii() && !word.contains(' ')
}
