//! Responses whose type depends on their status, and responses that the document does not describe.
//!
//! progenitor has one type for all successes of an operation and one for all its errors. Generated code distinguishes
//! them: from the typed value where the document has one type for all, and from the bytes where it has several. An
//! unreadable response keeps its status, its headers and the beginning of its body: the page of a proxy explains more
//! than the error of the parser.

use bytes::Bytes;
use chrono::DateTime;
use progenitor_client::{ByteStream, Error, ResponseValue};
use reqwest::{
    Response, StatusCode,
    header::{HeaderMap, RETRY_AFTER},
};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;
use std::{
    fmt::{self, Display},
    sync::Arc,
    time::{Duration, SystemTime},
};

use crate::Session;
use crate::body::{Buffered, End, MAX_BODY, MAX_KEPT_BYTES, MaxBody, collect, too_large};
use crate::session::unsent;
use crate::unread::without_values;

/// A failed call without an error that the document lists.
#[derive(Debug)]
#[non_exhaustive]
pub enum Failure {
    /// The request could not be created or sent, or no response arrived.
    Request(Error<()>),
    /// The transport refused the call, and nothing was sent: a credential is missing, for example.
    Unsent(Arc<dyn std::error::Error + Send + Sync>),
    /// The document does not list the status of the response.
    Unlisted(Buffered),
    /// The response does not match the description of its status.
    Unreadable {
        /// The response.
        response: Buffered,
        /// Why the response does not match. It has no value of the response.
        reason: String,
    },
    /// The response was interrupted within its body.
    Interrupted {
        /// The response, with the beginning of what arrived of its body.
        response: Buffered,
        /// The error of the connection.
        error: Arc<reqwest::Error>,
    },
}

/// Why a response could not be read; an extension of the response.
#[derive(Clone)]
enum Reason {
    Unreadable(String),
    Interrupted(Arc<reqwest::Error>),
}

impl Failure {
    /// Converts one of progenitor's errors, and reads the beginning of its body.
    pub async fn of<E>(error: Error<E>) -> Self {
        let mut response = match error.into_untyped() {
            Error::UnexpectedResponse(response) => response,
            Error::ErrorResponse(response) => {
                let (status, headers) = (response.status(), response.headers().clone());
                return Self::Unlisted(Buffered::new(status, headers, Bytes::new()));
            }
            Error::CommunicationError(error) => {
                return match unsent(&error) {
                    Some(error) => Self::Unsent(error),
                    None => Self::Request(Error::CommunicationError(error)),
                };
            }
            other => return Self::Request(other),
        };
        let reason = response.extensions_mut().remove::<Reason>();
        let (status, headers) = (response.status(), response.headers().clone());
        let stream = Box::pin(response.bytes_stream());
        let response = Buffered::beginning(status, headers, stream).await;
        match reason {
            Some(Reason::Unreadable(reason)) => response.unreadable(reason),
            Some(Reason::Interrupted(error)) => response.interrupted(error),
            None => response.unlisted(),
        }
    }

    /// The response, if there was one.
    pub fn response(&self) -> Option<&Buffered> {
        match self {
            Self::Request(_) | Self::Unsent(_) => None,
            Self::Unlisted(response)
            | Self::Unreadable { response, .. }
            | Self::Interrupted { response, .. } => Some(response),
        }
    }

    /// The status of the response, if there was one.
    pub fn status(&self) -> Option<StatusCode> {
        match self {
            Self::Request(error) => error.status(),
            _ => self.response().map(|response| response.status),
        }
    }
}

impl Buffered {
    /// Reads a response to its end. The session has the maximum size of its body.
    ///
    /// # Errors
    ///
    /// When the response is interrupted or too large.
    pub async fn read(
        response: ResponseValue<ByteStream>,
        session: &Session,
    ) -> Result<Self, Failure> {
        let max = session.max_body_bytes();
        let (status, headers) = (response.status(), response.headers().clone());
        let body = collect(response.into_inner_stream(), max).await;
        let response = Self::new(status, headers, body.bytes);
        match body.end {
            End::Whole => Ok(response),
            End::TooLarge => Err(response.unreadable(too_large(max))),
            End::Interrupted(error) => Err(response.interrupted(Arc::new(error))),
        }
    }

