//! One attempt at one model server.
//!
//! Dropping a call, or the stream of its response, closes its connection: a caller who disconnects
//! stops the model server. An attempt that fails says whether another one makes sense;
//! [`super::attempts`] decides.

use std::error::Error as _;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use chrono::DateTime;
use futures::StreamExt;
use http::header::{ACCEPT, ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_TYPE, DATE, RETRY_AFTER};
use http::{HeaderMap, HeaderName, HeaderValue, Method, Request, Response, StatusCode, Uri};
use http_body_util::{BodyDataStream, BodyExt, Full, LengthLimitError, Limited};
use hyper_rustls::HttpsConnectorBuilder;
use hyper_util::client::legacy::connect::HttpConnector;
use serde::de::IgnoredAny;
use tracing::field::display;

use super::ModelResponse;
use super::connections::{Arriving, BodyError, CallError, Connections};
use super::events::{Convention, broken};
use super::joined::joined;
use super::model_error::ModelError;
use super::pool::Target;
use super::relay::relay;
use super::response::MAX_RESPONSE_BYTES;
use super::span::CallSpan;
use super::upstream_error::UpstreamError;
use crate::inference::problem::{Code, Fault, Problem};
use crate::kernel::texts::Seconds;
use crate::kernel::{Short, tls};

/// The timeout for opening a connection.
const CONNECT: Duration = Duration::from_secs(10);
/// The time after which a silent connection is probed, and the time between two probes. After this
/// many probes without a response, the connection is closed: its host is unreachable.
const KEEPALIVE: Duration = Duration::from_secs(30);
const KEEPALIVE_INTERVAL: Duration = Duration::from_secs(10);
const KEEPALIVE_PROBES: u32 = 3;
/// The maximum of bytes that are read of an error.
const MAX_ERROR_BYTES: usize = 256 << 10;
/// The timeout for the body of an error, after which another upstream is called.
const ERROR_TIMEOUT: Duration = Duration::from_secs(5);
/// The most seconds that the document of inference allows in `Retry-After`.
const MAX_RETRY_AFTER: i64 = 86_400;
/// Headers of a caller that are forwarded to a model server.
const FORWARDED: [HeaderName; 3] = [
    ACCEPT,
    HeaderName::from_static("traceparent"),
    HeaderName::from_static("tracestate"),
];

/// All model servers.
#[derive(Debug, Clone)]
pub struct Upstream(Connections);

impl Upstream {
    /// Connections that trust the public authorities, and those in a file (PEM).
    ///
    /// # Errors
    ///
    /// If the file contains no certificates, or cannot be read.
    pub fn new(ca_file: Option<&Path>) -> Result<Self, ModelError> {
        let connector = HttpsConnectorBuilder::new()
            .with_tls_config(tls::client(ca_file)?)
            .https_or_http()
            .enable_http1()
            .wrap_connector(sockets());
        Ok(Upstream(Connections::new(connector)))
    }
}

/// Makes the sockets of connections.
fn sockets() -> HttpConnector {
    let mut http = HttpConnector::new();
    http.enforce_http(false);
    // The pieces of a stream must not wait for each other.
    http.set_nodelay(true);
    http.set_connect_timeout(Some(CONNECT));
    http.set_keepalive(Some(KEEPALIVE));
    http.set_keepalive_interval(Some(KEEPALIVE_INTERVAL));
    http.set_keepalive_retries(Some(KEEPALIVE_PROBES));
    http
}

/// One attempt.
#[derive(Debug)]
pub struct Attempt<'a> {
    /// The model's name, for messages.
    pub model: &'a str,
    /// The model server.
    pub target: &'a Target,
    /// The URL.
    pub uri: &'a Uri,
    /// The convention of its response.
    pub convention: Convention,
    /// The caller's headers.
    pub headers: &'a HeaderMap,
    /// The attempt's id, a UUID: some model servers reject others, or use it as the key of the
    /// running request. So no caller chooses it, and no two attempts have the same.
    pub request_id: &'a str,
    /// The body.
    pub body: Bytes,
    /// The span of the call.
    pub span: Option<&'a Arc<CallSpan>>,
}

