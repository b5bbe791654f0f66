//! Errors as problem details (RFC 9457) with an `errorCode`.
//!
//! Each code has one status, one type and one title. They are sent as
//! `application/json`, or as `application/problem+json` where `Accept` prefers it.

use std::sync::Arc;

use accord_patterns_server::{responses, types};
use dropforge_runtime::{Accept, Call, Denied, Location, Rejection, Reply, Violation};
use http::StatusCode;
use types::ProblemCode as Code;

use crate::api::challenge::Challenge;
use crate::api::sentence::sentence;
use crate::api::unavailable::{UNAVAILABLE_SECONDS, unavailable_text};
use crate::app::App;
use crate::kernel::texts;
use crate::patterns::change::ChangeError;
use crate::patterns::error::{CreateError, PatternError};
use crate::store::StoreError;

/// The media types of errors, the default first.
const MEDIA_TYPES: [&str; 2] = ["application/json", "application/problem+json"];

/// Status, end of the `type`, and title of a code.
fn kind(code: Code) -> (u16, &'static str, &'static str) {
    match code {
        Code::Request400 => (400, "invalid-request", "Invalid request"),
        Code::Token401 => (401, "unauthorized", "Unauthorized"),
        Code::Scope403 => (403, "insufficient-scope", "Insufficient scope"),
        Code::Request404 => (404, "path-not-found", "Path not found"),
        Code::Instance404 => (404, "instance-not-found", "Service instance not found"),
        Code::Project404 => (404, "project-not-found", "Project not found"),
        Code::Accelerator404 => (404, "accelerator-not-found", "Accelerator not found"),
        Code::Pattern404 => (404, "pattern-not-found", "Agent pattern not found"),
        Code::Request405 => (405, "method-not-allowed", "Method not allowed"),
        Code::Request406 => (406, "not-acceptable", "Not acceptable"),
        Code::Pattern409 => (409, "pattern-exists", "Agent pattern already exists"),
        Code::Lock409 => (409, "pattern-locked", "Agent pattern locked"),
        Code::Pattern412 => (412, "pattern-changed", "Agent pattern changed"),
        Code::Request413 => (413, "content-too-large", "Content too large"),
        Code::Request415 => (415, "unsupported-media-type", "Unsupported media type"),
        Code::Server500 => (500, "server-error", "Server error"),
        Code::Server503 => (503, "service-unavailable", "Service unavailable"),
    }
}

/// A problem whose detail ends with a period.
fn problem(code: Code, detail: impl Into<String>) -> types::Problem {
    let (status, name, title) = kind(code);
    let mut detail = detail.into();
    if !detail.ends_with('.') {
        detail.push('.');
    }
    types::Problem {
        type_: format!("urn:accord:problem:{name}"),
        title: title.into(),
        status: status.into(),
        detail,
        error_code: code,
        error_details: None,
    }
}

/// A failed operation as one of the responses that every operation has.
pub fn refuse<E>(call: &Call<Arc<App>>, error: PatternError) -> E
where
    E: From<responses::NotFound>
        + From<responses::ServiceUnavailable>
        + From<responses::ServerError>,
{
    match error {
        PatternError::UnknownInstance(_) => not_found(Code::Instance404, &error).into(),
        PatternError::UnknownProject { .. } => not_found(Code::Project404, &error).into(),
        PatternError::UnknownPattern { .. } => not_found(Code::Pattern404, &error).into(),
        PatternError::Store(reason) if reason.is_temporary() => responses::ServiceUnavailable {
            retry_after: UNAVAILABLE_SECONDS,
            body: unavailable(call, &reason),
        }
        .into(),
        PatternError::Row { .. } | PatternError::Store(_) => responses::ServerError {
            body: failed(call, &error),
        }
        .into(),
    }
}

/// A failed creation. A client that repeats every 503 would report the 409 of a pattern that was
/// created, so an unknown outcome is a 500.
pub fn refuse_create<E>(call: &Call<Arc<App>>, error: CreateError) -> E
where
    E: From<responses::BadRequest>
        + From<responses::NotFound>
        + From<responses::Conflict>
        + From<responses::ServiceUnavailable>
        + From<responses::ServerError>,
{
    match error {
        CreateError::UnknownAccelerator(_) => not_found(Code::Accelerator404, &error).into(),
        CreateError::OtherProject => {
            let detail = types::Violation {
                error_path: "/projectCode".into(),
                location: types::InputLocation::Body,
                detail: format!("{error}."),
            };
            let body = bad_request(detail.detail.clone(), vec![detail]);
            responses::BadRequest { body }.into()
        }
        CreateError::Exists { .. } => responses::Conflict {
            body: problem(Code::Pattern409, error.to_string()),
        }
        .into(),
        CreateError::Pattern(PatternError::Store(reason @ StoreError::OutcomeUnknown(_))) => {
            log(call, &reason);
            let body = problem(Code::Server500, texts::OUTCOME_UNKNOWN);
            responses::ServerError { body }.into()
        }
        CreateError::Pattern(error) => refuse(call, error),
    }
}

