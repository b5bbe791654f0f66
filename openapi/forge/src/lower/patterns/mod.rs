//! Regular expressions of documents: their mistakes, and what servers match in place of them.

mod counts;
mod dialects;
mod expressions;
mod tokens;
mod translation;

#[cfg(feature = "check")]
pub(crate) use counts::counted;
pub(super) use dialects::check as check_dialect;
pub(super) use expressions::{Expressions, Problem};
