//! Items of a list whose dash has no space behind it, as in `-name: x`.

use super::block::is_in_block;
use super::error::SyntaxError;
use super::indentation::width;
use crate::document::Diagnostic;

/// The finding about such an item in the line of an error, or in the line above.
pub(super) fn finding(error: SyntaxError<'_>) -> Option<Diagnostic> {
    let mut lines = error.lines();
    let is_item = |(start, line): &(usize, &str)| is_item(line) && !is_in_block(error.text, *start);
    let (start, line) = lines.by_ref().take(2).find(is_item)?;
    let column = width(line);
    let (_, outer) = lines.find(|(_, line)| width(line) <= column)?;
    let is_item_of_list = width(outer) == column && outer.trim_start().starts_with('-');
    // A line of a text may begin with a dash, too.
    if !is_item_of_list && !outer.trim_end().ends_with(':') {
        return None;
    }
    let at = start + column;
    Some(error.finding(
        at..at + 1,
        "a space is missing behind the dash of an item",
        "put a space behind the dash",
    ))
}

fn is_item(line: &str) -> bool {
    let behind = line.trim_start_matches(' ').strip_prefix('-');
    let next = behind.and_then(|behind| behind.chars().next());
    next.is_some_and(|next| next.is_alphabetic() || "$'\"{[".contains(next))
}
