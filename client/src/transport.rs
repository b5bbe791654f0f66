//! Sends the requests of all four clients: with credentials, within a deadline, and repeatedly where that is safe.

use crate::{
    budget::RetryBudget,
    challenge,
    credentials::Credentials,
    credentials_error::CredentialsError,
    middleware::Middleware,
    retry::{FailedAttempt, RetryPolicy, requested_wait},
    store::BoxError,
};
use dropforge_client::{
    Operation, Pending, Session, add_idempotency_key, is_idempotent, transport_error,
};
use futures_util::{StreamExt, stream};
use reqwest::{
    Body, Client, Request, Response, StatusCode,
    header::{CONTENT_TYPE, HeaderMap, HeaderValue},
};
use std::{io, sync::Arc, time::Duration};
use tokio::time::{Instant, timeout, timeout_at};
use tracing::{Instrument, Span, debug, field::Empty, info_span};

/// The transport of the four clients. Clones share all but the options of calls.
#[derive(Debug, Clone)]
pub(crate) struct Transport {
    pub(crate) credentials: Arc<Credentials>,
    pub(crate) retry: RetryPolicy,
    pub(crate) deadlines: Deadlines,
    pub(crate) budget: Arc<RetryBudget>,
    /// Further headers of each request.
    pub(crate) headers: HeaderMap,
    /// Code of the program around calls and attempts.
    pub(crate) middleware: Middleware,
    /// Whether callers get responses as a whole, and not as they arrive.
    pub(crate) is_whole: bool,
}

/// The timeouts of a call.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Deadlines {
    /// The timeout of one attempt, its response included. It does not limit event streams.
    pub(crate) attempt: Duration,
    /// The deadline of a call: its attempts, the waits between them, and the refreshes that they need. An event stream
    /// must begin within it.
    pub(crate) call: Duration,
    /// How long an event stream may be silent.
    pub(crate) silence: Duration,
    /// The timeout of one attempt whose response is an event stream, the stream included.
    pub(crate) stream: Duration,
}

/// The time for the body of an error, however late its head arrived.
const ERROR_BODY: Duration = Duration::from_secs(2);
/// The media type of an event stream.
const EVENT_STREAM: &[u8] = b"text/event-stream";

impl dropforge_client::Transport for Transport {
    fn prepare<'a>(
        &'a self,
        request: &'a mut Request,
        operation: &'static Operation,
    ) -> Pending<'a, Result<(), BoxError>> {
        Box::pin(async move {
            let began = Instant::now();
            for (name, value) in &self.headers {
                request.headers_mut().insert(name.clone(), value.clone());
            }
            let prepared = self.credentials.prepare(request, operation);
            let prepared = timeout(self.deadlines.call, prepared).await;
            prepared.map_err(|_| CredentialsError::TooLate)??;
            if self.retry.attempts > 1 {
                add_idempotency_key(request, operation);
            }
            // The rest of the call's time, until `send` gives each attempt its part of it.
            let left = self.deadlines.call.saturating_sub(began.elapsed());
            *request.timeout_mut() = Some(left);
            self.middleware.sender.prepare(request, operation).await
        })
    }

    fn send<'a>(
        &'a self,
        client: &'a Client,
        request: Request,
        operation: &'static Operation,
    ) -> Pending<'a, reqwest::Result<Response>> {
        let span = info_span!(
            "accord_call",
            operation = operation.id,
            http.request.method = request.method().as_str(),
            http.route = operation.path,
            server.address = request.url().host_str(),
            http.response.status_code = Empty,
            request_id = Empty,
            attempts = Empty,
        );
        Box::pin(async move {
            let attempts = self.attempts(client, request, operation, &span);
            let result = attempts.instrument(span.clone()).await;
            if let Ok(response) = &result {
                span.record("http.response.status_code", response.status().as_u16());
                span.record("request_id", operation.request_id(response.headers()));
            }
            result
        })
    }

    fn stream_timeout(&self) -> Option<Duration> {
        Some(self.deadlines.silence)
    }

    fn max_body_bytes(&self) -> usize {
        let own = self.middleware.max_body;
        own.unwrap_or_else(|| self.middleware.sender.max_body_bytes())
    }
}

