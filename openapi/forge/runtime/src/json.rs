//! JSON text of a caller, parsed into a value.
//!
//! Names in an object should be unique (RFC 8259, section 4). Parsers differ in the value that they keep
//! of a repeated name. If the service kept one and a server behind it another, a check of the one would
//! not hold for the other. So a repeated name is an error.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::map::Entry;
use serde_json::{Map, Number, Value};

/// The expected number of members of an object. A larger object grows.
const MEMBERS: usize = 8;

/// The maximum number of characters of a name in an error.
const SHOWN: usize = 64;

/// Parses JSON text. Fails for text that is not JSON, and for an object that has a name more than once.
pub(crate) fn parse(text: &[u8]) -> Result<Value, serde_json::Error> {
    let mut from = serde_json::Deserializer::from_slice(text);
    let value = Unique.deserialize(&mut from)?;
    from.end()?;
    Ok(value)
}

/// A value whose objects have unique names.
struct Unique;

impl<'de> DeserializeSeed<'de> for Unique {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Value, D::Error> {
        from.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Unique {
    type Value = Value;

    fn expecting(&self, text: &mut fmt::Formatter<'_>) -> fmt::Result {
        text.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(Number::from_f64(value).map_or(Value::Null, Value::Number))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::String(value.to_owned()))
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(Value::String(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element_seed(Unique)? {
            list.push(item);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let mut object = Map::with_capacity(MEMBERS);
        while let Some(name) = members.next_key::<String>()? {
            match object.entry(name) {
                Entry::Vacant(place) => place.insert(members.next_value_seed(Unique)?),
                Entry::Occupied(place) => {
                    let name: String = place.key().chars().take(SHOWN).collect();
                    let message = format!("the member {name:?} occurs more than once");
                    return Err(A::Error::custom(message));
                }
            };
        }
        Ok(Value::Object(object))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_parses_to_the_same_value_as_by_serde_json() {
        for text in [
            "null",
            "true",
            "-3",
            "18446744073709551615",
            "1e400",
            "0.25",
            r#""\u00e9 and \n""#,
            r#" {"b": [1, {"a": null}], "a": {}, "c": []} "#,
            "",
            "{",
            "[1] 2",
            r#"{"a" 1}"#,
            "\"\u{1}\"",
        ] {
            let known = serde_json::from_str::<Value>(text).map_err(|error| error.to_string());
            let parsed = parse(text.as_bytes()).map_err(|error| error.to_string());
            assert_eq!(parsed, known, "{text}");
        }
        assert!(parse(b"\"\xff\"").is_err());
        let deep = "[".repeat(200) + &"]".repeat(200);
        let error = parse(deep.as_bytes()).expect_err("a stack of 200 lists");
        assert!(
            error.to_string().starts_with("recursion limit exceeded"),
            "{error}"
        );
    }

    #[test]
    fn a_repeated_name_is_an_error_at_its_place() {
        let text = "{\"a\": 1,\n \"b\": {\"c\": 1, \"\\u0063\": 2}}";
        let error = parse(text.as_bytes()).expect_err("`c` occurs twice");
        assert_eq!(
            error.to_string(),
            "the member \"c\" occurs more than once at line 2 column 23"
        );
    }

    #[test]
    fn the_error_has_the_beginning_of_a_long_name_only() {
        let name = "n".repeat(1 << 20);
        let text = format!("{{\"{name}\": 1, \"{name}\": 2}}");
        let error = parse(text.as_bytes()).expect_err("the name occurs twice");
        assert!(error.to_string().len() < 200, "{error}");
    }
}
