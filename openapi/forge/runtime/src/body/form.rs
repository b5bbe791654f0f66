//! `application/x-www-form-urlencoded`, as an object of the fields.
//!
//! A field that stands there twice is a violation unless its schema is an
//! array: what is meant is unknown, and choosing one has been the root of many
//! an attack. A field that the schema does not name is ignored, how often it may
//! stand there (RFC 6749, section 3.2).

use serde_json::{Map, Value};

use crate::coerce::{self, coerce};
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
    let mut fields = Fields::new(schema);
    for (name, value) in urlencoded::pairs(bytes) {
        let (name, value) = urlencoded::decode(name)
            .and_then(|name| Ok((name.into_owned(), urlencoded::decode(value)?)))
            .map_err(|urlencoded::NotUtf8| Rejection::Unreadable {
                message: "a field is not UTF-8".to_owned(),
            })?;
        let schema = fields.element_schema(&name);
        if value.is_empty() && schema.is_some_and(lists_no_empty_text) {
            continue;
        }
        let value = match schema {
            Some(schema) => coerce(schema, value),
            None => Value::String(value.into_owned()),
        };
        fields.add(&name, value, violations);
    }
    Ok(fields.into_value())
}

/// Whether a schema is an enumeration without the empty text: a field without a value
/// counts as left out then (RFC 6749, section 3.2).
fn lists_no_empty_text(schema: &'static Schema) -> bool {
    let listed = schema.enumeration;
    listed.is_some_and(|values| !values.contains(&r#""""#))
}

/// The fields of a form or of a multipart body.
pub(super) struct Fields {
    schema: Option<&'static Schema>,
    members: Map<String, Value>,
}

impl Fields {
    pub(super) fn new(schema: Option<&'static Schema>) -> Self {
        Fields {
            schema,
            members: Map::new(),
        }
    }

    fn property(&self, name: &str) -> Option<&'static Schema> {
        self.schema
            .and_then(|schema| coerce::property(schema, name))
    }

    /// The schema of one occurrence of a field.
    pub(super) fn element_schema(&self, name: &str) -> Option<&'static Schema> {
        let schema = self.property(name)?;
        Some(coerce::items(schema).unwrap_or(schema))
    }

    /// Adds one occurrence of a field.
    pub(super) fn add(&mut self, name: &str, value: Value, violations: &mut Vec<Violation>) {
        let property = self.property(name);
        let repeats = property.is_some_and(coerce::is_array);
        let is_closed = |schema| !coerce::is_open(schema);
        let is_ignored = property.is_none() && self.schema.is_some_and(is_closed);
        match self.members.get_mut(name) {
            Some(Value::Array(items)) if repeats => items.push(value),
            Some(_) if is_ignored => {}
            Some(_) => {
                let duplicate = Violation::new(
                    Location::Body,
                    pointer_to(name),
                    Keyword::Duplicate,
                    "is repeated",
                );
                if !violations.contains(&duplicate) {
                    violations.push(duplicate);
                }
            }
            None => {
                let value = if repeats { vec![value].into() } else { value };
                self.members.insert(name.to_owned(), value);
            }
        }
    }

    pub(super) fn into_value(self) -> Value {
        Value::Object(self.members)
    }
}
