//! Retries of requests.
//!
//! A failed attempt is repeated if a second one has a chance, and no further effect:
//!
//! - The service did not execute the request: the connection could not be opened, or the service asked the client to
//!   come back (429, or 503 with `Retry-After`). Any request may be repeated, such as a chat. An operation with an
//!   idempotency key is an exception: with 503 the service also reports a write whose outcome it does not know.
//! - The service may have executed the request: the connection broke, there was no response in time, or the status is
//!   408, 500, 502, 503 or 504. The method must be idempotent (RFC 9110, section 9.2.2), or the request must have a key by
//!   which the service recognizes it.

use dropforge_client::{Operation, retry_after};
use reqwest::{Response, StatusCode, header::RETRY_AFTER};
use std::{
    hash::{BuildHasher, RandomState},
    time::{Duration, SystemTime},
};

/// The number of attempts, and the waits between them.
///
/// ```
/// use std::time::Duration;
///
/// let patient = accord_client::RetryPolicy::default().attempts(10).max_wait(Duration::from_secs(60));
/// assert_eq!(patient.attempts, 10);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct RetryPolicy {
    /// The maximum number of attempts, the first one included; 1 never repeats. 4 by default.
    pub attempts: u32,
    /// The wait after the first attempt; it doubles with each. 200 ms by default.
    pub first_wait: Duration,
    /// The maximum wait. If the service asks for a longer one, there is no further attempt. 20 s by default.
    pub max_wait: Duration,
}

impl Default for RetryPolicy {
    fn default() -> Self {
        Self {
            attempts: 4,
            first_wait: Duration::from_millis(200),
            max_wait: Duration::from_secs(20),
        }
    }
}

/// The effect of a failed attempt that may be repeated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FailedAttempt {
    /// The service did not execute the request.
    NotExecuted,
    /// The service may have executed the request.
    Unknown,
    /// There was no response in time, and the service may have executed the request.
    TimedOut,
}

impl FailedAttempt {
    /// Classifies a result of an operation; `None` for a success, and for a failure that a second attempt would meet
    /// again.
    pub(crate) fn of(result: &reqwest::Result<Response>, operation: &Operation) -> Option<Self> {
        let has_key = !operation.idempotency_keys.is_empty();
        match result {
            Err(error) if error.is_connect() => Some(Self::NotExecuted),
            Err(error) if error.is_timeout() => Some(Self::TimedOut),
            Err(error) if error.is_request() => Some(Self::Unknown),
            Err(_) => None,
            Ok(response) => match (response.status(), response.headers().get(RETRY_AFTER)) {
                (StatusCode::TOO_MANY_REQUESTS, _) => Some(Self::NotExecuted),
                (StatusCode::SERVICE_UNAVAILABLE, Some(_)) if !has_key => Some(Self::NotExecuted),
                (status, _) => {
                    matches!(status.as_u16(), 408 | 500 | 502..=504).then_some(Self::Unknown)
                }
            },
        }
    }

    /// Whether the request may be repeated.
    pub(crate) fn allows(self, is_idempotent: bool) -> bool {
        is_idempotent || self == Self::NotExecuted
    }
}

/// The wait that the service has requested.
pub(crate) fn requested_wait(result: &reqwest::Result<Response>) -> Option<Duration> {
    retry_after(result.as_ref().ok()?.headers(), SystemTime::now())
}

impl RetryPolicy {
    /// Never repeats a request.
    pub fn never() -> Self {
        Self::default().attempts(1)
    }

    /// Sets the maximum number of attempts, the first one included.
    #[must_use]
    pub fn attempts(mut self, attempts: u32) -> Self {
        self.attempts = attempts;
        self
    }

    /// Sets the wait after the first attempt.
    #[must_use]
    pub fn first_wait(mut self, wait: Duration) -> Self {
        self.first_wait = wait;
        self
    }

    /// Sets the maximum wait.
    #[must_use]
    pub fn max_wait(mut self, wait: Duration) -> Self {
        self.max_wait = wait;
        self
    }

    /// The wait before the next attempt; `None` if there is no further attempt.
    ///
    /// `attempt` counts from 1. `requested` is the wait that the service has requested.
    pub(crate) fn wait(&self, attempt: u32, requested: Option<Duration>) -> Option<Duration> {
        if attempt >= self.attempts {
            return None;
        }
        let backoff = self.backoff(attempt);
        match requested {
            Some(requested) if requested > self.max_wait => None,
            // Clients that the service refused together should not return together.
            Some(requested) => Some(
                requested
                    .max(backoff)
                    .saturating_add(requested.mul_f64(chance() / 10.0)),
            ),
            None => Some(backoff),
        }
    }

