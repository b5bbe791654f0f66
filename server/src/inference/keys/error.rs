//! Why a key operation was refused.

use crate::store::StoreError;

use super::state::Refusal;

/// A refusal. The texts are what the caller reads; no secret is in them, and
/// of [`KeyError::Failed`] the caller reads nothing.
#[derive(Debug, Clone, thiserror::Error)]
pub enum KeyError {
    /// A value is not allowed.
    #[error("{pointer}: {message}")]
    Invalid {
        /// Where: JSON Pointer into the body, or `/name` of a parameter.
        pointer: String,
        /// What is wrong.
        message: String,
    },
    /// The tenancy has as many keys as it may.
    #[error("The limit api-key-count of {0} is reached.")]
    LimitExceeded(i64),
    /// The compartment has as many keys as it may.
    #[error("The compartment's quota of {0} API keys is reached.")]
    QuotaExceeded(i64),
    /// Absent, or not for this caller.
    #[error("Authorization failed, or there is no such resource.")]
    NotFound,
    /// The key has no secret of this name.
    #[error("The API key has no secret {0}, or you are not authorized.")]
    NoSuchSecret(String),
    /// The state of the secret does not allow it.
    #[error("Secret {name} {refusal}.")]
    SecretState {
        /// The secret.
        name: String,
        /// Why not.
        refusal: Refusal,
    },
    /// The key is deleted.
    #[error("The API key is DELETED and cannot be changed.")]
    Deleted,
    /// The retry token was used for something else.
    #[error("This retry token was used with a different request.")]
    RetryTokenDiffers,
    /// What the retry token did was undone since.
    #[error("A later change has invalidated this retry token.")]
    RetryTokenUndone,
    /// The key is moved to where it is.
    #[error("The compartment already holds this API key, or you may not move it there.")]
    AlreadyThere,
    /// Another version of the key than the caller has seen.
    #[error("The API key has changed; its etag is no longer the one in if-match.")]
    NoEtagMatch,
    /// The caller is too fast.
    #[error("Too many requests; wait {0} seconds.")]
    TooManyRequests(i64),
    /// The service is at fault.
    #[error("{0}")]
    Failed(String),
}

impl From<StoreError> for KeyError {
    fn from(error: StoreError) -> Self {
        match error {
            // The one thing about a text that no document can say.
            StoreError::Nul => KeyError::Invalid {
                pointer: String::new(),
                message: "a text holds the character U+0000".into(),
            },
            error => KeyError::Failed(error.to_string()),
        }
    }
}
