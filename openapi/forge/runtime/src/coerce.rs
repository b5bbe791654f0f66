//! Converts text into values, by the type that a schema requires.
//!
//! Parameters and forms carry text only. Text that cannot be read as the required type stays text,
//! and the check that follows reports the violation.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use serde_json::{Number, Value};

use crate::check::{Direction, is_valid};
use crate::table::{Additional, ObjectRules, Schema, StringFormat, Types};

/// The value that `text` represents under `schema`.
pub(crate) fn coerce<'t>(schema: &Schema, text: impl Into<Cow<'t, str>>) -> Value {
    let text = text.into();
    let types = types(schema);
    let Some(reading) = reading(types, &text) else {
        return Value::String(text.into_owned());
    };
    if types.0 & Types::STRING.0 == 0 {
        return reading;
    }
    // The schema also accepts text. Another reading counts only if the schema accepts it and
    // rejects the text.
    let text = Value::String(text.into_owned());
    let accepts = |value| is_valid(schema, value, Direction::Request);
    match !accepts(&text) && accepts(&reading) {
        true => reading,
        false => text,
    }
}

/// The same for a text that may have no schema, and then stays text.
pub(crate) fn coerce_if_known(schema: Option<&Schema>, text: &str) -> Value {
    schema.map_or_else(|| text.into(), |schema| coerce(schema, text))
}

/// The boolean or the number that a text represents, if `types` has its type.
fn reading(types: Types, text: &str) -> Option<Value> {
    let asks_for = |kinds: Types| types.0 & kinds.0 != 0;
    match text {
        "true" | "false" => asks_for(Types::BOOLEAN).then(|| Value::Bool(text == "true")),
        _ if asks_for(NUMBERS) => number(text),
        _ => None,
    }
}

fn number(text: &str) -> Option<Value> {
    // The grammar of JSON, so that neither `+1` nor `inf` nor ` 1` passes.
    let trimmed = text.trim();
    if trimmed.len() != text.len() {
        return None;
    }
    serde_json::from_str::<Number>(text).ok().map(Value::Number)
}

/// Numbers. An integer is one, so a schema of numbers and one of integers have the integers in common.
const NUMBERS: Types = Types(Types::NUMBER.0 | Types::INTEGER.0);

/// Every type, for a schema that names none.
const UNSPECIFIED: Types =
    Types(Types::STRING.0 | Types::BOOLEAN.0 | NUMBERS.0 | Types::ARRAY.0 | Types::OBJECT.0);

/// The JSON types that a schema requires, through composition. All types if it names none.
fn types(schema: &Schema) -> Types {
    match schema.types {
        Types::ANY => composed_types(schema, &mut HashMap::new()),
        types => types,
    }
}

/// The types of a schema and of its parts. `known` holds the results so far. A schema that is
/// composed of itself names no types at its second occurrence.
fn composed_types(schema: &Schema, known: &mut HashMap<*const Schema, Types>) -> Types {
    match schema.types {
        Types::ANY => {}
        Types::NUMBER => return NUMBERS,
        types => return types,
    }
    let key = std::ptr::from_ref(schema);
    if let Some(types) = known.get(&key) {
        return *types;
    }
    known.insert(key, UNSPECIFIED);
    let types = combined_types(schema, known);
    known.insert(key, types);
    types
}

fn combined_types(schema: &Schema, known: &mut HashMap<*const Schema, Types>) -> Types {
    let mut found = UNSPECIFIED.0;
    let mut is_limited = false;
    for part in schema.all_of {
        let part = composed_types(part, known);
        if part != UNSPECIFIED {
            found = if is_limited { found & part.0 } else { part.0 };
            is_limited = true;
        }
    }
    for alternatives in [schema.any_of, schema.one_of] {
        if !alternatives.is_empty() {
            let any = alternatives.iter().fold(0, |any, alternative| {
                any | composed_types(alternative, known).0
            });
            found = if is_limited { found & any } else { any };
            is_limited = true;
        }
    }
    if !is_limited && let Some(values) = schema.enumeration {
        return enumerated(values);
    }
    Types(found)
}

