//! The part of a key's limits that one replica may admit.

use serde::{Deserialize, Serialize};

/// Parts of the whole, from 0 to 1. The sum of the shares of all replicas is at most 1. Each
/// replica may nevertheless admit one call, because a replica without calls has no demand for a
/// share.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Share {
    /// The part of requests and tokens per minute, and of the budget.
    pub rate: f64,
    /// The part of concurrent calls and streams.
    pub concurrent: f64,
}

/// Smaller differences are rounding errors.
pub(super) const EPSILON: f64 = 1e-6;

impl Share {
    /// The whole limit.
    pub const WHOLE: Share = Share::even(1.0);

    /// The same part of all limits.
    pub const fn even(part: f64) -> Share {
        Share {
            rate: part,
            concurrent: part,
        }
    }

    /// The part of a limit per minute.
    pub(super) fn of_rate(self, limit: u32) -> f64 {
        let limit = f64::from(limit);
        match self.rate < 1.0 - EPSILON {
            true => (limit * self.rate).max(limit.min(1.0)),
            false => limit,
        }
    }

    /// The part of a limit of concurrent calls or streams.
    pub(super) fn of_concurrent(self, limit: u32) -> u32 {
        match self.concurrent < 1.0 - EPSILON {
            true => {
                let part = (f64::from(limit) * self.concurrent - EPSILON).ceil();
                (part as u32).clamp(limit.min(1), limit)
            }
            false => limit,
        }
    }

    /// The part of the remaining tokens of a budget.
    pub(super) fn of_budget(self, left: i64) -> i64 {
        match self.rate < 1.0 - EPSILON {
            true => ((left as f64 * self.rate) as i64).clamp(left.min(1), left),
            false => left,
        }
    }
}

impl Default for Share {
    fn default() -> Self {
        Share::WHOLE
    }
}
