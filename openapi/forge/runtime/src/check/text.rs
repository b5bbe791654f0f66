//! JSON checked while it is read, with nothing kept of it.
//!
//! Almost every request keeps its schema, and what is asked of it first is only
//! whether it does. The text tells that on the way: members and elements are held
//! against their schemas as they come. Where a schema has to see a value as a whole,
//! because it is composed of others or counts members, a [`Tree`] is made of that
//! value alone.
//!
//! Yes is always right. No is also said of text that only may break its schema, such
//! as a name that stands twice: then a `serde_json::Value` tells.

use std::cell::Cell;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::Number;

use super::enumeration::stands_for;
use super::number::without_fraction;
use super::tree::{RESERVED, Seed};
use super::{Checker, Direction, Json, Kind, Mode, Tree, admits, is_valid};
use crate::table::{Additional, ObjectRules, Property, Schema};
use crate::violation::Location;

/// The most properties whose presence a word of bits can hold.
const MOST_PROPERTIES: usize = 64;

/// What is known of a caller's text that keeps its schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kept {
    /// Whether some integer is written with a fraction, as in `1.0`.
    pub fractions: bool,
}

/// Reads what a caller sent. None where it is no JSON, where it breaks the schema,
/// and where that cannot be told on the way.
pub fn keeps(schema: &Schema, text: &str) -> Option<Kept> {
    let mut reading = Reading {
        scalars: Checker::new(Direction::Request, Location::Body, Mode::Probing),
        fractions: Cell::new(false),
    };
    let mut json = serde_json::Deserializer::from_str(text);
    let value = Next {
        schema,
        reading: &mut reading,
    };
    value.deserialize(&mut json).ok()?;
    json.end().ok()?;
    Some(Kept {
        fractions: reading.fractions.get(),
    })
}

/// What goes along with the reading.
struct Reading {
    /// Knows the rules of values that have no parts.
    scalars: Checker<'static, Tree<'static>>,
    fractions: Cell<bool>,
}

/// The value that is read next.
struct Next<'s, 'r> {
    schema: &'s Schema,
    reading: &'r mut Reading,
}

impl Next<'_, '_> {
    /// The properties that an object must have, by their places in the schema. None
    /// where the schema asks for more than members and elements tell one by one.
    fn needed(&self) -> Option<u64> {
        let Schema {
            array,
            object,
            enumeration,
            all_of,
            any_of,
            one_of,
            not,
            ..
        } = self.schema;
        let composed = !all_of.is_empty() || !any_of.is_empty() || !one_of.is_empty();
        let unique = array.is_some_and(|rules| rules.unique);
        let mut listed = enumeration.unwrap_or_default().iter();
        if composed || not.is_some() || unique || listed.any(|text| text.starts_with(['[', '{'])) {
            return None;
        }
        let mut needed = 0;
        if let Some(rules) = object {
            let counts = rules.min_properties.is_some() || rules.max_properties.is_some();
            if counts || rules.properties.len() > MOST_PROPERTIES {
                return None;
            }
            let mut after = 0;
            for name in rules.required {
                let place = place(rules, name, after)?;
                if !rules.properties[place].read_only {
                    needed |= 1 << place;
                }
                after = place + 1;
            }
        }
        Some(needed)
    }
}

/// Where a schema has a property. Names mostly come in its order: the search begins
/// behind the one before.
fn place(rules: &ObjectRules, name: &str, after: usize) -> Option<usize> {
    let (before, behind) = rules.properties.split_at_checked(after)?;
    let is_it = |property: &Property| property.name == name;
    match behind.iter().position(is_it) {
        Some(place) => Some(after + place),
        None => before.iter().position(is_it),
    }
}

fn kept<E: Error>(kept: bool) -> Result<(), E> {
    match kept {
        true => Ok(()),
        false => Err(unkept()),
    }
}

fn unkept<E: Error>() -> E {
    E::custom("not kept")
}

impl<'t> DeserializeSeed<'t> for Next<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'t>>(self, json: D) -> Result<(), D::Error> {
        if let Some(needed) = self.needed() {
            return json.deserialize_any(Parts { next: self, needed });
        }
        let seed = Seed {
            fractions: &self.reading.fractions,
        };
        let value = seed.deserialize(json)?;
        kept(is_valid(self.schema, &value, Direction::Request))
    }
}

