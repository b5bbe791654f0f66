//! The log lines and spans of requests that no document describes: pages,
//! published documents, health and metrics, whose responses to `HEAD` have no body.
//!
//! Both look like those of an operation, with the pattern of the path. Frequent
//! requests of probes and scrapers are logged at level `debug`, without a span.

use std::sync::Arc;
use std::time::Instant;

use dropforge_runtime::without_body;
use dropshot::{Body, HttpError, RequestContext};
use http::{Method, Response, StatusCode};

use super::spans::{self, Entered};
use crate::app::App;
use crate::connections::InProgress;
use crate::kernel::proxies::Caller;

/// The log line of a request. The level of the tracing macro must be constant,
/// so this is a macro as well.
macro_rules! line {
    ($level:ident, $call:expr, $path:expr, $begun:expr, $outcome:expr) => {
        tracing::$level!(
            request_id = %$call.request_id,
            method = %$call.request.method(),
            path = %$path,
            status = status($outcome).as_u16(),
            elapsed_us = $begun.elapsed().as_micros() as u64,
            remote = %remote($call),
            error = failure($outcome),
            "request"
        )
    };
}

/// Runs the handler of a request, and records the request in the log and the
/// trace.
pub(crate) async fn logged(
    call: &RequestContext<Arc<App>>,
    area: &'static str,
    path: &str,
    response: impl Future<Output = Result<Response<Body>, HttpError>>,
) -> Result<Response<Body>, HttpError> {
    let begun = Instant::now();
    let _in_progress = in_progress(call);
    let span = call.context().traces.as_ref().map(|traces| {
        let app = call.context();
        let caller = caller(call);
        let entered = Entered {
            method: call.request.method(),
            scheme: caller.scheme.unwrap_or(app.config.server.tls.scheme()),
            headers: call.request.headers(),
            request_id: &call.request_id,
            route: Some(path.to_owned().into()),
            operation: None,
            area: Some(area),
        };
        spans::begin(traces, &entered)
    });
    let outcome = response.await;
    if let Some(span) = span {
        spans::end(&span, status(&outcome), false);
    }
    match status(&outcome).is_server_error() {
        true => line!(warn, call, path, begun, &outcome),
        false => line!(info, call, path, begun, &outcome),
    }
    complete(call, outcome)
}

/// Runs the handler of a frequent request of a program, and logs it at level
/// `debug`.
pub(super) async fn logged_debug(
    call: &RequestContext<Arc<App>>,
    path: &'static str,
    response: impl Future<Output = Result<Response<Body>, HttpError>>,
) -> Result<Response<Body>, HttpError> {
    let begun = Instant::now();
    let _in_progress = in_progress(call);
    let outcome = response.await;
    line!(debug, call, path, begun, &outcome);
    complete(call, outcome)
}

/// The response, for `HEAD` without its body.
fn complete(
    call: &RequestContext<Arc<App>>,
    outcome: Result<Response<Body>, HttpError>,
) -> Result<Response<Body>, HttpError> {
    if call.request.method() != Method::HEAD {
        return outcome;
    }
    let response = outcome.unwrap_or_else(|error| error.into_response(&call.request_id));
    Ok(without_body(response))
}

fn in_progress(call: &RequestContext<Arc<App>>) -> InProgress {
    let connections = &call.context().connections;
    connections.begin(call.request.remote_addr())
}

/// The caller's address; with its port, if no proxy is in between.
fn remote(call: &RequestContext<Arc<App>>) -> String {
    let (peer, caller) = (call.request.remote_addr(), caller(call));
    match caller.address == peer.ip().to_canonical() {
        true => peer.to_string(),
        false => caller.address.to_string(),
    }
}

fn caller(call: &RequestContext<Arc<App>>) -> Caller<'_> {
    let (peer, headers) = (call.request.remote_addr(), call.request.headers());
    call.context().proxies.caller(peer.ip(), headers)
}

fn status(outcome: &Result<Response<Body>, HttpError>) -> StatusCode {
    match outcome {
        Ok(response) => response.status(),
        Err(error) => error.status_code.as_status(),
    }
}

/// Why the service failed, which the response does not say.
fn failure(outcome: &Result<Response<Body>, HttpError>) -> Option<&str> {
    let error = outcome.as_ref().err()?;
    let is_failure = error.status_code.as_status().is_server_error();
    is_failure.then_some(error.internal_message.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_failure_of_the_service_is_logged_with_its_reason() {
        let failed = HttpError::for_internal_error("the script is damaged".to_owned());
        assert_eq!(failure(&Err(failed)), Some("the script is damaged"));
        let missing = HttpError::for_not_found(None, "no such file".to_owned());
        assert_eq!(failure(&Err(missing)), None);
    }
}
