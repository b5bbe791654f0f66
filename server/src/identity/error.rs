//! Why a request of a client is refused, in the terms of RFC 6749, section 5.2
//! and RFC 8628, section 3.5.
//!
//! The functions of this area speak in these; `answers` gives them the form
//! of the document.

use std::borrow::Cow;

use super::keys::KeyError;
use crate::kernel::texts::Seconds;
use crate::store::StoreError;

/// A refused request.
#[derive(Debug, Clone, thiserror::Error)]
pub enum Refusal {
    /// The request lacks something, or contradicts itself.
    #[error("{0}")]
    InvalidRequest(Cow<'static, str>),
    /// The client is unknown or cannot prove who it is. The reason is for the
    /// log and never leaves the server.
    #[error("the client could not be authenticated: {0}")]
    InvalidClient(Cow<'static, str>),
    /// The client is known, but not registered for the operation.
    #[error("the client is not registered for this operation")]
    UnauthorizedClient,
    /// The client is known, but not registered for the grant it presents at the
    /// token endpoint.
    #[error("the client is not registered for this grant")]
    UnauthorizedGrant,
    /// The device code or refresh token is not good, or not the client's.
    #[error("{0}")]
    InvalidGrant(&'static str),
    /// A grant type that this server does not have.
    #[error("this server supports the grants device_code and refresh_token only")]
    UnsupportedGrantType,
    /// A response type that the device endpoint does not have.
    #[error("this server supports the response type device_code only")]
    UnsupportedResponseType,
    /// The scope is malformed, or nothing of it can be granted.
    #[error("{0}")]
    InvalidScope(&'static str),
    /// The client, or its address, asks more often than it may.
    #[error(
        "too many device requests from this client or address. Try again in {}",
        Seconds(*.seconds)
    )]
    TooManyRequests {
        /// Seconds until the next one may come.
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
    /// The user has said no.
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
    /// The database.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The keys that tokens are signed with.
    #[error(transparent)]
    Keys(#[from] KeyError),
    /// A row that this program cannot have written.
    #[error("the store holds something unexpected: {0}")]
    Corrupt(&'static str),
}

impl ServerError {
    /// Whether the same request may succeed a moment later.
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
    /// A parameter that the request should have had.
    pub fn missing(parameter: &str) -> Refusal {
        Refusal::InvalidRequest(format!("a required parameter is missing: {parameter}").into())
    }
}

/// What a transaction of an endpoint returns: a refusal is an outcome like any
/// other, whose effects (a poll that was counted, an assertion that was used)
/// are kept; only a failure of the server undoes them.
pub type Outcome<T> = Result<Result<T, Refusal>, ServerError>;

/// Turns the result of an endpoint's steps into the outcome of its transaction.
///
/// # Errors
///
/// The failures of the server among the refusals.
pub fn settle<T>(result: Result<T, Refusal>) -> Outcome<T> {
    match result {
        Err(Refusal::Server(error)) => Err(error),
        other => Ok(other),
    }
}
