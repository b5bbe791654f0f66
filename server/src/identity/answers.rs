//! Refusals in the document's form: the error object of RFC 6749, section 5.2,
//! with the status that goes with its code.
//!
//! Everything that the OAuth endpoints answer forbids storing, errors too.

use accord::identity::server::types::{self, ErrorCode};
use accord::identity::server::{
    CreateDeviceAuthorizationError, CreateTokenError, GetJwkSetError, IntrospectTokenError,
    RevokeTokenError, responses,
};
use dropforge_runtime::http::StatusCode;
use dropforge_runtime::{Keyword, Rejection, Reply, Violation};

use super::error::{Refusal, ServerError};
use crate::kernel::Short;

/// Value of `Cache-Control` that forbids storing.
pub const NO_STORE: &str = "no-store";
/// Value of `Pragma`, for caches of HTTP/1.0.
pub const NO_CACHE: &str = "no-cache";
/// Challenge of every 401.
const CHALLENGE: &str = r#"Basic realm="accord", charset="UTF-8""#;

impl Refusal {
    /// The error code.
    pub fn code(&self) -> &'static str {
        self.error().as_str()
    }

    fn error(&self) -> ErrorCode {
        match self {
            Refusal::InvalidRequest(_) => ErrorCode::InvalidRequest,
            Refusal::InvalidClient(_) => ErrorCode::InvalidClient,
            Refusal::UnauthorizedClient | Refusal::UnauthorizedGrant => {
                ErrorCode::UnauthorizedClient
            }
            Refusal::InvalidGrant(_) => ErrorCode::InvalidGrant,
            Refusal::UnsupportedGrantType => ErrorCode::UnsupportedGrantType,
            Refusal::UnsupportedResponseType => ErrorCode::UnsupportedResponseType,
            Refusal::InvalidScope(_) => ErrorCode::InvalidScope,
            Refusal::TooManyRequests { .. } => ErrorCode::TemporarilyUnavailable,
            Refusal::AuthorizationPending => ErrorCode::AuthorizationPending,
            Refusal::SlowDown { .. } => ErrorCode::SlowDown,
            Refusal::AccessDenied => ErrorCode::AccessDenied,
            Refusal::ExpiredToken => ErrorCode::ExpiredToken,
            Refusal::Server(_) => ErrorCode::ServerError,
        }
    }

    /// The error object. What must not leave the server goes to the log
    /// instead.
    fn body(&self) -> types::Error {
        let description = match self {
            Refusal::InvalidClient(reason) => {
                tracing::info!(reason = %Short(reason), "a client could not be authenticated");
                "The client could not be authenticated.".to_owned()
            }
            Refusal::Server(error) => {
                tracing::error!(%error, "a request could not be handled");
                sentence("the request could not be handled; try again later")
            }
            _ => sentence(&self.to_string()),
        };
        types::Error {
            error: self.error(),
            error_description: printable(&description),
        }
    }
}

/// What of a text an `error_description` can hold (RFC 6749, section 5.2).
fn printable(text: &str) -> String {
    let letter = |letter| match letter {
        '"' => '\'',
        '\\' => '/',
        ' '..='~' => letter,
        _ => '?',
    };
    text.chars().map(letter).collect()
}

/// Begins with a capital and ends with a full stop.
fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    first.into_iter().chain(letters).chain(['.']).collect()
}

macro_rules! refused {
    ($($error:ident: $bad_request:ident $(, $too_many:ident)?;)*) => {$(
        impl From<Refusal> for $error {
            fn from(refusal: Refusal) -> Self {
                let body = refusal.body();
                let (cache_control, pragma) = (NO_STORE.to_owned(), NO_CACHE.to_owned());
                match refusal {
                    Refusal::InvalidClient(_) | Refusal::UnauthorizedClient => {
                        $error::Unauthorized(responses::Unauthorized {
                            www_authenticate: CHALLENGE.to_owned(),
                            cache_control,
                            pragma,
                            body,
                        })
                    }
                    $(Refusal::TooManyRequests { seconds } => $error::$too_many(responses::$too_many {
                        retry_after: i32::try_from(seconds).unwrap_or(i32::MAX),
                        cache_control,
                        pragma,
                        body,
                    }),)?
                    Refusal::Server(_) => $error::InternalServerError(responses::ServerError {
                        cache_control,
                        pragma,
                        body,
                    }),
                    _ => $error::BadRequest(responses::$bad_request {
                        cache_control,
                        pragma,
                        body,
                    }),
                }
            }
        }

        impl From<ServerError> for $error {
            fn from(error: ServerError) -> Self {
                Refusal::from(error).into()
            }
        }
    )*};
}

