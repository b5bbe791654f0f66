//! The server keys that each running replica has, and the one that it uses.

use std::time::{Duration, Instant};

use super::known::read_name;
use super::{FollowError, MissingKey, follow, promoted};
use crate::kernel::Kernel;
use crate::kernel::server_keys::KeyName;
use crate::params;
use crate::store::{StoreError, Tx};

/// The interval at which a replica announces itself.
const AGAIN: Duration = Duration::from_secs(20);
/// Milliseconds after which a replica without announcements counts as stopped.
const LEASE_MILLIS: i64 = 60_000;

/// A running replica.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replica {
    /// Its identifier; a new one with each start.
    pub id: String,
    /// The keys that it has.
    pub held: Vec<KeyName>,
    /// The key that it makes hashes with.
    pub uses: KeyName,
    /// The time of its last announcement, in Unix milliseconds.
    pub seen_at: i64,
}

/// The replicas with a recent announcement.
///
/// # Errors
///
/// When the store fails.
pub fn list(tx: &mut Tx<'_>, now: i64) -> Result<Vec<Replica>, StoreError> {
    let rows = tx.query(
        "SELECT id, held, uses, seen_at FROM server_replicas WHERE seen_at > $1 ORDER BY id",
        params![now - LEASE_MILLIS],
    )?;
    let mut replicas = Vec::new();
    for row in rows {
        let held: String = row.get(1)?;
        let held = held.split_whitespace().map(read_name);
        replicas.push(Replica {
            id: row.get(0)?,
            held: held.collect::<Result<_, _>>()?,
            uses: read_name(&row.get::<String>(2)?)?,
            seen_at: row.get(3)?,
        });
    }
    Ok(replicas)
}

/// The names of a replica's keys, and the name of its current one.
type KeyNames = (String, String);

fn key_names(kernel: &Kernel) -> KeyNames {
    let ring = kernel.server_keys.ring();
    let held = ring.keys().iter().filter(|one| !one.is_retired);
    let held: Vec<_> = held.map(|one| one.key.name().to_string()).collect();
    (held.join(" "), ring.current().to_string())
}

/// Announces the keys of this replica, before it makes hashes with them. The same transaction
/// checks that no key is missing. So either the command that promotes a key sees this replica, or
/// this replica sees the promoted key.
///
/// # Errors
///
/// When the store fails, or this replica does not have the current key.
pub async fn join(kernel: &Kernel) -> Result<(), FollowError> {
    follow(kernel).await?;
    let (announced, id) = (key_names(kernel), kernel.replica.clone());
    let now = kernel.clock.now().timestamp_millis();
    let current = kernel.store.write(move |tx| {
        announce(tx, &id, &announced, now)?;
        Ok::<_, StoreError>(promoted(tx)?.pop())
    });
    match current.await? {
        Some(current) if kernel.server_keys.ring().position(current.name).is_none() => {
            Err(MissingKey(current.name).into())
        }
        _ => Ok(()),
    }
}

/// Announces the keys of this replica after a change, and at intervals.
pub(super) async fn announce_changes(
    kernel: &Kernel,
    announced: &mut Option<(KeyNames, Instant)>,
) -> Result<(), StoreError> {
    let new = key_names(kernel);
    let is_known = |(old, at): &(KeyNames, Instant)| *old == new && at.elapsed() < AGAIN;
    if announced.as_ref().is_some_and(is_known) {
        return Ok(());
    }
    let (announcing, id) = (new.clone(), kernel.replica.clone());
    let now = kernel.clock.now().timestamp_millis();
    let write = move |tx: &mut Tx<'_>| announce(tx, &id, &announcing, now);
    kernel.store.write(write).await?;
    *announced = Some((new, Instant::now()));
    Ok(())
}

fn announce(
    tx: &mut Tx<'_>,
    id: &str,
    (held, uses): &KeyNames,
    now: i64,
) -> Result<(), StoreError> {
    tx.execute(
        "INSERT INTO server_replicas (id, held, uses, seen_at) VALUES ($1, $2, $3, $4) \
         ON CONFLICT (id) DO UPDATE SET held = excluded.held, uses = excluded.uses, \
         seen_at = excluded.seen_at",
        params![id, held, uses, now],
    )?;
    tx.execute(
        "DELETE FROM server_replicas WHERE seen_at < $1",
        params![now - LEASE_MILLIS],
    )?;
    Ok(())
}

/// Announces that this replica stops.
///
/// # Errors
///
/// When the store fails; the replica then counts as stopped after a minute.
pub async fn leave(kernel: &Kernel) -> Result<(), StoreError> {
    let id = kernel.replica.clone();
    let write = move |tx: &mut Tx<'_>| {
        tx.execute("DELETE FROM server_replicas WHERE id = $1", params![&id])
    };
    kernel.store.write(write).await.map(drop)
}
