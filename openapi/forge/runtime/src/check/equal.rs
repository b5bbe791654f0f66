//! Equality of JSON values (JSON Schema, "Instance Equality"): numbers by their
//! value, objects without order.

use std::cmp::Ordering;
use std::hash::{BuildHasher, Hash, Hasher};

use super::json::{Json, Kind, Members};
use super::number::{compare, exact};
use crate::table::Number;

/// Whether two values are equal, however each is held.
pub(super) fn equal<A: Json, B: Json>(left: &A, right: &B) -> bool {
    same(&left.kind(), &right.kind())
}

/// The same of values that are known by their kind.
pub(super) fn same<A: Json, B: Json>(left: &Kind<'_, A>, right: &Kind<'_, B>) -> bool {
    match (left, right) {
        (Kind::Null, Kind::Null) => true,
        (Kind::Bool(left), Kind::Bool(right)) => left == right,
        (Kind::String(left), Kind::String(right)) => left == right,
        (Kind::Number(left), Kind::Number(right)) => {
            compare(exact(left), exact(right)) == Ordering::Equal
        }
        (Kind::Array(left), Kind::Array(right)) => {
            left.len() == right.len()
                && left
                    .iter()
                    .zip(*right)
                    .all(|(left, right)| equal(left, right))
        }
        (Kind::Object(left), Kind::Object(right)) => {
            left.len() == right.len()
                && left
                    .iter()
                    .all(|(name, left)| right.get(name).is_some_and(|right| equal(left, right)))
        }
        _ => false,
    }
}

/// Feeds a value to a hasher; equal values feed the same.
pub(super) fn hash<J: Json>(value: &J, hasher: &mut impl Hasher, state: &impl BuildHasher) {
    match value.kind() {
        Kind::Null => 0_u8.hash(hasher),
        Kind::Bool(value) => (1_u8, value).hash(hasher),
        Kind::Number(number) => {
            2_u8.hash(hasher);
            match exact(number) {
                Number::Integer(integer) => integer.hash(hasher),
                // In the range where integers may be equal, as the integer.
                Number::Float(float) if float.fract() == 0.0 && float.abs() < 1e30 => {
                    (float as i128).hash(hasher);
                }
                Number::Float(float) => float.to_bits().hash(hasher),
            }
        }
        Kind::String(text) => (3_u8, text).hash(hasher),
        Kind::Array(items) => {
            (4_u8, items.len()).hash(hasher);
            for item in items {
                hash(item, hasher, state);
            }
        }
        Kind::Object(members) => {
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
