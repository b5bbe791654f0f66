//! The area of identity: device authorization and tokens.
//!
//! Implements `openapi/identity.yaml`: RFC 8628, and with it RFC 6749, 7009, 7662 and 8414. Each
//! endpoint has a file, which reads like the steps of its RFC. The endpoints use files with one
//! concept each.

pub mod assertions;
pub mod client_keys;
pub mod clients;
pub mod demo;
pub mod device;
pub mod device_cookie;
pub mod endpoints;
pub mod erasure;
pub mod error;
pub mod grants;
pub mod introspect;
mod jwt;
pub mod keys;
pub mod metadata;
pub mod metrics;
pub mod passkeys;
pub mod password_links;
pub mod passwords;
pub mod quota;
pub mod registry;
pub mod rejections;
pub mod reset;
pub mod revoke;
mod saml;
pub mod scopes;
pub mod sessions;
pub mod sighting;
mod state;
pub mod suspension;
pub mod throttle;
mod thumbprint;
mod time;
pub mod token;
pub mod token_cache;
pub mod tokens;
mod upkeep;
pub mod user_agent;
pub mod user_code;
pub mod user_code_entry;
pub mod users;
mod verify;

pub use state::{Identity, ensure_key, replace_keys, rotate_key, rotate_when_due};
pub use time::CLOCK_SKEW;
pub use upkeep::{sweep, upkeep};
pub use verify::{Subject, verify_bearer};
