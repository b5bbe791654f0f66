//! Converts the area's errors into the responses that each operation lists.
//!
//! The document lists the errors of each operation. Any other error is a mistake of the program,
//! and becomes a 500.

use accord_inference_server::responses::{
    CompartmentConflict, IncorrectState, IncorrectStateOrRetryToken, InferenceServerError,
    InsufficientPermissions, InternalServerError, InvalidInferenceRequest, InvalidParameter,
    InvalidRequest, InvalidRequestOrLimit, InvalidResponsesRequest, InvalidatedRetryToken,
    ModelNotFound, NoEtagMatch, NotAuthorizedOrNotFound, RateLimitExceeded, ServiceUnavailable,
    TooManyRequests, UpstreamFailed, UpstreamOverloaded,
};
use accord_inference_server::types::{ApiError, ApiErrorCode, InferenceError, InferenceErrorBody};
use accord_inference_server::{
    ChangeApiKeyCompartmentError, CreateApiKeyError, CreateChatCompletionError,
    CreateResponseError, DeleteApiKeyError, GetApiKeyError, GetModelError, ListApiKeysError,
    ListModelsError, ListUsageError, RenewApiKeyError, SetApiKeyStateError, UpdateApiKeyError,
};

use crate::api::unavailable::{UNAVAILABLE_SECONDS, unavailable_text};
use crate::inference::keys::KeyError;
use crate::inference::problem::{Fault, Problem};
use crate::kernel::texts;

/// The document's code for a key operation's error.
pub(super) fn code(error: &KeyError) -> ApiErrorCode {
    match error {
        KeyError::Invalid { .. } => ApiErrorCode::InvalidParameter,
        KeyError::LimitExceeded(_) => ApiErrorCode::LimitExceeded,
        KeyError::QuotaExceeded(_) => ApiErrorCode::QuotaExceeded,
        KeyError::NotFound | KeyError::NoSuchSecret(_) => ApiErrorCode::NotAuthorizedOrNotFound,
        KeyError::SecretState { .. } | KeyError::Deleted => ApiErrorCode::IncorrectState,
        KeyError::RetryTokenDiffers | KeyError::RetryTokenUndone => {
            ApiErrorCode::InvalidatedRetryToken
        }
        KeyError::AlreadyThere => ApiErrorCode::NotAuthorizedOrResourceAlreadyExists,
        KeyError::NoEtagMatch => ApiErrorCode::NoEtagMatch,
        KeyError::TooManyRequests(_) => ApiErrorCode::TooManyRequests,
        KeyError::Unavailable(_) | KeyError::OutcomeUnknown(_) => ApiErrorCode::ServiceUnavailable,
        KeyError::Failed(_) => ApiErrorCode::InternalServerError,
    }
}

/// A body in the form of key management.
pub(super) fn management(code: ApiErrorCode, message: impl Into<String>) -> ApiError {
    ApiError {
        code,
        message: message.into(),
    }
}

/// A body in the form of the conventions.
pub(super) fn inference(problem: &Problem) -> InferenceError {
    InferenceError {
        error: InferenceErrorBody {
            message: problem.message.clone(),
            type_: problem.fault.kind(),
            param: problem.param.clone(),
            code: problem.code,
        },
    }
}

/// 500; the cause goes to the log.
fn failed(error: &KeyError) -> InternalServerError {
    tracing::error!(%error, "a key operation failed");
    InternalServerError {
        body: management(ApiErrorCode::InternalServerError, texts::UNEXPECTED),
    }
}

/// 503; the cause goes to the log.
fn unavailable(error: &KeyError) -> ServiceUnavailable {
    tracing::error!(%error, "a key operation failed for now");
    ServiceUnavailable {
        retry_after: UNAVAILABLE_SECONDS,
        body: management(ApiErrorCode::ServiceUnavailable, unavailable_text()),
    }
}

/// Seconds for `Retry-After`: at most a day, which is the document's maximum.
pub(super) fn retry_after(seconds: i64) -> i32 {
    i32::try_from(seconds.clamp(1, 86_400)).unwrap_or(1)
}

/// The errors that an operation lists, made of an error of the area.
pub(super) trait Refuse<E> {
    /// The response that says why the operation did nothing.
    fn refuse(error: E) -> Self;
}

/// `Refuse<KeyError>` for an operation: the responses that it lists for 400, 409
/// and 412.
macro_rules! key_refusals {
    ($($operation:ident: $bad_request:ident $(, conflict $conflict:ident)? $(, etag $etag:ident)?;)*) => {$(
        impl Refuse<KeyError> for $operation {
            fn refuse(error: KeyError) -> Self {
                let code = code(&error);
                let body = management(code, error.to_string());
                match code {
                    ApiErrorCode::InvalidParameter
                    | ApiErrorCode::LimitExceeded
                    | ApiErrorCode::QuotaExceeded => $bad_request { body }.into(),
                    ApiErrorCode::NotAuthorizedOrNotFound => NotAuthorizedOrNotFound { body }.into(),
                    $(ApiErrorCode::IncorrectState
                    | ApiErrorCode::InvalidatedRetryToken
                    | ApiErrorCode::NotAuthorizedOrResourceAlreadyExists => $conflict { body }.into(),)?
                    $(ApiErrorCode::NoEtagMatch => $etag { body }.into(),)?
                    ApiErrorCode::TooManyRequests => {
                        let KeyError::TooManyRequests(seconds) = error else {
                            return failed(&error).into();
                        };
                        TooManyRequests { retry_after: retry_after(seconds), body }.into()
                    }
                    ApiErrorCode::ServiceUnavailable => unavailable(&error).into(),
                    _ => failed(&error).into(),
                }
            }
        }
    )*};
}

