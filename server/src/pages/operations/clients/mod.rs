//! The pages of OAuth clients, for operators: the list, one client with its changes, and the
//! registration of clients.
//!
//! They call the functions that `accord-server clients` calls, so checks and the audit trail are
//! the same.

mod create;
mod list;
mod secret;
mod show;

pub use create::{show as new, submit as create};
pub use list::show as list;
pub use show::{change, show};
