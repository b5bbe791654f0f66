//! Equality of JSON values (JSON Schema, "Instance Equality"): numbers by their
//! value, objects without order.

use std::cmp::Ordering;
use std::hash::{BuildHasher, Hash, Hasher};

use serde_json::Value;

use super::number::{compare, exact};
use crate::table::Number;

/// Whether two values are equal.
pub(super) fn equal(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Null, Value::Null) => true,
        (Value::Bool(left), Value::Bool(right)) => left == right,
        (Value::String(left), Value::String(right)) => left == right,
        (Value::Number(left), Value::Number(right)) => {
            compare(exact(left), exact(right)) == Ordering::Equal
        }
        (Value::Array(left), Value::Array(right)) => {
            left.len() == right.len()
                && left
                    .iter()
                    .zip(right)
                    .all(|(left, right)| equal(left, right))
        }
        (Value::Object(left), Value::Object(right)) => {
            left.len() == right.len()
                && left
                    .iter()
                    .all(|(name, left)| right.get(name).is_some_and(|right| equal(left, right)))
        }
        _ => false,
    }
}

/// Feeds a value to a hasher; equal values feed the same.
pub(super) fn hash(value: &Value, hasher: &mut impl Hasher, state: &impl BuildHasher) {
    match value {
        Value::Null => 0_u8.hash(hasher),
        Value::Bool(value) => (1_u8, value).hash(hasher),
        Value::Number(number) => {
            2_u8.hash(hasher);
            match exact(number) {
                Number::Integer(integer) => integer.hash(hasher),
                // The number as an integer, if it is in the range where integers may be equal.
                Number::Float(float) if float.fract() == 0.0 && float.abs() < 1e30 => {
                    (float as i128).hash(hasher);
                }
                Number::Float(float) => float.to_bits().hash(hasher),
            }
        }
        Value::String(text) => (3_u8, text).hash(hasher),
        Value::Array(items) => {
            (4_u8, items.len()).hash(hasher);
            for item in items {
                hash(item, hasher, state);
            }
        }
        Value::Object(members) => {
            // Added up, so that the order does not count.
            let mut sum = 0_u64;
            for (name, value) in members.iter() {
                let mut member = state.build_hasher();
                name.hash(&mut member);
                hash(value, &mut member, state);
                sum = sum.wrapping_add(member.finish());
            }
            (5_u8, members.len(), sum).hash(hasher);
        }
    }
}
