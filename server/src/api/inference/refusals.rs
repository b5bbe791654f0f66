//! From the area's errors to the responses that each operation lists.
//!
//! The document says which errors an operation can answer. One that it does not
//! list there would be a mistake of the program, and becomes a 500.

use accord::inference::server::responses::{
    CompartmentConflict, IncorrectState, InferenceServerError, InsufficientPermissions,
    InternalServerError, InvalidInferenceRequest, InvalidRequest, InvalidResponsesRequest,
    InvalidatedRetryToken, KeyNotCreatable, ModelNotFound, NoEtagMatch, NotAuthorizedOrNotFound,
    RateLimitExceeded, TooManyRequests, UpstreamFailed, UpstreamOverloaded,
};
use accord::inference::server::types::{Error, ErrorCode, InferenceError, InferenceErrorBody};
use accord::inference::server::{
    ChangeApiKeyCompartmentError, CreateApiKeyError, CreateChatCompletionError,
    CreateResponseError, DeleteApiKeyError, GetApiKeyError, GetModelError, ListApiKeysError,
    ListModelsError, ListUsageError, RenewApiKeyError, SetApiKeyStateError, UpdateApiKeyError,
};

use crate::inference::keys::KeyError;
use crate::inference::problem::{FAILED, Fault, Problem};

/// The code of the document for a key operation's error.
pub(super) fn code(error: &KeyError) -> ErrorCode {
    match error {
        KeyError::Invalid { .. } => ErrorCode::InvalidParameter,
        KeyError::LimitExceeded(_) => ErrorCode::LimitExceeded,
        KeyError::QuotaExceeded(_) => ErrorCode::QuotaExceeded,
        KeyError::NotFound | KeyError::NoSuchSecret(_) => ErrorCode::NotAuthorizedOrNotFound,
        KeyError::SecretState { .. } | KeyError::Deleted => ErrorCode::IncorrectState,
        KeyError::RetryTokenDiffers | KeyError::RetryTokenUndone => {
            ErrorCode::InvalidatedRetryToken
        }
        KeyError::AlreadyThere => ErrorCode::NotAuthorizedOrResourceAlreadyExists,
        KeyError::NoEtagMatch => ErrorCode::NoEtagMatch,
        KeyError::TooManyRequests(_) => ErrorCode::TooManyRequests,
        KeyError::Failed(_) => ErrorCode::InternalServerError,
    }
}

/// A body of the management shape.
pub(super) fn management(code: ErrorCode, message: impl Into<String>) -> Error {
    Error {
        code,
        message: message.into(),
    }
}

/// A body of the conventions' shape.
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
        body: management(ErrorCode::InternalServerError, FAILED),
    }
}

/// `From<KeyError>` for an operation: the responses that it lists for 400, 409
/// and 412.
macro_rules! key_refusals {
    ($($operation:ident: $bad_request:ident $(, conflict $conflict:ident)? $(, etag $etag:ident)?;)*) => {$(
        impl From<KeyError> for $operation {
            fn from(error: KeyError) -> Self {
                let code = code(&error);
                let body = management(code, error.to_string());
                match code {
                    ErrorCode::InvalidParameter
                    | ErrorCode::LimitExceeded
                    | ErrorCode::QuotaExceeded => $bad_request { body }.into(),
                    ErrorCode::NotAuthorizedOrNotFound => NotAuthorizedOrNotFound { body }.into(),
                    $(ErrorCode::IncorrectState
                    | ErrorCode::InvalidatedRetryToken
                    | ErrorCode::NotAuthorizedOrResourceAlreadyExists => $conflict { body }.into(),)?
                    $(ErrorCode::NoEtagMatch => $etag { body }.into(),)?
                    ErrorCode::TooManyRequests => {
                        let KeyError::TooManyRequests(retry_after) = error else {
                            return failed(&error).into();
                        };
                        TooManyRequests { retry_after, body }.into()
                    }
                    _ => failed(&error).into(),
                }
            }
        }
    )*};
}

key_refusals! {
    ListApiKeysError: InvalidRequest;
    ListUsageError: InvalidRequest;
    GetApiKeyError: InvalidRequest;
    CreateApiKeyError: KeyNotCreatable, conflict InvalidatedRetryToken;
    UpdateApiKeyError: InvalidRequest, conflict IncorrectState, etag NoEtagMatch;
    DeleteApiKeyError: InvalidRequest, etag NoEtagMatch;
    SetApiKeyStateError: InvalidRequest, conflict IncorrectState, etag NoEtagMatch;
    RenewApiKeyError: InvalidRequest, conflict IncorrectState, etag NoEtagMatch;
    ChangeApiKeyCompartmentError: InvalidRequest, conflict CompartmentConflict, etag NoEtagMatch;
}

/// A response that tells where the key stands: the headers that client libraries
/// of the conventions read.
macro_rules! rated {
    ($standings:expr, $response:ident { $($field:ident),* }) => {{
        let standings: $crate::inference::admission::meter::Standings = $standings;
        let reset = |standing: $crate::inference::admission::meter::Standing| {
            standing.reset_seconds.to_string() + "s"
        };
        $response {
            x_ratelimit_limit_requests: standings.requests.map(|standing| standing.limit),
            x_ratelimit_remaining_requests: standings.requests.map(|standing| standing.remaining),
            x_ratelimit_reset_requests: standings.requests.map(reset),
            x_ratelimit_limit_tokens: standings.tokens.map(|standing| standing.limit),
            x_ratelimit_remaining_tokens: standings.tokens.map(|standing| standing.remaining),
            x_ratelimit_reset_tokens: standings.tokens.map(reset),
            $($field),*
        }
    }};
}
pub(super) use rated;

fn limited(problem: &Problem, retry_after: i64, body: InferenceError) -> RateLimitExceeded {
    let standings = problem.standings.as_deref().copied().unwrap_or_default();
    rated!(standings, RateLimitExceeded { retry_after, body })
}

/// `From<Problem>` for an operation that calls a model.
macro_rules! model_refusals {
    ($($operation:ident: $bad_request:ident;)*) => {$(
        impl From<Problem> for $operation {
            fn from(problem: Problem) -> Self {
                let body = inference(&problem);
                match problem.fault {
                    Fault::Request => $bad_request { body }.into(),
                    Fault::Permission => InsufficientPermissions { body }.into(),
                    Fault::Model => ModelNotFound { body }.into(),
                    Fault::Rate { retry_after } => limited(&problem, retry_after, body).into(),
                    Fault::Service => InferenceServerError { body }.into(),
                    Fault::Upstream => UpstreamFailed { body }.into(),
                    Fault::Overload { retry_after } => {
                        UpstreamOverloaded { retry_after, body }.into()
                    }
                }
            }
        }
    )*};
}

model_refusals! {
    CreateChatCompletionError: InvalidInferenceRequest;
    CreateResponseError: InvalidResponsesRequest;
}

impl From<Problem> for GetModelError {
    fn from(problem: Problem) -> Self {
        let body = inference(&problem);
        match problem.fault {
            Fault::Model => ModelNotFound { body }.into(),
            Fault::Rate { retry_after } => limited(&problem, retry_after, body).into(),
            _ => InferenceServerError { body }.into(),
        }
    }
}

impl From<Problem> for ListModelsError {
    fn from(problem: Problem) -> Self {
        let body = inference(&problem);
        match problem.fault {
            Fault::Rate { retry_after } => limited(&problem, retry_after, body).into(),
            _ => InferenceServerError { body }.into(),
        }
    }
}