refused! {
    CreateDeviceAuthorizationError: CreateDeviceAuthorizationBadRequest, TooManyRequests;
    CreateTokenError: CreateTokenBadRequest;
    IntrospectTokenError: InvalidRequest;
    RevokeTokenError: RevokeTokenBadRequest;
}

impl From<ServerError> for GetJwkSetError {
    fn from(error: ServerError) -> Self {
        GetJwkSetError::InternalServerError(responses::ServerError {
            cache_control: NO_STORE.to_owned(),
            pragma: NO_CACHE.to_owned(),
            body: Refusal::from(error).body(),
        })
    }
}

/// What the runtime refuses before a handler sees it.
pub fn rejected(rejection: &Rejection, method: &str) -> Reply {
    let (status, code, description) = match rejection {
        Rejection::Invalid(violations) => (
            StatusCode::BAD_REQUEST,
            ErrorCode::InvalidRequest,
            violated(violations),
        ),
        Rejection::Unreadable { message } => (
            StatusCode::BAD_REQUEST,
            ErrorCode::InvalidRequest,
            sentence(&format!("the body is no form: {message}")),
        ),
        Rejection::UnsupportedMediaType { .. } => (
            StatusCode::BAD_REQUEST,
            ErrorCode::InvalidRequest,
            "The body must be application/x-www-form-urlencoded.".to_owned(),
        ),
        Rejection::NotAcceptable { .. } => (
            StatusCode::NOT_ACCEPTABLE,
            ErrorCode::InvalidRequest,
            "The answer is application/json, which Accept excludes.".to_owned(),
        ),
        Rejection::TooLarge { limit } => (
            StatusCode::PAYLOAD_TOO_LARGE,
            ErrorCode::InvalidRequest,
            format!("The body is larger than {limit} bytes."),
        ),
        Rejection::MethodNotAllowed { .. } => (
            StatusCode::METHOD_NOT_ALLOWED,
            ErrorCode::InvalidRequest,
            format!("This path does not have the method {method}."),
        ),
        Rejection::NotFound => (
            StatusCode::NOT_FOUND,
            ErrorCode::InvalidRequest,
            "There is nothing at this address.".to_owned(),
        ),
        Rejection::MissingCredentials | Rejection::Denied(_) => (
            StatusCode::UNAUTHORIZED,
            ErrorCode::InvalidClient,
            "The client could not be authenticated.".to_owned(),
        ),
        Rejection::Internal { message } => {
            tracing::error!(message, "a request could not be handled");
            (
                StatusCode::INTERNAL_SERVER_ERROR,
                ErrorCode::ServerError,
                sentence("the request could not be handled; try again later"),
            )
        }
    };
    let body = types::Error {
        error: code,
        error_description: printable(&description),
    };
    Reply::json(status, &body)
        .header("cache-control", NO_STORE)
        .header("pragma", NO_CACHE)
        .header_opt(
            "www-authenticate",
            (status == StatusCode::UNAUTHORIZED).then_some(CHALLENGE),
        )
}

/// All violations in one text, within what the document allows for it.
fn violated(violations: &[Violation]) -> String {
    let mut text = String::new();
    for violation in violations {
        let name = violation.pointer.trim_start_matches('/');
        let line = match violation.keyword {
            _ if name.is_empty() => format!("the body {}", violation.message),
            // A parameter without a value counts as omitted.
            Keyword::Required | Keyword::MinLength => {
                format!("a required parameter is missing: {name}")
            }
            _ => format!("the parameter {name} {}", violation.message),
        };
        let line = sentence(&line);
        if text.chars().count() + line.chars().count() > 900 {
            break;
        }
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(&line);
    }
    match text.is_empty() {
        true => "The request is malformed.".to_owned(),
        false => text,
    }
}
