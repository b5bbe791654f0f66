//! Gives events their places in the chain.

use std::sync::{Arc, LazyLock};
use std::time::Duration;

use super::chain::{self, Head};
use super::event::{Id, Stored};
use crate::kernel::keyring::promoted;
use crate::kernel::upkeep::{self, AUDIT_SEALING};
use crate::kernel::{Kernel, ServerKeys};
use crate::params;
use crate::store::{BATCH, StoreError, Tx, batches};

/// The interval at which events are sealed.
const PAUSE: Duration = Duration::from_millis(500);
/// How long an event may wait for its seal, and how far the clocks of replicas may differ.
const NEW_MILLIS: i64 = 60_000;
/// Number of events that are sealed in one transaction.
const AT_ONCE: i64 = 256;
/// The sequence that a replica locks to append to the chain.
pub(super) const TURN: &str = "audit.sealing";

/// Seals recorded events, until dropped. Another replica, or the next start of the service, seals
/// the remaining events.
pub async fn run(kernel: Arc<Kernel>) {
    let mut ticks = tokio::time::interval(PAUSE);
    ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        let sealed = upkeep::measure(&kernel.metrics, AUDIT_SEALING, seal_waiting(&kernel, true));
        if let Err(error) = sealed.await {
            tracing::warn!(%error, "events of the audit trail are not sealed yet");
        }
    }
}

/// Seals every event recorded so far.
pub async fn seal_all(kernel: &Arc<Kernel>) -> Result<(), StoreError> {
    seal_waiting(kernel, false).await.map(drop)
}

/// Seals the events recorded so far, and returns their number. `yields` leaves them to another
/// replica that is sealing.
async fn seal_waiting(kernel: &Arc<Kernel>, yields: bool) -> Result<u64, StoreError> {
    let mut from = Id::default();
    let mut sealed = 0;
    loop {
        let waiting = kernel
            .store
            .read_one(move |tx| is_waiting(tx, from))
            .await?;
        if !waiting {
            return Ok(sealed);
        }
        let sealer = Arc::clone(kernel);
        let write = move |tx: &mut Tx<'_>| match yields && !tx.try_lock(AUDIT_SEALING)? {
            true => Ok(None),
            false => seal(tx, &sealer.server_keys, from),
        };
        match kernel.store.write_snapshot(write).await? {
            Some((last, count)) => {
                from = last;
                sealed += count;
            }
            None => return Ok(sealed),
        }
    }
}

/// The number of events without a seal, except new ones: their seal is only due. An event whose time is
/// still to come counts, because the service does not record such an event.
pub fn unsealed(tx: &mut Tx<'_>, now: i64) -> Result<i64, StoreError> {
    let sql = "SELECT COUNT(*) FROM audit_trail WHERE number IS NULL AND (at < $1 OR at > $2)";
    tx.query_integer(sql, params![now - NEW_MILLIS, now + NEW_MILLIS])
}

fn is_waiting(tx: &mut Tx<'_>, from: Id) -> Result<bool, StoreError> {
    tx.exists(
        "SELECT 1 FROM audit_trail WHERE number IS NULL AND id > $1 LIMIT 1",
        params![from],
    )
}

/// Appends the next events after `from` to the chain, in the order of their recording. Returns the
/// last of them, and how many it has sealed. An event that this service did not record stays in place, for
/// [`verify`](super::verify()) to find. A replica that does not use the current server key leaves all
/// events to the others.
fn seal(
    tx: &mut Tx<'_>,
    server_keys: &ServerKeys,
    from: Id,
) -> Result<Option<(Id, u64)>, StoreError> {
    // Another replica waits here, and restarts the transaction when this one has committed.
    tx.next_id(TURN)?;
    let events = Stored::unsealed_after(tx, from, AT_ONCE)?;
    let Some(last) = events.last() else {
        return Ok(None);
    };
    if !uses_current_key(tx, server_keys)? {
        return Ok(None);
    }
    let mut head = Head::find(tx)?;
    let mut sealed = Vec::new();
    for Stored { entry, id, seal } in &events {
        if chain::has_mac(server_keys, id, entry, seal) {
            head = head.next(server_keys, id, entry);
            sealed.push(params![id, head.number, head.seal.clone()].to_vec());
        }
    }
    for rows in batches(&sealed) {
        tx.add(&SEAL, &rows.concat())?;
    }
    Ok(Some((last.id, sealed.len() as u64)))
}

/// Whether this replica makes hashes with the current server key of the database. It does not if it
/// has yet to notice a promotion, or lacks the key: then a seal would be under an older key than the
/// one before it.
pub(super) fn uses_current_key(
    tx: &mut Tx<'_>,
    server_keys: &ServerKeys,
) -> Result<bool, StoreError> {
    let current = promoted(tx)?.pop();
    Ok(current.is_none_or(|current| current.name == server_keys.ring().current()))
}

/// Sets the numbers and seals of a batch of events, by their identifiers. The branch without
/// rows declares the types to the database.
static SEAL: LazyLock<String> = LazyLock::new(|| {
    let rows = (0..BATCH).map(|row| {
        let first = 3 * row + 1;
        format!("UNION ALL SELECT ${first}, ${}, ${}", first + 1, first + 2)
    });
    let rows: Vec<_> = rows.collect();
    format!(
        "WITH sealed (id, number, seal) AS \
         (SELECT id, number, seal FROM audit_trail WHERE 1 = 0 {}) \
         UPDATE audit_trail SET number = sealed.number, seal = sealed.seal \
         FROM sealed WHERE audit_trail.id = sealed.id",
        rows.join(" ")
    )
});
