//! The extensions about scopes.

/// The extension of an operation that lists the scopes its access token must have.
pub const REQUIRED_SCOPES: &str = "x-required-scopes";

/// The extension of a security scheme that declares its scopes, each with a description.
/// OpenAPI 3.0.3 has a place for them only in the flows of `oauth2`.
pub const SCOPES: &str = "x-scopes";
