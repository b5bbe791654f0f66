//! The maintenance tasks: their names and their metrics.
//!
//! Every replica starts each of them. [`in_batches`](super::expiry::in_batches) and the writers of the
//! audit trail take a lock of their name ([`Tx::try_lock`](crate::store::Tx::try_lock)), so that one
//! replica at a time does the work, and another one takes over when that one stops. Usage and times of
//! last use are the replica's own.

use std::time::Instant;

use super::Metrics;

/// Deletes expired rows of identity.
pub const IDENTITY_EXPIRY: &str = "identity_expiry";
/// Deletes stored responses to repeated requests.
pub const STORED_RESPONSES: &str = "stored_responses";
/// Deletes the records that `[retention]` limits.
pub const RETENTION: &str = "retention";
/// Deletes old events of the audit trail.
pub const AUDIT_PRUNING: &str = "audit_pruning";
/// Seals events of the audit trail.
pub const AUDIT_SEALING: &str = "audit_sealing";
/// Writes the usage of API keys.
pub const USAGE: &str = "usage";
/// Writes when secrets of API keys were last used.
pub const LAST_USE: &str = "last_use";

/// Shows all tasks in the metrics.
pub fn register(metrics: &Metrics) {
    ALL.into_iter().for_each(|task| metrics.upkeep_before(task));
}

const ALL: [&str; 7] = [
    IDENTITY_EXPIRY,
    STORED_RESPONSES,
    RETENTION,
    AUDIT_PRUNING,
    AUDIT_SEALING,
    USAGE,
    LAST_USE,
];

/// Runs a maintenance task once, and records its outcome, its time and the number of its rows.
///
/// # Errors
///
/// Those of the run.
pub async fn measure<E>(
    metrics: &Metrics,
    task: &'static str,
    run: impl Future<Output = Result<u64, E>>,
) -> Result<u64, E> {
    let since = Instant::now();
    let outcome = run.await;
    let rows = outcome.as_ref().ok().copied();
    metrics.upkeep(task, rows, since.elapsed());
    outcome
}
