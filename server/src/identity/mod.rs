//! Area C: device authorization and tokens, with the pages that people use.
//!
//! Implements `openapi/identity.yaml`: RFC 8628, and around it RFC 6749, 7009,
//! 7662 and 8414. One file per endpoint, which reads like the steps of its RFC;
//! under them a file for each thing that the endpoints speak of.

mod answers;
pub mod assertions;
pub mod clients;
pub mod config;
pub mod demo;
mod device;
pub mod endpoints;
pub mod error;
pub mod grants;
mod introspect;
pub mod keys;
mod metadata;
pub mod pages;
pub mod passwords;
mod revoke;
pub mod scopes;
mod service;
pub mod sessions;
mod state;
pub mod throttle;
mod token;
pub mod tokens;
mod upkeep;
pub mod user_code;
pub mod users;
mod verify;

pub use service::Service;
pub use state::{State, ensure_key, rotate_key};
pub use upkeep::{sweep, upkeep};
pub use verify::{Subject, verify_bearer};
