//! Indentation that other readers of YAML accept.
//!
//! libyaml and js-yaml accept a quoted scalar that continues left of its key. They also
//! accept a flow collection whose lines or closing bracket have the indentation of its
//! key, or less. YAML 1.2 allows neither. This module indents these lines before they are
//! read again. That changes no value, and every node keeps its position in the file.

use saphyr_parser::ScanError;

use super::positions::Positions;
use crate::document::Span;

/// How many places of one document are corrected before the loader rejects it.
const MAX_CORRECTIONS: usize = 100;

/// A text that is corrected while the parser reads it.
pub(super) struct Text {
    /// The text, as the parser reads it.
    pub content: String,
    /// The positions of its characters in the file.
    pub positions: Positions,
    /// The places that were corrected.
    pub corrected: Vec<Span>,
}

impl Text {
    pub(super) fn new(text: &str, offset: usize) -> Text {
        Text {
            content: text.to_owned(),
            positions: Positions::new(text, offset),
            corrected: Vec::new(),
        }
    }

    /// Indents the lines that an error is about. Returns false for any other error.
    pub(super) fn correct(&mut self, error: &ScanError) -> bool {
        if self.corrected.len() == MAX_CORRECTIONS {
            return false;
        }
        let at = error.marker().index();
        let lines = match error.info() {
            "invalid indentation in quoted scalar" => self.lines_of_scalar(at),
            "invalid indentation" | "invalid indentation in flow construct" => {
                self.line_in_brackets(at)
            }
            _ => Vec::new(),
        };
        let Some(first) = lines.first() else {
            return false;
        };
        let byte = self.positions.byte(first.start);
        self.corrected.push(Span::new(byte, byte));
        // From the last line on, so that the positions of the other lines stay valid.
        for line in lines.iter().rev() {
            let byte = self.byte_of(line.start);
            self.content.insert_str(byte, &" ".repeat(line.spaces));
            self.positions.insert(line.start, line.spaces);
        }
        true
    }

    fn byte_of(&self, index: usize) -> usize {
        let mut all = self.content.char_indices();
        all.nth(index).map_or(self.content.len(), |(byte, _)| byte)
    }

    /// The lines after the first of the quoted scalar that begins at a character.
    fn lines_of_scalar(&self, start: usize) -> Vec<Line> {
        let column = self.column(start);
        let mut rest = self.content[self.byte_of(start)..]
            .chars()
            .enumerate()
            .peekable();
        let Some((_, quote)) = rest.next() else {
            return Vec::new();
        };
        let mut lines = Vec::new();
        while let Some((index, c)) = rest.next() {
            match c {
                // An escaped line break is a line break too.
                '\\' if quote == '"' && rest.peek().is_some_and(|(_, next)| *next != '\n') => {
                    rest.next();
                }
                '\'' if quote == c && rest.peek().is_some_and(|(_, next)| *next == quote) => {
                    rest.next();
                }
                c if c == quote => return lines,
                '\n' => {
                    let is_blank = rest
                        .peek()
                        .is_none_or(|(_, next)| matches!(next, '\n' | '\r'));
                    if !is_blank {
                        lines.push(Line {
                            start: start + index + 1,
                            spaces: column + 1,
                        });
                    }
                }
                _ => {}
            }
        }
        Vec::new()
    }

    /// The line of a character, if brackets are open there.
    fn line_in_brackets(&self, at: usize) -> Vec<Line> {
        let column = self.column(at);
        let start = at - column;
        let before = &self.content[..self.byte_of(start)];
        // The line with the key is the last one that opens more brackets than it closes.
        let mut open = 0;
        for line in before.lines().rev().take(2_000) {
            for c in line.chars().rev() {
                match c {
                    '}' | ']' => open += 1,
                    '{' | '[' if open == 0 => {
                        let key = line.chars().take_while(|c| matches!(c, ' ' | '-')).count();
                        let spaces = (key + 1).saturating_sub(column).max(1);
                        return vec![Line { start, spaces }];
                    }
                    '{' | '[' => open -= 1,
                    _ => {}
                }
            }
        }
        Vec::new()
    }

    /// The column of a character, from 0.
    fn column(&self, index: usize) -> usize {
        let before = &self.content[..self.byte_of(index)];
        let start = before.rfind('\n').map_or(0, |end| end + 1);
        before[start..].chars().count()
    }
}

/// A line to indent: its first character, and the number of spaces.
struct Line {
    start: usize,
    spaces: usize,
}