/// A failed change. Its repetition has no second effect.
pub fn refuse_change<E>(call: &Call<Arc<App>>, error: ChangeError) -> E
where
    E: From<responses::Locked>
        + From<responses::Changed>
        + From<responses::NotFound>
        + From<responses::ServiceUnavailable>
        + From<responses::ServerError>,
{
    match error {
        ChangeError::Locked { .. } => responses::Locked {
            body: problem(Code::Lock409, error.to_string()),
        }
        .into(),
        ChangeError::Stale(_) => responses::Changed {
            body: problem(Code::Pattern412, error.to_string()),
        }
        .into(),
        ChangeError::Pattern(error) => refuse(call, error),
    }
}

/// A `page` from a list of another order.
pub fn bad_page() -> responses::BadRequest {
    bad_query(
        "/page",
        "page is not a value of accord-next-page for this order.",
    )
}

/// A `page` together with an `offset`.
pub fn page_with_offset() -> responses::BadRequest {
    bad_query("/offset", "offset cannot be combined with page.")
}

/// A filter that matches the document's pattern and is invalid.
pub fn bad_filter() -> responses::BadRequest {
    bad_query("/q", "q must have the form {name: /TEXT/}.")
}

fn bad_query(path: &str, text: &str) -> responses::BadRequest {
    let detail = types::Violation {
        error_path: path.into(),
        location: types::InputLocation::Query,
        detail: text.into(),
    };
    responses::BadRequest {
        body: bad_request(text.into(), vec![detail]),
    }
}

/// The document's response to a rejection by the runtime.
pub fn reply(call: &Call<Arc<App>>, rejection: Rejection) -> Reply {
    let challenge = Challenge::of(&rejection, call.operation());
    let body = match rejection {
        Rejection::MissingCredentials => problem(Code::Token401, "The access token is missing"),
        Rejection::Denied(Denied::Unauthenticated { reason }) => {
            problem(Code::Token401, texts::sentence(&reason))
        }
        Rejection::Denied(Denied::Forbidden { reason }) => {
            let scopes = challenge.as_ref().and_then(Challenge::lacking);
            problem(Code::Scope403, scopes.unwrap_or(reason))
        }
        Rejection::Denied(Denied::Unavailable { reason }) => unavailable(call, &reason),
        Rejection::Invalid(violations) => {
            let texts: Vec<String> = violations.iter().map(sentence).collect();
            bad_request(texts.join(" "), violations.iter().map(violation).collect())
        }
        Rejection::Unreadable { message } => problem(
            Code::Request400,
            format!("The body cannot be read: {message}"),
        ),
        Rejection::UnsupportedMediaType {
            received,
            supported,
        } => problem(
            Code::Request415,
            texts::unsupported_media_type(received.as_deref(), &supported),
        ),
        Rejection::NotAcceptable { offered } => {
            problem(Code::Request406, texts::not_acceptable(&offered))
        }
        Rejection::TooLarge { limit } => {
            problem(Code::Request413, format!("The body exceeds {limit} bytes"))
        }
        Rejection::MethodNotAllowed { .. } => problem(
            Code::Request405,
            texts::unsupported_method(call.method().as_str()),
        ),
        Rejection::NotFound => problem(Code::Request404, texts::UNKNOWN_PATH),
        Rejection::NotImplemented { operation } => {
            failed(call, &format!("{operation} is not implemented"))
        }
        Rejection::Internal { message } => failed(call, &message),
    };
    let (status, ..) = kind(body.error_code);
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let retry_after = (status == StatusCode::SERVICE_UNAVAILABLE).then_some(UNAVAILABLE_SECONDS);
    let accept = Accept::from_headers(call.headers());
    Reply::negotiated(status, &MEDIA_TYPES, &accept, &body)
        .header_opt("WWW-Authenticate", challenge)
        .header_opt("Retry-After", retry_after)
}

fn not_found(code: Code, error: &dyn std::error::Error) -> responses::NotFound {
    responses::NotFound {
        body: problem(code, error.to_string()),
    }
}

fn bad_request(text: String, violations: Vec<types::Violation>) -> types::Problem {
    types::Problem {
        error_details: (!violations.is_empty()).then_some(violations),
        ..problem(Code::Request400, text)
    }
}

/// The reason goes to the log only.
fn failed(call: &Call<Arc<App>>, reason: &dyn std::fmt::Display) -> types::Problem {
    log(call, reason);
    problem(Code::Server500, texts::UNEXPECTED)
}

/// A temporary failure. The reason goes to the log only.
fn unavailable(call: &Call<Arc<App>>, reason: &dyn std::fmt::Display) -> types::Problem {
    log(call, reason);
    problem(Code::Server503, unavailable_text())
}

fn log(call: &Call<Arc<App>>, reason: &dyn std::fmt::Display) {
    tracing::error!(error = %reason, request_id = call.request_id(), "patterns failed");
}

fn violation(violation: &Violation) -> types::Violation {
    types::Violation {
        error_path: violation.pointer.clone(),
        location: match violation.location {
            Location::Path => types::InputLocation::Path,
            Location::Query => types::InputLocation::Query,
            Location::Header | Location::Cookie => types::InputLocation::Header,
            Location::Body => types::InputLocation::Body,
        },
        detail: sentence(violation),
    }
}
