//! Deletes the oldest events behind an [anchor](super::anchor).
//!
//! Only sealed events are pruned, and the newest of them stays, so that a trail without events is
//! noticed. Each batch is verified before it is deleted: pruning never hides a change. It takes the
//! turn of the sealer, and records itself in the trail. One replica prunes at a time.

use std::sync::Arc;

use chrono::{DateTime, SecondsFormat, Utc};

use super::anchor::Anchor;
use super::context::AuditContext;
use super::error::VerifyError;
use super::event::Actor;
use super::seal::{TURN, uses_current_key};
use super::walk::Walk;
use crate::kernel::Kernel;
use crate::kernel::upkeep::AUDIT_PRUNING;
use crate::params;
use crate::store::Tx;

/// The maximum number of events that one transaction deletes.
const BATCH: usize = 1000;

/// Deletes the events before `end`. Returns their number.
///
/// # Errors
///
/// When the oldest events or the anchor were changed: then these events stay.
pub async fn prune(kernel: &Arc<Kernel>, end: DateTime<Utc>) -> Result<u64, VerifyError> {
    let mut pruned = 0;
    while !kernel.is_stopping() {
        let pruner = Arc::clone(kernel);
        let write = move |tx: &mut Tx<'_>| prune_batch(tx, &pruner, end);
        let events = kernel.store.write_snapshot(write).await?;
        pruned += events;
        if events < BATCH as u64 {
            break;
        }
    }
    Ok(pruned)
}

fn prune_batch(tx: &mut Tx<'_>, kernel: &Kernel, end: DateTime<Utc>) -> Result<u64, VerifyError> {
    let server_keys = &kernel.server_keys;
    if !tx.try_lock(AUDIT_PRUNING)? {
        return Ok(0);
    }
    tx.next_id(TURN)?;
    if !uses_current_key(tx, server_keys)? {
        return Ok(0);
    }
    let mut walk = Walk::begin(tx, server_keys)?;
    let first = walk.last.number + 1;
    let rows = walk.page(tx, BATCH as i64 + 1)?;
    let mut at = None;
    // The last row is the first of the next batch, or the end of the trail.
    for row in &rows[..rows.len().saturating_sub(1)] {
        if row.get::<i64>(1)? >= end.timestamp_millis() {
            break;
        }
        at = Some(walk.step(row)?.at);
    }
    let Some(at) = at else {
        return Ok(0);
    };
    let last = walk.last.number;
    let rows = tx.execute(
        "DELETE FROM audit_trail WHERE number >= $1 AND number <= $2",
        params![first, last],
    )?;
    let anchor = Anchor {
        head: walk.last,
        at,
    };
    anchor.write(tx, server_keys)?;
    let now = kernel.clock.now().timestamp_millis();
    AuditContext::new(server_keys, Actor::Service, "console", now).record(
        tx,
        "audit.events.pruned",
        &format!("{first}-{last}"),
        &format!("before {}", end.to_rfc3339_opts(SecondsFormat::Secs, true)),
    )?;
    Ok(rows)
}
