//! Health: whether the process lives, and whether it can serve.

use std::sync::Arc;
use std::time::{Duration, Instant};

use dropshot::{Body, HttpError, RequestContext, endpoint};
use http::{Response, StatusCode};

use super::access;
use crate::app::App;
use crate::params;
use crate::publish::reply;
use crate::store::{Store, StoreError, Tx};

/// A database that takes longer does not serve.
const TIMEOUT: Duration = Duration::from_secs(2);

/// How long an outcome holds: whoever asks all the time must not write all the
/// time.
const FRESH: Duration = Duration::from_secs(1);

/// Whether the store can be written, as it was found out last. A store that can
/// only be read, as on a full disk, serves nobody.
#[derive(Debug, Default)]
pub(crate) struct Readiness(tokio::sync::Mutex<Option<(Instant, Result<(), StoreError>)>>);

impl Readiness {
    /// Writes something into the store that nobody reads.
    async fn check(&self, store: &Store, now: i64) -> Result<(), StoreError> {
        let mut last = self.0.lock().await;
        if let Some((at, outcome)) = &*last
            && at.elapsed() < FRESH
        {
            return outcome.clone();
        }
        let write = move |tx: &mut Tx<'_>| {
            tx.execute(
                "INSERT INTO meta (name, value) VALUES ('readiness', $1) \
                 ON CONFLICT (name) DO UPDATE SET value = excluded.value",
                params![now.to_string()],
            )
        };
        let outcome = store
            .write_relaxed::<_, StoreError, _>(write)
            .await
            .map(drop);
        *last = Some((Instant::now(), outcome.clone()));
        outcome
    }
}

/// Whether the process runs. Says nothing about the database, which a restart would not
/// repair.
#[endpoint { method = GET, path = "/healthz", unpublished = true }]
pub async fn healthz(call: RequestContext<Arc<App>>) -> Result<Response<Body>, HttpError> {
    let answer = async { reply::text(StatusCode::OK, "ok\n") };
    access::logged_debug(&call, "/healthz", answer).await
}

/// The service can serve: its store can be written, and it has every server key.
#[endpoint { method = GET, path = "/readyz", unpublished = true }]
pub async fn readyz(call: RequestContext<Arc<App>>) -> Result<Response<Body>, HttpError> {
    access::logged_debug(&call, "/readyz", ready(call.context())).await
}

async fn ready(app: &App) -> Result<Response<Body>, HttpError> {
    if app.misses_keys() {
        return reply::text(
            StatusCode::SERVICE_UNAVAILABLE,
            "a server key is missing; see the log\n",
        );
    }
    let now = app.clock.now().timestamp_millis();
    let check = app.readiness.check(&app.store, now);
    let problem = match tokio::time::timeout(TIMEOUT, check).await {
        Ok(Ok(())) => return reply::text(StatusCode::OK, "ready\n"),
        Ok(Err(error)) => error.to_string(),
        Err(_) => format!("no response within {} s", TIMEOUT.as_secs()),
    };
    // The reason can name hosts and files, and anyone may ask.
    tracing::warn!(%problem, "not ready: the store cannot be written");
    reply::text(
        StatusCode::SERVICE_UNAVAILABLE,
        "the store cannot be written\n",
    )
}
