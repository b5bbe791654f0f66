//! Texts with the positions of the protocol, which count UTF-16 units in a line.

use std::ops::Range as Bytes;

use gen_lsp_types::{Position, Range};

/// A text with the offsets of its lines.
pub(super) struct Text<'t> {
    text: &'t str,
    /// The offset at which each line begins.
    starts: Vec<usize>,
}

impl<'t> Text<'t> {
    pub(super) fn new(text: &'t str) -> Text<'t> {
        let breaks = text.match_indices('\n').map(|(at, _)| at + 1);
        Text {
            text,
            starts: std::iter::once(0).chain(breaks).collect(),
        }
    }

    /// The position of an offset. An offset within a character is its beginning.
    pub(super) fn position(&self, offset: usize) -> Position {
        let offset = self.text.floor_char_boundary(offset);
        let line = self.starts.partition_point(|start| *start <= offset) - 1;
        let before = &self.text[self.starts[line]..offset];
        Position {
            line: number(line),
            character: number(before.encode_utf16().count()),
        }
    }

    /// The offset of a position. A position behind the end of its line is that end.
    pub(super) fn offset(&self, position: Position) -> usize {
        let line = self.line(position.line as usize);
        let mut units = 0;
        for (at, c) in self.text[line.clone()].char_indices() {
            if units >= position.character as usize {
                return line.start + at;
            }
            units += c.len_utf16();
        }
        line.end
    }

    /// The offset of a character of a line, both counted from 0. A character behind the end of its line is that end. The
    /// compiler counts characters.
    pub(super) fn offset_of_character(&self, line: usize, character: usize) -> usize {
        let line = self.line(line);
        let mut characters = self.text[line.clone()].char_indices();
        let found = characters.nth(character);
        found.map_or(line.end, |(at, _)| line.start + at)
    }

    /// The range between two offsets.
    pub(super) fn range(&self, start: usize, end: usize) -> Range {
        Range {
            start: self.position(start),
            end: self.position(end),
        }
    }

    /// The range to underline: at least one character, and within one line.
    pub(super) fn underline(&self, start: usize, end: usize) -> Range {
        let start = start.min(self.text.len());
        let line = self.line(self.position(start).line as usize);
        let end = end.clamp(start, line.end.max(start));
        match end == start && end < line.end {
            true => {
                let word = self.text[start..line.end].trim_end().len();
                self.range(start, start + word.max(1))
            }
            false => self.range(start, end),
        }
    }

    /// The range of the words of a line, which is counted from 0.
    pub(super) fn words_of_line(&self, line: usize) -> Range {
        let bytes = self.line(line);
        let text = &self.text[bytes.clone()];
        let indent = text.len() - text.trim_start().len();
        self.range(bytes.start + indent, bytes.start + text.trim_end().len())
    }

    /// The text between two positions.
    pub(super) fn between(&self, range: Range) -> &'t str {
        let (start, end) = (self.offset(range.start), self.offset(range.end));
        self.text.get(start..end).unwrap_or_default()
    }

    /// The bytes of a line without its end. A line behind the last one is empty.
    fn line(&self, line: usize) -> Bytes<usize> {
        let Some(start) = self.starts.get(line).copied() else {
            return self.text.len()..self.text.len();
        };
        let next = self.starts.get(line + 1).copied();
        let text = &self.text[start..next.unwrap_or(self.text.len())];
        start..start + text.trim_end_matches(['\n', '\r']).len()
    }
}

fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(line: u32, character: u32) -> Position {
        Position { line, character }
    }

    #[test]
    fn positions_count_utf16_units() {
        let text = Text::new("a\u{1f600}é: b\r\nc");
        assert_eq!(text.position(7), position(0, 4));
        assert_eq!(text.offset(position(0, 4)), 7);
        assert_eq!(text.offset(position(0, 2)), 5);
        assert_eq!(text.position(12), position(1, 0));
    }

    #[test]
    fn the_compiler_counts_characters() {
        let text = Text::new("x\na\u{1f600}b\r\n");
        assert_eq!(
            text.position(text.offset_of_character(1, 2)),
            position(1, 3)
        );
        assert_eq!(
            text.position(text.offset_of_character(1, 9)),
            position(1, 4)
        );
        assert_eq!(text.offset_of_character(9, 0), 10);
    }

    #[test]
    fn positions_outside_of_the_text_are_its_ends() {
        let text = Text::new("ab\ncd");
        assert_eq!(text.offset(position(0, 99)), 2);
        assert_eq!(text.offset(position(99, 99)), 5);
        assert_eq!(text.position(99), position(1, 2));
        assert_eq!(text.between(Range::new(position(1, 9), position(0, 0))), "");
    }

    #[test]
    fn at_least_one_character_of_one_line_is_underlined() {
        let text = Text::new("ab: c\n  d: e\n");
        assert_eq!(text.underline(0, 10), text.range(0, 5));
        assert_eq!(text.underline(4, 4), text.range(4, 5));
        assert_eq!(text.underline(99, 99), text.range(13, 13));
    }
}
