//! The kinds of slips: typing mistakes in the text of a document.

use std::fmt;

/// A kind of slip.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Slip {
    /// A letter of a key is missing.
    LetterDropped,
    /// A letter of a key is doubled.
    LetterDoubled,
    /// Two letters of a key are exchanged.
    LettersSwapped,
    /// Another letter replaces a letter of a key.
    LetterReplaced,
    /// A key occurs twice in an object.
    KeyDuplicated,
    /// The indentation of a line is one step larger or smaller.
    LineIndented,
    /// The indentation of a key and of everything below it is one step larger or smaller.
    BlockIndented,
    /// An item of a list has no dash.
    DashDropped,
    /// The first item of a list replaces the list.
    ScalarForList,
    /// A scalar is in brackets.
    ListForScalar,
    /// A boolean or a number is in quotes.
    Quoted,
    /// A tab replaces spaces.
    Tab,
    /// A key that the specification requires is missing.
    KeyDropped,
}

/// All kinds, with their names.
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
    /// All kinds of slips.
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
