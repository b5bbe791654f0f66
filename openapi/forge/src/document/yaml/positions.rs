//! The positions of characters in a file.

use saphyr_parser::Span as Marks;

use crate::document::Span;

/// Positions in bytes of a file, from the parser's, which count characters.
pub(super) struct Positions {
    offset: usize,
    length: usize,
    /// The byte offset of each character; `None` for ASCII text, where both are
    /// the same.
    starts: Option<Vec<u32>>,
}

impl Positions {
    pub(super) fn new(text: &str, offset: usize) -> Positions {
        let starts =
            (!text.is_ascii()).then(|| text.char_indices().map(|(byte, _)| byte as u32).collect());
        Positions {
            offset,
            length: text.len(),
            starts,
        }
    }

    /// Inserts characters that are not in the file.
    pub(super) fn insert(&mut self, index: usize, count: usize) {
        let length = self.length;
        let starts = self
            .starts
            .get_or_insert_with(|| (0..length as u32).collect());
        let at = starts.get(index).map_or(length as u32, |byte| *byte);
        let index = index.min(starts.len());
        starts.splice(index..index, std::iter::repeat_n(at, count));
    }

    pub(super) fn byte(&self, index: usize) -> usize {
        let byte = match &self.starts {
            Some(starts) => starts.get(index).map_or(self.length, |b| *b as usize),
            None => index.min(self.length),
        };
        byte + self.offset
    }

    pub(super) fn span(&self, marks: Marks) -> Span {
        Span::new(self.byte(marks.start.index()), self.byte(marks.end.index()))
    }
}
