//! Retries of requests.
//!
//! An attempt is repeated only if a second one has no further effect. The method must be idempotent
//! (RFC 9110, section 9.2.2), or the request must have a token by which the service recognizes it.
//! Also, another attempt must have a chance: the connection failed, or the status says that the
//! failure is transient.

use dropforge_client::retry_after;
use reqwest::{Method, Request, Response, StatusCode};
use std::{
    hash::{BuildHasher, RandomState},
    time::{Duration, SystemTime},
};

/// The number of attempts, and the waits between them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RetryPolicy {
    /// The maximum number of attempts, the first one included; 1 never repeats.
    pub attempts: u32,
    /// The wait after the first attempt; it doubles with each.
    pub first_wait: Duration,
    /// The maximum wait. If the service asks for a longer one, there is no further attempt.
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

impl RetryPolicy {
    /// Never repeats a request.
    pub fn never() -> Self {
        Self {
            attempts: 1,
            ..Self::default()
        }
    }

    /// The wait before the next attempt; `None` if there is no further attempt.
    ///
    /// `attempt` counts from 1.
    pub(crate) fn wait(
        &self,
        attempt: u32,
        result: &reqwest::Result<Response>,
    ) -> Option<Duration> {
        if attempt >= self.attempts {
            return None;
        }
        match result {
            Err(error) if error.is_connect() => Some(self.backoff(attempt)),
            Err(_) => None,
            Ok(response) if is_transient(response.status()) => {
                match retry_after(response.headers(), SystemTime::now()) {
                    Some(asked) if asked > self.max_wait => None,
                    Some(asked) => Some(asked),
                    None => Some(self.backoff(attempt)),
                }
            }
            Ok(_) => None,
        }
    }

    /// Exponential backoff with jitter of up to a half, so that many clients do not return together.
    pub(crate) fn backoff(&self, attempt: u32) -> Duration {
        let doubled = self
            .first_wait
            .saturating_mul(2u32.saturating_pow(attempt.saturating_sub(1)));
        let chance =
            f64::from(u32::try_from(RandomState::new().hash_one(attempt) >> 32).unwrap_or(0))
                / f64::from(u32::MAX);
        doubled.min(self.max_wait).mul_f64(1.0 - chance / 2.0)
    }
}

/// Whether a second attempt of a request has no further effect.
pub(crate) fn is_repeatable(request: &Request) -> bool {
    matches!(
        *request.method(),
        Method::GET | Method::HEAD | Method::PUT | Method::DELETE
    ) || ["accord-retry-token", "idempotency-key"]
        .iter()
        .any(|name| request.headers().contains_key(*name))
}

fn is_transient(status: StatusCode) -> bool {
    matches!(status.as_u16(), 408 | 429 | 502 | 503 | 504)
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

    #[test]
    fn only_transient_failures_are_retried() {
        let policy = RetryPolicy::default();
        for status in [408, 429, 502, 503, 504] {
            assert!(
                policy.wait(1, &response(status, None)).is_some(),
                "{status}"
            );
        }
        for status in [200, 400, 401, 404, 409, 500, 501] {
            assert_eq!(policy.wait(1, &response(status, None)), None, "{status}");
        }
        assert_eq!(policy.wait(policy.attempts, &response(503, None)), None);
        assert_eq!(RetryPolicy::never().wait(1, &response(503, None)), None);
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
        assert_eq!(
            policy.wait(1, &response(429, Some("7"))),
            Some(Duration::from_secs(7))
        );
        assert_eq!(policy.wait(1, &response(429, Some("3600"))), None);
    }

    #[test]
    fn a_post_is_repeated_only_with_a_token() {
        let address: url::Url = "http://a.example/".parse().expect("an address");
        let mut request = Request::new(Method::POST, address.clone());
        assert!(!is_repeatable(&request));
        request
            .headers_mut()
            .insert("accord-retry-token", http::HeaderValue::from_static("t"));
        assert!(is_repeatable(&request));
        assert!(is_repeatable(&Request::new(
            Method::DELETE,
            address.clone()
        )));
        assert!(!is_repeatable(&Request::new(Method::PATCH, address)));
    }
}
