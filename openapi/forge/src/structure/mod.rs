//! The structure of a document, checked before anything is generated from it.
//!
//! A generator that asks an object only for the keys it knows never sees a
//! misspelled one. Where that key is `security`, the operation would be open to
//! anybody. So a document is walked once along the objects of OpenAPI 3.0.3, as
//! [`objects`] lists them, and everything about access is checked on the way: a
//! key that resembles a known one, a `security` in the wrong place or of the wrong
//! shape, a scheme that is not declared, required scopes that are missing.
//!
//! Servers, clients and the lint call the same [`check`], and read the
//! requirements of an operation by the same [`alternatives`].

mod objects;
mod requirements;
mod schemes;
mod walk;

#[cfg(feature = "check")]
pub(crate) use requirements::Alternative;
pub(crate) use requirements::alternatives;
#[cfg(feature = "check")]
pub(crate) use schemes::declared_scopes;

use crate::document::{Diagnostics, Document};

/// The extension of an operation that lists the scopes its access token must have.
pub const REQUIRED_SCOPES: &str = "x-required-scopes";

/// The extension of a security scheme that declares its scopes, each with a description.
/// OpenAPI 3.0.3 has a place for them only in the flows of `oauth2`.
pub const SCOPES: &str = "x-scopes";

/// Everything that is wrong with the structure of a document, in its order.
pub fn check(document: &Document) -> Diagnostics {
    let mut diagnostics = walk::check(document);
    diagnostics.sort();
    diagnostics
}

#[cfg(test)]
mod tests;
