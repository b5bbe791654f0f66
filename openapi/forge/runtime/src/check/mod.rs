//! The interpreter of schema tables: finds the violations of a schema in a value.
//!
//! One walk serves two questions. *Is it valid?* stops at the first violation and builds no text;
//! it comes first, and almost every request needs nothing else. *What is wrong?* collects every violation
//! with its place. Both use the same code: a rule calls [`Checker::fail`](checker::Checker::fail), which notes or
//! collects.
//!
//! A document may be recursive and a value comes from a stranger, so the walk is bounded. Below a
//! composition (`allOf`, `anyOf`, `oneOf`, `not`) the walk visits each pair of schema and value
//! once. It does not enter a pair that it is already within. The number of violations has a cap.

mod alternative;
mod array;
mod checker;
mod compose;
mod enumeration;
mod equal;
mod format;
mod number;
mod object;
mod string;
#[cfg(test)]
mod tests;
mod types;
mod walk;

use serde_json::Value;

pub use alternative::{alternative, choose};
pub use checker::Direction;
pub(crate) use checker::MAX_VIOLATIONS;
pub use walk::{check, is_valid};

/// Rewrites integers with a fraction of zero: JSON Schema accepts `1.0` as an integer, the integer
/// types of most languages do not.
pub(crate) fn normalized(mut value: Value) -> Value {
    number::normalize(&mut value);
    value
}
