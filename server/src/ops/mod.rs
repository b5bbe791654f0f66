//! Observability for operators: health, metrics, logs and traces.

pub(crate) mod access;
mod gauges;
pub(crate) mod head;
mod health;
mod logs;
mod metrics;
mod observe;
pub(crate) mod reply;
mod spans;

use std::sync::Arc;
use std::time::Duration;

use dropshot::{ApiDescription, ApiDescriptionRegisterError};
use tokio::time::MissedTickBehavior;

use crate::app::App;

pub use gauges::forget_upstreams;
pub use logs::{LogWriter, LogsError, dropshot_log, init as init_logs};

/// Registers `/healthz`, `/readyz` and `/metrics`.
///
/// # Errors
///
/// When one of the routes exists already.
pub fn register(api: &mut ApiDescription<Arc<App>>) -> Result<(), ApiDescriptionRegisterError> {
    head::register(api, || health::healthz)?;
    head::register(api, || health::readyz)?;
    head::register(api, || metrics::scrape)
}

/// Limits the memory of recorded times between two scrapes, counts dropped log lines, and reads the
/// gauges of the database, until dropped.
pub async fn upkeep(app: Arc<App>) {
    let mut ticks = tokio::time::interval(Duration::from_secs(5));
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut reported = logs::dropped_lines();
    gauges::describe(&app);
    loop {
        ticks.tick().await;
        app.metrics.tidy();
        let dropped = logs::dropped_lines();
        app.metrics.log_lines_dropped(dropped);
        gauges::of_database(&app).await;
        if dropped > reported {
            let lines = dropped - reported;
            tracing::warn!(
                lines,
                "log lines were dropped: standard error is read too slowly"
            );
            reported = dropped;
        }
    }
}
