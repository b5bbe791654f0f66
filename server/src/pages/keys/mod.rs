//! The pages of API keys: lists, one key with its two secrets, and every change of it.
//!
//! They call the functions of the area that the operations of the document call, so rights,
//! checks and the audit trail are the same. A form is checked against the schema of the request
//! body of its operation.

mod change;
mod create;
mod edit;
mod fields;
mod list;
mod relocate;
mod remove;
mod renew;
mod rotation;
mod show;
mod show_once;
mod slot;

pub use change::{confirm_revocation, submit as set_state};
pub use create::{show as new, submit as create};
pub use edit::{show as edit, submit as update};
pub use list::show as list;
pub use relocate::{show as relocation, submit as relocate};
pub use remove::{show as removal, submit as remove};
pub use renew::{show as renewal, submit as renew};
pub use show::show;
