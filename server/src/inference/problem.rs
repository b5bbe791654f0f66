//! Why a model call was not answered, before it takes the document's shape.

use super::admission::meter::Standings;

/// Who is at fault, and so which status is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// 400: the request.
    Request,
    /// 403: no policy allows it.
    Permission,
    /// 404: there is no such model.
    Model,
    /// 429: too fast.
    Rate {
        /// Seconds to wait.
        retry_after: i64,
    },
    /// 500: this service.
    Service,
    /// 502: the model server.
    Upstream,
    /// 503: the model server has too much to do.
    Overload {
        /// Seconds to wait.
        retry_after: i64,
    },
}

impl Fault {
    /// The `type` of the conventions.
    pub fn kind(self) -> &'static str {
        match self {
            Fault::Request | Fault::Permission | Fault::Model => "invalid_request_error",
            Fault::Rate { .. } => "rate_limit_error",
            Fault::Service | Fault::Upstream | Fault::Overload { .. } => "server_error",
        }
    }
}

/// A model call that was not answered.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Problem {
    /// Who is at fault.
    pub fault: Fault,
    /// A sentence for the caller.
    pub message: String,
    /// The member of the request that is at fault.
    pub param: Option<String>,
    /// The kind, for programs.
    pub code: Option<String>,
    /// Where the key stands, when that is why.
    pub standings: Option<Box<Standings>>,
}

impl Problem {
    /// A problem of this kind.
    pub fn new(fault: Fault, code: &str, message: impl Into<String>) -> Self {
        Problem {
            fault,
            message: message.into(),
            param: None,
            code: Some(code.into()),
            standings: None,
        }
    }

    /// The class of the failure, for figures and traces: one of a few, and never
    /// a model server's own words.
    pub fn class(&self) -> &'static str {
        match self.fault {
            Fault::Request => "invalid_request",
            Fault::Permission => "permission_denied",
            Fault::Model => "model_not_found",
            Fault::Rate { .. } if self.code.as_deref() == Some(UPSTREAM_RATE) => {
                "upstream_rate_limited"
            }
            Fault::Rate { .. } => "rate_limited",
            Fault::Service => "service_failed",
            Fault::Overload { .. } => "upstream_overloaded",
            Fault::Upstream => match self.code.as_deref() {
                Some("upstream_unreachable") => "upstream_unreachable",
                Some("upstream_timeout") => "upstream_timeout",
                _ => "upstream_failed",
            },
        }
    }

    /// With the member of the request that is at fault.
    pub fn param(self, name: &str) -> Self {
        Problem {
            param: Some(name.into()),
            ..self
        }
    }

    /// The service failed; the cause is for the log only.
    pub fn service(cause: impl std::fmt::Display) -> Self {
        tracing::error!(%cause, "a model call failed");
        Problem {
            fault: Fault::Service,
            message: FAILED.into(),
            param: None,
            code: None,
            standings: None,
        }
    }
}

/// The code of a limit that is the model server's and not the key's.
pub const UPSTREAM_RATE: &str = "upstream_rate_limit_exceeded";
/// What a caller reads of the service's own failures.
pub const FAILED: &str = "The service failed; the request id finds the cause in its logs.";
