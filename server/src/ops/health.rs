//! Health: whether the process runs, and whether it can serve requests.

use std::sync::Arc;
use std::time::Duration;

use dropshot::{Body, HttpError, RequestContext, endpoint};
use http::{Response, StatusCode};

use super::{access, reply};
use crate::app::App;

/// The timeout of the database.
const TIMEOUT: Duration = Duration::from_secs(2);

/// Liveness: the process runs. The response does not depend on the database, because a
/// restart would not repair it.
#[endpoint { method = GET, path = "/healthz", unpublished = true }]
pub async fn healthz(call: RequestContext<Arc<App>>) -> Result<Response<Body>, HttpError> {
    let response = async { reply::text(StatusCode::OK, "ok\n") };
    access::logged_debug(&call, "/healthz", response).await
}

/// Readiness: the service will not stop soon, the store can be written, and every server key is known.
#[endpoint { method = GET, path = "/readyz", unpublished = true }]
pub async fn readyz(call: RequestContext<Arc<App>>) -> Result<Response<Body>, HttpError> {
    access::logged_debug(&call, "/readyz", ready(call.context())).await
}

async fn ready(app: &App) -> Result<Response<Body>, HttpError> {
    if app.is_leaving() {
        return reply::text(StatusCode::SERVICE_UNAVAILABLE, "the service is stopping\n");
    }
    if app.misses_keys() {
        return reply::text(
            StatusCode::SERVICE_UNAVAILABLE,
            "the server keys do not match the database; see the log\n",
        );
    }
    let now = app.clock.now().timestamp_millis();
    let check = app.readiness.check(&app.store, now);
    let problem = match tokio::time::timeout(TIMEOUT, check).await {
        Ok(Ok(())) => return reply::text(StatusCode::OK, "ready\n"),
        Ok(Err(error)) => error.to_string(),
        Err(_) => format!("no response within {} s", TIMEOUT.as_secs()),
    };
    // The response is public, and the reason could reveal hosts and files.
    tracing::warn!(%problem, "not ready: the store cannot be written");
    reply::text(
        StatusCode::SERVICE_UNAVAILABLE,
        "the store cannot be written\n",
    )
}
