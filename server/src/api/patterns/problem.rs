//! Refusals in the document's own error: the members of problem details (RFC
//! 9457) with an `errorCode` beside them.

use std::sync::Arc;

use accord::patterns::server::{responses, types};
use dropforge_runtime::{Call, Denied, Location, Rejection, Reply, Violation};
use http::StatusCode;

use crate::api::challenge::Challenge;
use crate::app::App;
use crate::patterns::change::ChangeError;
use crate::patterns::error::{CreateError, PatternError};

const UNEXPECTED: &str = "An unexpected error occurred";

/// A failed operation as one of the answers that every operation has.
pub fn refuse<E>(call: &Call<Arc<App>>, error: PatternError) -> E
where
    E: From<responses::NotFound> + From<responses::ServerError>,
{
    match error {
        PatternError::UnknownInstance(_) => {
            not_found("Service instance not found", "INSTANCE-404", &error).into()
        }
        PatternError::UnknownProject { .. } => {
            not_found("Project not found", "PROJECT-404", &error).into()
        }
        PatternError::UnknownPattern { .. } => {
            not_found("Agent pattern not found", "PATTERN-404", &error).into()
        }
        PatternError::Row { .. } | PatternError::Store(_) => responses::ServerError {
            body: failed(call, &error),
        }
        .into(),
    }
}

/// A failed creation.
pub fn refuse_create<E>(call: &Call<Arc<App>>, error: CreateError) -> E
where
    E: From<responses::BadRequest>
        + From<responses::NotFound>
        + From<responses::Conflict>
        + From<responses::ServerError>,
{
    match error {
        CreateError::UnknownAccelerator(_) => {
            not_found("Accelerator not found", "ACCELERATOR-404", &error).into()
        }
        CreateError::OtherProject => {
            let detail = types::ErrorDetail {
                error_path: "/projectCode".into(),
                location: types::InputLocation::Body,
                detail: error.to_string(),
            };
            let body = bad_request(error.to_string(), vec![detail]);
            responses::BadRequest { body }.into()
        }
        CreateError::Exists { .. } => responses::Conflict {
            body: problem(
                StatusCode::CONFLICT,
                "Agent pattern exists already",
                "PATTERN-409",
                error.to_string(),
            ),
        }
        .into(),
        CreateError::Pattern(error) => refuse(call, error),
    }
}

/// A change that was not made.
pub fn refuse_change<E>(call: &Call<Arc<App>>, error: ChangeError) -> E
where
    E: From<responses::Locked>
        + From<responses::Changed>
        + From<responses::NotFound>
        + From<responses::ServerError>,
{
    let body = |status, title, code| problem(status, title, code, error.to_string());
    match error {
        ChangeError::Locked { .. } => responses::Locked {
            body: body(StatusCode::CONFLICT, "Agent pattern is locked", "LOCK-409"),
        }
        .into(),
        ChangeError::Stale(_) => responses::Changed {
            body: body(
                StatusCode::PRECONDITION_FAILED,
                "Agent pattern has changed",
                "PATTERN-412",
            ),
        }
        .into(),
        ChangeError::Pattern(error) => refuse(call, error),
    }
}

/// A page that no list of this order has said.
pub fn bad_page() -> responses::BadRequest {
    bad_query("/page", "page is not the accord-next-page of this list")
}

/// A filter that the document's pattern let pass and that is none.
pub fn bad_filter() -> responses::BadRequest {
    bad_query("/q", "q must have the form {name: /TEXT/}")
}

fn bad_query(path: &str, text: &str) -> responses::BadRequest {
    let detail = types::ErrorDetail {
        error_path: path.into(),
        location: types::InputLocation::Query,
        detail: text.into(),
    };
    responses::BadRequest {
        body: bad_request(text.into(), vec![detail]),
    }
}