/// The value that is read next, part by part.
struct Parts<'s, 'r> {
    next: Next<'s, 'r>,
    /// The properties that it must have.
    needed: u64,
}

impl Parts<'_, '_> {
    /// A value without parts.
    fn scalar<E: Error>(self, value: &Tree<'_>) -> Result<(), E> {
        let Next { schema, reading } = self.next;
        let kind = value.kind();
        if schema.nullable && matches!(kind, Kind::Null) {
            return Ok(());
        }
        let stands = |listed: &[&str]| listed.iter().any(|text| stands_for(text, value));
        let fits = admits(schema.types, &kind) && schema.enumeration.is_none_or(stands);
        match kind {
            Kind::Number(number) => {
                if let Some(rules) = schema.number {
                    reading.scalars.number(rules, number);
                }
            }
            Kind::String(text) => {
                if let Some(rules) = schema.string {
                    reading.scalars.string(rules, text);
                }
            }
            Kind::Null | Kind::Bool(_) | Kind::Array(_) | Kind::Object(_) => {}
        }
        kept(fits && !reading.scalars.failed)
    }

    /// Whether the schema lets an array or an object through to its parts.
    fn admits(&self, value: &Tree<'_>) -> bool {
        let Schema {
            types, enumeration, ..
        } = self.next.schema;
        enumeration.is_none() && admits(*types, &value.kind())
    }
}

impl<'t> Visitor<'t> for Parts<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        self.scalar(&Tree::NULL)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<(), E> {
        self.scalar(&Tree::from(value))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<(), E> {
        self.scalar(&Tree::from(Number::from(value)))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<(), E> {
        self.scalar(&Tree::from(Number::from(value)))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<(), E> {
        let number = Number::from_f64(value).ok_or_else(unkept)?;
        if without_fraction(&number).is_some() {
            self.next.reading.fractions.set(true);
        }
        self.scalar(&Tree::from(number))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<(), E> {
        self.scalar(&Tree::from(text))
    }

    fn visit_seq<A: SeqAccess<'t>>(self, mut json: A) -> Result<(), A::Error> {
        kept(self.admits(&Tree::EMPTY_ARRAY))?;
        let Next { schema, reading } = self.next;
        let rules = schema.array;
        let schema = rules.and_then(|rules| rules.items).unwrap_or(&Schema::ANY);
        let mut length = 0;
        while let Some(()) = json.next_element_seed(Next {
            schema,
            reading: &mut *reading,
        })? {
            length += 1;
        }
        kept(rules.is_none_or(|rules| {
            rules.min_items.is_none_or(|least| length >= least)
                && rules.max_items.is_none_or(|most| length <= most)
        }))
    }

    fn visit_map<A: MapAccess<'t>>(self, mut json: A) -> Result<(), A::Error> {
        kept(self.admits(&Tree::EMPTY_OBJECT))?;
        let Next { schema, reading } = self.next;
        let rules = schema.object.unwrap_or(&ObjectRules::ANY);
        let mut seen = 0_u64;
        let mut after = 0;
        while let Some(known) = json.next_key_seed(Name { rules, after })? {
            let schema = match (known, &rules.additional) {
                (Some(place), _) => {
                    let bit = 1 << place;
                    kept(seen & bit == 0)?;
                    seen |= bit;
                    after = place + 1;
                    rules.properties[place].schema
                }
                (None, Additional::Allowed) => &Schema::ANY,
                (None, Additional::Denied) => return Err(unkept()),
                (None, Additional::Schema(schema)) => schema,
            };
            json.next_value_seed(Next {
                schema,
                reading: &mut *reading,
            })?;
        }
        kept(self.needed & !seen == 0)
    }
}

/// Finds the property that is named next; none for a name that is not known.
struct Name<'s> {
    rules: &'s ObjectRules,
    /// Behind the one before.
    after: usize,
}

impl<'t> DeserializeSeed<'t> for Name<'_> {
    type Value = Option<usize>;

    fn deserialize<D: Deserializer<'t>>(self, json: D) -> Result<Option<usize>, D::Error> {
        json.deserialize_str(self)
    }
}