    /// The body as JSON of this type.
    pub fn json<T: DeserializeOwned>(self) -> Result<ResponseValue<T>, Failure> {
        match serde_json::from_slice(&self.body) {
            Ok(value) => Ok(ResponseValue::new(value, self.status, self.headers)),
            Err(error) => Err(self.unreadable(without_values(&error))),
        }
    }

    /// No body; the received bytes are dropped.
    pub fn empty(self) -> Result<ResponseValue<()>, Failure> {
        Ok(ResponseValue::new((), self.status, self.headers))
    }

    /// The body, unparsed.
    pub fn bytes(self) -> Result<ResponseValue<Bytes>, Failure> {
        Ok(ResponseValue::new(self.body, self.status, self.headers))
    }

    /// The error of a status that the document does not list.
    pub fn unlisted(mut self) -> Failure {
        self.body.truncate(MAX_KEPT_BYTES);
        Failure::Unlisted(self)
    }

    /// The error of a response that does not match the document.
    pub(crate) fn unreadable(mut self, reason: impl Display) -> Failure {
        self.body.truncate(MAX_KEPT_BYTES);
        Failure::Unreadable {
            response: self,
            reason: reason.to_string(),
        }
    }

    fn interrupted(mut self, error: Arc<reqwest::Error>) -> Failure {
        self.body.truncate(MAX_KEPT_BYTES);
        Failure::Interrupted {
            response: self,
            error,
        }
    }
}

impl Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (response, reason) = match self {
            Self::Request(error) => return error.fmt(f),
            Self::Unsent(error) => return error.fmt(f),
            Self::Unlisted(response) => (response, "the document does not list this status"),
            Self::Unreadable { response, reason } => (response, reason.as_str()),
            Self::Interrupted { response, .. } => (response, "the response was interrupted"),
        };
        write!(f, "{} ({reason})", response.status)?;
        match response.shown() {
            shown if shown.is_empty() => Ok(()),
            shown => write!(f, ": {shown}"),
        }
    }
}

impl std::error::Error for Failure {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Request(error) => error.source(),
            Self::Unsent(error) => error.source(),
            Self::Interrupted { error, .. } => Some(error),
            _ => None,
        }
    }
}

