//! The types of the tables in [`tables`](super::tables): objects, keys, and types of values.

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
    /// The type of the values under keys that are patterns, such as paths and statuses.
    pub patterned: Option<ValueType>,
    /// Whether a Reference Object may replace it.
    pub is_referable: bool,
    /// The version in which a boolean may replace it (JSON Schema 2020-12).
    pub boolean: Option<Version>,
}

/// A key of an object.
#[derive(Debug, Clone, Copy)]
pub struct Key {
    /// The key.
    pub name: &'static str,
    /// The type of its value.
    pub value_type: ValueType,
    /// How the generator treats the key.
    pub support: Support,
    /// Whether the specification requires it.
    pub is_required: bool,
    /// The version that has the key, if only one has it.
    pub only: Option<Version>,
    /// Why the key is not read, or how to write its value.
    pub note: &'static str,
}

/// How the generator treats a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Support {
    /// Generated code depends on the key.
    Read,
    /// The key is only for readers of the document, and is published with it.
    Ignored,
    /// The document is accepted with a warning: generated code does not implement the key.
    Warned,
    /// The key narrows the valid values, and is not checked. The rewriting of OpenAPI 3.1 warns of
    /// it.
    Loosened,
    /// The document is refused.
    Refused,
}

impl Support {
    /// Its name in the page of constructs.
    pub fn word(self) -> &'static str {
        match self {
            Support::Read => "read",
            Support::Ignored => "ignored by design",
            Support::Warned => "warned of",
            Support::Loosened => "not checked",
            Support::Refused => "refused",
        }
    }
}

/// The type of a value.
#[derive(Debug, Clone, Copy)]
pub enum ValueType {
    /// Any value.
    Any,
    /// A string.
    Text,
    /// A string for readers, which may be empty.
    Prose,
    /// A string that is a URL or a URL reference.
    Url,
    /// A boolean.
    Boolean,
    /// A number.
    Number,
    /// A number, or the flag that it was in OpenAPI 3.0.
    NumberOrFlag,
    /// A non-negative integer.
    Count,
    /// A list of any values.
    Values,
    /// A list of strings.
    Texts,
    /// A string, or a list of strings.
    TextOrTexts,
    /// An object of strings under names that the author chooses.
    TextMap,
    /// An object of lists of strings under names that the author chooses.
    TextsMap,
    /// An object of any values under names that the author chooses.
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

impl ValueType {
    /// The object in a value of this type.
    pub fn object(self) -> Option<&'static Object> {
        match self {
            ValueType::One(object)
            | ValueType::BooleanOr(object)
            | ValueType::List(object)
            | ValueType::Map(object) => Some(object),
            _ => None,
        }
    }

    /// The type for people: `a list of strings`.
    pub fn describe(self) -> String {
        match self {
            ValueType::Any => "any value".to_owned(),
            ValueType::Text | ValueType::Prose => "a string".to_owned(),
            ValueType::Url => "a URL".to_owned(),
            ValueType::Boolean => "true or false".to_owned(),
            ValueType::Number | ValueType::NumberOrFlag => "a number".to_owned(),
            ValueType::Count => "a whole number from 0 up".to_owned(),
            ValueType::Values => "a list".to_owned(),
            ValueType::Texts => "a list of strings".to_owned(),
            ValueType::TextOrTexts => "a string or a list of strings".to_owned(),
            ValueType::TextMap => "an object that holds strings".to_owned(),
            ValueType::TextsMap => "an object that holds lists of strings".to_owned(),
            ValueType::ValueMap => "an object".to_owned(),
            ValueType::Security => "a list of security requirements".to_owned(),
            ValueType::One(object) => object.indefinite(),
            ValueType::BooleanOr(object) => format!("true, false or {}", object.indefinite()),
            ValueType::List(object) => {
                format!("a list of which each item is {}", object.indefinite())
            }
            ValueType::Map(object) => {
                format!("a map of which each value is {}", object.indefinite())
            }
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

    /// Whether both are the same object of the tables.
    pub fn is(&self, other: &Object) -> bool {
        std::ptr::eq(self, other)
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

/// An object that a reference may replace.
pub(super) const fn referable(name: &'static str, section: &'static str) -> Object {
    Object {
        is_referable: true,
        ..object(name, section)
    }
}

/// A key that generated code depends on.
pub(super) const fn read(name: &'static str, value_type: ValueType) -> Key {
    Key {
        name,
        value_type,
        support: Support::Read,
        is_required: false,
        only: None,
        note: "",
    }
}

/// A key for readers of the document.
pub(super) const fn ignored(name: &'static str, value_type: ValueType) -> Key {
    Key {
        support: Support::Ignored,
        ..read(name, value_type)
    }
}

/// A key that generated code does not implement, with the reason.
pub(super) const fn warned(name: &'static str, value_type: ValueType, note: &'static str) -> Key {
    Key {
        support: Support::Warned,
        note,
        ..read(name, value_type)
    }
}

/// A keyword that the model does not have; servers accept more values without it.
pub(super) const fn loosened(name: &'static str, value_type: ValueType) -> Key {
    Key {
        support: Support::Loosened,
        ..read(name, value_type)
    }
}

/// A key that the generator does not support, with an alternative.
pub(super) const fn refused(name: &'static str, value_type: ValueType, note: &'static str) -> Key {
    Key {
        support: Support::Refused,
        note,
        ..read(name, value_type)
    }
}

impl Key {
    /// Marks the key as required by the specification.
    pub(super) const fn required(self) -> Key {
        Key {
            is_required: true,
            ..self
        }
    }

    /// Limits the entry to OpenAPI 3.0.
    pub(super) const fn in_30(self) -> Key {
        Key {
            only: Some(Version::V30),
            ..self
        }
    }

    /// Limits the entry to OpenAPI 3.1.
    pub(super) const fn in_31(self) -> Key {
        Key {
            only: Some(Version::V31),
            ..self
        }
    }

    /// Sets the text how to write the value.
    pub(super) const fn note(self, note: &'static str) -> Key {
        Key { note, ..self }
    }
}

/// Describes a key of an object in Markdown: its type, what becomes of it, and how to write it.
pub fn describe(object: &Object, key: &Key) -> String {
    let required = match key.is_required {
        true => ", required",
        false => "",
    };
    let note = match key.note {
        "" => String::new(),
        note => format!("\n\n{note}"),
    };
    format!(
        "`{}` of {} ({}): {}{required}. Generator: {}.{note}",
        key.name,
        object.name,
        object.section,
        key.value_type.describe(),
        key.support.word(),
    )
}
