//! `application/x-www-form-urlencoded`, as an object of the fields.
//!
//! A repeated field is a violation unless its schema admits an array: the intended value is unknown,
//! and choosing one has caused many attacks. A field that the schema does not name is ignored,
//! however often it is repeated (RFC 6749, section 3.2).

use std::borrow::Cow;
use std::collections::HashSet;

use serde_json::{Map, Value};

use crate::check::{Direction, MAX_VIOLATIONS, is_valid};
use crate::coerce::{self, coerce};
use crate::json;
use crate::rejection::Rejection;
use crate::table::Schema;
use crate::urlencoded;
use crate::violation::{Keyword, Location, Violation, pointer_to};

/// Reads a form.
pub(super) fn decode(
    schema: Option<&'static Schema>,
    bytes: &[u8],
    violations: &mut Vec<Violation>,
) -> Result<Value, Rejection> {
    by_alternatives(
        schema,
        |fields, violations| read(fields, bytes, violations),
        violations,
    )
}

/// Reads fields by the declarations of the alternative that fits.
///
/// Alternatives may declare the same field with different types, and text does not show its type. So
/// a body that is invalid at first is read by the declarations of each alternative. If none fits,
/// the body is read once more: two values of a large body would take too much memory.
pub(super) fn by_alternatives(
    schema: Option<&'static Schema>,
    read: impl Fn(Fields, &mut Vec<Violation>) -> Result<Value, Rejection>,
    violations: &mut Vec<Violation>,
) -> Result<Value, Rejection> {
    if let Some(schema) = schema.filter(|schema| schema.alternatives().len() > 1) {
        for alternative in schema.readings() {
            let fields = Fields {
                alternative,
                ..Fields::new(Some(schema))
            };
            let mut own = Vec::new();
            if let Ok(value) = read(fields, &mut own)
                && own.is_empty()
                && is_valid(schema, &value, Direction::Request)
            {
                return Ok(value);
            }
        }
    }
    read(Fields::new(schema), violations)
}

fn read(
    mut fields: Fields,
    bytes: &[u8],
    violations: &mut Vec<Violation>,
) -> Result<Value, Rejection> {
    for (name, value) in urlencoded::pairs(bytes) {
        let (name, value) = urlencoded::decode(name)
            .and_then(|name| Ok((name.into_owned(), urlencoded::decode(value)?)))
            .map_err(|urlencoded::NotUtf8| Rejection::unreadable("a field is not UTF-8"))?;
        let schema = fields.element_schema(&name);
        if value.is_empty() && schema.is_some_and(lists_no_empty_text) {
            continue;
        }
        let value = match schema {
            Some(schema) => read_field(schema, value),
            None => Value::String(value.into_owned()),
        };
        fields.add(&name, value, violations);
    }
    Ok(fields.into_value())
}

/// The value of one field. An object, or an array within an array, is JSON text
/// (OpenAPI 3.0.3, "Support for x-www-form-urlencoded Request Bodies").
fn read_field(schema: &'static Schema, text: Cow<'_, str>) -> Value {
    let read = coerce::is_structured(schema).then(|| json::parse(text.as_bytes()).ok());
    read.flatten().unwrap_or_else(|| coerce(schema, text))
}

