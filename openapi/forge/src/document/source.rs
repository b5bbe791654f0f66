//! Texts and positions in them.
//!
//! A document may be made of several files. They share one address space: the first file
//! begins at 0, and each other file one byte after the end of the previous one. So a
//! [`Span`] is a pair of offsets, in any file, and a [`Source`] finds the file, the line
//! and the column.

/// The text of a document, with the files that it refers to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// The name of the document: the path from the caller.
    pub name: String,
    /// The whole text of the document, with its byte order mark if it has one.
    pub text: String,
    /// The other files, in the order in which they were read.
    others: Vec<(String, String)>,
}

/// One file of a [`Source`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct File<'s> {
    /// Its name; a path like that of the document.
    pub name: &'s str,
    /// Its whole text, with its byte order mark if it has one.
    pub text: &'s str,
    /// The offset of its first byte.
    pub start: usize,
}

/// A place in a [`Source`], for people. Displayed as `file:line:column`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place<'s> {
    /// The name of the file.
    pub file: &'s str,
    /// The line, counted from 1.
    pub line: usize,
    /// The column, counted from 1 in characters.
    pub column: usize,
}

impl std::fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

impl Source {
    /// A source of one file with this name and text.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Source {
        Source {
            name: name.into(),
            text: text.into(),
            others: Vec::new(),
        }
    }

    /// Adds a file, and returns the offset of its first byte.
    pub(super) fn add(&mut self, name: String, text: String) -> usize {
        let last = self.files().last();
        let start = last.map_or(0, |last| last.start + last.text.len() + 1);
        self.others.push((name, text));
        start
    }

    /// All files; the first is the document itself.
    pub fn files(&self) -> impl Iterator<Item = File<'_>> {
        let others = self.others.iter().map(|(name, text)| (name, text));
        let mut next = 0;
        std::iter::once((&self.name, &self.text))
            .chain(others)
            .map(move |(name, text)| {
                let start = next;
                next += text.len() + 1;
                File { name, text, start }
            })
    }

    /// The file that holds an offset. An offset past all ends is in the last file.
    pub fn file(&self, offset: usize) -> File<'_> {
        let own = File {
            name: &self.name,
            text: &self.text,
            start: 0,
        };
        self.files()
            .take_while(|file| file.start <= offset)
            .last()
            .unwrap_or(own)
    }

    /// The text of a span, which is in one file.
    pub(crate) fn text_of(&self, span: Span) -> Option<&str> {
        let file = self.file(span.start);
        file.text
            .get(span.start - file.start..span.end.checked_sub(file.start)?)
    }

    /// Whether a span is in the document itself, and not in another file.
    pub fn is_own(&self, span: Span) -> bool {
        self.file(span.start).start == 0
    }

    /// The file, the line and the column of an offset.
    pub fn place(&self, offset: usize) -> Place<'_> {
        let file = self.file(offset);
        let (line, column) = file.line_column(offset);
        Place {
            file: file.name,
            line,
            column,
        }
    }

    /// Line and column of an offset in its file, both counted from 1, columns in
    /// characters. An offset past the end is the end.
    pub fn line_column(&self, offset: usize) -> (usize, usize) {
        self.file(offset).line_column(offset)
    }
}

impl File<'_> {
    /// Line and column of an offset of the [`Source`].
    fn line_column(&self, offset: usize) -> (usize, usize) {
        let offset = offset.saturating_sub(self.start);
        let before = &self.text[..self.text.floor_char_boundary(offset)];
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
    /// Offset after the last byte.
    pub end: usize,
}

impl Span {
    /// The bytes from `start` up to `end`.
    pub fn new(start: usize, end: usize) -> Span {
        Span { start, end }
    }
}
