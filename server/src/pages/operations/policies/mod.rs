//! The pages of policies, for operators: the list with a form that explains a decision, one policy,
//! and the creation of policies.
//!
//! They call the functions that `accord-server policy` calls, so explanations, checks and the audit
//! trail are the same.

mod create;
mod key_id;
mod list;
mod show;

pub use create::{show as new, submit as create};
pub use list::{explain, show as list};
pub use show::{delete, show};
