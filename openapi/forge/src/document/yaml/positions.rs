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

    /// Inserts characters that are not in the file: how many, before which character. The places
    /// are in their order.
    pub(super) fn insert(&mut self, inserted: impl Iterator<Item = (usize, usize)>) {
        let length = self.length as u32;
        let starts = self.starts.take();
        let starts = starts.unwrap_or_else(|| (0..length).collect());
        let mut all = Vec::with_capacity(starts.len());
        let mut inserted = inserted.peekable();
        for (index, start) in starts.into_iter().enumerate() {
            if let Some((_, count)) = inserted.next_if(|(before, _)| *before == index) {
                all.extend(std::iter::repeat_n(start, count));
            }
            all.push(start);
        }
        self.starts = Some(all);
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
