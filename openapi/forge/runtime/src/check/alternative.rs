//! Which alternative of a `oneOf` or `anyOf` a value belongs to.

use serde::de::Error;
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use super::checker::Direction;
use super::walk::is_valid;
use crate::table::Schema;

/// Reads a value of the union, and returns the index of its alternative, which is less than `count`.
///
/// # Errors
///
/// The value is unreadable, or belongs to none of the first `count` alternatives of `schema`.
pub fn choose<'de, D: Deserializer<'de>>(
    from: D,
    schema: &Schema,
    union: &str,
    count: usize,
) -> Result<(usize, Value), D::Error> {
    let value = Value::deserialize(from)?;
    match alternative(schema, &value) {
        Some(index) if index < count => Ok((index, value)),
        _ => Err(D::Error::custom(format_args!(
            "none of the alternatives of {union}"
        ))),
    }
}

/// The index of the alternative that a value belongs to: the one that the discriminator names, else
/// the first for which the value is valid.
pub fn alternative(schema: &Schema, value: &Value) -> Option<usize> {
    let alternatives = schema.alternatives();
    if let Some(discriminator) = schema.discriminator
        && let Some(tag) = value.get(discriminator.property).and_then(Value::as_str)
        && let Some(target) = discriminator.target(tag)
    {
        return alternatives
            .iter()
            .position(|schema| std::ptr::eq(*schema, target));
    }
    // One type serves requests and responses, and each direction omits properties.
    alternatives.iter().position(|schema| {
        is_valid(schema, value, Direction::Request) || is_valid(schema, value, Direction::Response)
    })
}
