//! Reads generated structs from the members of objects.

use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;

use serde::de::{DeserializeSeed, Error as _, IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

/// A struct that is read from the members of an object.
pub trait Fields: Sized {
    /// The names of its members, in the order of its fields.
    const NAMES: &'static [&'static str];

    /// Reads the members in any order.
    ///
    /// # Errors
    ///
    /// A member is missing, repeated, or invalid for the type of its field.
    fn read<'de, A: MapAccess<'de>>(members: &mut Members<A>) -> Result<Self, A::Error>;
}

/// The members of an object that have no fields.
pub trait Others {
    /// The type of each member.
    type Value;

    /// Stores one member.
    fn keep(&mut self, name: String, value: Self::Value);
}

impl<T> Others for BTreeMap<String, T> {
    type Value = T;

    fn keep(&mut self, name: String, value: T) {
        self.insert(name, value);
    }
}

impl Others for Map<String, Value> {
    type Value = Value;

    fn keep(&mut self, name: String, value: Value) {
        self.insert(name, value);
    }
}

/// Reads a struct.
///
/// # Errors
///
/// Those of [`Fields::read`], and a value that is not an object.
pub fn read<'de, D, T>(from: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Fields,
{
    from.deserialize_map(Object(PhantomData))
}

struct Object<T>(PhantomData<T>);

impl<'de, T: Fields> Visitor<'de> for Object<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<T, A::Error> {
        T::read(&mut Members {
            map,
            names: T::NAMES,
            after: 0,
        })
    }
}

/// The members of the object that is being read.
pub struct Members<A> {
    map: A,
    names: &'static [&'static str],
    /// The place after the member that was found last.
    after: usize,
}

impl<'de, A: MapAccess<'de>> Members<A> {
    /// Returns the place of the next name. Members with other names are skipped.
    ///
    /// # Errors
    ///
    /// The input is not valid JSON.
    pub fn next_field(&mut self) -> Result<Option<usize>, A::Error> {
        loop {
            match self.map.next_key_seed(self.name(|_| ()))? {
                Some(Ok(place)) => return Ok(Some(self.found(place))),
                Some(Err(())) => {
                    self.map.next_value::<IgnoredAny>()?;
                }
                None => return Ok(None),
            }
        }
    }

    /// Returns the place of the next name. Members with other names are read into `others`.
    ///
    /// # Errors
    ///
    /// The input is not valid JSON, or a member is invalid for the type of the map.
    pub fn next_field_or<O: Others>(&mut self, others: &mut O) -> Result<Option<usize>, A::Error>
    where
        O::Value: Deserialize<'de>,
    {
        loop {
            match self.map.next_key_seed(self.name(str::to_owned))? {
                Some(Ok(place)) => return Ok(Some(self.found(place))),
                Some(Err(name)) => {
                    others.keep(name, self.map.next_value()?);
                }
                None => return Ok(None),
            }
        }
    }

    /// Reads the value of the member whose name was read last.
    ///
    /// # Errors
    ///
    /// The value is invalid for its type, or the member is repeated.
    pub fn value<T: Deserialize<'de>>(&mut self, into: &mut Option<T>) -> Result<(), A::Error> {
        if into.is_some() {
            let name = self.names.get(self.after.wrapping_sub(1));
            return Err(A::Error::duplicate_field(name.unwrap_or(&"")));
        }
        *into = Some(self.map.next_value()?);
        Ok(())
    }

    /// Returns the value of a required member.
    ///
    /// # Errors
    ///
    /// The member is missing.
    pub fn required<T>(&self, name: &'static str, value: Option<T>) -> Result<T, A::Error> {
        value.ok_or_else(|| A::Error::missing_field(name))
    }

    fn name<O>(&self, other: fn(&str) -> O) -> Name<O> {
        Name {
            names: self.names,
            after: self.after,
            other,
        }
    }

    fn found(&mut self, place: usize) -> usize {
        self.after = place + 1;
        place
    }
}

/// Finds the place of a name. Members mostly come in the order of the document, so the search
/// begins after the member that was found last.
struct Name<O> {
    names: &'static [&'static str],
    after: usize,
    other: fn(&str) -> O,
}

impl<'de, O> DeserializeSeed<'de> for Name<O> {
    type Value = Result<usize, O>;

    fn deserialize<D: Deserializer<'de>>(self, name: D) -> Result<Self::Value, D::Error> {
        name.deserialize_str(self)
    }
}

impl<O> Visitor<'_> for Name<O> {
    type Value = Result<usize, O>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a name")
    }

    fn visit_str<E>(self, name: &str) -> Result<Self::Value, E> {
        let (before, behind) = self.names.split_at(self.after.min(self.names.len()));
        let is_it = |known: &&str| *known == name;
        Ok(match behind.iter().position(is_it) {
            Some(place) => Ok(before.len() + place),
            None => {
                let place = before.iter().position(is_it);
                place.ok_or_else(|| (self.other)(name))
            }
        })
    }
}
