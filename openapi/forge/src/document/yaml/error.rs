//! A syntax error at a byte of a text.

use std::ops::Range;

use crate::document::{Diagnostic, Span};

/// The code of all syntax errors.
pub(super) const CODE: &str = "yaml-syntax";

/// A syntax error.
#[derive(Clone, Copy)]
pub(super) struct SyntaxError<'t> {
    /// The text, as its author wrote it.
    pub(super) text: &'t str,
    /// The offset of the text in its source.
    pub(super) offset: usize,
    /// The byte of the text that the parser reports.
    pub(super) at: usize,
    /// The message of the parser.
    pub(super) message: &'t str,
}

impl<'t> SyntaxError<'t> {
    /// Whether the message has one of these words.
    pub(super) fn is_about(self, words: &[&str]) -> bool {
        words.iter().any(|word| self.message.contains(word))
    }

    /// The text at the byte and behind it.
    pub(super) fn rest(self) -> &'t str {
        &self.text[self.at..]
    }

    /// The number of the line of a byte, counted from 1.
    pub(super) fn line_of(self, at: usize) -> usize {
        1 + self.text[..at].matches('\n').count()
    }

    /// The line of the error and the lines above it, from below, each with its offset. Lines that
    /// are empty or have only a comment are left out.
    pub(super) fn lines(self) -> impl Iterator<Item = (usize, &'t str)> {
        let length = self.rest().find('\n').unwrap_or(self.rest().len());
        let mut end = self.at + length;
        let lines = self.text[..end].split('\n').rev().map(move |line| {
            let start = end - line.len();
            end = start.saturating_sub(1);
            (start, line.trim_end_matches('\r'))
        });
        lines.filter(|(_, line)| {
            let content = line.trim_matches([' ', '\t']);
            !content.is_empty() && !content.starts_with('#')
        })
    }

    /// The finding at a part of the text.
    pub(super) fn finding(
        self,
        place: Range<usize>,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> Diagnostic {
        let span = Span::new(self.offset + place.start, self.offset + place.end);
        Diagnostic::error(CODE, span, message).help(help)
    }
}
