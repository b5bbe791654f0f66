//! Rejections by the runtime, in the form of the called part of the document.

use std::sync::Arc;

use accord_inference_server::API;
use accord_inference_server::types::{
    ApiError, ApiErrorCode, InferenceError, InferenceErrorBody, InferenceErrorCode,
    InferenceErrorType,
};
use dropforge_runtime::{Call, Denied, Keyword, Rejection, Reply, Violation};
use http::StatusCode;

use super::refusals::management;
use crate::api::challenge::Challenge;
use crate::api::unavailable::{UNAVAILABLE_SECONDS, unavailable_text};
use crate::app::App;
use crate::kernel::texts;

/// The prefix of the model endpoints. All other paths are about keys.
const MODEL_PATHS: &str = "/20231130/actions/v1";

/// The document's response to a rejection.
pub(super) fn reject(call: &Call<Arc<App>>, rejection: Rejection) -> Reply {
    if let Rejection::Denied(Denied::Unavailable { reason }) = &rejection {
        let request_id = call.request_id();
        tracing::error!(request_id, reason, "credentials cannot be checked");
    }
    // The table compares paths as the router does, which ignores empty segments and encodings.
    let prefix = API.not_found(call.uri().path());
    let is_model_call = prefix.is_some_and(|prefix| prefix.path == MODEL_PATHS);
    let status = rejection.status();
    let retry_after = (status == StatusCode::SERVICE_UNAVAILABLE).then_some(UNAVAILABLE_SECONDS);
    let challenge = Challenge::of(&rejection, call.operation());
    let reply = if is_model_call {
        Reply::json(status, &of_models(call, status, rejection))
    } else {
        Reply::json(status, &of_keys(call, challenge.as_ref(), rejection))
    };
    let reply = reply.header_opt("WWW-Authenticate", challenge);
    reply.header_opt("Retry-After", retry_after)
}

fn of_keys(call: &Call<Arc<App>>, challenge: Option<&Challenge>, rejection: Rejection) -> ApiError {
    let code = match &rejection {
        Rejection::MissingCredentials | Rejection::Denied(Denied::Unauthenticated { .. }) => {
            return management(
                ApiErrorCode::NotAuthenticated,
                "The access token is missing or invalid.",
            );
        }
        Rejection::Denied(Denied::Forbidden { reason }) => {
            let lacking = challenge.and_then(Challenge::lacking);
            let message = lacking.map_or_else(|| reason.clone(), |text| text + ".");
            return management(ApiErrorCode::NotAuthorized, message);
        }
        Rejection::Denied(Denied::Unavailable { .. }) => {
            return management(ApiErrorCode::ServiceUnavailable, unavailable_text());
        }
        Rejection::Internal { .. } | Rejection::NotImplemented { .. } => {
            ApiErrorCode::InternalServerError
        }
        Rejection::Invalid(violations) if violations.iter().all(is_missing) => {
            ApiErrorCode::MissingParameter
        }
        Rejection::Invalid(_) | Rejection::NotAcceptable { .. } => ApiErrorCode::InvalidParameter,
        Rejection::Unreadable { .. } => ApiErrorCode::CannotParseRequest,
        Rejection::UnsupportedMediaType { .. } => ApiErrorCode::UnsupportedMediaType,
        Rejection::TooLarge { .. } => ApiErrorCode::RequestEntityTooLarge,
        Rejection::MethodNotAllowed { .. } => ApiErrorCode::MethodNotAllowed,
        Rejection::NotFound => ApiErrorCode::NotFound,
    };
    management(code, message(call, rejection))
}

