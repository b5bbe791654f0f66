//! The limits of an API key, their status, and the reasons of rejections.

use super::period::Period;
use crate::config::inference::InferenceConfig;

/// The limits of an API key. An absent limit does not apply.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Limits {
    /// Calls a minute.
    pub requests_per_minute: Option<u32>,
    /// Tokens a minute, input and output together.
    pub tokens_per_minute: Option<u32>,
    /// Concurrent model calls, streams included.
    pub concurrent_calls: Option<u32>,
    /// Concurrent streams.
    pub concurrent_streams: Option<u32>,
    /// Tokens in each period.
    pub budget: Option<(i64, Period)>,
}

impl Limits {
    /// The limits of a key without its own.
    pub fn configured(config: &InferenceConfig) -> Limits {
        Limits {
            requests_per_minute: config.requests_per_minute,
            tokens_per_minute: config.tokens_per_minute,
            concurrent_calls: config.concurrent_calls,
            concurrent_streams: config.concurrent_streams,
            budget: None,
        }
    }

    /// Whether a limit counts tokens.
    pub fn count_tokens(&self) -> bool {
        self.tokens_per_minute.is_some() || self.budget.is_some()
    }

    /// These limits, with the `other` ones in place of absent ones.
    pub fn or(self, other: Limits) -> Limits {
        Limits {
            requests_per_minute: self.requests_per_minute.or(other.requests_per_minute),
            tokens_per_minute: self.tokens_per_minute.or(other.tokens_per_minute),
            concurrent_calls: self.concurrent_calls.or(other.concurrent_calls),
            concurrent_streams: self.concurrent_streams.or(other.concurrent_streams),
            budget: self.budget.or(other.budget),
        }
    }
}

/// The status of one limit of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LimitStatus {
    /// The maximum in a minute.
    pub limit: i64,
    /// The rest.
    pub remaining: i64,
    /// Seconds until the rest is the maximum again.
    pub reset_seconds: i64,
}

/// The status of a key's limits, for the caller.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LimitStatuses {
    /// The status of requests.
    pub requests: Option<LimitStatus>,
    /// The status of tokens.
    pub tokens: Option<LimitStatus>,
}

/// Why a key may not call now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Exhausted {
    /// The exhausted limit.
    pub kind: LimitKind,
    /// Seconds to wait.
    pub retry_after: i64,
    /// The status of the limits.
    pub limit_statuses: LimitStatuses,
}

/// A limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LimitKind {
    /// Calls a minute.
    Requests,
    /// Tokens a minute.
    Tokens,
    /// Concurrent model calls.
    Calls,
    /// Concurrent streams.
    Streams,
    /// The budget.
    Budget,
}
