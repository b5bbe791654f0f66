//! The brackets that are open at a byte of a text, and the last text in quotes before it.
//!
//! The parser holds tokens back until it knows whether they are a key. So its events do not show
//! all brackets before a syntax error, and this module reads the text again.

use super::brackets::{self, Brackets};
use super::indentation::width;
use crate::document::cursor::Line;

/// Reads a text up to a byte. The part before it is valid YAML, apart from its indentation.
pub(super) fn at(text: &str, end: usize) -> Brackets {
    let mut last = Brackets::default();
    let mut start = 0;
    // Lines with this indentation, or more, continue a text.
    let mut text_from: Option<usize> = None;
    while start < end {
        let line = text[start..].split('\n').next().unwrap_or_default();
        let line = line.trim_end_matches('\r');
        let indentation = width(line);
        let is_marker = ["---", "...", "%"]
            .iter()
            .any(|sign| line.starts_with(sign));
        let is_text = text_from.is_some_and(|from| indentation >= from);
        let next = line_below(text, start);
        if line.trim().is_empty() || is_marker || is_text {
            start = next;
            continue;
        }
        text_from = None;
        let parsed = Line::parse(line);
        let value = without_properties(parsed.rest);
        let value_at = start + line.len() - value.len();
        start = next;
        if value_at >= end {
            break;
        }
        match value.chars().next() {
            None | Some('#') => {}
            Some('{' | '[') => {
                last = brackets::read(text, value_at, end);
                if !last.open.is_empty() {
                    return last;
                }
                start = line_below(text, last.end - 1);
            }
            Some('"' | '\'') => {
                let Some(close) = brackets::closing_quote(text, value_at, end) else {
                    break;
                };
                last.quoted = Some((value_at, close));
                start = line_below(text, close);
            }
            // A plain text, or one in a block.
            Some(_) => text_from = Some(parsed.last_column().map_or(indentation, |at| at + 1)),
        }
    }
    last
}

/// The offset of the line below the one of a byte.
fn line_below(text: &str, at: usize) -> usize {
    text[at..]
        .find('\n')
        .map_or(text.len(), |length| at + length + 1)
}

/// A value without the anchor and the tag before it.
pub(super) fn without_properties(mut value: &str) -> &str {
    while value.starts_with(['&', '!']) {
        let (_, behind) = value.split_once(' ').unwrap_or_default();
        value = behind.trim_start_matches(' ');
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The characters at the offsets of the open brackets at the end of a text.
    fn open(text: &str) -> String {
        let offsets = at(text, text.len()).open.into_iter();
        offsets.map(|at| &text[at..=at]).collect()
    }

    #[test]
    fn texts_and_comments_open_no_bracket() {
        for text in [
            "a: b [c\n  d {e\nf: 1\n",
            "a: |\n  [b\n\n  {c\nd: 1\n",
            "- |\n  [b\n- 'it''s ['\n- \"\\\"[\"\n",
            "a: # [\n  b: 1 # {\n",
            "---\na:\n  [b, c]\n/d/{e}: {f: g}\n",
            "a: &b [c]\nd: !!str '['\n",
            "a: '\n  ['\n",
        ] {
            assert_eq!(open(text), "", "{text}");
        }
    }

    #[test]
    fn an_open_bracket_is_found_behind_texts() {
        for text in [
            "a: |\n  {b\nc: [d\n",
            "a: b {c\nd: &e [f, {g: h}, 'i]'\n",
            "- - [a\n",
            "'a': [",
        ] {
            assert_eq!(open(text), "[", "{text}");
        }
        assert_eq!(open("a: {b: [c, {d: e"), "{[{");
    }
}
