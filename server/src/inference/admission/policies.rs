//! Which keys may call which models, as Cedar policies.
//!
//! Nothing is allowed unless a policy permits it, and what one forbids none can
//! permit. A policy is checked against a schema and evaluated before it is written.
//! Should one fail all the same, it fails alone: one that permits is left out, and
//! one that forbids denies the calls that it may be about. A decision takes some ten
//! microseconds and is made once for each key, model and action: callers remember
//! it for as long as they hold the same policies.

pub mod acceptance;
pub mod error;
pub mod question;
mod ruling;
mod size;
pub mod statement;

pub use ruling::{Policies, Ruling, Verdict};
