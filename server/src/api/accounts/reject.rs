//! Rejections as the document's own error: a code, and a text for people.
//!
//! The document has only 400, 401, 500 and 503 (and 405 for a method that a path does not have).
//! Every other status of HTTP becomes one of them.

use std::sync::Arc;

use accord_accounts_server::{responses, types};
use dropforge_runtime::{Call, Denied, Keyword, Rejection, Reply, Violation};
use http::StatusCode;

use crate::accounts::provisioning::ProvisioningError;
use crate::api::challenge::Challenge;
use crate::api::sentence::sentence;
use crate::api::unavailable::{UNAVAILABLE_SECONDS, unavailable_text};
use crate::app::App;
use crate::kernel::texts;
use crate::store::StoreError;

/// The text of a 500 of createUser.
pub const CANNOT_CREATE_USER: &str = "Unable to create user account";
/// The text of a 500 of linkCollabProfile.
pub const CANNOT_LINK_PROFILE: &str = "Unable to create collab profile";

const NO_PRIVILEGE: &str = "You do not have privileges to perform this action";

/// A 400 with this text.
pub fn invalid(text: impl Into<String>) -> responses::InvalidRequest {
    responses::InvalidRequest {
        body: error(types::OAuthErrorCode::InvalidRequest, text),
    }
}

/// A 400 of a list with this text.
pub fn invalid_parameter(text: impl Into<String>) -> responses::InvalidParameter {
    responses::InvalidParameter {
        body: error(types::OAuthErrorCode::InvalidRequest, text),
    }
}

/// The 401 of a user who is not an administrator, for operations that require one.
pub fn no_privilege() -> responses::Unauthorized {
    responses::Unauthorized {
        www_authenticate: Challenge::Privilege.to_string(),
        body: error(
            types::OAuthErrorCode::AccessDenied,
            format!("{NO_PRIVILEGE}."),
        ),
    }
}

/// The body of a 500 of createUser or linkCollabProfile. It names an obstacle that the caller can
/// remove; a failure of the service goes to the log instead.
pub fn failed(call: &Call<Arc<App>>, text: &str, reason: ProvisioningError) -> types::OAuthError {
    let text = match reason {
        ProvisioningError::Obstacle(obstacle) => format!("{text}: {obstacle}."),
        ProvisioningError::Store(error @ StoreError::OutcomeUnknown(_)) => {
            log(call, &error);
            texts::OUTCOME_UNKNOWN.to_owned()
        }
        reason => {
            log(call, &reason);
            format!("{text}.")
        }
    };
    error(types::OAuthErrorCode::FailedToProcessRequest, text)
}

/// A temporary failure.
pub fn unavailable(
    call: &Call<Arc<App>>,
    reason: &dyn std::fmt::Display,
) -> responses::ServiceUnavailable {
    log(call, reason);
    responses::ServiceUnavailable {
        retry_after: UNAVAILABLE_SECONDS,
        body: unavailable_body(),
    }
}

fn unavailable_body() -> types::OAuthError {
    error(
        types::OAuthErrorCode::TemporarilyUnavailable,
        unavailable_text(),
    )
}

/// The failed query of a list.
pub fn failed_list<E>(call: &Call<Arc<App>>, reason: &StoreError) -> E
where
    E: From<responses::ServiceUnavailable> + From<responses::ServerError>,
{
    if reason.is_temporary() {
        return unavailable(call, reason).into();
    }
    log(call, reason);
    let code = types::OAuthErrorCode::FailedToProcessRequest;
    let body = error(code, texts::UNEXPECTED);
    responses::ServerError { body }.into()
}

fn log(call: &Call<Arc<App>>, reason: &dyn std::fmt::Display) {
    tracing::error!(error = %reason, request_id = call.request_id(), "accounts failed");
}

