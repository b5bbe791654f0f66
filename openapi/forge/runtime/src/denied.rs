//! The reasons for which an implementer rejects credentials.

use http::StatusCode;

/// Why credentials do not suffice. The order is that of [`Refusals`](crate::Refusals): later
/// variants are stronger.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
pub enum Denied {
    /// The credentials are wrong, expired or revoked.
    #[error("not authenticated: {reason}")]
    Unauthenticated {
        /// The reason, for the caller if the document's error has a member for it.
        reason: String,
    },
    /// The credentials are valid, but do not allow this call.
    #[error("forbidden: {reason}")]
    Forbidden {
        /// The missing permission.
        reason: String,
    },
    /// The credentials cannot be checked now.
    #[error("credentials cannot be checked: {reason}")]
    Unavailable {
        /// The missing service, for the log.
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
