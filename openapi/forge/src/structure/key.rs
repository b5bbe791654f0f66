//! What the tables of [`tables`](super::tables) are made of: objects, keys, and types of values.

use crate::document::{Document, is_of_31};

/// A version of OpenAPI.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Version {
    /// OpenAPI 3.0.
    V30,
    /// OpenAPI 3.1.
    V31,
}

impl Version {
    /// The version whose tables apply: 3.1 if the document says so, and otherwise 3.0.
    pub fn of(document: &Document) -> Version {
        match is_of_31(&document.root) {
            true => Version::V31,
            false => Version::V30,
        }
    }
}

/// An object of the specification.
#[derive(Debug)]
pub struct Object {
    /// Its name in messages, with the article: `an operation`.
    pub name: &'static str,
    /// The section of the specification that defines it, or the extension: `Operation Object`.
    pub section: &'static str,
    /// Its keys. A key whose type differs between versions has an entry for each.
    pub keys: &'static [Key],
    /// What stands under keys that are patterns, such as paths and statuses.
    pub patterned: Option<Holds>,
    /// Whether a Reference Object may stand in its place.
    pub is_referable: bool,
    /// Whether a boolean may stand in its place, and in which version (JSON Schema 2020-12).
    pub boolean: Option<Version>,
}

/// A key of an object.
#[derive(Debug, Clone, Copy)]
pub struct Key {
    /// The key.
    pub name: &'static str,
    /// The type of its value.
    pub holds: Holds,
    /// What the generator does with it.
    pub fate: Fate,
    /// Whether the specification requires it.
    pub is_required: bool,
    /// The only version that has it, if not both have it.
    pub only: Option<Version>,
    /// Why it is not read, or how to write its value.
    pub note: &'static str,
}

/// What the generator does with a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// Generated code depends on it.
    Read,
    /// It is only for readers of the document, and published with it.
    Ignored,
    /// The document is accepted with a warning: generated code does not do what the key says.
    Warned,
    /// It narrows what is valid, and is not checked: the rewriting of OpenAPI 3.1 warns of it.
    Loosened,
    /// The document is refused.
    Refused,
}

impl Fate {
    /// The word for it in the page of constructs.
    pub fn word(self) -> &'static str {
        match self {
            Fate::Read => "read",
            Fate::Ignored => "ignored by design",
            Fate::Warned => "warned of",
            Fate::Loosened => "not checked",
            Fate::Refused => "refused",
        }
    }
}