/// An attempt without a response.
#[derive(Debug)]
pub struct Failed {
    /// The problem for the caller if no other upstream responds.
    pub problem: Problem,
    /// The status of the upstream's rejection, if it sent one.
    pub status: Option<StatusCode>,
    /// The sensible next step.
    pub next: Next,
    /// Whether the connection failed within the response.
    pub broke_off: bool,
}

impl Failed {
    /// A failure after which no attempt makes sense.
    pub fn finally(problem: Problem) -> Failed {
        Failed {
            problem,
            status: None,
            next: Next::Nothing,
            broke_off: false,
        }
    }

    /// The failure of an upstream that responded, after which no attempt makes sense.
    fn upstream(message: String) -> Failed {
        Failed::finally(Problem::new(Fault::Upstream, Code::UpstreamFailed, message))
    }

    /// Whether the failure indicates that the upstream is down: no connection, one that fails
    /// within the response, a timeout, or 502 to 504, which its own proxy sends.
    pub fn is_outage(&self) -> bool {
        match self.status {
            _ if self.broke_off => true,
            Some(status) => matches!(
                status,
                StatusCode::BAD_GATEWAY
                    | StatusCode::SERVICE_UNAVAILABLE
                    | StatusCode::GATEWAY_TIMEOUT
            ),
            None => matches!(
                self.problem.code,
                Code::UpstreamUnreachable | Code::UpstreamTimeout
            ),
        }
    }

    /// Whether the upstream failed in a way that the request itself may cause.
    pub fn may_be_the_request(&self) -> bool {
        let is_error = |status: StatusCode| status.is_server_error();
        self.status.is_some_and(is_error) && !self.is_outage()
    }
}

/// The next step after a failed attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// None: every model server would reject the call, or the response had begun.
    Nothing,
    /// Another model server.
    Another,
    /// Another model server, or this one again.
    Again,
}

impl Upstream {
    /// Calls a model server once.
    ///
    /// # Errors
    ///
    /// That it cannot be reached, or why it rejects the request.
    pub async fn attempt(&self, attempt: &Attempt<'_>) -> Result<ModelResponse, Failed> {
        let model = attempt.model;
        let target = attempt.target;
        let request = request(attempt).map_err(Failed::finally)?;
        // Awaited in place: a variable would store the future twice.
        let response = match self
            .0
            .call(request, target.timeout, target.idle_timeout)
            .await
        {
            Ok(response) => response,
            Err(CallError::Late) => {
                tracing::warn!(model, target.address, "a model server is too slow");
                let message = format!("The upstream of model {model} did not respond in time.");
                return Err(Failed {
                    next: Next::Another,
                    ..Failed::finally(Problem::new(
                        Fault::Upstream,
                        Code::UpstreamTimeout,
                        message,
                    ))
                });
            }
            Err(error) => {
                let cause = error.source().map(ToString::to_string).unwrap_or_default();
                let address = &target.address;
                tracing::warn!(model, address, %error, cause, "a model server cannot be reached");
                let message = format!("The upstream of model {model} is unreachable.");
                return Err(Failed {
                    next: Next::Again,
                    ..Failed::finally(Problem::new(
                        Fault::Upstream,
                        Code::UpstreamUnreachable,
                        message,
                    ))
                });
            }
        };
        match response.status() {
            StatusCode::OK => read_response(attempt, response).await,
            status => Err(Failed {
                next: next(status),
                status: Some(status),
                ..Failed::finally(refusal(attempt, response).await)
            }),
        }
    }
}

/// The next step after a status. An upstream that says when to retry, or that it failed, is not
/// called again: another may succeed.
fn next(status: StatusCode) -> Next {
    match status {
        StatusCode::BAD_GATEWAY | StatusCode::GATEWAY_TIMEOUT => Next::Again,
        StatusCode::UNAUTHORIZED
        | StatusCode::FORBIDDEN
        | StatusCode::PROXY_AUTHENTICATION_REQUIRED
        | StatusCode::REQUEST_TIMEOUT
        | StatusCode::TOO_MANY_REQUESTS => Next::Another,
        status if status.is_server_error() => Next::Another,
        _ => Next::Nothing,
    }
}

