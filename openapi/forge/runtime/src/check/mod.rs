//! The interpreter of schema tables: what a value breaks of a schema.
//!
//! One walk serves two questions. *Is it valid?* stops at the first violation
//! and builds no text; it is asked first, and the answer to almost every
//! request. *What is wrong?* collects every violation with its place. Both are
//! the same code: a rule calls [`Checker::fail`](checker::Checker::fail), which notes or
//! collects.
//!
//! A document may be recursive and a value is somebody else's, so the walk is
//! bounded: below a composition (`allOf`, `anyOf`, `oneOf`, `not`) each pair of
//! schema and value is looked at once, a pair that is already being looked at
//! is not entered again, and the number of violations has a cap.

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

/// The value with its integers written as such: JSON Schema takes `1.0` for an
/// integer, the integers of most languages do not.
pub(crate) fn normalized(mut value: Value) -> Value {
    number::normalize(&mut value);
    value
}
