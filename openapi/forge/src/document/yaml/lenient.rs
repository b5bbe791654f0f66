//! Indentation that other readers of YAML accept.
//!
//! libyaml and js-yaml accept a quoted scalar that continues left of its key. They also
//! accept a flow collection whose lines or closing bracket have the indentation of its
//! key, or less. YAML 1.2 allows neither. This module indents these lines before they are
//! read again. That changes no value, and every node keeps its position in the file.
//!
//! YAML 1.2 allows a tab between a colon and its value, but the parser rejects most of them. This
//! module puts a space in place of such a tab.

use saphyr_parser::{Event, Parser, ScanError};

use super::brackets;
use super::indentation::width;
use super::positions::Positions;
use crate::document::Span;
use crate::document::cursor::Line;

/// How many places of one document are corrected before the loader rejects it.
const MAX_CORRECTIONS: usize = 100;

/// After so many characters that the parser has read again, there are no corrections. Each one makes it read
/// the document from its beginning, so that the time would grow with the square of the document.
const MAX_READ_AGAIN: usize = 4_000_000;

/// The parser's error about a tab behind a colon.
const TAB: &str = "':' must be followed by a valid YAML whitespace";

/// A text that is corrected while the parser reads it.
pub(super) struct Text<'t> {
    /// The text, as its author wrote it.
    pub written: &'t str,
    /// The text, as the parser reads it.
    pub content: String,
    /// The positions of its characters in the file.
    pub positions: Positions,
    /// The places whose indentation was corrected.
    pub corrected: Vec<Span>,
    /// How many characters the parser has read again.
    read_again: usize,
}

