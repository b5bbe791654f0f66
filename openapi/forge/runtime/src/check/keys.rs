//! The names of an object's members, on their way to a type, each found in the schema.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, Visitor};

use super::tree::RESERVED;
use super::tree_deserializer::read_as_it_is;
use super::validating::ensure;
use crate::table::{ObjectRules, Property};

/// Where a schema has a property. Names mostly come in its order: the search begins
/// behind the one before.
pub(super) fn place(rules: &ObjectRules, name: &str, after: usize) -> Option<usize> {
    let (before, behind) = rules.properties.split_at_checked(after)?;
    let is_it = |property: &Property| property.name == name;
    match behind.iter().position(is_it) {
        Some(place) => Some(after + place),
        None => before.iter().position(is_it),
    }
}

/// Finds the property that is named next.
pub(super) struct PropertyLookup<'s, 'k> {
    pub(super) rules: &'s ObjectRules,
    /// Behind the one before.
    pub(super) after: usize,
    /// Its place; none for a name that is not known.
    pub(super) known: &'k mut Option<usize>,
}

impl PropertyLookup<'_, '_> {
    fn see<E: Error>(self, name: &str) -> Result<(), E> {
        *self.known = place(self.rules, name, self.after);
        ensure(self.known.is_some() || !name.starts_with(RESERVED))
    }
}

/// The seed of a name, its deserializer and its visitor, with the finder.
pub(super) struct KeySeed<'s, 'k, T> {
    pub(super) lookup: PropertyLookup<'s, 'k>,
    pub(super) of: T,
}

impl<'t, S: DeserializeSeed<'t>> DeserializeSeed<'t> for KeySeed<'_, '_, S> {
    type Value = S::Value;

    fn deserialize<D: Deserializer<'t>>(self, json: D) -> Result<S::Value, D::Error> {
        let KeySeed { lookup, of: seed } = self;
        seed.deserialize(KeySeed { lookup, of: json })
    }
}

impl<'t, D: Deserializer<'t>> Deserializer<'t> for KeySeed<'_, '_, D> {
    type Error = D::Error;

    fn deserialize_any<V: Visitor<'t>>(self, visitor: V) -> Result<V::Value, D::Error> {
        let KeySeed { lookup, of: json } = self;
        json.deserialize_str(KeySeed {
            lookup,
            of: visitor,
        })
    }

    fn deserialize_option<V: Visitor<'t>>(self, visitor: V) -> Result<V::Value, D::Error> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'t>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        visitor.visit_newtype_struct(self)
    }

    read_as_it_is! { ignored_any }
}

impl<'t, V: Visitor<'t>> Visitor<'t> for KeySeed<'_, '_, V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.of.expecting(f)
    }

    fn visit_borrowed_str<E: Error>(self, name: &'t str) -> Result<V::Value, E> {
        self.lookup.see(name)?;
        self.of.visit_borrowed_str(name)
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<V::Value, E> {
        self.lookup.see(name)?;
        self.of.visit_str(name)
    }
}
