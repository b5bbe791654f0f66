//! Values part by part, on their way from a text to a type: each element and member is
//! held against its schema as it comes.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::Number;

use super::keys::{KeySeed, PropertyLookup};
use super::number::without_fraction;
use super::validating::{ANYTHING, Cursor, Reading, ensure, invalid};
use super::{Kind, Tree};
use crate::table::{Additional, ObjectRules, Schema};

/// Validates a value element by element and member by member, on its way to a visitor.
pub(super) struct ValidatingVisitor<'s, 'r, V> {
    pub(super) cursor: Cursor<'s, 'r>,
    /// The properties that an object must have, as in [`Schema::required_mask`].
    pub(super) required_mask: u64,
    pub(super) visitor: V,
}

impl<'t, V: Visitor<'t>> Visitor<'t> for ValidatingVisitor<'_, '_, V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.visitor.expecting(f)
    }

    fn visit_unit<E: Error>(self) -> Result<V::Value, E> {
        self.cursor.scalar(Kind::Null)?;
        self.visitor.visit_unit()
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<V::Value, E> {
        self.cursor.scalar(Kind::Bool(value))?;
        self.visitor.visit_bool(value)
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<V::Value, E> {
        self.cursor.scalar(Kind::Number(&Number::from(value)))?;
        self.visitor.visit_i64(value)
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<V::Value, E> {
        self.cursor.scalar(Kind::Number(&Number::from(value)))?;
        self.visitor.visit_u64(value)
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<V::Value, E> {
        let number = Number::from_f64(value).ok_or_else(invalid)?;
        if without_fraction(&number).is_some() {
            self.cursor.reading.fractions.set(true);
        }
        self.cursor.scalar(Kind::Number(&number))?;
        self.visitor.visit_f64(value)
    }

    fn visit_borrowed_str<E: Error>(self, text: &'t str) -> Result<V::Value, E> {
        self.cursor.scalar(Kind::String(text))?;
        self.visitor.visit_borrowed_str(text)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<V::Value, E> {
        self.cursor.scalar(Kind::String(text))?;
        self.visitor.visit_str(text)
    }

    fn visit_seq<A: SeqAccess<'t>>(self, json: A) -> Result<V::Value, A::Error> {
        ensure(self.cursor.admits(&Tree::EMPTY_ARRAY))?;
        let Cursor { schema, reading } = self.cursor;
        let rules = schema.array;
        let items = rules.and_then(|rules| rules.items);
        let mut elements = Elements {
            json,
            schema: items.unwrap_or(&ANYTHING),
            reading,
            count: 0,
        };
        let value = self.visitor.visit_seq(&mut elements)?;
        let count = elements.count;
        ensure(rules.is_none_or(|rules| {
            rules.min_items.is_none_or(|least| count >= least)
                && rules.max_items.is_none_or(|most| count <= most)
        }))?;
        Ok(value)
    }

    fn visit_map<A: MapAccess<'t>>(self, json: A) -> Result<V::Value, A::Error> {
        ensure(self.cursor.admits(&Tree::EMPTY_OBJECT))?;
        let Cursor { schema, reading } = self.cursor;
        let mut members = Members {
            json,
            rules: schema.object.unwrap_or(&ObjectRules::ANY),
            reading,
            seen: 0,
            after: 0,
            schema: &ANYTHING,
        };
        let value = self.visitor.visit_map(&mut members)?;
        ensure(self.required_mask & !members.seen == 0)?;
        Ok(value)
    }
}

/// The elements of an array. `serde_json` fails if a visitor does not read all of them.
struct Elements<'s, 'r, A> {
    json: A,
    schema: &'s Schema,
    reading: &'r mut Reading,
    count: u64,
}

impl<'t, A: SeqAccess<'t>> SeqAccess<'t> for Elements<'_, '_, A> {
    type Error = A::Error;

    fn next_element_seed<S: DeserializeSeed<'t>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, A::Error> {
        let cursor = Cursor {
            schema: self.schema,
            reading: &mut *self.reading,
        };
        let element = self.json.next_element_seed(ElementSeed { cursor, seed })?;
        self.count += u64::from(element.is_some());
        Ok(element)
    }
}

/// The members of an object.
struct Members<'s, 'r, A> {
    json: A,
    rules: &'s ObjectRules,
    reading: &'r mut Reading,
    /// The properties that the object has, as bits by their positions in the schema.
    seen: u64,
    /// The position after the previous property.
    after: usize,
    /// The schema of the member whose name was read last.
    schema: &'s Schema,
}

impl<'t, A: MapAccess<'t>> MapAccess<'t> for Members<'_, '_, A> {
    type Error = A::Error;

    fn next_key_seed<S: DeserializeSeed<'t>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, A::Error> {
        let rules = self.rules;
        let mut known = None;
        let lookup = PropertyLookup {
            rules,
            after: self.after,
            known: &mut known,
        };
        let Some(value) = self.json.next_key_seed(KeySeed { lookup, of: seed })? else {
            return Ok(None);
        };
        self.schema = match (known, &rules.additional) {
            (Some(place), _) => {
                let bit = 1 << place;
                ensure(self.seen & bit == 0)?;
                self.seen |= bit;
                self.after = place + 1;
                rules.properties[place].schema
            }
            (None, Additional::Allowed) => &ANYTHING,
            (None, Additional::Denied) => return Err(invalid()),
            (None, Additional::Schema(schema)) => schema,
        };
        Ok(Some(value))
    }

    fn next_value_seed<S: DeserializeSeed<'t>>(&mut self, seed: S) -> Result<S::Value, A::Error> {
        let cursor = Cursor {
            schema: self.schema,
            reading: &mut *self.reading,
        };
        self.json.next_value_seed(ElementSeed { cursor, seed })
    }
}

/// Reads an element or a member with `seed`.
struct ElementSeed<'s, 'r, S> {
    cursor: Cursor<'s, 'r>,
    seed: S,
}

impl<'t, S: DeserializeSeed<'t>> DeserializeSeed<'t> for ElementSeed<'_, '_, S> {
    type Value = S::Value;

    fn deserialize<D: Deserializer<'t>>(self, json: D) -> Result<S::Value, D::Error> {
        self.cursor.deserialize(self.seed, json)
    }
}
