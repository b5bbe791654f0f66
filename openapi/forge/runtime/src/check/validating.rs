//! Validates JSON while `serde` reads it into any type.
//!
//! Almost every request is valid, and the handler needs a value of the document's type. One
//! pass does both: the type reads through a [`Deserializer`] that validates members and
//! elements as they come. A schema that has to see a value as a whole, because it is composed
//! of others or counts members, gets a [`Tree`] of that value alone, and the type reads the
//! tree.
//!
//! `Some` is definitive. `None` means invalid or undecided (such as an object that has a name
//! twice, or a value that the type cannot hold): the caller then falls back to the full check
//! of a `serde_json::Value`.

use std::cell::Cell;
use std::fmt;
use std::marker::PhantomData;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, Error, Visitor};
use serde_json::Value;

use super::enumeration::stands_for;
use super::tree::{RESERVED, Seed};
use super::tree_deserializer::{TreeDeserializer, read_as_it_is};
use super::visitor::ValidatingVisitor;
use super::{Checker, Direction, Json, Kind, Mode, Tree, admits, is_valid};
use crate::table::Schema;
use crate::violation::Location;

/// The schema of values that the document does not describe.
pub(super) static ANYTHING: Schema = Schema::ANY.with_precomputed();

/// Reads a JSON text into a type while it validates it. Also returns whether some integer is
/// written with a fraction, as in `1.0`. `None` means invalid or undecided: the caller falls
/// back to the full check.
///
/// [`IgnoredAny`](serde::de::IgnoredAny) only validates.
pub fn read<'t, T: Deserialize<'t>>(schema: &Schema, text: &'t str) -> Option<(T, bool)> {
    let mut reading = Reading::new();
    let mut json = serde_json::Deserializer::from_str(text);
    let cursor = Cursor {
        schema,
        reading: &mut reading,
    };
    let value = cursor.deserialize(PhantomData, &mut json).ok()?;
    json.end().ok()?;
    Some((value, reading.fractions.get()))
}

/// Whether a scalar is valid. `None` for arrays and objects, and for schemas that
/// [`Schema::required_mask`] leaves to the full check.
pub(super) fn validate_scalar(schema: &Schema, value: &Value) -> Option<bool> {
    schema.required_mask?;
    let kind = match value {
        Value::Null => Kind::Null,
        Value::Bool(value) => Kind::Bool(*value),
        Value::Number(number) => Kind::Number(number),
        Value::String(text) => Kind::String(text),
        Value::Array(_) | Value::Object(_) => return None,
    };
    let mut reading = Reading::new();
    let cursor = Cursor {
        schema,
        reading: &mut reading,
    };
    Some(cursor.scalar::<serde::de::value::Error>(kind).is_ok())
}

/// The state of one validating read.
pub(super) struct Reading {
    /// Checks scalars.
    scalars: Checker<'static, Tree<'static>>,
    /// Whether some integer was written with a fraction.
    pub(super) fractions: Cell<bool>,
}

impl Reading {
    fn new() -> Self {
        Reading {
            scalars: Checker::new(Direction::Request, Location::Body, Mode::Probing),
            fractions: Cell::new(false),
        }
    }
}

/// The schema of the value that is read next, and the state of the read.
pub(super) struct Cursor<'s, 'r> {
    pub(super) schema: &'s Schema,
    pub(super) reading: &'r mut Reading,
}

/// Fails unless a rule of the schema holds.
pub(super) fn ensure<E: Error>(holds: bool) -> Result<(), E> {
    match holds {
        true => Ok(()),
        false => Err(invalid()),
    }
}

/// The error of a value that is invalid, or that only the full check can decide.
pub(super) fn invalid<E: Error>() -> E {
    E::custom("invalid")
}

impl Cursor<'_, '_> {
    /// Reads the value with `seed`, and validates it.
    pub(super) fn deserialize<'t, S, D>(self, seed: S, json: D) -> Result<S::Value, D::Error>
    where
        S: DeserializeSeed<'t>,
        D: Deserializer<'t>,
    {
        seed.deserialize(ValidatingDeserializer { cursor: self, json })
    }

