//! Cedar policies that decide which keys may call which models.
//!
//! Policies allow nothing by default, and a policy that forbids wins over those that permit. A
//! policy is checked against a schema and evaluated before it is stored. If its evaluation fails
//! nevertheless, only that policy fails: one that permits is ignored, and one that forbids denies
//! the calls that it may be about. A decision takes some ten microseconds. Callers cache it for
//! each key, model and action until the policies change.

pub mod acceptance;
pub mod error;
pub mod question;
mod ruling;
mod size;
pub mod statement;

pub use ruling::{Policies, Ruling, Verdict};
