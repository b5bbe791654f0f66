//! Responses whose type depends on their status, and responses that the document does not describe.
//!
//! progenitor has one type for all successes of an operation and one for all its errors. Generated code distinguishes
//! them: from the typed value where the document has one type for all, and from the bytes where it has several. An
//! unreadable response keeps its status, its headers and the beginning of its body: the page of a proxy explains more
//! than the error of the parser.

use bytes::Bytes;
use progenitor_client::{ByteStream, Error, ResponseValue};
use reqwest::{Response, StatusCode};
use serde::de::DeserializeOwned;
use std::{
    fmt::{self, Display},
    sync::Arc,
};

use crate::Session;
use crate::body::{Buffered, End, MAX_BODY, MAX_KEPT_BYTES, MaxBody, collect, too_large};
use crate::json_errors::without_values;
use crate::session::unsent;

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
    use crate::{BoxError, Operation, OperationError, Pending, Session, Transport, execute};
    use reqwest::{Client, Method, Request};

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

    #[tokio::test]
    async fn a_success_that_cannot_be_read_is_not_printed() {
        let read = read_json::<i64, ()>(response(200, r#"{"access_token":"secret"}"#)).await;
        let failure = Failure::of(read.expect_err("another type")).await;
        let printed = format!("{failure} {failure:?}");
        assert!(!printed.contains("secret"), "{printed}");
    }

    /// Rejects every call.
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