key_refusals! {
    ListApiKeysError: InvalidParameter;
    ListUsageError: InvalidParameter;
    GetApiKeyError: InvalidParameter;
    CreateApiKeyError: InvalidRequestOrLimit, conflict InvalidatedRetryToken;
    UpdateApiKeyError: InvalidRequest, conflict IncorrectState, etag NoEtagMatch;
    DeleteApiKeyError: InvalidParameter, etag NoEtagMatch;
    SetApiKeyStateError: InvalidRequest, conflict IncorrectStateOrRetryToken, etag NoEtagMatch;
    RenewApiKeyError: InvalidRequest, conflict IncorrectStateOrRetryToken, etag NoEtagMatch;
    ChangeApiKeyCompartmentError: InvalidRequestOrLimit, conflict CompartmentConflict, etag NoEtagMatch;
}

/// A response with the rate limits of the key, in the headers that client libraries of the
/// conventions read.
macro_rules! rated {
    ($limit_statuses:expr, $response:ident { $($field:ident),* }) => {{
        let limit_statuses: $crate::inference::admission::limits::LimitStatuses = $limit_statuses;
        let reset = |status: $crate::inference::admission::limits::LimitStatus| {
            status.reset_seconds.to_string() + "s"
        };
        $response {
            x_ratelimit_limit_requests: limit_statuses.requests.map(|status| status.limit),
            x_ratelimit_remaining_requests: limit_statuses.requests.map(|status| status.remaining),
            x_ratelimit_reset_requests: limit_statuses.requests.map(reset),
            x_ratelimit_limit_tokens: limit_statuses.tokens.map(|status| status.limit),
            x_ratelimit_remaining_tokens: limit_statuses.tokens.map(|status| status.remaining),
            x_ratelimit_reset_tokens: limit_statuses.tokens.map(reset),
            $($field),*
        }
    }};
}
pub(super) use rated;

fn limited(problem: &Problem, seconds: i64, body: InferenceError) -> RateLimitExceeded {
    let limit_statuses = problem
        .limit_statuses
        .as_deref()
        .copied()
        .unwrap_or_default();
    let retry_after = retry_after(seconds);
    rated!(limit_statuses, RateLimitExceeded { retry_after, body })
}

/// `Refuse<Problem>` for an operation that calls a model.
macro_rules! model_refusals {
    ($($operation:ident: $bad_request:ident;)*) => {$(
        impl Refuse<Problem> for $operation {
            fn refuse(problem: Problem) -> Self {
                let body = inference(&problem);
                match problem.fault {
                    Fault::Request => $bad_request { body }.into(),
                    Fault::Permission => InsufficientPermissions { body }.into(),
                    Fault::Model => ModelNotFound { body }.into(),
                    Fault::Rate { retry_after } => limited(&problem, retry_after, body).into(),
                    Fault::Service => InferenceServerError { body }.into(),
                    Fault::Upstream => UpstreamFailed { body }.into(),
                    Fault::Overload { retry_after: seconds } => UpstreamOverloaded {
                        retry_after: retry_after(seconds),
                        body,
                    }
                    .into(),
                }
            }
        }
    )*};
}

model_refusals! {
    CreateChatCompletionError: InvalidInferenceRequest;
    CreateResponseError: InvalidResponsesRequest;
}

impl Refuse<Problem> for GetModelError {
    fn refuse(problem: Problem) -> Self {
        let body = inference(&problem);
        match problem.fault {
            Fault::Model => ModelNotFound { body }.into(),
            Fault::Rate { retry_after } => limited(&problem, retry_after, body).into(),
            _ => InferenceServerError { body }.into(),
        }
    }
}

impl Refuse<Problem> for ListModelsError {
    fn refuse(problem: Problem) -> Self {
        let body = inference(&problem);
        match problem.fault {
            Fault::Rate { retry_after } => limited(&problem, retry_after, body).into(),
            _ => InferenceServerError { body }.into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::StoreError;

    #[test]
    fn a_call_whose_outcome_is_unknown_may_be_repeated_with_its_retry_token() {
        let error = KeyError::from(StoreError::OutcomeUnknown("closed".into()));
        assert_eq!(code(&error), ApiErrorCode::ServiceUnavailable);
    }

    #[test]
    fn every_temporary_error_of_the_store_is_a_503_as_in_the_other_documents() {
        let unavailable = StoreError::Unavailable("refused".into());
        for error in [unavailable, StoreError::Conflict, StoreError::Closed] {
            let code = code(&KeyError::from(error));
            assert_eq!(code, ApiErrorCode::ServiceUnavailable);
        }
    }
}