/// The types of enumerated values, which are JSON.
fn enumerated(values: &[&str]) -> Types {
    let mut found = 0;
    for value in values {
        found |= match value.bytes().next() {
            Some(b'"') => Types::STRING.0,
            Some(b't' | b'f') => Types::BOOLEAN.0,
            Some(b'[') => Types::ARRAY.0,
            Some(b'{') => Types::OBJECT.0,
            Some(b'n') | None => 0,
            Some(_) => NUMBERS.0,
        };
    }
    Types(found)
}

/// Whether a schema requires an array.
pub(crate) fn is_array(schema: &'static Schema) -> bool {
    types(schema) == Types::ARRAY
}

/// Whether a schema admits an array beside values of other types, as in `oneOf: [string, array]`.
pub(crate) fn may_be_array(schema: &Schema) -> bool {
    let types = types(schema);
    types != UNSPECIFIED && types != Types::ARRAY && types.0 & Types::ARRAY.0 != 0
}

/// Puts a value that occurs once into an array if the schema admits that array, and not the value
/// alone.
pub(crate) fn wrap_single(
    schema: &Schema,
    value: Value,
    element: impl FnOnce(&Value) -> Value,
) -> Value {
    let accepts = |value| is_valid(schema, value, Direction::Request);
    if value.is_array() || !may_be_array(schema) || accepts(&value) {
        return value;
    }
    let array = Value::Array(vec![element(&value)]);
    match accepts(&array) {
        true => array,
        false => value,
    }
}

/// Whether a schema requires an object.
pub(crate) fn is_object(schema: &'static Schema) -> bool {
    types(schema) == Types::OBJECT
}

/// Whether a schema requires an array or an object.
pub(crate) fn is_structured(schema: &'static Schema) -> bool {
    let types = types(schema).0;
    types != 0 && types & !(Types::ARRAY.0 | Types::OBJECT.0) == 0
}

/// Whether a schema requires bytes.
pub(crate) fn is_binary(schema: &'static Schema) -> bool {
    find(schema, &|schema| {
        let format = schema.string.and_then(|rules| rules.format)?;
        (format == StringFormat::Binary).then_some(())
    })
    .is_some()
}

