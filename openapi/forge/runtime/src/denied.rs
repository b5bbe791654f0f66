//! What a credential that does not do is answered with.

use http::StatusCode;

/// Why credentials do not do. The order is that of [`Refusals`](crate::Refusals): the later,
/// the stronger.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
pub enum Denied {
    /// They are wrong, expired or revoked.
    #[error("not authenticated: {reason}")]
    Unauthenticated {
        /// What is wrong, for the caller if the document's error has room.
        reason: String,
    },
    /// They are good, but do not allow this.
    #[error("forbidden: {reason}")]
    Forbidden {
        /// What they lack.
        reason: String,
    },
    /// They could not be judged now.
    #[error("credentials cannot be checked: {reason}")]
    Unavailable {
        /// What is missing, for the log.
        reason: String,
    },
}

impl Denied {
    /// [`Denied::Unauthenticated`].
    pub fn unauthenticated(reason: impl Into<String>) -> Self {
        Denied::Unauthenticated {
            reason: reason.into(),
        }
    }

    /// [`Denied::Forbidden`].
    pub fn forbidden(reason: impl Into<String>) -> Self {
        Denied::Forbidden {
            reason: reason.into(),
        }
    }

    /// [`Denied::Unavailable`].
    pub fn unavailable(reason: impl Into<String>) -> Self {
        Denied::Unavailable {
            reason: reason.into(),
        }
    }

    /// 401, 403 or 503.
    pub fn status(&self) -> StatusCode {
        match self {
            Denied::Unauthenticated { .. } => StatusCode::UNAUTHORIZED,
            Denied::Forbidden { .. } => StatusCode::FORBIDDEN,
            Denied::Unavailable { .. } => StatusCode::SERVICE_UNAVAILABLE,
        }
    }
}