    /// Validates a scalar.
    pub(super) fn scalar<E: Error>(self, kind: Kind<'_, Tree<'_>>) -> Result<(), E> {
        let Cursor { schema, reading } = self;
        let stands = |listed: &[&str]| listed.iter().any(|text| stands_for(text, &kind));
        if schema.nullable && matches!(kind, Kind::Null) {
            return ensure(schema.enumeration.is_none_or(stands));
        }
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
        ensure(fits && !reading.scalars.failed)
    }

    /// Whether the schema admits an array or an object, before its elements or members.
    pub(super) fn admits(&self, value: &Tree<'_>) -> bool {
        let Schema {
            types, enumeration, ..
        } = self.schema;
        enumeration.is_none() && admits(*types, &value.kind())
    }
}

/// A deserializer that validates the value that it reads.
struct ValidatingDeserializer<'s, 'r, D> {
    cursor: Cursor<'s, 'r>,
    json: D,
}

impl<'t, D: Deserializer<'t>> ValidatingDeserializer<'_, '_, D> {
    /// Reads and validates a value that its schema has to see as a whole.
    fn whole(self) -> Result<TreeDeserializer<'t, D::Error>, D::Error> {
        let seed = Seed {
            fractions: &self.cursor.reading.fractions,
        };
        let value = seed.deserialize(self.json)?;
        ensure(is_valid(self.cursor.schema, &value, Direction::Request))?;
        Ok(TreeDeserializer::new(value))
    }
}

impl<'t, D: Deserializer<'t>> Deserializer<'t> for ValidatingDeserializer<'_, '_, D> {
    type Error = D::Error;

    fn deserialize_any<V: Visitor<'t>>(self, visitor: V) -> Result<V::Value, D::Error> {
        match self.cursor.schema.required_mask {
            Some(required_mask) => self.json.deserialize_any(ValidatingVisitor {
                cursor: self.cursor,
                required_mask,
                visitor,
            }),
            None => self.whole()?.deserialize_any(visitor),
        }
    }

    fn deserialize_ignored_any<V: Visitor<'t>>(self, visitor: V) -> Result<V::Value, D::Error> {
        match self.cursor.schema.required_mask {
            Some(_) => self.deserialize_any(visitor),
            None => self.whole().and_then(|_| visitor.visit_unit()),
        }
    }

    fn deserialize_option<V: Visitor<'t>>(self, visitor: V) -> Result<V::Value, D::Error> {
        self.json.deserialize_option(Optional {
            cursor: self.cursor,
            visitor,
        })
    }

    fn deserialize_newtype_struct<V: Visitor<'t>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        // `serde_json` reads raw text by methods that do not validate.
        ensure(!name.starts_with(RESERVED))?;
        visitor.visit_newtype_struct(self)
    }

    read_as_it_is! {}
}

/// A value that may be absent, or null.
struct Optional<'s, 'r, V> {
    cursor: Cursor<'s, 'r>,
    visitor: V,
}

