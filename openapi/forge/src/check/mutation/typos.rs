//! Slips of the fingers, as edits of a document's text.
//!
//! They are made at every key that the specification or the generator defines, in the text as it
//! is written: a key is misspelled, duplicated, indented by one step, or loses its dash; a value
//! gets brackets, quotes or a tab. The generator alone should notice each of them.

mod layout;
mod operators;

use std::fmt;
use std::ops::Range;

use crate::document::{Diagnostics, Document};
use crate::structure::{self, KeyPlace};

use layout::Layout;

/// A kind of slip.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Slip {
    /// A letter of a key is missing.
    LetterDropped,
    /// A letter of a key is there twice.
    LetterDoubled,
    /// Two letters of a key are exchanged.
    LettersSwapped,
    /// A letter of a key is another one.
    LetterReplaced,
    /// A key is there twice.
    KeyDuplicated,
    /// A line begins one step further right or left.
    LineIndented,
    /// A key and everything below it begins one step further right or left.
    BlockIndented,
    /// An item of a list has no dash.
    DashDropped,
    /// The first item of a list stands in the place of the list.
    ScalarForList,
    /// A scalar stands in brackets.
    ListForScalar,
    /// A boolean or a number stands in quotes.
    Quoted,
    /// A tab stands where spaces belong.
    Tab,
    /// A key that the specification requires is missing.
    KeyDropped,
}

/// All slips, with their names.
const SLIPS: [(Slip, &str); 13] = [
    (Slip::LetterDropped, "letter dropped"),
    (Slip::LetterDoubled, "letter doubled"),
    (Slip::LettersSwapped, "letters swapped"),
    (Slip::LetterReplaced, "letter replaced"),
    (Slip::KeyDuplicated, "key duplicated"),
    (Slip::LineIndented, "line indented"),
    (Slip::BlockIndented, "block indented"),
    (Slip::DashDropped, "dash dropped"),
    (Slip::ScalarForList, "scalar for a list"),
    (Slip::ListForScalar, "list for a scalar"),
    (Slip::Quoted, "boolean or number quoted"),
    (Slip::Tab, "tab"),
    (Slip::KeyDropped, "required key dropped"),
];

impl Slip {
    /// All of them.
    pub fn all() -> impl Iterator<Item = Slip> {
        SLIPS.iter().map(|(slip, _)| *slip)
    }
}

impl fmt::Display for Slip {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let found = SLIPS.iter().find(|(slip, _)| slip == self);
        f.write_str(found.map_or("", |(_, name)| name))
    }
}

/// One edit of a text.
#[derive(Debug, Clone)]
pub struct Typo {
    /// The kind of edit.
    pub slip: Slip,
    /// The key, as a JSON Pointer to its value in the unchanged document.
    pub pointer: String,
    /// The offset of the key in the unchanged text.
    pub at: usize,
    /// The bytes that are replaced, from the last to the first, each with its replacement.
    edits: Vec<(Range<usize>, String)>,
}

impl Typo {
    /// The text with the edit. None if the edit leaves the text as it was.
    pub fn apply(&self, text: &str) -> Option<String> {
        let mut edited = text.to_owned();
        for (range, replacement) in &self.edits {
            edited.replace_range(range.clone(), replacement);
        }
        (edited != text).then_some(edited)
    }
}

/// Every slip of a YAML text, in the order of its keys.
///
/// # Errors
///
/// Everything that is wrong with the text.
pub fn typos(name: &str, text: &str) -> Result<Vec<Typo>, Diagnostics> {
    let document = Document::read(name, text)?;
    let layout = Layout::new(text, &document.root);
    let mut found = Vec::new();
    for place in structure::keys(&document) {
        operators::all(&layout, &place, &mut |slip, edits| {
            found.push(typo(slip, &place, edits));
        });
    }
    found.retain(|typo| typo.apply(text).is_some());
    Ok(found)
}

fn typo(slip: Slip, place: &KeyPlace<'_>, mut edits: Vec<(Range<usize>, String)>) -> Typo {
    edits.sort_by_key(|(range, _)| std::cmp::Reverse(range.start));
    Typo {
        slip,
        pointer: place.pointer.clone(),
        at: place.span.start,
        edits,
    }
}

#[cfg(test)]
mod tests;