fn request(attempt: &Attempt<'_>) -> Result<Request<Full<Bytes>>, Problem> {
    let mut request = Request::new(Full::new(attempt.body.clone()));
    *request.method_mut() = Method::POST;
    *request.uri_mut() = attempt.uri.clone();
    let headers = request.headers_mut();
    let json = HeaderValue::from_static("application/json");
    headers.insert(CONTENT_TYPE, json);
    // A compressed response cannot be read while it passes.
    let identity = HeaderValue::from_static("identity");
    headers.insert(ACCEPT_ENCODING, identity);
    for name in FORWARDED.iter().chain(&attempt.target.forward_headers) {
        let mut values = attempt.headers.get_all(name).iter();
        if let Some(first) = values.next() {
            headers.insert(name, first.clone());
        }
        for other in values {
            headers.append(name, other.clone());
        }
    }
    if let Some(span) = attempt.span {
        span.name_caller(headers);
    }
    for (name, value) in &attempt.target.set_headers {
        headers.insert(name, value.clone());
    }
    // Last, so that it replaces an id of the caller which the configuration forwards.
    let id = HeaderValue::from_str(attempt.request_id).map_err(Problem::service)?;
    headers.insert(HeaderName::from_static("x-request-id"), id);
    Ok(request)
}

async fn read_response(
    attempt: &Attempt<'_>,
    response: Response<Arriving>,
) -> Result<ModelResponse, Failed> {
    let model = attempt.model;
    let media_type = media_type(&response);
    if is_encoded(&response) {
        tracing::warn!(model, "a model server sent an encoded response");
        return Err(Failed::upstream(format!(
            "The upstream of model {model} returned a compressed response, which the service did not \
             request."
        )));
    }
    if media_type.eq_ignore_ascii_case("text/event-stream") {
        let pieces = joined(BodyDataStream::new(response.into_body()));
        let secrets = attempt.target.secrets().map(str::to_owned).collect();
        let events = relay(pieces, attempt.convention, secrets);
        return Ok(ModelResponse::Events(events.boxed()));
    }
    if !media_type.eq_ignore_ascii_case("application/json") {
        tracing::warn!(model, "a model server sent neither JSON nor events");
        tracing::debug!(model, media_type = %Short(media_type), "the media type of the response");
        return Err(Failed::upstream(format!(
            "The upstream of model {model} returned an invalid response."
        )));
    }
    let body = read_whole(model, response.into_body()).await?;
    let secrets: Vec<_> = attempt.target.secrets().collect();
    match UpstreamError::of_whole(body, &secrets) {
        Ok(body) => Ok(ModelResponse::Whole(body)),
        Err(error) => {
            tracing::info!(model, "a model server sent an error with the status 200");
            Err(Failed::finally(error.in_stream()))
        }
    }
}

/// Reads a response in one piece.
async fn read_whole(model: &str, body: Arriving) -> Result<Bytes, Failed> {
    match Limited::new(body, MAX_RESPONSE_BYTES).collect().await {
        Ok(body) => match body.to_bytes() {
            body if is_object(&body) => Ok(body),
            _ => {
                tracing::warn!(model, "a model server sent invalid JSON");
                Err(Failed::upstream(format!(
                    "The upstream of model {model} returned a response that is not valid JSON."
                )))
            }
        },
        Err(error) if matches!(error.downcast_ref(), Some(BodyError::Idle)) => {
            tracing::warn!(model, "a model server stopped within a response");
            let message =
                format!("The upstream of model {model} stopped in the middle of its response.");
            Err(Failed::finally(Problem::new(
                Fault::Upstream,
                Code::UpstreamTimeout,
                message,
            )))
        }
        Err(error) if error.is::<LengthLimitError>() => {
            tracing::warn!(model, "a model server sent too large a response");
            Err(Failed::upstream(format!(
                "The upstream of model {model} returned a response above {MAX_RESPONSE_BYTES} bytes."
            )))
        }
        Err(error) => {
            tracing::warn!(model, %error, "a model server interrupted a response");
            let message = format!(
                "The upstream of model {model} closed the connection before the end of its response."
            );
            Err(Failed {
                broke_off: is_connection_lost(&*error),
                ..Failed::upstream(message)
            })
        }
    }
}

