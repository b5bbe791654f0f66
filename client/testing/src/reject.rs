//! Rejections in the form of each document, with the status and the code that the service uses.
//!
//! The fake accepts any credentials, so it never denies any that were presented.

use dropforge_runtime::http::{StatusCode, header};
use dropforge_runtime::{Accept, Keyword, Location, Rejection, Reply, Violation};

use crate::servers::accounts::types as accounts;
use crate::servers::identity::types as identity;
use crate::servers::inference::types as inference;
use crate::servers::patterns::types as patterns;

/// The reply to a rejected request. Takes the path of the request, and the media types that its
/// caller accepts.
pub(crate) type Form = fn(&Rejection, &str, &Accept) -> Reply;

/// The challenge of a request without an access token.
const BEARER: &str = r#"Bearer realm="accord""#;
/// The challenge of a request without the credentials of a client.
const BASIC: &str = r#"Basic realm="accord", charset="UTF-8""#;
/// The paths of the model endpoints, which have errors of their own.
const MODEL_PATHS: &str = "/20231130/actions/";
/// The media types of the errors of patterns, the default first.
const PROBLEMS: [&str; 2] = ["application/json", "application/problem+json"];

/// The accounts document. It has no 413 and 415: both are 400.
pub(crate) fn accounts(rejection: &Rejection, _: &str, _: &Accept) -> Reply {
    use accounts::OAuthErrorCode as Code;
    let (status, code) = match rejection.status() {
        status @ StatusCode::UNAUTHORIZED => (status, Code::InvalidToken),
        status @ (StatusCode::NOT_FOUND | StatusCode::METHOD_NOT_ALLOWED) => {
            (status, Code::InvalidRequest)
        }
        status if status.is_server_error() => (
            StatusCode::INTERNAL_SERVER_ERROR,
            Code::FailedToProcessRequest,
        ),
        _ => (StatusCode::BAD_REQUEST, Code::InvalidRequest),
    };
    let body = accounts::OAuthError {
        error: code,
        error_description: text(rejection),
    };
    challenged(Reply::json(status, &body), BEARER)
}

/// The identity document: the errors of RFC 6749, section 5.2.
pub(crate) fn identity(rejection: &Rejection, _: &str, _: &Accept) -> Reply {
    use identity::OAuthErrorCode as Code;
    let (status, code) = match rejection.status() {
        status @ StatusCode::UNAUTHORIZED => (status, Code::InvalidClient),
        StatusCode::UNSUPPORTED_MEDIA_TYPE => (StatusCode::BAD_REQUEST, Code::InvalidRequest),
        status if status.is_server_error() => {
            (StatusCode::INTERNAL_SERVER_ERROR, Code::ServerError)
        }
        status => (
            status,
            unsupported(rejection).unwrap_or(Code::InvalidRequest),
        ),
    };
    // The characters that the document allows.
    let printable = |letter| match letter {
        '"' => '\'',
        '\\' => '/',
        ' '..='~' => letter,
        _ => '?',
    };
    let body = identity::OAuthError {
        error: code,
        error_description: text(rejection).chars().map(printable).take(900).collect(),
    };
    let reply = Reply::json(status, &body).header(header::CACHE_CONTROL, "no-store");
    challenged(reply, BASIC)
}

/// The code for a value outside of an enumeration, if OAuth has one.
fn unsupported(rejection: &Rejection) -> Option<identity::OAuthErrorCode> {
    let Rejection::Invalid(violations) = rejection else {
        return None;
    };
    let [violation] = violations.as_slice() else {
        return None;
    };
    match (violation.keyword, violation.pointer.as_str()) {
        (Keyword::Enum, "/grant_type") => Some(identity::OAuthErrorCode::UnsupportedGrantType),
        (Keyword::Enum, "/response_type") => {
            Some(identity::OAuthErrorCode::UnsupportedResponseType)
        }
        _ => None,
    }
}

