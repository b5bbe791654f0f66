//! A line in the log for requests that no document describes: pages, published
//! documents, health and metrics.
//!
//! It has the form of an operation's line, with the path's pattern for a path.
//! What probes and scrapers ask every few seconds is for `debug` only.

use std::sync::Arc;
use std::time::Instant;

use dropshot::{Body, HttpError, RequestContext};
use http::Response;

use crate::app::App;

/// The line of a request. The macro's level is constant, so it is a macro too.
macro_rules! line {
    ($level:ident, $call:expr, $area:expr, $path:expr, $begun:expr, $outcome:expr) => {
        tracing::$level!(
            request_id = $call.request_id,
            area = $area,
            operation = "none",
            method = %$call.request.method(),
            path = $path,
            status = status($outcome),
            elapsed_ms = $begun.elapsed().as_micros() as f64 / 1000.0,
            remote = %$call.request.remote_addr(),
            interrupted = false,
            "request"
        )
    };
}

/// Answers a request of somebody, and says so.
pub(crate) async fn told(
    call: &RequestContext<Arc<App>>,
    area: &'static str,
    path: &str,
    answer: impl Future<Output = Result<Response<Body>, HttpError>>,
) -> Result<Response<Body>, HttpError> {
    let begun = Instant::now();
    let outcome = answer.await;
    match status(&outcome) >= 500 {
        true => line!(warn, call, area, path, begun, &outcome),
        false => line!(info, call, area, path, begun, &outcome),
    }
    outcome
}

/// Answers a request of a program that asks again and again.
pub(super) async fn whispered(
    call: &RequestContext<Arc<App>>,
    path: &'static str,
    answer: impl Future<Output = Result<Response<Body>, HttpError>>,
) -> Result<Response<Body>, HttpError> {
    let begun = Instant::now();
    let outcome = answer.await;
    line!(debug, call, "ops", path, begun, &outcome);
    outcome
}

fn status(outcome: &Result<Response<Body>, HttpError>) -> u16 {
    match outcome {
        Ok(response) => response.status().as_u16(),
        Err(error) => error.status_code.as_u16(),
    }
}
