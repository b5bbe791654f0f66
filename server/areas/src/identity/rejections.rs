//! Rejections in the document's form: the error object of RFC 6749, section 5.2, with the status of
//! its code.
//!
//! Every response of the OAuth endpoints forbids caching, errors included.

use accord_identity_server::types::{self, OAuthErrorCode};
use accord_identity_server::{
    CreateDeviceAuthorizationError, CreateTokenError, GetJwkSetError, IntrospectTokenError,
    RevokeTokenError, responses,
};
use dropforge_runtime::http::StatusCode;
use dropforge_runtime::{Keyword, Rejection, Reply, Violation};

use super::error::{Refusal, ServerError};
use crate::kernel::{Short, texts};

/// Value of `Cache-Control` that forbids storing.
pub const NO_STORE: &str = "no-store";
/// Seconds until a request that met a temporary failure should be repeated.
const RETRY_SECONDS: i32 = 5;
/// The description of every failed authentication.
const NOT_AUTHENTICATED: &str = "The client could not be authenticated.";
/// Challenge of every 401.
const CHALLENGE: &str = r#"Basic realm="accord", charset="UTF-8""#;

impl Refusal {
    /// The error code.
    pub fn code(&self) -> &'static str {
        self.error().as_str()
    }

    fn error(&self) -> OAuthErrorCode {
        match self {
            Refusal::InvalidRequest(_) => OAuthErrorCode::InvalidRequest,
            Refusal::InvalidClient(_) => OAuthErrorCode::InvalidClient,
            Refusal::UnauthorizedClient | Refusal::UnauthorizedGrant => {
                OAuthErrorCode::UnauthorizedClient
            }
            Refusal::InvalidGrant(_) => OAuthErrorCode::InvalidGrant,
            Refusal::UnsupportedGrantType => OAuthErrorCode::UnsupportedGrantType,
            Refusal::UnsupportedResponseType => OAuthErrorCode::UnsupportedResponseType,
            Refusal::InvalidScope(_) => OAuthErrorCode::InvalidScope,
            Refusal::TooManyRequests { .. } => OAuthErrorCode::TemporarilyUnavailable,
            Refusal::AuthorizationPending => OAuthErrorCode::AuthorizationPending,
            Refusal::SlowDown { .. } => OAuthErrorCode::SlowDown,
            Refusal::AccessDenied => OAuthErrorCode::AccessDenied,
            Refusal::ExpiredToken => OAuthErrorCode::ExpiredToken,
            Refusal::Server(error) if error.is_temporary() => {
                OAuthErrorCode::TemporarilyUnavailable
            }
            Refusal::Server(_) => OAuthErrorCode::ServerError,
        }
    }

    /// The error object. Texts that must not leave the server go to the log instead.
    fn body(&self) -> types::OAuthError {
        let description = match self {
            Refusal::InvalidClient(reason) => {
                tracing::info!(reason = %Short(reason), "a client could not be authenticated");
                NOT_AUTHENTICATED.to_owned()
            }
            Refusal::Server(error) => {
                tracing::error!(%error, "a request failed");
                match error.is_temporary() {
                    true => texts::unavailable(RETRY_SECONDS.into()),
                    false => texts::UNEXPECTED.to_owned(),
                }
            }
            _ => texts::sentence(&self.to_string()),
        };
        types::OAuthError {
            error: self.error(),
            error_description: printable(&description),
        }
    }
}

/// The characters of a text that an `error_description` allows (RFC 6749, section 5.2).
fn printable(text: &str) -> String {
    let letter = |letter| match letter {
        '"' => '\'',
        '\\' => '/',
        ' '..='~' => letter,
        _ => '?',
    };
    text.chars().map(letter).collect()
}