/// The inference document: one form for keys, another for models.
pub(crate) fn inference(rejection: &Rejection, path: &str, _: &Accept) -> Reply {
    let reply = match path.starts_with(MODEL_PATHS) {
        true => Reply::json(rejection.status(), &of_models(rejection)),
        false => Reply::json(rejection.status(), &of_keys(rejection)),
    };
    challenged(reply, BEARER)
}

fn of_keys(rejection: &Rejection) -> inference::ApiError {
    use inference::ApiErrorCode as Code;
    let code = match rejection {
        Rejection::MissingCredentials | Rejection::Denied(_) => Code::NotAuthenticated,
        Rejection::Invalid(all) if all.iter().all(is_missing) => Code::MissingParameter,
        Rejection::Invalid(_) | Rejection::NotAcceptable { .. } => Code::InvalidParameter,
        Rejection::Unreadable { .. } => Code::CannotParseRequest,
        Rejection::UnsupportedMediaType { .. } => Code::UnsupportedMediaType,
        Rejection::TooLarge { .. } => Code::RequestEntityTooLarge,
        Rejection::MethodNotAllowed { .. } => Code::MethodNotAllowed,
        Rejection::NotFound => Code::NotFound,
        Rejection::NotImplemented { .. } | Rejection::Internal { .. } => Code::InternalServerError,
    };
    inference::ApiError {
        code,
        message: text(rejection),
    }
}

fn of_models(rejection: &Rejection) -> inference::InferenceError {
    use inference::InferenceErrorCode as Code;
    let first = match rejection {
        Rejection::Invalid(violations) => violations.first(),
        _ => None,
    };
    let code = match rejection {
        Rejection::MissingCredentials | Rejection::Denied(_) => Code::InvalidApiKey,
        Rejection::Invalid(_) if first.is_some_and(is_missing) => Code::MissingRequiredParameter,
        Rejection::Invalid(_) => Code::InvalidValue,
        Rejection::NotAcceptable { .. } => Code::NotAcceptable,
        Rejection::Unreadable { .. } => Code::InvalidJson,
        Rejection::UnsupportedMediaType { .. } => Code::UnsupportedMediaType,
        Rejection::TooLarge { .. } => Code::RequestTooLarge,
        Rejection::MethodNotAllowed { .. } => Code::MethodNotAllowed,
        Rejection::NotFound => Code::NotFound,
        Rejection::NotImplemented { .. } | Rejection::Internal { .. } => Code::ServerError,
    };
    let kind = match rejection.status().is_server_error() {
        true => inference::InferenceErrorType::ServerError,
        false => inference::InferenceErrorType::InvalidRequestError,
    };
    inference::InferenceError {
        error: inference::InferenceErrorBody {
            message: text(rejection),
            type_: kind,
            param: first.map(Violation::path).filter(|path| !path.is_empty()),
            code,
        },
    }
}

fn is_missing(violation: &Violation) -> bool {
    violation.keyword == Keyword::Required
}

/// The patterns document: problem details (RFC 9457).
pub(crate) fn patterns(rejection: &Rejection, _: &str, accept: &Accept) -> Reply {
    use patterns::ProblemCode as Code;
    let (code, name, title) = match rejection.status() {
        StatusCode::UNAUTHORIZED => (Code::Token401, "unauthorized", "Unauthorized"),
        StatusCode::NOT_FOUND => (Code::Request404, "path-not-found", "Path not found"),
        StatusCode::METHOD_NOT_ALLOWED => {
            (Code::Request405, "method-not-allowed", "Method not allowed")
        }
        StatusCode::NOT_ACCEPTABLE => (Code::Request406, "not-acceptable", "Not acceptable"),
        StatusCode::PAYLOAD_TOO_LARGE => {
            (Code::Request413, "content-too-large", "Content too large")
        }
        StatusCode::UNSUPPORTED_MEDIA_TYPE => (
            Code::Request415,
            "unsupported-media-type",
            "Unsupported media type",
        ),
        status if status.is_server_error() => (Code::Server500, "server-error", "Server error"),
        _ => (Code::Request400, "invalid-request", "Invalid request"),
    };
    let status = match rejection.status() {
        status if status.is_server_error() => StatusCode::INTERNAL_SERVER_ERROR,
        status => status,
    };
    let details = match rejection {
        Rejection::Invalid(violations) => Some(violations.iter().map(detail).collect()),
        _ => None,
    };
    let body = patterns::Problem {
        type_: format!("urn:accord:problem:{name}"),
        title: title.to_owned(),
        status: status.as_u16().into(),
        detail: text(rejection),
        error_code: code,
        error_details: details,
    };
    challenged(Reply::negotiated(status, &PROBLEMS, accept, &body), BEARER)
}