impl<'t, V: Visitor<'t>> Visitor<'t> for Optional<'_, '_, V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.visitor.expecting(f)
    }

    fn visit_none<E: Error>(self) -> Result<V::Value, E> {
        ensure(is_valid(
            self.cursor.schema,
            &Tree::NULL,
            Direction::Request,
        ))?;
        self.visitor.visit_none()
    }

    fn visit_some<D: Deserializer<'t>>(self, json: D) -> Result<V::Value, D::Error> {
        let cursor = self.cursor;
        self.visitor
            .visit_some(ValidatingDeserializer { cursor, json })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde::de::IgnoredAny;

    use super::super::tests::property;
    use super::*;
    use crate::table::{Additional, ArrayRules, ObjectRules, Property, StringRules, Types};

    static TEXT: Schema = Schema {
        types: Types::STRING,
        string: Some(&StringRules {
            min_length: Some(1),
            max_length: Some(3),
            pattern: None,
            format: None,
        }),
        ..Schema::ANY
    }
    .with_precomputed();
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
    }
    .with_precomputed();
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
        .with_precomputed()
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
            let found = read::<IgnoredAny>(schema, text);
            assert_eq!(found.is_some(), expected, "{text}");
            let value = read::<Value>(schema, text).map(|(value, _)| value);
            let plain = serde_json::from_str(text).ok().filter(|_| expected);
            assert_eq!(value, plain, "{text}");
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
            let read = read::<IgnoredAny>(&ANYTHING, text);
            assert_eq!(
                read.map(|(_, fractions)| fractions),
                Some(expected),
                "{text}"
            );
        }
    }

    /// One of each kind that types are made of.
    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Typed {
        name: Short,
        #[serde(default)]
        manner: Option<Manner>,
        counts: Vec<u8>,
        share: f32,
        by_name: BTreeMap<Short, (bool, i64)>,
        either: Either,
        #[serde(flatten)]
        rest: BTreeMap<String, Value>,
    }

    #[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
    #[serde(transparent)]
    struct Short(String);

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(rename_all = "lowercase")]
    enum Manner {
        Slow,
    }

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(untagged)]
    enum Either {
        Number(u64),
        Text(String),
    }

    const TYPED: &str = r#"{
        "name": "\u0061b", "manner": "slow", "counts": [1, 2], "share": 1, "x": [{}],
        "byName": {"c": [true, -3]}, "either": "d", "y": null
    }"#;

    #[test]
    fn a_type_is_read_as_serde_json_reads_it() {
        let composed = Schema {
            not: Some(&TEXT),
            ..Schema::ANY
        };
        let expected: Typed = serde_json::from_str(TYPED).expect("the type");
        for schema in [&ANYTHING, &composed] {
            let (typed, fractions) = read::<Typed>(schema, TYPED).expect("it keeps the schema");
            assert_eq!(
                (typed, fractions),
                (serde_json::from_str(TYPED).unwrap(), false)
            );
        }
        assert_eq!(expected.rest.len(), 2);
        let absent = TYPED.replace("\"slow\"", "null");
        let (typed, _) = read::<Typed>(&ANYTHING, &absent).expect("it keeps the schema");
        assert_eq!(typed.manner, None);
        for (from, to) in [
            ("slow", "fast"),
            ("[1, 2]", "[1, 256]"),
            ("[true, -3]", "[true]"),
        ] {
            let wrong = TYPED.replace(from, to);
            assert!(read::<Typed>(&ANYTHING, &wrong).is_none(), "{to}");
            assert!(read::<IgnoredAny>(&ANYTHING, &wrong).is_some(), "{to}");
        }
    }

    #[test]
    fn what_a_type_leaves_out_is_checked_as_well() {
        #[derive(Debug, Deserialize)]
        struct Nothing {}
        for (text, expected) in [
            (r#"{"a": "x", "n": [1, null]}"#, true),
            (r#"{"a": "x", "n": [1, 2, 3]}"#, false),
            (r#"{"a": "x", "n": null}"#, false),
            (r#"{"a": "long"}"#, false),
            (r#"{}"#, false),
        ] {
            assert_eq!(read::<Nothing>(&OPEN, text).is_some(), expected, "{text}");
        }
        #[derive(Debug, Deserialize)]
        struct Optional {
            #[expect(dead_code, reason = "only whether it is read")]
            n: Option<Vec<Option<u8>>>,
        }
        // Null is none of the schema's values, though the type would take it.
        assert!(read::<Optional>(&OPEN, r#"{"a": "x", "n": null}"#).is_none());
        assert!(read::<Optional>(&OPEN, r#"{"a": "x", "n": [null]}"#).is_some());
    }

    #[test]
    fn text_that_a_type_would_keep_as_it_stands_is_left_to_the_value() {
        let raw = read::<Box<serde_json::value::RawValue>>(&TEXT, "\"a\"");
        assert!(raw.is_none());
    }
}
