//! API keys: the resource, its two secrets, and every operation on them.
//!
//! The rules about secrets ([`state`], [`secrets`]) are pure. Each operation is one transaction of its
//! own ([`create`](mod@create), [`list`], [`change`]). Nothing here knows about HTTP.

pub mod access;
pub mod budget;
pub mod change;
pub mod create;
pub mod error;
pub mod key;
pub mod key_quota;
pub mod list;
mod page_token;
pub mod removal;
pub mod renew;
pub mod retry;
pub mod rows;
pub mod secrets;
pub mod state;
mod statement;
pub mod tags;
pub mod usage;

pub use error::KeyError;
