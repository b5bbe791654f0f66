//! Errors of the configuration of models.

use crate::kernel::tls::TlsError;

/// The maximum length of the location of an external model, in characters.
pub const MAX_LOCATION_LENGTH: usize = 64;

/// Why the models cannot be served.
#[derive(Debug, thiserror::Error)]
pub enum ModelError {
    /// Two models have the same name.
    #[error("inference.models: there are two models {0}")]
    Duplicate(String),
    /// The model's address cannot be used.
    #[error("inference.models: {model}: url: {message}")]
    Url {
        /// The model.
        model: String,
        /// The error.
        message: String,
    },
    /// The model has no model servers, or defines them in two ways.
    #[error("inference.models: {0}: expected either url or upstreams")]
    Upstreams(String),
    /// The location of an external model cannot be a header value.
    #[error(
        "inference.models: {0}: external_location: expected 1 to {MAX_LOCATION_LENGTH} printable \
         ASCII characters"
    )]
    Location(String),
    /// A header cannot be sent.
    #[error("inference.models: {model}: {header}: {message}")]
    Header {
        /// The model.
        model: String,
        /// The header.
        header: String,
        /// The error.
        message: String,
    },
    /// The certificates of model servers could not be checked.
    #[error("inference.ca_file: {0}")]
    Tls(#[from] TlsError),
    /// The key for the model server cannot be read.
    #[error("inference.models: {model}: {place}: {message}")]
    Key {
        /// The model.
        model: String,
        /// The variable or the file.
        place: String,
        /// The error.
        message: String,
    },
}
