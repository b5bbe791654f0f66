//! Why the runtime rejects a request before, or instead of, the operation.
//!
//! Every document has its own form of errors, so nothing here makes a response. The implementer's
//! `reject` turns a [`Rejection`] into a [`Reply`](crate::Reply), once for a whole document.

use http::{Method, StatusCode};

use crate::denied::Denied;
use crate::violation::Violation;

/// A request that did not reach the operation, or that the operation failed to serve.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Rejection {
    /// The operation requires credentials, and the request presents none.
    #[error("credentials are required")]
    MissingCredentials,
    /// The credentials do not suffice.
    #[error(transparent)]
    Denied(#[from] Denied),
    /// Parameters or body are invalid: all violations, in order.
    #[error("{}", list(.0))]
    Invalid(Vec<Violation>),
    /// The body does not have the syntax of its media type: malformed JSON or invalid UTF-8.
    #[error("the request body cannot be read: {message}")]
    Unreadable {
        /// The defect and its place.
        message: String,
    },
    /// The operation does not accept the media type of the body, or the body is compressed.
    #[error("the request body has a media type that is not accepted; accepted: {}", .supported.join(", "))]
    UnsupportedMediaType {
        /// The value of `Content-Type`, if the request has one. For a compressed body, its coding:
        /// `gzip-encoded`.
        received: Option<String>,
        /// The media types that the operation accepts.
        supported: Vec<&'static str>,
    },
    /// `Accept` excludes every media type of the operation's responses.
    #[error("none of the media types offered is acceptable; offered: {}", .offered.join(", "))]
    NotAcceptable {
        /// The media types of the operation's responses.
        offered: Vec<&'static str>,
    },
    /// The body is larger than the operation accepts.
    #[error("the request body is larger than {limit} bytes")]
    TooLarge {
        /// The largest body accepted, in bytes.
        limit: usize,
    },
    /// The path is known, the method is not.
    #[error("the path does not have the method")]
    MethodNotAllowed {
        /// The methods of this path. The `Allow` header is filled in by the
        /// runtime when the reply has none.
        allow: Vec<Method>,
    },
    /// No operation has this path.
    #[error("no operation has this path")]
    NotFound,
    /// The method of the operation is not implemented: 501. Only servers that are generated as
    /// prototypes have such methods, and those that call
    /// [`not_implemented`](crate::not_implemented).
    #[error("the operation {operation} is not implemented yet")]
    NotImplemented {
        /// The operation's id.
        operation: &'static str,
    },
    /// The operation failed for an internal reason, which is for the log.
    #[error("internal error: {message}")]
    Internal {
        /// What happened.
        message: String,
    },
}

impl Rejection {
    /// The rejection of a request that lacks a required body.
    pub fn missing_body() -> Self {
        Rejection::Invalid(vec![Violation::missing_body()])
    }

    /// The rejection of a body that is not JSON, or that has a repeated name.
    pub(crate) fn not_json(error: &serde_json::Error) -> Self {
        match error.is_data() {
            true => Rejection::unreadable(error),
            false => Rejection::unreadable(format!("it is not JSON: {error}")),
        }
    }

    /// The rejection of a body without the syntax of its media type.
    pub(crate) fn unreadable(message: impl ToString) -> Self {
        Rejection::Unreadable {
            message: message.to_string(),
        }
    }

    /// HTTP's status for the rejection, for documents that list no other.
    pub fn status(&self) -> StatusCode {
        match self {
            Rejection::MissingCredentials => StatusCode::UNAUTHORIZED,
            Rejection::Denied(denied) => denied.status(),
            Rejection::Invalid(_) | Rejection::Unreadable { .. } => StatusCode::BAD_REQUEST,
            Rejection::UnsupportedMediaType { .. } => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Rejection::NotAcceptable { .. } => StatusCode::NOT_ACCEPTABLE,
            Rejection::TooLarge { .. } => StatusCode::PAYLOAD_TOO_LARGE,
            Rejection::MethodNotAllowed { .. } => StatusCode::METHOD_NOT_ALLOWED,
            Rejection::NotFound => StatusCode::NOT_FOUND,
            Rejection::NotImplemented { .. } => StatusCode::NOT_IMPLEMENTED,
            Rejection::Internal { .. } => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }
}

fn list(violations: &[Violation]) -> String {
    let lines: Vec<String> = violations.iter().map(Violation::to_string).collect();
    lines.join("; ")
}