macro_rules! refused {
    ($($error:ident: $bad_request:ident $(, $too_many:ident)?;)*) => {$(
        impl From<Refusal> for $error {
            fn from(refusal: Refusal) -> Self {
                let body = refusal.body();
                let cache_control = NO_STORE.to_owned();
                match refusal {
                    Refusal::InvalidClient(_) => $error::Unauthorized(responses::InvalidClient {
                        www_authenticate: CHALLENGE.to_owned(),
                        cache_control,
                        body,
                    }),
                    $(Refusal::TooManyRequests { seconds } => $error::$too_many(responses::$too_many {
                        retry_after: i32::try_from(seconds).unwrap_or(i32::MAX),
                        cache_control,
                        body,
                    }),)?
                    Refusal::Server(error) if error.is_temporary() => {
                        $error::ServiceUnavailable(responses::TemporarilyUnavailable {
                            retry_after: RETRY_SECONDS,
                            cache_control,
                            body,
                        })
                    }
                    Refusal::Server(_) => $error::InternalServerError(responses::ServerError {
                        cache_control,
                        body,
                    }),
                    _ => $error::BadRequest(responses::$bad_request { cache_control, body }),
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
        let is_temporary = error.is_temporary();
        let body = Refusal::from(error).body();
        let cache_control = NO_STORE.to_owned();
        match is_temporary {
            true => GetJwkSetError::ServiceUnavailable(responses::TemporarilyUnavailable {
                retry_after: RETRY_SECONDS,
                cache_control,
                body,
            }),
            false => GetJwkSetError::InternalServerError(responses::ServerError {
                cache_control,
                body,
            }),
        }
    }
}

/// A rejection by the runtime, before a handler receives the request.
pub fn rejected(rejection: &Rejection, method: &str) -> Reply {
    // The document lists neither 415 nor 403.
    let status = match rejection {
        Rejection::UnsupportedMediaType { .. } => StatusCode::BAD_REQUEST,
        Rejection::Denied(_) => StatusCode::UNAUTHORIZED,
        _ => rejection.status(),
    };
    let (error, description) = described(rejection, method);
    let body = types::OAuthError {
        error,
        error_description: printable(&description),
    };
    Reply::json(status, &body)
        .header("cache-control", NO_STORE)
        .header_opt(
            "www-authenticate",
            (status == StatusCode::UNAUTHORIZED).then_some(CHALLENGE),
        )
}

/// The code and the description of a rejection.
fn described(rejection: &Rejection, method: &str) -> (OAuthErrorCode, String) {
    use OAuthErrorCode::{InvalidClient, InvalidRequest};
    let description = match rejection {
        Rejection::Invalid(violations) => match unsupported(violations) {
            Some(refusal) => return (refusal.error(), texts::sentence(&refusal.to_string())),
            None => violated(violations),
        },
        Rejection::Unreadable { message } => {
            texts::sentence(&format!("the body is not a valid form: {message}"))
        }
        Rejection::UnsupportedMediaType {
            received,
            supported,
        } => texts::unsupported_media_type(received.as_deref(), supported),
        Rejection::NotAcceptable { offered } => texts::not_acceptable(offered),
        Rejection::TooLarge { limit } => format!("The body exceeds {limit} bytes."),
        Rejection::MethodNotAllowed { .. } => texts::unsupported_method(method),
        Rejection::NotFound => texts::UNKNOWN_PATH.to_owned(),
        Rejection::MissingCredentials | Rejection::Denied(_) => {
            return (InvalidClient, NOT_AUTHENTICATED.to_owned());
        }
        Rejection::NotImplemented { .. } => {
            return (OAuthErrorCode::ServerError, texts::UNEXPECTED.to_owned());
        }
        Rejection::Internal { message } => {
            tracing::error!(message, "a request failed");
            return (OAuthErrorCode::ServerError, texts::UNEXPECTED.to_owned());
        }
    };
    (InvalidRequest, description)
}

/// The code for a value outside of an enumeration, if OAuth has one.
fn unsupported(violations: &[Violation]) -> Option<Refusal> {
    let [violation] = violations else { return None };
    match (violation.keyword, violation.pointer.as_str()) {
        (Keyword::Enum, "/grant_type") => Some(Refusal::UnsupportedGrantType),
        (Keyword::Enum, "/response_type") => Some(Refusal::UnsupportedResponseType),
        _ => None,
    }
}

/// All violations in one text, within the bounds of the document.
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
        let line = texts::sentence(&line);
        if text.chars().count() + line.chars().count() > 900 {
            break;
        }
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(&line);
    }
    match text.is_empty() {
        true => "The request is invalid.".to_owned(),
        false => text,
    }
}