impl From<BodyError> for Problem {
    /// The problem of a stream that ends too early.
    fn from(error: BodyError) -> Problem {
        match error {
            BodyError::Broke(_) => broken(),
            BodyError::Idle => {
                let message = "The upstream stopped in the middle of its stream.";
                Problem::new(Fault::Upstream, Code::UpstreamTimeout, message)
            }
        }
    }
}

/// Whether the body has a content coding (RFC 9110, section 8.4).
fn is_encoded(response: &Response<Arriving>) -> bool {
    let codings = response.headers().get_all(CONTENT_ENCODING);
    let is_identity = |coding: &HeaderValue| coding.as_bytes().eq_ignore_ascii_case(b"identity");
    !codings.iter().all(is_identity)
}

/// Whether a body ended because its connection did, which happens when a server goes down. An
/// unreadable response over an open connection does not count.
fn is_connection_lost(error: &(dyn std::error::Error + Send + Sync + 'static)) -> bool {
    matches!(error.downcast_ref(), Some(BodyError::Broke(broke)) if !broke.is_parse())
}

/// Whether a body is one JSON object, to its end.
fn is_object(body: &[u8]) -> bool {
    let text = std::str::from_utf8(body).ok();
    let text = text.filter(|text| text.trim_ascii_start().starts_with('{'));
    text.is_some_and(|text| serde_json::from_str::<IgnoredAny>(text).is_ok())
}

/// The media type of a response, without parameters. Empty if it has none.
fn media_type(response: &Response<Arriving>) -> &str {
    let value = response.headers().get(CONTENT_TYPE);
    let text = value.and_then(|value| value.to_str().ok());
    let text = text.unwrap_or_default();
    let end = memchr::memchr(b';', text.as_bytes()).unwrap_or(text.len());
    text[..end].trim_ascii()
}

/// The problem for the caller when a model server sends an error. The caller is not at fault if the
/// upstream rejects this service, but is for all errors about the request.
async fn refusal(attempt: &Attempt<'_>, response: Response<Arriving>) -> Problem {
    let model = attempt.model;
    let status = response.status();
    let retry_after = seconds(response.headers());
    let plain = media_type(&response).eq_ignore_ascii_case("text/plain");
    let is_encoded = is_encoded(&response);
    let body = Limited::new(response.into_body(), MAX_ERROR_BYTES).collect();
    let body = tokio::time::timeout(ERROR_TIMEOUT, body).await;
    let body = body.ok().and_then(Result::ok).filter(|_| !is_encoded);
    let body = body.map(|body| body.to_bytes()).unwrap_or_default();
    let said = match plain {
        true => UpstreamError::sentence(&body),
        false => UpstreamError::read(&body),
    };
    let secrets: Vec<_> = attempt.target.secrets().collect();
    let said = said.without(&secrets);
    // The upstream's text may quote secrets and the caller's content.
    tracing::info!(model, %status, "a model server rejected a call");
    let text = said.message.as_deref().map(Short).map(display);
    tracing::debug!(model, %status, text, "the message of the model server");
    let rejects_service = matches!(
        status,
        StatusCode::UNAUTHORIZED
            | StatusCode::FORBIDDEN
            | StatusCode::PROXY_AUTHENTICATION_REQUIRED
            | StatusCode::REQUEST_TIMEOUT
    );
    match status {
        StatusCode::TOO_MANY_REQUESTS => Problem::new(
            Fault::Rate { retry_after },
            Code::UpstreamRateLimitExceeded,
            format!(
                "The upstream of model {model} has reached its own rate limit. \
                 Try again in {}.",
                Seconds(retry_after)
            ),
        ),
        StatusCode::SERVICE_UNAVAILABLE => Problem::new(
            Fault::Overload { retry_after },
            Code::UpstreamOverloaded,
            format!("The upstream of model {model} is overloaded."),
        ),
        StatusCode::NOT_FOUND => Problem::new(
            Fault::Model,
            Code::ModelNotFound,
            format!("The upstream does not have model {model}."),
        )
        .param("model"),
        status if status.is_client_error() && !rejects_service => said.rejected(model),
        _ => Problem::new(
            Fault::Upstream,
            Code::UpstreamFailed,
            format!("The upstream of model {model} failed."),
        ),
    }
}

/// The seconds of a `Retry-After` header, or until the date in it (RFC 9110, section 10.2.3): one
/// day at most, and 1 if there is no valid one. The clock of a model server may differ from this
/// one, so its own `Date` is the time from which a date counts.
fn seconds(headers: &HeaderMap) -> i64 {
    let text = |name: HeaderName| headers.get(name)?.to_str().ok().map(str::trim);
    let date = |name: HeaderName| DateTime::parse_from_rfc2822(text(name)?).ok();
    let number: Option<i64> = text(RETRY_AFTER).and_then(|text| text.parse().ok());
    number
        .or_else(|| Some((date(RETRY_AFTER)? - date(DATE)?).num_seconds()))
        .filter(|seconds| *seconds >= 1)
        .map_or(1, |seconds| seconds.min(MAX_RETRY_AFTER))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_one_whole_object_is_a_response() {
        for (body, is_response) in [
            (" {\"a\":[1.50,\"\\u00e4\"]}\n", true),
            ("<html>oops</html>", false),
            ("{\"a\":1", false),
            ("{}{}", false),
            ("[]", false),
            ("\"{}\"", false),
            ("", false),
        ] {
            assert_eq!(is_object(body.as_bytes()), is_response, "{body}");
        }
        assert!(!is_object(b"{\"a\":\"\xff\"}"));
        // Even if it is deep.
        let deep = format!("{{\"a\":{}{}}}", "[".repeat(100_000), "]".repeat(100_000));
        assert!(is_object(deep.as_bytes()));
    }

    #[test]
    fn a_forwarded_header_does_not_replace_the_id_of_the_attempt() {
        let uri = Uri::from_static("http://h/v1/chat/completions");
        let mut target = Target::new("http://h/v1".to_owned(), uri.clone(), None);
        let name = HeaderName::from_static("x-request-id");
        target.forward_headers = vec![name.clone()];
        let mut headers = HeaderMap::new();
        headers.append(&name, HeaderValue::from_static("callers-1"));
        headers.append(&name, HeaderValue::from_static("callers-2"));
        let attempt = Attempt {
            model: "m",
            target: &target,
            uri: &uri,
            convention: Convention::Chat,
            headers: &headers,
            request_id: "attempts",
            body: Bytes::new(),
            span: None,
        };
        let request = request(&attempt).expect("a request");
        let sent: Vec<_> = request.headers().get_all(&name).iter().collect();
        assert_eq!(sent, ["attempts"]);
    }

    #[tokio::test]
    async fn a_connection_whose_host_is_gone_is_probed_and_closed() {
        use tower_service::Service as _;
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await;
        let listener = listener.expect("a listener");
        let address = listener.local_addr().expect("an address");
        let uri = format!("http://{address}").parse().expect("an address");
        let stream = sockets().call(uri).await.expect("a connection");
        let stream = stream.into_inner();
        let socket = socket2::SockRef::from(&stream);
        assert!(socket.keepalive().expect("an option"));
        assert_eq!(socket.tcp_keepalive_time().expect("an option"), KEEPALIVE);
        let interval = socket.tcp_keepalive_interval().expect("an option");
        assert_eq!(interval, KEEPALIVE_INTERVAL);
        let probes = socket.tcp_keepalive_retries().expect("an option");
        assert_eq!(probes, KEEPALIVE_PROBES);
        assert!(stream.nodelay().expect("an option"));
    }

    #[test]
    fn a_model_server_asks_for_seconds_or_names_a_date_by_its_own_clock() {
        let at = |time: &str| format!("Wed, 21 Oct 2026 {time} GMT");
        let now = at("07:28:00");
        for (text, date, wait) in [
            ("7", None, 7),
            ("-1", None, 1),
            ("86401", None, 86_400),
            ("soon", Some(&*now), 1),
            (&*at("07:28:30"), Some(&*now), 30),
            (&*at("07:27:00"), Some(&*now), 1),
            (&*at("07:28:30"), None, 1),
            ("Thu, 21 Oct 2027 07:28:00 GMT", Some(&*now), 86_400),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(RETRY_AFTER, text.parse().expect("a value"));
            if let Some(date) = date {
                headers.insert(DATE, date.parse().expect("a value"));
            }
            assert_eq!(seconds(&headers), wait, "{text} {date:?}");
        }
        assert_eq!(seconds(&HeaderMap::new()), 1);
    }
}
