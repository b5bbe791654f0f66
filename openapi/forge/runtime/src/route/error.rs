//! Why a route cannot be registered.

use http::Method;

/// Why an operation cannot be registered.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RegisterError {
    /// Dropshot does not take its parameters.
    #[error("operation {operation} ({method} {route}) is refused: {message}")]
    Refused {
        /// Its id.
        operation: String,
        /// Its method.
        method: Method,
        /// Its route.
        route: String,
        /// What dropshot says.
        message: String,
    },
    /// Its route clashes with one that is already there, of this document or
    /// of another.
    #[error("operation {operation} ({method} {route}) has no place among the routes: {message}")]
    Route {
        /// Its id.
        operation: String,
        /// Its method.
        method: Method,
        /// Its route.
        route: String,
        /// What dropshot says.
        message: String,
    },
}
