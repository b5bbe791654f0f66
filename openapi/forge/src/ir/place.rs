//! Places in a document.

use std::fmt;
use std::sync::Arc;

/// A place in the document, for people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    /// JSON Pointer.
    pub pointer: String,
    /// File and line.
    pub place: Place,
}

/// A line of one of the files that a document is made of.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Place {
    /// Name of the file, as it was given.
    pub file: Arc<str>,
    /// Line, counted from one.
    pub line: usize,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}
