//! `OperationError`, which the errors of all operations implement.

use chrono::DateTime;
use progenitor_client::{Error, ResponseValue};
use reqwest::{
    StatusCode,
    header::{HeaderMap, RETRY_AFTER},
};
use serde::Serialize;
use serde_json::Value;
use std::{
    fmt::{self, Display},
    time::{Duration, SystemTime},
};

use crate::outcome::Failure;

/// A response that the document describes.
pub struct Described<'a> {
    status: StatusCode,
    headers: &'a HeaderMap,
    body: Option<&'a dyn Json>,
}

/// A value that can be written as JSON.
trait Json {
    fn json(&self) -> Option<Value>;
}

impl<T: Serialize> Json for T {
    fn json(&self) -> Option<Value> {
        let value = serde_json::to_value(self).ok();
        value.filter(|value| !value.is_null())
    }
}

impl<'a> Described<'a> {
    /// A response with a body of JSON.
    pub fn json<T: Serialize>(response: &'a ResponseValue<T>) -> Self {
        Described {
            body: Some(response.as_ref()),
            ..Self::opaque(response)
        }
    }

    /// A response without a body, or whose body is not JSON.
    pub fn opaque<T>(response: &'a ResponseValue<T>) -> Self {
        Described {
            status: response.status(),
            headers: response.headers(),
            body: None,
        }
    }
}

/// The interface of the errors of all operations, so that one function can report them.
pub trait OperationError: std::error::Error + Send + 'static {
    /// The response that the document describes, or the failure.
    fn outcome(&self) -> Result<Described<'_>, &Failure>;

    /// The status of the response, if there was one.
    fn status(&self) -> Option<StatusCode> {
        match self.outcome() {
            Ok(response) => Some(response.status),
            Err(failure) => failure.status(),
        }
    }

    /// The headers of the response, if there was one.
    fn headers(&self) -> Option<&HeaderMap> {
        match self.outcome() {
            Ok(response) => Some(response.headers),
            Err(failure) => failure.response().map(|response| &response.headers),
        }
    }

    /// The body of the response, if it is JSON.
    fn body(&self) -> Option<Value> {
        match self.outcome() {
            Ok(response) => response.body?.json(),
            Err(failure) => serde_json::from_slice(&failure.response()?.body).ok(),
        }
    }

    /// The failure, if the document does not describe the response.
    fn failure(&self) -> Option<&Failure> {
        self.outcome().err()
    }

    /// The body of the response as text, if there was one.
    fn text(&self) -> Option<String> {
        match self.failure() {
            Some(failure) => {
                let body = &failure.response()?.body;
                Some(String::from_utf8_lossy(body).into_owned())
            }
            None => self.body().map(|body| body.to_string()),
        }
    }

    /// The response headers that the document marks as the request's id, with `x-dropforge-source: request-id`.
    fn request_id_headers(&self) -> &'static [&'static str] {
        &[]
    }

    /// The id by which the operators find the request: from a header that the document marks, else from
    /// `x-request-id`.
    fn request_id(&self) -> Option<&str> {
        let headers = self.headers()?;
        let mut names = self.request_id_headers().iter().chain(&["x-request-id"]);
        names.find_map(|name| headers.get(*name))?.to_str().ok()
    }

    /// The time to wait before another attempt, as the service requests.
    fn retry_after(&self) -> Option<Duration> {
        retry_after(self.headers()?, SystemTime::now())
    }

    /// Whether no connection could be opened: the service does not run, or its address is wrong.
    fn is_unreachable(&self) -> bool {
        matches!(
            self.failure(),
            Some(Failure::Request(Error::CommunicationError(error))) if error.is_connect()
        )
    }

    /// Whether the failure may be transient: the connection failed, or the status is 408, 429 or a server error except
    /// 501.
    fn is_retryable(&self) -> bool {
        match (self.status(), self.failure()) {
            (Some(status), Some(Failure::Interrupted { .. })) if status.is_success() => true,
            (Some(status), _) => {
                matches!(status.as_u16(), 408 | 429)
                    || (status.is_server_error() && status != StatusCode::NOT_IMPLEMENTED)
            }
            (None, Some(Failure::Request(Error::CommunicationError(_)))) => true,
            _ => false,
        }
    }
}

/// For requests that the document does not have.
impl OperationError for Failure {
    fn outcome(&self) -> Result<Described<'_>, &Failure> {
        Err(self)
    }
}

/// The wait in `Retry-After`: seconds, or a date (RFC 9110, section 10.2.3). A date in the past
/// means no wait. A number of seconds that is too large for `u64` is the largest one.
pub fn retry_after(headers: &HeaderMap, now: SystemTime) -> Option<Duration> {
    let text = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Some(Duration::from_secs(text.parse().unwrap_or(u64::MAX)));
    }
    let date = SystemTime::from(DateTime::parse_from_rfc2822(text).ok()?);
    Some(date.duration_since(now).unwrap_or_default())
}

/// Writes an error for people: its status, and its body.
pub fn describe(error: &impl OperationError, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match (error.failure(), error.status()) {
        (Some(failure), _) => failure.fmt(f),
        (None, Some(status)) => {
            write!(f, "{status}")?;
            match error.body() {
                Some(body) => write!(f, ": {body}"),
                None => Ok(()),
            }
        }
        (None, None) => f.write_str("no response"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Buffered;
    use bytes::Bytes;
    use reqwest::header::{HeaderName, HeaderValue};

    #[derive(Debug)]
    struct Named(Failure, &'static [&'static str]);

    impl Display for Named {
        fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
            Ok(())
        }
    }

    impl std::error::Error for Named {}

    impl OperationError for Named {
        fn outcome(&self) -> Result<Described<'_>, &Failure> {
            Err(&self.0)
        }
        fn request_id_headers(&self) -> &'static [&'static str] {
            self.1
        }
    }

    #[test]
    fn the_id_of_a_request_is_in_the_header_that_the_document_marks() {
        let header = |name: &'static str, value: &'static str| {
            let value = HeaderValue::from_static(value);
            (HeaderName::from_static(name), value)
        };
        let headers = [header("trace", "a"), header("x-request-id", "b")];
        let headers = HeaderMap::from_iter(headers);
        let id = |names| {
            let failure = Failure::Unlisted(Buffered {
                status: StatusCode::NOT_FOUND,
                headers: headers.clone(),
                body: Bytes::new(),
            });
            Named(failure, names).request_id().map(str::to_owned)
        };
        assert_eq!(id(&["trace"]).as_deref(), Some("a"));
        assert_eq!(id(&["other"]).as_deref(), Some("b"));
        assert_eq!(id(&[]).as_deref(), Some("b"));
    }

    #[test]
    fn the_service_says_how_long_to_wait() {
        let now = DateTime::parse_from_rfc2822("Sat, 21 Nov 2026 08:00:00 GMT")
            .expect("a date")
            .into();
        for (text, wait) in [
            ("7", Some(7)),
            ("Sat, 21 Nov 2026 08:00:05 GMT", Some(5)),
            ("Sat, 21 Nov 2026 07:00:00 GMT", Some(0)),
            ("99999999999999999999", Some(u64::MAX)),
            ("soon", None),
            ("", None),
        ] {
            let headers = HeaderMap::from_iter([(RETRY_AFTER, text.parse().expect("a value"))]);
            assert_eq!(
                retry_after(&headers, now),
                wait.map(Duration::from_secs),
                "{text}"
            );
        }
    }
}
