//! Why a model call failed, independent of the document's form.

pub use accord_inference_server::types::InferenceErrorCode as Code;
use accord_inference_server::types::InferenceErrorType as Kind;

use super::admission::limits::LimitStatuses;
use crate::kernel::texts;

/// The party at fault, which decides the status.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// 400: the request.
    Request,
    /// 403: no policy allows the call.
    Permission,
    /// 404: the model does not exist.
    Model,
    /// 429: too many calls.
    Rate {
        /// Seconds to wait.
        retry_after: i64,
    },
    /// 500: this service.
    Service,
    /// 502: the model server.
    Upstream,
    /// 503: the model server is overloaded.
    Overload {
        /// Seconds to wait.
        retry_after: i64,
    },
}

impl Fault {
    /// The class of the error in the response.
    pub fn kind(self) -> Kind {
        match self {
            Fault::Request | Fault::Permission | Fault::Model => Kind::InvalidRequestError,
            Fault::Rate { .. } => Kind::RateLimitError,
            Fault::Service | Fault::Upstream | Fault::Overload { .. } => Kind::ServerError,
        }
    }
}

/// A failed model call.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Problem {
    /// The party at fault.
    pub fault: Fault,
    /// The message for the caller.
    pub message: String,
    /// The member of the request that is at fault.
    pub param: Option<String>,
    /// The cause, for programs.
    pub code: Code,
    /// The status of the key's limits, if they are the cause.
    pub limit_statuses: Option<Box<LimitStatuses>>,
}

impl Problem {
    /// A problem of this kind.
    pub fn new(fault: Fault, code: Code, message: impl Into<String>) -> Self {
        Problem {
            fault,
            message: message.into(),
            param: None,
            code,
            limit_statuses: None,
        }
    }

    /// The class of the failure, for metrics and traces: one of a few, and never a model server's
    /// own words.
    pub fn class(&self) -> &'static str {
        match self.fault {
            Fault::Request => "invalid_request",
            Fault::Permission => "permission_denied",
            Fault::Model => "model_not_found",
            Fault::Rate { .. } if self.code == Code::UpstreamRateLimitExceeded => {
                "upstream_rate_limited"
            }
            Fault::Rate { .. } => "rate_limited",
            Fault::Service => "service_failed",
            Fault::Overload { .. } => "upstream_overloaded",
            Fault::Upstream => match self.code {
                Code::UpstreamUnreachable => "upstream_unreachable",
                Code::UpstreamTimeout => "upstream_timeout",
                _ => "upstream_failed",
            },
        }
    }

    /// Sets the member of the request that is at fault.
    pub fn param(self, name: &str) -> Self {
        Problem {
            param: Some(name.into()),
            ..self
        }
    }

    /// The body is valid by the document, and does not fit what reads it.
    pub fn invalid_body(error: impl std::fmt::Display) -> Self {
        let message = format!("The body is invalid: {error}.");
        Problem::new(Fault::Request, Code::InvalidValue, message)
    }

    /// The service failed; the cause is for the log only.
    pub fn service(cause: impl std::fmt::Display) -> Self {
        tracing::error!(%cause, "a model call failed");
        Problem::new(Fault::Service, Code::ServerError, texts::UNEXPECTED)
    }
}
