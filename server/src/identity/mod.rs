//! Area C: device authorization and tokens, with the pages that people use.
//!
//! Implements `openapi/identity.yaml`: RFC 8628, and around it RFC 6749, 7009,
//! 7662 and 8414. One file per endpoint, which reads like the steps of its RFC;
//! under them a file for each thing that the endpoints speak of.

pub mod assertions;
pub mod clients;
pub mod config;
pub mod error;
pub mod grants;
pub mod keys;
pub mod passwords;
pub mod scopes;
pub mod sessions;
mod state;
pub mod throttle;
pub mod tokens;
pub mod user_code;
pub mod users;
mod verify;

pub use state::{State, ensure_key};
pub use verify::{Subject, verify_bearer};