impl Visitor<'_> for Name<'_> {
    type Value = Option<usize>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a name")
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<Option<usize>, E> {
        let known = place(self.rules, name, self.after);
        match known.is_none() && name.starts_with(RESERVED) {
            true => Err(unkept()),
            false => Ok(known),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::property;
    use super::*;
    use crate::table::{ArrayRules, StringRules, Types};

    static TEXT: Schema = Schema {
        types: Types::STRING,
        string: Some(&StringRules {
            min_length: Some(1),
            max_length: Some(3),
            pattern: None,
            format: None,
        }),
        ..Schema::ANY
    };
    static INTEGERS: Schema = Schema {
        types: Types::ARRAY,
        array: Some(&ArrayRules {
            items: Some(&Schema {
                types: Types::INTEGER,
                nullable: true,
                ..Schema::ANY
            }),
            min_items: Some(1),
            max_items: Some(2),
            unique: false,
        }),
        ..Schema::ANY
    };
    static CLOSED: Schema = object(&CLOSED_RULES);
    static CLOSED_RULES: ObjectRules = rules(Additional::Denied);
    static OPEN: Schema = object(&OPEN_RULES);
    static OPEN_RULES: ObjectRules = rules(Additional::Allowed);
    static TEXTS: Schema = object(&TEXTS_RULES);
    static TEXTS_RULES: ObjectRules = rules(Additional::Schema(&TEXT));
    static PROPERTIES: [Property; 3] = [
        property("a", &TEXT),
        property("n", &INTEGERS),
        Property {
            read_only: true,
            ..property("id", &TEXT)
        },
    ];

    const fn rules(additional: Additional) -> ObjectRules {
        ObjectRules {
            properties: &PROPERTIES,
            required: &["a", "id"],
            additional,
            min_properties: None,
            max_properties: None,
        }
    }

    const fn object(rules: &'static ObjectRules) -> Schema {
        Schema {
            types: Types::OBJECT,
            object: Some(rules),
            ..Schema::ANY
        }
    }

    #[test]
    fn what_keeps_its_schema_is_told_from_what_may_not() {
        for (schema, text, expected) in [
            (&OPEN, r#"{"a": "x", "z": [{}, null]}"#, true),
            (&OPEN, r#"{"\u0061": "\u00e9"}"#, true),
            (&OPEN, r#"{"a": "x", "n": [1, null]}"#, true),
            (&OPEN, r#"{"a": ""}"#, false),
            (&OPEN, r#"{"a": "long"}"#, false),
            (&OPEN, r#"{"n": [1]}"#, false),
            (&OPEN, r#"{"a": "x", "n": []}"#, false),
            (&OPEN, r#"{"a": "x", "n": [1, 2, 3]}"#, false),
            (&OPEN, r#"{"a": "x", "n": [1.5]}"#, false),
            (&OPEN, r#"{"a": "x", "n": {}}"#, false),
            (&OPEN, r#"{"a": "x", "a": "x"}"#, false),
            (&OPEN, r#"{"a": "x", "$serde_json::x": "1"}"#, false),
            (&OPEN, r#"{"a": "x"} 1"#, false),
            (&OPEN, r#"["a"]"#, false),
            (&OPEN, r#"{"a": "x", "z": "\ud800"}"#, false),
            (&CLOSED, r#"{"a": "x"}"#, true),
            (&CLOSED, r#"{"a": "x", "z": 1}"#, false),
            (&TEXTS, r#"{"a": "x", "z": "y"}"#, true),
            (&TEXTS, r#"{"a": "x", "z": 1}"#, false),
        ] {
            assert_eq!(keeps(schema, text).is_some(), expected, "{text}");
        }
    }

    #[test]
    fn integers_written_with_a_fraction_are_noticed() {
        for (text, expected) in [
            ("[1, -1, 0.5, 1e300]", false),
            ("[1.0]", true),
            (r#"{"a": [2e3]}"#, true),
            ("-0", true),
        ] {
            let fractions = keeps(&Schema::ANY, text).map(|kept| kept.fractions);
            assert_eq!(fractions, Some(expected), "{text}");
        }
    }
}
