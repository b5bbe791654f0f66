//! Texts, and places in them.

/// A text that diagnostics point into.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// What to call it; a path, as it was given.
    pub name: String,
    /// The whole text, with its byte order mark if it has one.
    pub text: String,
}

impl Source {
    /// A source of this name and text.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Source {
        Source {
            name: name.into(),
            text: text.into(),
        }
    }

    /// Line and column of a byte offset, both counted from 1, columns in
    /// characters. An offset past the end is the end.
    pub fn line_column(&self, offset: usize) -> (usize, usize) {
        let mut offset = offset.min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        let before = &self.text[..offset];
        let start = before.rfind('\n').map_or(0, |i| i + 1);
        let line = 1 + before.bytes().filter(|b| *b == b'\n').count();
        let in_line = before[start..].trim_start_matches('\u{feff}');
        (line, 1 + in_line.chars().count())
    }
}

/// Bytes of a [`Source`], from `start` up to `end`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// Offset of the first byte.
    pub start: usize,
    /// Offset behind the last byte.
    pub end: usize,
}

impl Span {
    /// The bytes from `start` up to `end`.
    pub fn new(start: usize, end: usize) -> Span {
        Span { start, end }
    }
}