/// The schema of a property.
pub(crate) fn property(schema: &'static Schema, name: &str) -> Option<&'static Schema> {
    let known = find(schema, &|schema| {
        let properties = schema.object?.properties;
        properties
            .iter()
            .find(|property| property.name == name)
            .map(|property| property.schema)
    });
    known.or_else(|| {
        find(schema, &|schema| match schema.object?.additional {
            Additional::Schema(schema) => Some(schema),
            Additional::Allowed | Additional::Denied => None,
        })
    })
}

/// The names of the properties that a schema declares.
pub(crate) fn property_names(schema: &'static Schema) -> Vec<&'static str> {
    let mut names = Vec::new();
    visit::<()>(schema, &mut HashSet::new(), &mut |schema| {
        for property in schema.object.map_or(&[][..], |rules| rules.properties) {
            if !names.contains(&property.name) {
                names.push(property.name);
            }
        }
        None
    });
    names
}

/// Whether members that a schema does not name count: it has a schema for them, or names no members
/// at all, as `type: object` alone.
pub(crate) fn is_open(schema: &'static Schema) -> bool {
    let has_rules = |wanted: &dyn Fn(&ObjectRules) -> bool| {
        let read = |schema: &'static Schema| schema.object.filter(|rules| wanted(rules));
        find(schema, &read).is_some()
    };
    has_rules(&|rules| matches!(rules.additional, Additional::Schema(_)))
        || !has_rules(&|rules| {
            !rules.properties.is_empty() || matches!(rules.additional, Additional::Denied)
        })
}

/// The schema of an array's elements.
pub(crate) fn items(schema: &'static Schema) -> Option<&'static Schema> {
    find(schema, &|schema| schema.array?.items)
}

/// The result of `read` for a schema or for one of its parts.
fn find<T>(schema: &'static Schema, read: &dyn Fn(&'static Schema) -> Option<T>) -> Option<T> {
    visit(schema, &mut HashSet::new(), &mut |schema| read(schema))
}

/// Reads a schema and its parts, until `read` returns a result.
fn visit<T>(
    schema: &'static Schema,
    seen: &mut HashSet<*const Schema>,
    read: &mut dyn FnMut(&'static Schema) -> Option<T>,
) -> Option<T> {
    if let Some(found) = read(schema) {
        return Some(found);
    }
    let is_composed =
        !(schema.all_of.is_empty() && schema.any_of.is_empty() && schema.one_of.is_empty());
    if !is_composed || !seen.insert(std::ptr::from_ref(schema)) {
        return None;
    }
    let parts = schema
        .all_of
        .iter()
        .chain(schema.any_of)
        .chain(schema.one_of);
    for part in parts {
        if let Some(found) = visit(part, seen, read) {
            return Some(found);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::table::StringRules;

    const TEXT: Schema = Schema::of(Types::STRING, "");
    const INTEGER: Schema = Schema::of(Types::INTEGER, "");
    const BOOLEAN: Schema = Schema::of(Types::BOOLEAN, "");

    #[test]
    fn text_becomes_a_value_of_the_required_type_or_stays_text() {
        for (schema, text, expected) in [
            (&INTEGER, "12", json!(12)),
            (&INTEGER, "-3", json!(-3)),
            (&INTEGER, "1.0", json!(1.0)),
            (&INTEGER, "18446744073709551615", json!(u64::MAX)),
            (&INTEGER, "+1", json!("+1")),
            (&INTEGER, "0x1", json!("0x1")),
            (&INTEGER, "", json!("")),
            (&INTEGER, "NaN", json!("NaN")),
            (&BOOLEAN, "true", json!(true)),
            (&BOOLEAN, "True", json!("True")),
            (&TEXT, "12", json!("12")),
            (&Schema::ANY, "12", json!("12")),
        ] {
            assert_eq!(coerce(schema, text), expected, "{text}");
        }
    }

    #[test]
    fn composition_and_enumerated_values_determine_the_type() {
        static WORDS: Schema = TEXT.string(&StringRules {
            pattern: Some(&LETTERS),
            ..StringRules::ANY
        });
        static LETTERS: crate::table::Pattern = crate::table::Pattern::new("^[a-z]+$");
        static EITHER: Schema = Schema::ANY.one_of(&[&WORDS, &INTEGER]);
        static BOTH: Schema = Schema::ANY.all_of(&[&Schema::ANY, &INTEGER]);
        static LISTED: Schema = Schema::ANY.enumeration(&["1", "2", "true"]);
        static NUMBER: Schema = Schema::of(Types::NUMBER, "");
        // These three admit integers only.
        static WHOLE: Schema = Schema::ANY.all_of(&[&NUMBER, &INTEGER]);
        static WHOLE_OF_LIST: Schema = Schema::ANY.all_of(&[&INTEGER, &LISTED]);
        static WHOLE_OF_ANY: Schema = Schema::ANY
            .all_of(&[&INTEGER])
            .any_of(&[&Schema::ANY, &Schema::ANY]);
        for (schema, text, expected) in [
            (&EITHER, "12", json!(12)),
            (&EITHER, "ab", json!("ab")),
            (&EITHER, "AB", json!("AB")),
            (&BOTH, "7", json!(7)),
            (&LISTED, "2", json!(2)),
            (&LISTED, "true", json!(true)),
            (&WHOLE, "7", json!(7)),
            (&WHOLE_OF_LIST, "2", json!(2)),
            (&WHOLE_OF_ANY, "7", json!(7)),
        ] {
            assert_eq!(coerce(schema, text), expected, "{text}");
        }
    }

    /// Each of 60 schemas has the next one twice: 2^60 paths lead to the last one.
    #[test]
    fn each_schema_of_doubled_compositions_is_walked_once() {
        static LAST: Schema = Schema::ANY;
        let first = (0..60).fold(&LAST, |next, _| {
            let both: &[&Schema] = Box::leak(Box::new([next, next]));
            let schema = Schema::ANY.all_of(both).one_of(both);
            &*Box::leak(Box::new(schema))
        });
        assert!(property(first, "a").is_none());
        assert!(!is_array(first) && !is_binary(first) && is_open(first));
    }

    #[test]
    fn a_schema_that_is_composed_of_itself_ends() {
        static CIRCLE: Schema = Schema::ANY.any_of(&[&CIRCLE, &CIRCLE]);
        assert_eq!(coerce(&CIRCLE, "1"), json!("1"));
        assert!(property(&CIRCLE, "a").is_none());
    }
}