fn detail(violation: &Violation) -> patterns::Violation {
    patterns::Violation {
        error_path: violation.pointer.clone(),
        location: match violation.location {
            Location::Path => patterns::InputLocation::Path,
            Location::Query => patterns::InputLocation::Query,
            Location::Header | Location::Cookie => patterns::InputLocation::Header,
            Location::Body => patterns::InputLocation::Body,
        },
        detail: format!("{violation}."),
    }
}

/// The reason as a sentence.
fn text(rejection: &Rejection) -> String {
    format!("{rejection}.")
}

/// Adds the challenge of a 401.
fn challenged(reply: Reply, challenge: &str) -> Reply {
    match reply.status() {
        StatusCode::UNAUTHORIZED => reply.header(header::WWW_AUTHENTICATE, challenge),
        _ => reply,
    }
}

#[cfg(test)]
mod tests {
    use dropforge_runtime::findings;

    use super::*;
    use crate::catalog;

    /// Each rejection that a request can cause, for each operation that lists its status.
    #[test]
    fn each_rejection_has_the_form_of_its_document() {
        let violation = |keyword| Violation::new(Location::Body, "/a/0/b", keyword, "is \"it\"");
        let rejections = [
            Rejection::MissingCredentials,
            Rejection::Invalid(vec![violation(Keyword::Required)]),
            Rejection::Invalid(vec![violation(Keyword::Type), violation(Keyword::Enum)]),
            Rejection::missing_body(),
            Rejection::Unreadable {
                message: "it is not JSON".to_owned(),
            },
            Rejection::UnsupportedMediaType {
                received: None,
                supported: vec!["application/json"],
            },
            Rejection::NotAcceptable {
                offered: vec!["application/json"],
            },
            Rejection::TooLarge { limit: 9 },
            Rejection::Internal {
                message: "a test".to_owned(),
            },
        ];
        let mut compared = 0;
        for known in catalog::operations() {
            for rejection in &rejections {
                let path = known.operation.path;
                let reply = (known.area.form)(rejection, path, &Accept::any());
                let lists = |status| known.operation.response(status).is_some();
                if !lists(reply.status()) {
                    // Such as 406 of an operation whose document does not have it.
                    assert!(
                        !lists(rejection.status()),
                        "{path}: {rejection}: {}",
                        reply.status()
                    );
                    continue;
                }
                let found = findings(known.operation, &reply);
                assert!(found.is_empty(), "{path}: {rejection}: {found:?}");
                compared += 1;
            }
        }
        assert!(compared > 100, "{compared}");
    }

    #[test]
    fn the_accounts_document_has_only_400_for_an_invalid_request() {
        for rejection in [
            Rejection::TooLarge { limit: 9 },
            Rejection::UnsupportedMediaType {
                received: None,
                supported: vec!["application/json"],
            },
        ] {
            let reply = accounts(&rejection, "/api/user", &Accept::any());
            assert_eq!(reply.status(), StatusCode::BAD_REQUEST);
        }
    }

    #[test]
    fn an_unknown_grant_type_has_the_code_of_oauth() {
        let violation = Violation::new(Location::Body, "/grant_type", Keyword::Enum, "is unknown");
        let rejection = Rejection::Invalid(vec![violation]);
        let reply = identity(&rejection, "/oauth2/v1/token", &Accept::any());
        let body = String::from_utf8_lossy(reply.body().expect("a body")).into_owned();
        assert!(body.contains("unsupported_grant_type"), "{body}");
    }
}
