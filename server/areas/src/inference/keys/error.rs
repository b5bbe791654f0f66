//! Errors of operations on keys.

use crate::kernel::idempotency::KeyReused;
use crate::kernel::texts::Seconds;
use crate::store::StoreError;

use super::state::Refusal;

/// An error. Its text is the message of the response and contains no secrets. The texts of
/// [`KeyError::Unavailable`], [`KeyError::OutcomeUnknown`] and [`KeyError::Failed`] go to the log only.
#[derive(Debug, Clone, thiserror::Error)]
pub enum KeyError {
    /// A value is not allowed.
    #[error("{pointer} {message}.")]
    Invalid {
        /// The place: JSON Pointer into the body, `/name` of a parameter, or `The body`.
        pointer: String,
        /// The reason.
        message: String,
    },
    /// The tenancy has reached its limit of keys.
    #[error(
        "The tenancy has reached the limit api-key-count of {0}. Delete a key or ask the operator for more."
    )]
    LimitExceeded(i64),
    /// The compartment has reached its quota of keys.
    #[error(
        "The compartment has reached its quota of {0} API keys. Delete a key or ask the operator for more."
    )]
    QuotaExceeded(i64),
    /// The key does not exist, or the caller may not see it.
    #[error("The resource does not exist, or you are not authorized.")]
    NotFound,
    /// The key has no secret of this name.
    #[error("The secret {0} does not exist, or you are not authorized.")]
    NoSuchSecret(String),
    /// The state of the secret does not allow it.
    #[error("Secret {name} {refusal}.")]
    SecretState {
        /// The secret.
        name: String,
        /// The reason.
        refusal: Refusal,
    },
    /// The key is deleted.
    #[error("The API key is DELETED and cannot be changed.")]
    Deleted,
    /// The retry token was used for another request.
    #[error("This retry token was used with a different request. Send a new one.")]
    RetryTokenDiffers,
    /// The effect of the retry token was undone since.
    #[error("A later change has invalidated this retry token. Read the key, then send a new one.")]
    RetryTokenUndone,
    /// The key is already in the target compartment.
    #[error("The API key is already in this compartment.")]
    AlreadyThere,
    /// The key has another version than the caller's etag.
    #[error("The API key has changed and If-Match does not list its ETag. Read the key again.")]
    NoEtagMatch,
    /// The caller sends requests too often.
    #[error("Too many requests. Try again in {}.", Seconds(*.0))]
    TooManyRequests(i64),
    /// The store is temporarily unavailable, and nothing was written.
    #[error("{0}")]
    Unavailable(String),
    /// The connection to the store broke during the commit. A repetition with the same retry token
    /// shows whether it succeeded.
    #[error("{0}")]
    OutcomeUnknown(String),
    /// The service failed.
    #[error("{0}")]
    Failed(String),
}

impl From<KeyReused> for KeyError {
    fn from(_: KeyReused) -> Self {
        KeyError::RetryTokenDiffers
    }
}

impl From<StoreError> for KeyError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Nul => KeyError::Invalid {
                pointer: "The body".into(),
                message: "has a text with the character U+0000".into(),
            },
            StoreError::OutcomeUnknown(_) => KeyError::OutcomeUnknown(error.to_string()),
            error if error.is_temporary() => KeyError::Unavailable(error.to_string()),
            error => KeyError::Failed(error.to_string()),
        }
    }
}