fn of_models(call: &Call<Arc<App>>, status: StatusCode, rejection: Rejection) -> InferenceError {
    let kind = match status.is_server_error() {
        true => InferenceErrorType::ServerError,
        false => InferenceErrorType::InvalidRequestError,
    };
    let code = match &rejection {
        Rejection::MissingCredentials | Rejection::Denied(Denied::Unauthenticated { .. }) => {
            InferenceErrorCode::InvalidApiKey
        }
        Rejection::Denied(Denied::Forbidden { .. }) => InferenceErrorCode::InsufficientPermissions,
        Rejection::Denied(Denied::Unavailable { .. }) => InferenceErrorCode::ServiceUnavailable,
        Rejection::Internal { .. } | Rejection::NotImplemented { .. } => {
            InferenceErrorCode::ServerError
        }
        Rejection::Invalid(violations) => match violations.first() {
            Some(first) if is_missing(first) => InferenceErrorCode::MissingRequiredParameter,
            _ => InferenceErrorCode::InvalidValue,
        },
        Rejection::NotAcceptable { .. } => InferenceErrorCode::NotAcceptable,
        Rejection::Unreadable { .. } => InferenceErrorCode::InvalidJson,
        Rejection::UnsupportedMediaType { .. } => InferenceErrorCode::UnsupportedMediaType,
        Rejection::TooLarge { .. } => InferenceErrorCode::RequestTooLarge,
        Rejection::MethodNotAllowed { .. } => InferenceErrorCode::MethodNotAllowed,
        Rejection::NotFound => InferenceErrorCode::NotFound,
    };
    let param = match &rejection {
        Rejection::Invalid(violations) => violations.first().and_then(param),
        _ => None,
    };
    InferenceError {
        error: InferenceErrorBody {
            message: message(call, rejection),
            type_: kind,
            param,
            code,
        },
    }
}

fn is_missing(violation: &Violation) -> bool {
    violation.keyword == Keyword::Required
}

/// A JSON Pointer in the notation of the conventions' clients: `messages[0].role`.
fn param(violation: &Violation) -> Option<String> {
    let mut path = String::new();
    for step in violation.pointer.split('/').skip(1) {
        let step = step.replace("~1", "/").replace("~0", "~");
        if step.bytes().all(|byte| byte.is_ascii_digit()) && !step.is_empty() {
            path.push_str(&format!("[{step}]"));
        } else {
            if !path.is_empty() {
                path.push('.');
            }
            path.push_str(&step);
        }
    }
    (!path.is_empty()).then_some(path)
}

fn message(call: &Call<Arc<App>>, rejection: Rejection) -> String {
    match rejection {
        Rejection::MissingCredentials => "Incorrect API key provided: (none)".into(),
        Rejection::Denied(Denied::Unauthenticated { reason } | Denied::Forbidden { reason }) => {
            reason
        }
        Rejection::Denied(Denied::Unavailable { .. }) => unavailable_text(),
        Rejection::Internal { .. } | Rejection::NotImplemented { .. } => texts::UNEXPECTED.into(),
        Rejection::Invalid(violations) => {
            let texts = violations
                .iter()
                .map(|violation| match violation.pointer.as_str() {
                    "" => format!("The body {}.", violation.message),
                    pointer => format!("{pointer} {}.", violation.message),
                });
            texts.collect::<Vec<_>>().join(" ")
        }
        Rejection::Unreadable { message } => format!("The body cannot be read: {message}."),
        Rejection::UnsupportedMediaType {
            received,
            supported,
        } => texts::unsupported_media_type(received.as_deref(), &supported),
        Rejection::NotAcceptable { offered } => texts::not_acceptable(&offered),
        Rejection::TooLarge { limit } => format!("The body exceeds {limit} bytes."),
        Rejection::MethodNotAllowed { .. } => texts::unsupported_method(call.method().as_str()),
        Rejection::NotFound => texts::UNKNOWN_PATH.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pointer_becomes_the_path_that_clients_know() {
        let of = |pointer: &str| {
            param(&Violation {
                location: dropforge_runtime::Location::Body,
                pointer: pointer.into(),
                keyword: Keyword::Type,
                message: String::new(),
            })
        };
        assert_eq!(of("/messages/0/role").as_deref(), Some("messages[0].role"));
        assert_eq!(of("/model").as_deref(), Some("model"));
        assert_eq!(of("/logit_bias/a~1b").as_deref(), Some("logit_bias.a/b"));
        assert_eq!(of(""), None);
    }
}
