//! The errors of a policy.

/// Why a policy cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum PolicyError {
    /// The id is empty or too long.
    #[error("the id of a policy has 1 to {max} characters")]
    Id {
        /// The maximum length of an id, in characters.
        max: usize,
    },
    /// The policy is not valid Cedar.
    #[error("policy {id}: {message}")]
    Syntax {
        /// Its id.
        id: String,
        /// The error.
        message: String,
    },
    /// The policy uses names that the schema does not have.
    #[error("policy {id}: {message}")]
    Schema {
        /// Its id.
        id: String,
        /// The error.
        message: String,
    },
    /// The policy is too large, or too deep.
    #[error("policy {id}: {message}")]
    TooLarge {
        /// Its id.
        id: String,
        /// The part that is too large, and its position.
        message: String,
    },
    /// The policy fails when it is evaluated.
    #[error("policy {id}: it cannot be evaluated: {message}")]
    Evaluation {
        /// Its id.
        id: String,
        /// The error.
        message: String,
    },
    /// The request cannot be evaluated.
    #[error("policies cannot be evaluated: {0}")]
    Question(String),
}