    /// Exponential backoff with jitter of up to a half, so that many clients do not return together.
    pub(crate) fn backoff(&self, attempt: u32) -> Duration {
        let doubled = self
            .first_wait
            .saturating_mul(2u32.saturating_pow(attempt.saturating_sub(1)));
        doubled.min(self.max_wait).mul_f64(1.0 - chance() / 2.0)
    }
}

/// A random number from 0 to 1.
fn chance() -> f64 {
    let random = RandomState::new().hash_one(0) >> 32;
    f64::from(u32::try_from(random).unwrap_or(0)) / f64::from(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn response(status: u16, retry_after: Option<&str>) -> reqwest::Result<Response> {
        let mut builder = http::Response::builder().status(status);
        if let Some(value) = retry_after {
            builder = builder.header("Retry-After", value);
        }
        Ok(builder.body("").expect("a response").into())
    }

    /// The operation with this identifier.
    fn operation(id: &str) -> &'static Operation {
        let all = crate::inference::OPERATIONS.iter();
        let mut all = all.filter(|operation| operation.id == id);
        all.next().expect("an operation of the document")
    }

    /// The class of a failed chat, which has no idempotency key.
    fn chat(status: u16, retry_after: Option<&str>) -> Option<FailedAttempt> {
        let response = response(status, retry_after);
        FailedAttempt::of(&response, operation("createChatCompletion"))
    }

    #[test]
    fn only_transient_failures_are_retried() {
        for status in [408, 500, 502, 503, 504] {
            assert_eq!(chat(status, None), Some(FailedAttempt::Unknown), "{status}");
        }
        for status in [200, 400, 401, 404, 409, 501, 505] {
            assert_eq!(chat(status, Some("1")), None, "{status}");
        }
        let policy = RetryPolicy::default();
        assert_eq!(policy.wait(policy.attempts, None), None);
        assert_eq!(RetryPolicy::never().wait(1, None), None);
    }

    #[test]
    fn a_request_that_the_service_did_not_execute_may_always_be_repeated() {
        for (status, retry_after) in [(429, None), (429, Some("1")), (503, Some("1"))] {
            let failed = chat(status, retry_after).expect("a transient failure");
            assert!(failed.allows(false), "{status}");
        }
        let failed = chat(503, None).expect("a transient failure");
        assert!(!failed.allows(false) && failed.allows(true));
    }

    #[test]
    fn a_write_with_an_idempotency_key_may_have_been_executed_despite_503() {
        let failed = FailedAttempt::of(&response(503, Some("1")), operation("createApiKey"));
        assert_eq!(failed, Some(FailedAttempt::Unknown));
    }

    #[test]
    fn waits_grow_and_stay_within_bounds() {
        let policy = RetryPolicy::default();
        for attempt in 1..40 {
            let whole = policy
                .first_wait
                .saturating_mul(2u32.saturating_pow(attempt - 1))
                .min(policy.max_wait);
            let wait = policy.backoff(attempt);
            assert!(
                wait <= whole && wait >= whole / 2 - Duration::from_millis(1),
                "{attempt}: {wait:?} of {whole:?}"
            );
        }
    }

    #[test]
    fn the_service_sets_the_wait() {
        let policy = RetryPolicy::default();
        let wait = |text: &str| policy.wait(1, requested_wait(&response(429, Some(text))));
        let seven = Duration::from_secs(7);
        let waited = wait("7").expect("a wait");
        assert!(
            waited >= seven && waited <= seven.mul_f64(1.1),
            "{waited:?}"
        );
        for long in ["3600", "99999999999999999999"] {
            assert_eq!(wait(long), None, "{long}");
        }
        // Immediately, or a date in the past: the usual wait.
        for soon in ["0", "Sat, 21 Nov 2020 07:00:00 GMT"] {
            let waited = wait(soon).expect("a wait");
            assert!(waited >= policy.first_wait / 2, "{soon}: {waited:?}");
        }
        let end = SystemTime::now() + Duration::from_secs(15);
        let date = chrono::DateTime::<chrono::Utc>::from(end);
        let waited = wait(&date.format("%a, %d %b %Y %H:%M:%S GMT").to_string());
        let waited = waited.expect("a wait");
        // A date has no part of a second.
        let left = end.duration_since(SystemTime::now()).unwrap_or_default();
        assert!(waited + Duration::from_secs(1) >= left, "{waited:?}");
        assert!(waited < Duration::from_secs(17), "{waited:?}");
    }
}
