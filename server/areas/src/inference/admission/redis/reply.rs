//! The reply of Redis to a request for admission.

use redis::{FromRedisValue, ParsingError, Value};

use crate::inference::admission::bucket::MINUTE_MILLIS;
use crate::inference::admission::limits::{LimitKind, LimitStatus, LimitStatuses, Limits};

/// The reply, with times in milliseconds.
#[derive(Debug, Clone, Copy)]
pub struct Reply {
    /// The number of the exhausted limit in `enter.lua`. 0 if the call is admitted.
    kind: i64,
    /// The time until the call could be admitted.
    wait: i64,
    /// The time until the allowance of requests is refilled.
    requests: i64,
    /// The time until the allowance of tokens is refilled.
    tokens: i64,
}

impl FromRedisValue for Reply {
    fn from_redis_value(value: Value) -> Result<Self, ParsingError> {
        let (kind, wait, requests, tokens) = FromRedisValue::from_redis_value(value)?;
        Ok(Reply {
            kind,
            wait,
            requests,
            tokens,
        })
    }
}

impl Reply {
    /// The exhausted limit. `None` if the call is admitted.
    pub fn exhausted(self) -> Option<LimitKind> {
        match self.kind {
            0 => None,
            1 => Some(LimitKind::Requests),
            2 => Some(LimitKind::Tokens),
            3 => Some(LimitKind::Calls),
            4 => Some(LimitKind::Streams),
            _ => Some(LimitKind::Budget),
        }
    }

    /// Seconds to wait. The `releasable` tokens may be released at any time.
    pub fn retry_after(self, limits: &Limits, releasable: i64) -> i64 {
        let rate = f64::from(limits.tokens_per_minute.unwrap_or_default().max(1));
        let releasable = (releasable as f64 * MINUTE_MILLIS / rate) as i64;
        seconds(self.wait.saturating_sub(releasable)).max(1)
    }

    /// The status of the key's limits.
    pub fn limit_statuses(self, limits: &Limits) -> LimitStatuses {
        let status = |limit: Option<u32>, time: i64| {
            let limit = limit?;
            let used = time as f64 * f64::from(limit) / MINUTE_MILLIS;
            Some(LimitStatus {
                limit: limit.into(),
                remaining: (f64::from(limit) - used).max(0.0) as i64,
                reset_seconds: seconds(time),
            })
        };
        LimitStatuses {
            requests: status(limits.requests_per_minute, self.requests),
            tokens: status(limits.tokens_per_minute, self.tokens),
        }
    }
}

fn seconds(milliseconds: i64) -> i64 {
    (milliseconds.max(0) as u64).div_ceil(1000) as i64
}
