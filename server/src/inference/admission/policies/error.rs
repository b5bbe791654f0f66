//! Why a policy cannot be used.

/// Why a policy cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum PolicyError {
    /// It is not in Cedar's language.
    #[error("policy {id}: {message}")]
    Syntax {
        /// Its id.
        id: String,
        /// What is wrong.
        message: String,
    },
    /// It speaks of what the schema does not have.
    #[error("policy {id}: {message}")]
    Schema {
        /// Its id.
        id: String,
        /// What is wrong.
        message: String,
    },
    /// It is too large, or too deep.
    #[error("policy {id}: {message}")]
    TooLarge {
        /// Its id.
        id: String,
        /// What is too large, and where.
        message: String,
    },
    /// It fails when it is evaluated.
    #[error("policy {id}: it cannot be evaluated: {message}")]
    Evaluation {
        /// Its id.
        id: String,
        /// Why.
        message: String,
    },
    /// The question cannot be put.
    #[error("policies cannot be asked: {0}")]
    Question(String),
}
