//! Clients: the applications that may ask for tokens.
//!
//! Here is what is registered of one, beside it how it proves that it is the one
//! it says (RFC 6749, section 2.3; RFC 7521, section 4.2).

mod client;
mod identify;
mod kinds;
mod secrets;

pub use self::client::Client;
pub use self::identify::{Claimed, Credentials, Required, identify};
pub use self::kinds::{Grant, Kind, Role};
pub use self::secrets::{add_secret, secret_of};
pub use super::client_keys::{Algorithm, ClientKey, put_key};