/// The type of a value.
#[derive(Debug, Clone, Copy)]
pub enum Holds {
    /// Any value.
    Any,
    /// A string.
    Text,
    /// A string for readers. Nothing is lost if it is empty.
    Prose,
    /// A string that is a URL or a URL reference.
    Url,
    /// A boolean.
    Boolean,
    /// A number.
    Number,
    /// A whole number from 0 up.
    Count,
    /// A list of any values.
    Values,
    /// A list of strings.
    Texts,
    /// A string, or a list of strings.
    TextOrTexts,
    /// An object that holds strings under names that the author chooses.
    TextMap,
    /// An object that holds lists of strings under names that the author chooses.
    TextsMap,
    /// An object that holds any values under names that the author chooses.
    ValueMap,
    /// Security requirements, which have checks of their own.
    Security,
    /// An object.
    One(&'static Object),
    /// A boolean or an object.
    BooleanOr(&'static Object),
    /// A list of objects.
    List(&'static Object),
    /// Objects under names that the author chooses.
    Map(&'static Object),
}

impl Holds {
    /// The object that it leads to.
    pub fn object(self) -> Option<&'static Object> {
        match self {
            Holds::One(object)
            | Holds::BooleanOr(object)
            | Holds::List(object)
            | Holds::Map(object) => Some(object),
            _ => None,
        }
    }

    /// The type for people: `a list of strings`.
    pub fn describe(self) -> String {
        match self {
            Holds::Any => "any value".to_owned(),
            Holds::Text | Holds::Prose => "a string".to_owned(),
            Holds::Url => "a URL".to_owned(),
            Holds::Boolean => "true or false".to_owned(),
            Holds::Number => "a number".to_owned(),
            Holds::Count => "a whole number from 0 up".to_owned(),
            Holds::Values => "a list".to_owned(),
            Holds::Texts => "a list of strings".to_owned(),
            Holds::TextOrTexts => "a string or a list of strings".to_owned(),
            Holds::TextMap => "an object that holds strings".to_owned(),
            Holds::TextsMap => "an object that holds lists of strings".to_owned(),
            Holds::ValueMap => "an object".to_owned(),
            Holds::Security => "a list of security requirements".to_owned(),
            Holds::One(object) => object.indefinite(),
            Holds::BooleanOr(object) => format!("true, false or {}", object.indefinite()),
            Holds::List(object) => format!("a list of which each item is {}", object.indefinite()),
            Holds::Map(object) => format!("a map of which each value is {}", object.indefinite()),
        }
    }
}

impl Object {
    /// Its section with the article: `an Operation Object`.
    fn indefinite(&self) -> String {
        match self.section.starts_with(['A', 'E', 'I', 'O', 'X']) {
            true => format!("an {}", self.section),
            false => format!("a {}", self.section),
        }
    }

    /// The entry of a key in a version.
    pub fn key(&self, name: &str, version: Version) -> Option<&'static Key> {
        self.keys_of(version).find(|key| key.name == name)
    }

    /// The keys that a version has.
    pub fn keys_of(&self, version: Version) -> impl Iterator<Item = &'static Key> {
        let keys = self.keys.iter();
        keys.filter(move |key| key.only.is_none_or(|only| only == version))
    }
}

/// An object without keys, to be filled in.
pub(super) const fn object(name: &'static str, section: &'static str) -> Object {
    Object {
        name,
        section,
        keys: &[],
        patterned: None,
        is_referable: false,
        boolean: None,
    }
}

/// An object in whose place a reference may stand.
pub(super) const fn referable(name: &'static str, section: &'static str) -> Object {
    Object {
        is_referable: true,
        ..object(name, section)
    }
}

/// A key that generated code depends on.
pub(super) const fn read(name: &'static str, holds: Holds) -> Key {
    Key {
        name,
        holds,
        fate: Fate::Read,
        is_required: false,
        only: None,
        note: "",
    }
}

/// A key for readers of the document.
pub(super) const fn ignored(name: &'static str, holds: Holds) -> Key {
    Key {
        fate: Fate::Ignored,
        ..read(name, holds)
    }
}

/// A key that is not done as it says, and why.
pub(super) const fn warned(name: &'static str, holds: Holds, note: &'static str) -> Key {
    Key {
        fate: Fate::Warned,
        note,
        ..read(name, holds)
    }
}

/// A keyword that the model does not have, and that servers accept more without.
pub(super) const fn loosened(name: &'static str, holds: Holds) -> Key {
    Key {
        fate: Fate::Loosened,
        ..read(name, holds)
    }
}

/// A key that the generator does not support, and what to write instead.
pub(super) const fn refused(name: &'static str, holds: Holds, note: &'static str) -> Key {
    Key {
        fate: Fate::Refused,
        note,
        ..read(name, holds)
    }
}

impl Key {
    /// The specification requires it.
    pub(super) const fn required(self) -> Key {
        Key {
            is_required: true,
            ..self
        }
    }

    /// Only OpenAPI 3.0 has it, or has it with this type.
    pub(super) const fn in_30(self) -> Key {
        Key {
            only: Some(Version::V30),
            ..self
        }
    }

    /// Only OpenAPI 3.1 has it, or has it with this type.
    pub(super) const fn in_31(self) -> Key {
        Key {
            only: Some(Version::V31),
            ..self
        }
    }

    /// How to write its value.
    pub(super) const fn note(self, note: &'static str) -> Key {
        Key { note, ..self }
    }
}