impl Transport {
    /// The transport of a client without a login, which sends each request once.
    pub(crate) fn once(deadlines: Deadlines, middleware: Middleware) -> Self {
        Self {
            credentials: Arc::default(),
            retry: RetryPolicy::never(),
            deadlines,
            budget: Arc::new(RetryBudget::new(0)),
            headers: HeaderMap::new(),
            middleware,
            is_whole: true,
        }
    }

    /// A session that sends with this transport and the layers of the program.
    pub(crate) fn session(&self) -> Session {
        self.middleware.session(self.clone())
    }

    /// Sends a request until an attempt succeeds, or another one is useless or too late. Records the number of attempts
    /// in `span`. Returns the outcome of the last one.
    async fn attempts(
        &self,
        client: &Client,
        mut request: Request,
        operation: &'static Operation,
        span: &Span,
    ) -> reqwest::Result<Response> {
        let is_idempotent = is_idempotent(&request, operation);
        let is_read = self.is_whole && !operation.streams;
        let left = request.timeout_mut().take();
        let deadline = after(left.unwrap_or(self.deadlines.call));
        let mut attempt = 1;
        let mut renewed = false;
        let mut timed_out = false;
        loop {
            // A body that is a stream cannot be sent again.
            let copy = request.try_clone();
            // Each attempt gets the current credential: the login may have been renewed since the last attempt.
            let source = self.credentials.authorize(&mut request, operation);
            let result = self.attempt(client, request, operation, deadline).await;
            let (result, is_interrupted) = match is_idempotent && is_read {
                true => self.read_success(result, deadline).await,
                false => (result, false),
            };
            span.record("attempts", attempt);
            match &result {
                Ok(response) => debug!(
                    attempt,
                    status = response.status().as_u16(),
                    "the service responded"
                ),
                Err(_) => debug!(attempt, "the attempt failed"),
            }
            let Some(mut next) = copy else { return result };
            if let (Ok(response), Some(source), false) = (&result, source, renewed)
                && response.status() == StatusCode::UNAUTHORIZED
                && challenge::requires_new_token(response.headers())
            {
                // The service did not execute the request, so any method may be repeated.
                renewed = true;
                debug!("the service rejects the token, which is renewed");
                let renewal = timeout_at(deadline, self.credentials.renew(source, &mut next));
                if renewal.await.unwrap_or(false) {
                    request = next;
                    continue;
                }
            }
            let failed = FailedAttempt::of(&result, operation);
            let failed = failed.or(is_interrupted.then_some(FailedAttempt::Unknown));
            let Some(failed) = failed else {
                if result
                    .as_ref()
                    .is_ok_and(|response| response.status().is_success())
                {
                    self.budget.refill();
                }
                return result;
            };
            // A call is not repeated after a second timeout: the service is too slow, and not only this attempt.
            let is_slow_again = failed == FailedAttempt::TimedOut && timed_out;
            let wait = self.retry.wait(attempt, requested_wait(&result));
            let wait = wait.filter(|_| failed.allows(is_idempotent) && !is_slow_again);
            let Some(wait) = wait.filter(|wait| after(*wait) < deadline) else {
                return result;
            };
            if !self.budget.take() {
                debug!("the retry budget is used up");
                return result;
            }
            debug!(attempt, ?wait, ?failed, "the request is repeated");
            tokio::time::sleep(wait).await;
            timed_out |= failed == FailedAttempt::TimedOut;
            attempt += 1;
            request = next;
        }
    }

    /// Reads the body of a success, so that an interrupted one can be requested again. Also returns whether the body was
    /// interrupted.
    async fn read_success(
        &self,
        result: reqwest::Result<Response>,
        deadline: Instant,
    ) -> (reqwest::Result<Response>, bool) {
        match result {
            Ok(response) if response.status().is_success() => {
                let gathered = match timeout_at(deadline, self.gathered(response)).await {
                    Ok(gathered) => gathered,
                    Err(_) => late().await,
                };
                let is_interrupted = gathered.is_err();
                (gathered, is_interrupted)
            }
            other => (other, false),
        }
    }