/// The runtime's rejection, in the document's form.
pub fn reply(call: &Call<Arc<App>>, rejection: Rejection) -> Reply {
    use types::OAuthErrorCode::{
        AccessDenied, FailedToProcessRequest, InvalidRequest, InvalidToken,
    };
    let operation = call.operation();
    let bad = |text: String| Reply::json(StatusCode::BAD_REQUEST, &error(InvalidRequest, text));
    let challenge = Challenge::of(&rejection, operation);
    let unauthorized =
        |code, text: String| Reply::json(StatusCode::UNAUTHORIZED, &error(code, text));
    let failed = |reason: &str| {
        log(call, &reason);
        let text = match operation.map(|operation| operation.id) {
            Some("createUser") => format!("{CANNOT_CREATE_USER}."),
            Some("linkCollabProfile") => format!("{CANNOT_LINK_PROFILE}."),
            _ => texts::UNEXPECTED.into(),
        };
        let body = error(FailedToProcessRequest, text);
        Reply::json(StatusCode::INTERNAL_SERVER_ERROR, &body)
    };
    let reply = match rejection {
        Rejection::MissingCredentials => {
            unauthorized(InvalidToken, "The access token is missing.".into())
        }
        Rejection::Denied(Denied::Unauthenticated { reason }) => {
            unauthorized(InvalidToken, texts::sentence(&reason))
        }
        Rejection::Denied(Denied::Forbidden { reason }) => {
            unauthorized(AccessDenied, format!("{NO_PRIVILEGE}: {reason}."))
        }
        Rejection::Denied(Denied::Unavailable { reason }) => {
            log(call, &reason);
            Reply::json(StatusCode::SERVICE_UNAVAILABLE, &unavailable_body())
                .header("Retry-After", UNAVAILABLE_SECONDS)
        }
        Rejection::Invalid(violations) => bad(describe(&violations)),
        Rejection::Unreadable { message } => bad(format!("The body cannot be read: {message}.")),
        Rejection::UnsupportedMediaType {
            received,
            supported,
        } => bad(texts::unsupported_media_type(
            received.as_deref(),
            &supported,
        )),
        Rejection::NotAcceptable { offered } => bad(texts::not_acceptable(&offered)),
        Rejection::TooLarge { limit } => bad(format!("The body exceeds {limit} bytes.")),
        Rejection::MethodNotAllowed { .. } => {
            let text = texts::unsupported_method(call.method().as_str());
            Reply::json(StatusCode::METHOD_NOT_ALLOWED, &error(InvalidRequest, text))
        }
        Rejection::NotFound => {
            let body = error(InvalidRequest, texts::UNKNOWN_PATH);
            Reply::json(StatusCode::NOT_FOUND, &body)
        }
        Rejection::NotImplemented { operation } => {
            failed(&format!("{operation} is not implemented"))
        }
        Rejection::Internal { message } => failed(&message),
    };
    reply.header_opt("WWW-Authenticate", challenge)
}

fn error(code: types::OAuthErrorCode, text: impl Into<String>) -> types::OAuthError {
    types::OAuthError {
        error: code,
        error_description: text.into(),
    }
}

/// Missing fields first, in the documented words, then everything else.
fn describe(violations: &[Violation]) -> String {
    let is_missing = |violation: &&Violation| {
        violation.keyword == Keyword::Required && !violation.path().is_empty()
    };
    let missing: Vec<String> = violations
        .iter()
        .filter(is_missing)
        .map(Violation::path)
        .collect();
    let mut all = Vec::new();
    if !missing.is_empty() {
        all.push(format!(
            "One or more required fields are missing: {}.",
            missing.join(", ")
        ));
    }
    let others = violations.iter().filter(|violation| !is_missing(violation));
    all.extend(others.map(sentence));
    all.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use dropforge_runtime::Location::Body;

    #[test]
    fn missing_fields_are_named_in_one_sentence_before_the_rest() {
        let violations = [
            Violation::new(
                Body,
                "/hubUser/emailAddress",
                Keyword::Format,
                "is not an email",
            ),
            Violation::new(Body, "/hubUser/language", Keyword::Required, "is required"),
            Violation::new(Body, "/hubUser/lastName", Keyword::Required, "is required"),
        ];
        assert_eq!(
            describe(&violations),
            "One or more required fields are missing: hubUser.language, hubUser.lastName. \
             hubUser.emailAddress is not an email."
        );
        let missing = Violation::new(Body, "", Keyword::Required, "is required");
        assert_eq!(describe(&[missing]), "The body is required.");
    }
}