/// Reads a response as JSON. A response that is not JSON keeps its status, its headers and its body.
pub async fn read_json<T: DeserializeOwned, E>(
    response: Response,
) -> Result<ResponseValue<T>, Error<E>> {
    let max = response.extensions().get::<MaxBody>();
    let max = max.map_or(MAX_BODY, |max| max.0);
    let (status, headers) = (response.status(), response.headers().clone());
    let stream = Box::pin(response.bytes_stream());
    let body = collect(stream, max).await;
    let reason = match body.end {
        End::Whole => match serde_json::from_slice(&body.bytes) {
            Ok(value) => return Ok(ResponseValue::new(value, status, headers)),
            Err(error) => Reason::Unreadable(without_values(&error)),
        },
        End::TooLarge => Reason::Unreadable(too_large(max)),
        End::Interrupted(error) => Reason::Interrupted(Arc::new(error)),
    };
    let mut unread = http::Response::new(body.bytes);
    *unread.status_mut() = status;
    *unread.headers_mut() = headers;
    unread.extensions_mut().insert(reason);
    Err(Error::UnexpectedResponse(unread.into()))
}

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
/// means no wait.
pub fn retry_after(headers: &HeaderMap, now: SystemTime) -> Option<Duration> {
    let text = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    if let Ok(seconds) = text.parse() {
        return Some(Duration::from_secs(seconds));
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

/// Classifies an error of an operation whose error bodies have one type, which progenitor has read. `listed` returns a
/// response whose status the document does not list.
pub async fn classify_by_value<T, E>(
    error: Error<T>,
    listed: fn(ResponseValue<T>) -> Result<E, ResponseValue<T>>,
) -> Result<E, Failure> {
    match error {
        Error::ErrorResponse(response) => match listed(response) {
            Ok(error) => Ok(error),
            Err(response) => Err(Failure::of(Error::ErrorResponse(response)).await),
        },
        other => Err(Failure::of(other).await),
    }
}

/// Classifies an error of an operation whose error bodies have several types. The session has the maximum size of a body.
pub async fn classify_by_bytes<E>(
    error: Error<ByteStream>,
    session: &Session,
    listed: fn(Buffered) -> Result<E, Failure>,
) -> Result<E, Failure> {
    match error {
        Error::ErrorResponse(response) => listed(Buffered::read(response, session).await?),
        other => Err(Failure::of(other).await),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::{MAX_KEPT_BYTES, SHOWN};
    use crate::{BoxError, Operation, Pending, Session, Transport, execute};
    use reqwest::{
        Client, Method, Request,
        header::{HeaderName, HeaderValue},
    };

    fn response(status: u16, body: &str) -> Response {
        let response = http::Response::builder().status(status);
        response.body(body.to_owned()).expect("a response").into()
    }

    #[tokio::test]
    async fn an_unlisted_response_keeps_its_beginning() {
        let body = "  I am\n a teapot ".to_owned() + &"x".repeat(2 * MAX_KEPT_BYTES);
        let error: Error<()> = Error::UnexpectedResponse(response(418, &body));
        let failure = Failure::of(error).await;
        let kept = failure.response().expect("a response");
        assert_eq!(
            (kept.status.as_u16(), kept.body.len()),
            (418, MAX_KEPT_BYTES)
        );
        let shown = failure.to_string();
        assert!(
            shown.contains("418") && shown.contains("I am a teapot x"),
            "{shown}"
        );
        assert!(shown.chars().count() < SHOWN + 100, "{shown}");
    }

    #[tokio::test]
    async fn an_unreadable_response_keeps_its_status() {
        let read = read_json::<i64, ()>(response(503, "<html>busy</html>")).await;
        let failure = Failure::of(read.expect_err("no JSON")).await;
        assert!(matches!(failure, Failure::Unreadable { .. }), "{failure:?}");
        assert_eq!(failure.status(), Some(StatusCode::SERVICE_UNAVAILABLE));
        assert!(
            failure.to_string().ends_with(": <html>busy</html>"),
            "{failure}"
        );
    }

    #[tokio::test]
    async fn a_body_of_json_is_read_up_to_a_bound() {
        let read = |max| {
            let mut response = response(200, "[1, 2]");
            response.extensions_mut().insert(MaxBody(max));
            read_json::<Vec<i64>, ()>(response)
        };
        let value = read(6).await.expect("six bytes");
        assert_eq!(value.into_inner(), [1, 2]);
        let failure = Failure::of(read(5).await.expect_err("six bytes")).await;
        assert_eq!(failure.status(), Some(StatusCode::OK));
        assert!(failure.to_string().contains("larger than"), "{failure}");
    }

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

    #[tokio::test]
    async fn a_success_that_cannot_be_read_is_not_printed() {
        let read = read_json::<i64, ()>(response(200, r#"{"access_token":"secret"}"#)).await;
        let failure = Failure::of(read.expect_err("another type")).await;
        let printed = format!("{failure} {failure:?}");
        assert!(!printed.contains("secret"), "{printed}");
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
            ("soon", None),
        ] {
            let headers = HeaderMap::from_iter([(RETRY_AFTER, text.parse().expect("a value"))]);
            assert_eq!(
                retry_after(&headers, now),
                wait.map(Duration::from_secs),
                "{text}"
            );
        }
    }

    /// Refuses every call.
    #[derive(Debug)]
    struct Closed;

    impl Transport for Closed {
        fn prepare<'a>(
            &'a self,
            _request: &'a mut Request,
            _operation: &'static Operation,
        ) -> Pending<'a, Result<(), BoxError>> {
            Box::pin(async { Err(fmt::Error.into()) })
        }
    }

    static OPERATION: Operation = Operation::new("call", "GET", "/");

    #[tokio::test]
    async fn the_error_of_a_transport_keeps_its_type() {
        let client = Client::new();
        let url = "http://127.0.0.1:9".parse().expect("an address");
        let request = Request::new(Method::GET, url);
        let sent = execute(&Session::new(Closed), &client, request, &OPERATION).await;
        let error: Error<()> = sent.expect_err("nothing is sent").into();
        let failure = Failure::of(error).await;
        assert!(!failure.is_retryable());
        let Failure::Unsent(error) = failure else {
            panic!("{failure:?}")
        };
        assert!(error.is::<fmt::Error>());
    }
}
