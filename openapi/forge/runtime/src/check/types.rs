//! The JSON types of values, and their names for people.

use serde_json::Value;

use super::number;
use crate::table::Types;

/// Whether a value is of one of the types. An integer is any number without a fraction, in any
/// notation.
pub(super) fn admits(types: Types, value: &Value) -> bool {
    if types == Types::ANY {
        return true;
    }
    let has = |kind: Types| types.0 & kind.0 != 0;
    match value {
        Value::Null => false,
        Value::Bool(_) => has(Types::BOOLEAN),
        Value::Number(number) => {
            has(Types::NUMBER) || (has(Types::INTEGER) && number::is_integer(number))
        }
        Value::String(_) => has(Types::STRING),
        Value::Array(_) => has(Types::ARRAY),
        Value::Object(_) => has(Types::OBJECT),
    }
}

/// The types, for the end of a sentence: `a string or null`.
pub(super) fn names(types: Types, nullable: bool) -> String {
    const NAMES: [(Types, &str); 6] = [
        (Types::BOOLEAN, "a boolean"),
        (Types::INTEGER, "an integer"),
        (Types::NUMBER, "a number"),
        (Types::STRING, "a string"),
        (Types::ARRAY, "an array"),
        (Types::OBJECT, "an object"),
    ];
    let mut names: Vec<&str> = NAMES
        .iter()
        .filter(|(kind, _)| types.0 & kind.0 != 0)
        .map(|(_, name)| *name)
        .collect();
    if nullable {
        names.push("null");
    }
    names.join(" or ")
}

/// The type of a value: `a string`.
pub(super) fn name_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}
