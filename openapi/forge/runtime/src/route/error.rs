//! Why an operation cannot be registered.

use http::Method;

/// Why an operation cannot be registered: its route clashes with a registered one, of this document
/// or of another.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("operation {operation} ({method} {route}) cannot be registered: {message}")]
pub struct RegisterError {
    /// Its id.
    pub operation: String,
    /// Its method.
    pub method: Method,
    /// Its route.
    pub route: String,
    /// Dropshot's message.
    pub message: String,
}
