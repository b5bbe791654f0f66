//! Clients: the applications that may request tokens.
//!
//! `client` has the registration of a client. The other files have the ways in which it
//! authenticates (RFC 6749, section 2.3; RFC 7521, section 4.2).

mod client;
mod identify;
mod kinds;
mod secrets;

pub use self::client::Client;
pub use self::identify::{Claimed, Credentials, Required, identify};
pub use self::kinds::{Grant, Kind, Role};
pub use self::secrets::{add_secret, has_secret, newest_secret, secret_of};
pub use super::client_keys::{Algorithm, ClientKey, put_key};
