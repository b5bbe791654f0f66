//! Deletes records after the days that `[retention]` configures: mail, links that set a password,
//! usage, deleted API keys, and events of the audit trail.
//!
//! Each statement deletes a bounded number of rows, so that no transaction blocks others for long.

use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, DurationRound, TimeDelta, Utc};
use tokio::time::MissedTickBehavior;

use crate::audit::{self, VerifyError};
use crate::inference::keys::removal;
use crate::kernel::Kernel;
use crate::kernel::expiry::{self, BATCH, in_batches};
use crate::kernel::upkeep::{self, AUDIT_PRUNING, RETENTION};
use crate::store::{StoreError, Tx, Value};

/// The interval of deletions.
const PAUSE: Duration = Duration::from_secs(3600);

/// Deletes old records at intervals, until dropped.
pub async fn run(kernel: Arc<Kernel>) {
    let mut ticks = tokio::time::interval(PAUSE);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        match upkeep::measure(&kernel.metrics, RETENTION, delete_old(&kernel)).await {
            Ok(0) => {}
            Ok(rows) => tracing::info!(rows, "deleted old mail, links, usage and keys"),
            Err(error) => tracing::warn!(%error, "cannot delete old records; trying again later"),
        }
        let pruned = upkeep::measure(&kernel.metrics, AUDIT_PRUNING, prune_trail(&kernel));
        match pruned.await {
            Ok(0) => {}
            Ok(events) => tracing::info!(events, "deleted old events of the audit trail"),
            Err(VerifyError::Store(error)) => {
                tracing::warn!(%error, "cannot delete old events of the audit trail; trying again later");
            }
            Err(error) => tracing::error!(
                %error,
                "old events of the audit trail are not deleted, because the trail cannot be verified; \
                 run accord-server audit verify"
            ),
        }
    }
}

/// Deletes the events of the audit trail that are too old. Returns their number.
///
/// It deletes events of whole days. Otherwise the event of each deletion would be the only one to
/// be deleted in its hour, once it is old itself.
///
/// # Errors
///
/// When the store fails, or the oldest events were changed.
pub async fn prune_trail(kernel: &Arc<Kernel>) -> Result<u64, VerifyError> {
    let end = end(kernel.clock.now(), kernel.config.retention.audit_days);
    match end.and_then(|end| end.duration_trunc(TimeDelta::days(1)).ok()) {
        Some(end) => audit::prune(kernel, end).await,
        None => Ok(0),
    }
}

/// Deletes the records that are too old. Returns their number.
pub async fn delete_old(kernel: &Kernel) -> Result<u64, StoreError> {
    let config = &kernel.config.retention;
    let now = kernel.clock.now();
    let mut deleted = 0;
    if let Some(end) = end(now, config.mail_days) {
        deleted += delete(
            kernel,
            "DELETE FROM mail_outbox WHERE id IN (SELECT id FROM mail_outbox WHERE created_at < $1 \
             AND (sent_at IS NOT NULL OR dead_at IS NOT NULL) ORDER BY created_at LIMIT $2)"
                .to_owned(),
            end.into(),
        )
        .await?;
    }
    if let Some(end) = end(now, config.link_days) {
        // A link is used before it expires, so used links are among these.
        let sql = expiry::statement("password_tokens", "token_mac", "expires_at");
        deleted += delete(kernel, sql, end.into()).await?;
    }
    if let Some(end) = end(now, config.usage_days) {
        let sql = expiry::statement("inference_usage", "key_id, model, day", "day");
        let end = end.format("%Y-%m-%d").to_string();
        deleted += delete(kernel, sql, end.into()).await?;
    }
    // After the usage, because a key stays as long as it has usage.
    if let Some(end) = end(now, config.deleted_keys_days) {
        let end = Value::from(end);
        let before = end.clone();
        let announce = move |tx: &mut Tx<'_>| removal::announce(tx, &before);
        // Only after the announcement of this replica, because another one may have found nothing yet.
        if kernel.store.write::<_, StoreError, _>(announce).await? {
            let remove = move |tx: &mut Tx<'_>| removal::remove(tx, &end);
            deleted += in_batches(kernel, RETENTION, remove).await?;
        }
    }
    Ok(deleted)
}

/// The time before which records are too old. `None` if they are kept.
fn end(now: DateTime<Utc>, days: u32) -> Option<DateTime<Utc>> {
    let age = (days > 0).then(|| TimeDelta::days(days.into()))?;
    now.checked_sub_signed(age)
}

async fn delete(kernel: &Kernel, sql: String, end: Value) -> Result<u64, StoreError> {
    let delete = move |tx: &mut Tx<'_>| tx.execute(&sql, &[end.clone(), BATCH.into()]);
    in_batches(kernel, RETENTION, delete).await
}