/// What the runtime refuses, in the document's form.
pub fn reply(call: &Call<Arc<App>>, rejection: Rejection) -> Reply {
    let status = rejection.status();
    let plain =
        |title, code, detail: String| Reply::json(status, &problem(status, title, code, detail));
    match rejection {
        Rejection::MissingCredentials => plain(
            "Unauthorized",
            "TOKEN-401",
            "The access token is missing".into(),
        )
        .header("WWW-Authenticate", Challenge::Missing),
        Rejection::Denied(denied) => {
            let challenge = Challenge::of(&denied, call.operation());
            match denied {
                Denied::Unauthenticated { reason } => plain(
                    "Unauthorized",
                    "TOKEN-401",
                    format!("The access token is not valid: {reason}"),
                )
                .header("WWW-Authenticate", challenge),
                Denied::Forbidden { reason } => {
                    plain("Forbidden", "SCOPE-403", reason).header("WWW-Authenticate", challenge)
                }
                Denied::Unavailable { reason } => internal(call, &reason),
            }
        }
        Rejection::Invalid(violations) => {
            let texts: Vec<String> = violations.iter().map(Violation::to_string).collect();
            let details = violations.iter().map(detail).collect();
            Reply::json(status, &bad_request(texts.join("; "), details))
        }
        Rejection::Unreadable { message } => {
            let text = format!("The body cannot be read: {message}");
            plain("Invalid request", "REQUEST-400", text)
        }
        Rejection::UnsupportedMediaType { supported, .. } => {
            let text = format!("The body must be sent as {}", supported.join(" or "));
            plain("Unsupported media type", "REQUEST-415", text)
        }
        Rejection::NotAcceptable { offered } => {
            let text = format!("The answer is available as {}", offered.join(" and as "));
            plain("Not acceptable", "REQUEST-406", text)
        }
        Rejection::TooLarge { limit } => {
            let text = format!("The body is larger than {limit} bytes");
            plain("Content too large", "REQUEST-413", text)
        }
        Rejection::MethodNotAllowed { allow } => {
            let allow: Vec<&str> = allow.iter().map(|method| method.as_str()).collect();
            let text = format!("Method not allowed; allowed: {}", allow.join(", "));
            plain("Method not allowed", "REQUEST-405", text)
        }
        Rejection::NotFound => {
            let text = "There is nothing at this address".into();
            plain("Not found", "REQUEST-404", text)
        }
        Rejection::Internal { message } => internal(call, &message),
    }
}

fn not_found(title: &str, code: &str, error: &dyn std::error::Error) -> responses::NotFound {
    responses::NotFound {
        body: problem(StatusCode::NOT_FOUND, title, code, error.to_string()),
    }
}

fn bad_request(text: String, details: Vec<types::ErrorDetail>) -> types::Problem {
    types::Problem {
        error_details: (!details.is_empty()).then_some(details),
        ..problem(
            StatusCode::BAD_REQUEST,
            "Invalid request",
            "REQUEST-400",
            text,
        )
    }
}

fn internal(call: &Call<Arc<App>>, reason: &str) -> Reply {
    let body = failed(call, &reason);
    Reply::json(StatusCode::INTERNAL_SERVER_ERROR, &body)
}

/// The reason goes to the log, and to nobody else.
fn failed(call: &Call<Arc<App>>, reason: &dyn std::fmt::Display) -> types::Problem {
    tracing::error!(error = %reason, request_id = call.request_id(), "patterns failed");
    problem(
        StatusCode::INTERNAL_SERVER_ERROR,
        "Server error",
        "SERVER-500",
        UNEXPECTED.into(),
    )
}

fn problem(status: StatusCode, title: &str, code: &str, detail: String) -> types::Problem {
    types::Problem {
        type_: "about:blank".into(),
        title: title.into(),
        status: status.as_u16().into(),
        detail,
        error_code: code.into(),
        error_details: None,
    }
}

fn detail(violation: &Violation) -> types::ErrorDetail {
    types::ErrorDetail {
        error_path: violation.pointer.clone(),
        location: match violation.location {
            Location::Path => types::InputLocation::Path,
            Location::Query => types::InputLocation::Query,
            Location::Header | Location::Cookie => types::InputLocation::Header,
            Location::Body => types::InputLocation::Body,
        },
        detail: violation.to_string(),
    }
}