/// Whether a schema is an enumeration without the empty text. A field without a value then counts
/// as absent (RFC 6749, section 3.2).
fn lists_no_empty_text(schema: &'static Schema) -> bool {
    let listed = schema.enumeration;
    listed.is_some_and(|values| !values.contains(&r#""""#))
}

/// The fields of a form or of a multipart body.
pub(super) struct Fields {
    schema: Option<&'static Schema>,
    /// The alternative of the schema whose declarations come first.
    alternative: Option<&'static Schema>,
    members: Map<String, Value>,
    /// Names of repeated fields.
    repeated: HashSet<String>,
}

impl Fields {
    pub(super) fn new(schema: Option<&'static Schema>) -> Self {
        Fields {
            schema,
            alternative: None,
            members: Map::new(),
            repeated: HashSet::new(),
        }
    }

    fn property(&self, name: &str) -> Option<&'static Schema> {
        let mut schemas = self.alternative.into_iter().chain(self.schema);
        schemas.find_map(|schema| coerce::property(schema, name))
    }

    /// The schema of one occurrence of a field, if it has one.
    pub(super) fn element_schema(&self, name: &str) -> Option<&'static Schema> {
        let schema = self.property(name)?;
        match coerce::is_array(schema) {
            true => coerce::items(schema),
            false => Some(schema),
        }
    }

    /// Adds one occurrence of a field.
    pub(super) fn add(&mut self, name: &str, value: Value, violations: &mut Vec<Violation>) {
        let property = self.property(name);
        let is_array = property.is_some_and(coerce::is_array);
        let repeats = is_array || property.is_some_and(coerce::may_be_array);
        let is_closed = |schema| !coerce::is_open(schema);
        let is_ignored = property.is_none() && self.schema.is_some_and(is_closed);
        match self.members.get_mut(name) {
            Some(Value::Array(items)) if repeats => items.push(value),
            Some(first) if repeats => *first = Value::Array(vec![first.take(), value]),
            Some(_) if is_ignored => {}
            Some(_) => {
                // The violations of the first hundred names suffice.
                let is_reported = self.repeated.len() < MAX_VIOLATIONS;
                if is_reported && self.repeated.insert(name.to_owned()) {
                    violations.push(Violation::new(
                        Location::Body,
                        pointer_to(name),
                        Keyword::Duplicate,
                        "is repeated",
                    ));
                }
            }
            None => {
                let value = if is_array { vec![value].into() } else { value };
                self.members.insert(name.to_owned(), value);
            }
        }
    }

    pub(super) fn into_value(mut self) -> Value {
        let mut members = std::mem::take(&mut self.members);
        for (name, value) in &mut members {
            if let Some(property) = self.property(name) {
                *value = coerce::wrap_single(property, value.take(), Value::clone);
            }
        }
        Value::Object(members)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::table::{Additional, ArrayRules, ObjectRules, Property, Types};

    #[test]
    fn repeated_names_are_remembered_and_reported_up_to_a_bound() {
        // A body can hold a great many names. The parser stores only the repeated names that it
        // reports, and finds each name by its hash.
        let mut fields = Fields::new(None);
        let mut violations = Vec::new();
        for index in 0..50_000 {
            let name = format!("{index:x}");
            fields.add(&name, Value::Null, &mut violations);
            fields.add(&name, Value::Null, &mut violations);
        }
        assert_eq!(fields.repeated.len(), MAX_VIOLATIONS);
        assert_eq!(violations.len(), MAX_VIOLATIONS);
    }

    #[test]
    fn a_field_that_may_be_a_list_is_one_when_it_is_repeated() {
        const TEXT: Schema = Schema::of(Types::STRING, "");
        const TEXTS: Schema = Schema::of(Types::ARRAY, "").array(&ArrayRules {
            items: Some(&TEXT),
            ..ArrayRules::ANY
        });
        const ALL: Schema = Schema::of(Types::STRING, "").enumeration(&[r#""all""#]);
        const LIST: Schema = Schema::of(Types::ARRAY, "");
        static EITHER: Schema = Schema::ANY.one_of(&[&TEXT, &TEXTS]);
        static ALL_OR: Schema = Schema::ANY.any_of(&[&ALL, &TEXTS]);
        static FORM: Schema = Schema::ANY.object(&ObjectRules {
            properties: &[
                Property::of("either", &EITHER),
                Property::of("all", &ALL_OR),
                Property::of("list", &LIST),
            ],
            ..ObjectRules::ANY
        });
        for (form, expected) in [
            ("either=a", json!({"either": "a"})),
            (
                "either=a&either=b&either=c",
                json!({"either": ["a", "b", "c"]}),
            ),
            ("all=all", json!({"all": "all"})),
            ("all=a", json!({"all": ["a"]})),
            ("all=all&all=a", json!({"all": ["all", "a"]})),
            ("list=a&list=1", json!({"list": ["a", "1"]})),
        ] {
            let mut violations = Vec::new();
            let value = decode(Some(&FORM), form.as_bytes(), &mut violations);
            assert_eq!(value, Ok(expected), "{form}");
            assert!(violations.is_empty(), "{form}");
        }
    }

    #[test]
    fn the_types_of_fields_are_those_of_the_alternative_that_fits() {
        const TEXT: Schema = Schema::of(Types::STRING, "");
        const INTEGER: Schema = Schema::of(Types::INTEGER, "");
        const CODE: Schema = TEXT.enumeration(&[r#""code""#]);
        const NUMBER: Schema = TEXT.enumeration(&[r#""number""#]);
        static BY_CODE: Schema = Schema::ANY.object(&ObjectRules {
            properties: &[Property::of("kind", &CODE), Property::of("value", &TEXT)],
            ..ObjectRules::ANY
        });
        static BY_NUMBER: Schema = Schema::ANY.object(&ObjectRules {
            properties: &[
                Property::of("kind", &NUMBER),
                Property::of("value", &INTEGER),
            ],
            ..ObjectRules::ANY
        });
        static FORM: Schema = Schema::ANY.one_of(&[&BY_CODE, &BY_NUMBER]);
        for (form, expected) in [
            ("kind=code&value=1", json!({"kind": "code", "value": "1"})),
            ("kind=number&value=1", json!({"kind": "number", "value": 1})),
            // No alternative fits, and the check that follows reports why.
            (
                "kind=number&value=a",
                json!({"kind": "number", "value": "a"}),
            ),
        ] {
            let value = decode(Some(&FORM), form.as_bytes(), &mut Vec::new());
            assert_eq!(value, Ok(expected), "{form}");
        }
    }

    #[test]
    fn objects_are_json_text() {
        const OBJECT: Schema = Schema::of(Types::OBJECT, "");
        static OBJECTS: Schema = Schema::of(Types::ARRAY, "").array(&ArrayRules {
            items: Some(&OBJECT),
            ..ArrayRules::ANY
        });
        static FORM: Schema = Schema::ANY.object(&ObjectRules {
            properties: &[Property::of("one", &OBJECT), Property::of("all", &OBJECTS)],
            additional: Additional::Denied,
            ..ObjectRules::ANY
        });
        let form = br#"one={"a":1}&all={"b":2}&all={}"#;
        let value = decode(Some(&FORM), form, &mut Vec::new()).expect("UTF-8");
        assert_eq!(value, json!({"one": {"a": 1}, "all": [{"b": 2}, {}]}));
        let value = decode(Some(&FORM), b"one=text", &mut Vec::new()).expect("UTF-8");
        assert_eq!(value, json!({"one": "text"}));
    }
}
