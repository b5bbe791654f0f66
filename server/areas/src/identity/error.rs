//! Why a client's request is rejected, in the terms of RFC 6749, section 5.2 and RFC 8628, section
//! 3.5.
//!
//! The functions of this area return these errors; `rejections` gives them the form of the document.

use std::borrow::Cow;

use super::keys::KeyError;
use crate::kernel::texts::Seconds;
use crate::store::StoreError;

/// A rejected request.
#[derive(Debug, Clone, thiserror::Error)]
pub enum Refusal {
    /// The request lacks something, or contradicts itself.
    #[error("{0}")]
    InvalidRequest(Cow<'static, str>),
    /// The client is unknown or fails to authenticate. The reason is for the log and never leaves
    /// the server.
    #[error("the client could not be authenticated: {0}")]
    InvalidClient(Cow<'static, str>),
    /// The client is known, but not registered for the operation.
    #[error("the client is not registered for this operation")]
    UnauthorizedClient,
    /// The client is known, but not registered for the grant it presents at the
    /// token endpoint.
    #[error("the client is not registered for this grant")]
    UnauthorizedGrant,
    /// The device code or refresh token is invalid, or another client's.
    #[error("{0}")]
    InvalidGrant(&'static str),
    /// A grant type that this server does not support.
    #[error("this server supports the grants device_code and refresh_token only")]
    UnsupportedGrantType,
    /// A response type that the device endpoint does not support.
    #[error("this server supports the response type device_code only")]
    UnsupportedResponseType,
    /// The scope is malformed, or none of it can be granted.
    #[error("{0}")]
    InvalidScope(&'static str),
    /// The client, or its address, sends requests too often.
    #[error(
        "too many device requests from this client or address. Try again in {}",
        Seconds(*.seconds)
    )]
    TooManyRequests {
        /// Seconds until the next one is allowed.
        seconds: i64,
    },
    /// The user has not decided yet.
    #[error("the user has not finished the approval")]
    AuthorizationPending,
    /// The device polls too often.
    #[error("the poll came too early. From now on, wait {interval} seconds between polls")]
    SlowDown {
        /// The device's new interval, in seconds.
        interval: i64,
    },
    /// The user has denied the request.
    #[error("the user has denied the request")]
    AccessDenied,
    /// The user has not decided in time.
    #[error("the device code has expired. Start a new device authorization")]
    ExpiredToken,
    /// The server failed.
    #[error("{0}")]
    Server(#[from] ServerError),
}

/// A failure of the server. Its text is for the log.
#[derive(Debug, Clone, thiserror::Error)]
pub enum ServerError {
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The keys that sign tokens failed.
    #[error(transparent)]
    Keys(#[from] KeyError),
    /// A row with a value that this program never writes.
    #[error("the store has an invalid value: {0}")]
    Corrupt(&'static str),
}

impl ServerError {
    /// Whether a retry may succeed a moment later.
    pub fn is_temporary(&self) -> bool {
        match self {
            ServerError::Store(error) | ServerError::Keys(KeyError::Store(error)) => {
                error.is_temporary()
            }
            ServerError::Keys(_) | ServerError::Corrupt(_) => false,
        }
    }
}

impl From<StoreError> for Refusal {
    fn from(error: StoreError) -> Self {
        Refusal::Server(error.into())
    }
}

impl From<KeyError> for Refusal {
    fn from(error: KeyError) -> Self {
        Refusal::Server(error.into())
    }
}

impl Refusal {
    /// The error for a missing parameter.
    pub fn missing(parameter: &str) -> Refusal {
        Refusal::InvalidRequest(format!("a required parameter is missing: {parameter}").into())
    }
}

/// The result of an endpoint's transaction. A rejection is an outcome like any other, and its
/// effects (a counted poll, a used assertion) are committed. Only a failure of the server rolls
/// them back.
pub type Outcome<T> = Result<Result<T, Refusal>, ServerError>;

/// Turns the result of an endpoint's steps into the outcome of its transaction.
///
/// # Errors
///
/// The failures of the server.
pub fn settle<T>(result: Result<T, Refusal>) -> Outcome<T> {
    match result {
        Err(Refusal::Server(error)) => Err(error),
        other => Ok(other),
    }
}
