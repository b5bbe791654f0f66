//! The pages for people: sign in, approve a device, look after an account, and the console with
//! API keys and their usage.
//!
//! No document describes them, so their routes are written by hand. They work
//! without scripts and load nothing: stylesheet and scripts are in the page, and the
//! content security policy allows no others. Opening a link changes nothing: every change is a
//! form with a token that is bound to one browser.

mod account;
mod after;
mod assets;
mod attempts;
mod caller;
mod change;
mod confirm;
mod day;
mod device;
mod elsewhere;
mod forgot;
mod home;
mod keys;
mod once;
mod operations;
mod page_request;
mod passkey_signin;
mod passkeys;
mod password;
mod patterns;
mod playground;
mod problems;
mod question;
mod response;
mod router;
mod routes;
mod signin;
mod signout;
mod texts;
mod usage;
mod users;

pub use router::register;
#[cfg(test)]
pub use router::{PATTERN, names};
pub use usage::inert;
