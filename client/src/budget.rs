//! The retry budget that all calls of a client share.
//!
//! While a service is down, every call would be repeated as often as its policy allows, and the service would get several
//! times its usual load. Therefore a retry costs a token, and successes return tokens: a few failures among many
//! successes are always retried, and an outage ends the retries.

use std::sync::atomic::{AtomicU32, Ordering};

/// The number of successful calls that pay for one retry.
const SUCCESSES: u32 = 5;

/// A number of retries that shrinks with retries and grows with successes.
#[derive(Debug)]
pub(crate) struct RetryBudget {
    /// The present number, in parts of a retry that a success pays for.
    parts: AtomicU32,
    max: u32,
}

impl RetryBudget {
    /// A full budget of this many retries.
    pub(crate) fn new(retries: u32) -> Self {
        let max = retries.saturating_mul(SUCCESSES);
        Self {
            parts: AtomicU32::new(max),
            max,
        }
    }

    /// Takes one retry; `false` if none is left.
    pub(crate) fn take(&self) -> bool {
        self.change(|parts| parts.checked_sub(SUCCESSES))
    }

    /// Records a success.
    pub(crate) fn refill(&self) {
        self.change(|parts| (parts < self.max).then_some(parts + 1));
    }

    fn change(&self, change: impl Fn(u32) -> Option<u32>) -> bool {
        let relaxed = Ordering::Relaxed;
        self.parts.fetch_update(relaxed, relaxed, change).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn successes_pay_for_retries() {
        let budget = RetryBudget::new(2);
        assert!(budget.take() && budget.take());
        assert!(!budget.take());
        for _ in 0..SUCCESSES {
            assert!(!budget.take());
            budget.refill();
        }
        assert!(budget.take() && !budget.take());
        for _ in 0..100 {
            budget.refill();
        }
        assert!(budget.take() && budget.take() && !budget.take());
    }
}
