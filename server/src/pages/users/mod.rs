//! The pages of accounts, for administrators: the users of their organizations, and the creation
//! of users by a form or from a file.
//!
//! They create users by the function that the operation `createUser` calls, so rights, checks and
//! the audit trail are the same.

mod administrator;
mod create;
mod fields;
mod import;
mod list;
mod rows;

pub use create::{show as new, submit as create};
pub use import::{show as import_form, submit as import};
pub use list::show as list;