    /// A response with its body in memory. A body that is larger than the maximum arrives as it is read, and its reader
    /// rejects it.
    async fn gathered(&self, mut response: Response) -> reqwest::Result<Response> {
        let max = dropforge_client::Transport::max_body_bytes(self);
        let head = head_of(&response);
        let mut body = Vec::new();
        while body.len() <= max {
            match response.chunk().await? {
                Some(chunk) => body.extend_from_slice(&chunk),
                None => return Ok(Response::from(head.map(|()| Body::from(body)))),
            }
        }
        let begin = stream::iter([Ok(body.into())]);
        let body = Body::wrap_stream(begin.chain(response.bytes_stream()));
        Ok(Response::from(head.map(|()| body)))
    }

    /// Sends a request once. The deadline of the call limits only the beginning of an event stream, but the whole of an
    /// error in its place. Any response begins in time, even if the sender has no timeout.
    async fn attempt(
        &self,
        client: &Client,
        mut request: Request,
        operation: &'static Operation,
        deadline: Instant,
    ) -> reqwest::Result<Response> {
        let sender = &self.middleware.sender;
        let Deadlines {
            attempt,
            silence,
            stream,
            ..
        } = self.deadlines;
        let end = deadline.min(after(attempt));
        let begun = match operation.streams {
            // An HTTP client of the program may have a timeout for whole responses.
            true => {
                *request.timeout_mut() = Some(stream);
                deadline.min(after(attempt.max(silence)))
            }
            false => {
                *request.timeout_mut() = Some(end.saturating_duration_since(Instant::now()));
                end
            }
        };
        match timeout_at(begun, sender.send(client, request, operation)).await {
            Ok(Ok(response)) if operation.streams && !is_event_stream(&response) => {
                Ok(until(response, end.max(after(ERROR_BODY))))
            }
            Ok(result) => result,
            Err(_) => late().await,
        }
    }
}

fn is_event_stream(response: &Response) -> bool {
    let media_type = response.headers().get(CONTENT_TYPE);
    let media_type = media_type.map_or(&b""[..], HeaderValue::as_bytes);
    let is_named = media_type.get(..EVENT_STREAM.len());
    response.status().is_success()
        && is_named.is_some_and(|name| name.eq_ignore_ascii_case(EVENT_STREAM))
}

/// The response without its body.
fn head_of(response: &Response) -> http::Response<()> {
    let mut head = http::Response::new(());
    *head.status_mut() = response.status();
    *head.version_mut() = response.version();
    *head.headers_mut() = response.headers().clone();
    *head.extensions_mut() = response.extensions().clone();
    head
}

/// The response, whose body fails if it has not ended by then.
pub(crate) fn until(response: Response, end: Instant) -> Response {
    let head = head_of(&response);
    let pieces = Box::pin(response.bytes_stream());
    let pieces = stream::try_unfold(pieces, move |mut pieces| async move {
        let late = || io::Error::new(io::ErrorKind::TimedOut, "the response did not end in time");
        let piece = timeout_at(end, pieces.next()).await.map_err(|_| late())?;
        let piece = piece.transpose().map_err(io::Error::other)?;
        Ok::<_, io::Error>(piece.map(|piece| (piece, pieces)))
    });
    Response::from(head.map(|()| Body::wrap_stream(pieces)))
}

/// The time after this duration; a time in the far future if there is none.
fn after(duration: Duration) -> Instant {
    const YEAR: Duration = Duration::from_secs(365 * 24 * 60 * 60);
    let now = Instant::now();
    now.checked_add(duration).unwrap_or(now + YEAR)
}

/// The error for a response that did not begin in time.
async fn late() -> reqwest::Result<Response> {
    let late = io::Error::new(io::ErrorKind::TimedOut, "no response began in time");
    transport_error(late.into()).await
}