impl<'t> Text<'t> {
    pub(super) fn new(text: &'t str, offset: usize) -> Text<'t> {
        Text {
            written: text,
            content: text.to_owned(),
            positions: Positions::new(text, offset),
            corrected: Vec::new(),
            read_again: 0,
        }
    }

    /// Indents the lines that an error is about, or puts spaces in place of tabs. Returns false for any
    /// other error.
    pub(super) fn correct(&mut self, error: &ScanError) -> bool {
        let at = error.marker().index();
        if self.corrected.len() == MAX_CORRECTIONS || self.read_again > MAX_READ_AGAIN {
            return false;
        }
        self.read_again += at;
        if error.info() == TAB {
            return self.replace_tabs(at);
        }
        let lines = match error.info() {
            "invalid indentation in quoted scalar" => self.lines_of_scalar(at),
            "invalid indentation" | "invalid indentation in flow construct" => {
                self.lines_in_brackets(at)
            }
            _ => Vec::new(),
        };
        let Some(first) = lines.first() else {
            return false;
        };
        let byte = self.positions.byte(first.start);
        self.corrected.push(Span::new(byte, byte));
        self.indent(&lines);
        true
    }

    /// Indents lines, which are in the order of the text.
    fn indent(&mut self, lines: &[Indent]) {
        let mut content = String::with_capacity(self.content.len());
        let mut lines = lines.iter().peekable();
        self.positions
            .insert(lines.clone().map(|line| (line.start, line.spaces)));
        for (index, c) in self.content.chars().enumerate() {
            if let Some(line) = lines.next_if(|line| line.start == index) {
                content.extend(std::iter::repeat_n(' ', line.spaces));
            }
            content.push(c);
        }
        self.content = content;
    }

    /// The byte of a character in the text that the parser reads.
    fn byte_of(&self, index: usize) -> usize {
        let mut all = self.content.char_indices();
        all.nth(index).map_or(self.content.len(), |(byte, _)| byte)
    }

    /// The lines after the first of the quoted scalar that begins at a character.
    fn lines_of_scalar(&self, start: usize) -> Vec<Indent> {
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
                        lines.push(Indent {
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

    /// The line of a character, if brackets are open there, and the lines after it up to the end of
    /// these brackets that are not indented deeper than their key either.
    fn lines_in_brackets(&self, at: usize) -> Vec<Indent> {
        let column = self.column(at);
        let first = self.byte_of(at - column);
        let Some(opening) = opening_line(&self.content[..first]) else {
            return Vec::new();
        };
        let opening_text = self.content[opening..].lines().next().unwrap_or_default();
        let key = opening_text.chars().take_while(|c| matches!(c, ' ' | '-'));
        let key = key.count();
        // If the brackets are not the value of the line, their end is unknown.
        let value = Line::parse(opening_text).rest;
        let bracket = opening + opening_text.trim_end_matches('\r').len() - value.len();
        let end = match value.starts_with(['{', '[']) {
            true => brackets::end(&self.content, bracket),
            false => None,
        };
        let (mut start, mut byte) = (at - column, first);
        let mut lines = Vec::new();
        for line in self.content[first..].split_inclusive('\n') {
            let spaces = (key + 1).saturating_sub(width(line));
            if byte == first {
                // The parser has refused this line.
                lines.push(Indent {
                    start,
                    spaces: spaces.max(1),
                });
            } else if end.is_none_or(|end| byte >= end) {
                break;
            } else if spaces > 0 && !line.trim().is_empty() {
                lines.push(Indent { start, spaces });
            }
            start += line.chars().count();
            byte += line.len();
        }
        lines
    }

    /// Puts a space in place of each tab behind a colon, outside of scalars, and of the one before the
    /// character `at`. Other tabs may follow it. Returns false if there is none before the character.
    fn replace_tabs(&mut self, at: usize) -> bool {
        let before = &self.content[..self.byte_of(at)];
        let key = before.trim_end_matches('\t');
        let first = at - (before.len() - key.len());
        if first == at || !key.ends_with(':') {
            return false;
        }
        // The scalars of this text begin and end where those of the content do.
        let spaced = self.content.replace(":\t", ": ");
        let (mut scalars, mut end) = (Vec::new(), 0);
        for (event, marks) in Parser::new_from_str(&spaced).map_while(Result::ok) {
            end = marks.end.index();
            if matches!(event, Event::Scalar(..)) && marks.start.index() < end {
                scalars.push((marks.start.index(), end));
            }
        }
        let mut scalars = scalars.into_iter().peekable();
        let mut is_behind_colon = false;
        let characters = self.content.chars().enumerate();
        let content = characters.map(|(index, c)| {
            while scalars.next_if(|(_, end)| *end <= index).is_some() {}
            let is_outside = scalars.peek().is_none_or(|(start, _)| index < *start);
            let is_separation = is_behind_colon && index < end && is_outside;
            is_behind_colon = c == ':';
            match c {
                '\t' if is_separation || index == first => ' ',
                c => c,
            }
        });
        self.content = content.collect();
        true
    }

    /// The column of a character, from 0.
    fn column(&self, index: usize) -> usize {
        let before = &self.content[..self.byte_of(index)];
        let start = before.rfind('\n').map_or(0, |end| end + 1);
        before[start..].chars().count()
    }
}

/// Spaces to insert: the character that they precede, and their number.
struct Indent {
    start: usize,
    spaces: usize,
}

/// The offset of the last line of a text that opens more brackets than the text behind it closes.
fn opening_line(before: &str) -> Option<usize> {
    let (mut open, mut start) = (0, before.len());
    for line in before.split_inclusive('\n').rev() {
        start -= line.len();
        for c in line.chars().rev() {
            match c {
                '}' | ']' => open += 1,
                '{' | '[' if open == 0 => return Some(start),
                '{' | '[' => open -= 1,
                _ => {}
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::Text;
    use crate::document::Document;
    use saphyr_parser::Parser;

    #[test]
    fn a_tab_may_follow_a_colon() {
        let text = "a:\tone\nb: {c:\t\t\"ü\", d:\t-1}\ne: |\n  f:\tg\nh:\t2\n";
        let document = Document::load("x.yaml", text).expect("YAML");
        assert_eq!(document.findings.0, []);
        assert_eq!(
            document.to_json(),
            serde_json::json!({"a": "one", "b": {"c": "ü", "d": -1}, "e": "f:\tg\n", "h": 2})
        );
        let last = document.at("/h").expect("the last value").span;
        assert_eq!(&text[last.start..last.end], "2");
    }

    /// However many tabs a text has, it is read again once. Those within scalars remain.
    #[test]
    fn all_tabs_are_replaced_at_once() {
        let keys = "- k:\tv\n- k:\t-1\n".repeat(10_000);
        let scalars = "- |\n  k:\tv\n- \"k:\tv\n  k:\tv\"\n- 'k:\tv'\n# k:\tv\n- 'k':\tv\n";
        let source = keys + scalars;
        let mut text = Text::new(&source, 0);
        let error = |text: &Text| Parser::new_from_str(&text.content).find_map(Result::err);
        let first = error(&text).expect("an error");
        assert!(text.correct(&first));
        assert_eq!(error(&text), None);
        let rest = scalars.replace("'k':\tv", "'k': v");
        let rest = rest.replace("# k:\tv", "# k: v");
        assert!(text.content.ends_with(&rest));
    }

    /// The corrections of tabs end before a syntax error, which is reported.
    #[test]
    fn an_error_behind_tabs_is_found() {
        let keys: String = (0..2_000).map(|i| format!("k{i}:\tv\n")).collect();
        let text = format!("{keys}wrong: ]\n{keys}");
        let findings = Document::load("x.yaml", &text).expect_err("an error");
        let at = findings.0[0].span.start;
        assert_eq!(&text[at..=at], "]");
    }

    /// However many lines of brackets are indented too little, the text is read again once.
    #[test]
    fn all_lines_of_one_value_are_corrected_at_once() {
        let lines: String = (0..2_000)
            .map(|i| format!("'k{i}': {{x: [1,\n2]}},\n"))
            .collect();
        let source = format!("a:\n  b: {{\n{lines}}}\n  c: 1\n");
        let mut text = Text::new(&source, 0);
        let error = |text: &Text| Parser::new_from_str(&text.content).find_map(Result::err);
        let first = error(&text).expect("an error");
        assert!(text.correct(&first));
        assert!(error(&text).is_none());
        let c = text.content.find("c: 1").expect("the last key");
        let file = source.find("c: 1").expect("the last key");
        assert_eq!(text.positions.byte(c), file);
    }
}
