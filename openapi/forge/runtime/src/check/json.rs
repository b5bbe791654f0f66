//! What the checks need to know of JSON, so that one set of them serves every
//! form that it is held in: `serde_json`'s values, which own what they hold, and
//! [`Tree`](super::Tree), which borrows it from the text.

use serde_json::{Map, Number, Value};

/// JSON that can be checked.
pub trait Json: Sized {
    /// The members of an object.
    type Members: Members<Self>;

    /// What the value is.
    fn kind(&self) -> Kind<'_, Self>;
}

/// A JSON value, by its type.
#[derive(Debug)]
pub enum Kind<'v, J: Json> {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number.
    Number(&'v Number),
    /// A string.
    String(&'v str),
    /// An array.
    Array(&'v [J]),
    /// An object.
    Object(&'v J::Members),
}

/// The members of an object, each name once.
pub trait Members<J> {
    /// How many there are.
    fn len(&self) -> usize;

    /// Whether there are none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The member of this name.
    fn get(&self, name: &str) -> Option<&J>;

    /// All of them, in the order of the text.
    fn iter<'v>(&'v self) -> impl Iterator<Item = (&'v str, &'v J)>
    where
        J: 'v;
}

impl Json for Value {
    type Members = Map<String, Value>;

    #[inline]
    fn kind(&self) -> Kind<'_, Self> {
        match self {
            Value::Null => Kind::Null,
            Value::Bool(value) => Kind::Bool(*value),
            Value::Number(number) => Kind::Number(number),
            Value::String(text) => Kind::String(text),
            Value::Array(items) => Kind::Array(items),
            Value::Object(members) => Kind::Object(members),
        }
    }
}

/// So few members are found faster one by one than by the hash of a name.
const MAX_LINEAR_SEARCH: usize = 16;

impl Members<Value> for Map<String, Value> {
    fn len(&self) -> usize {
        Map::len(self)
    }

    fn get(&self, name: &str) -> Option<&Value> {
        match Map::len(self) <= MAX_LINEAR_SEARCH {
            true => {
                let mut members = Map::iter(self);
                members
                    .find(|(known, _)| *known == name)
                    .map(|(_, value)| value)
            }
            false => Map::get(self, name),
        }
    }

    fn iter<'v>(&'v self) -> impl Iterator<Item = (&'v str, &'v Value)>
    where
        Value: 'v,
    {
        Map::iter(self).map(|(name, value)| (name.as_str(), value))
    }
}
