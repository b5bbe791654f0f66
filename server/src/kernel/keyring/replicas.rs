//! The server keys that each running replica has, the one that it uses, and its public address.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use super::known::read_name;
use super::{Address, FollowError, MissingKey, OtherAddress, follow, promoted};
use crate::kernel::Kernel;
use crate::kernel::server_keys::KeyName;
use crate::params;
use crate::store::{StoreError, Tx};

/// The interval at which a replica announces itself.
const AGAIN: Duration = Duration::from_secs(5);
/// The time without announcements after which a replica with another address counts as stopped.
const SILENCE: Duration = Duration::from_secs(15);
/// The interval at which a starting replica checks the announcements of such a replica.
const CHECK: Duration = Duration::from_millis(500);
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

/// The announcement of a replica.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Announcement {
    /// The names of the replica's keys.
    held: String,
    /// The name of its current key.
    uses: String,
    address: Address,
}

impl Announcement {
    fn of(kernel: &Kernel) -> Announcement {
        let ring = kernel.server_keys.ring();
        let held = ring.keys().iter().filter(|one| !one.is_retired);
        let held: Vec<_> = held.map(|one| one.key.name().to_string()).collect();
        Announcement {
            held: held.join(" "),
            uses: ring.current().to_string(),
            address: kernel.address(),
        }
    }

    fn write(&self, tx: &mut Tx<'_>, id: &str, now: i64) -> Result<(), StoreError> {
        tx.execute(
            "INSERT INTO server_replicas (id, held, uses, seen_at, address) \
             VALUES ($1, $2, $3, $4, $5) \
             ON CONFLICT (id) DO UPDATE SET held = excluded.held, uses = excluded.uses, \
             seen_at = excluded.seen_at, address = excluded.address",
            params![id, &self.held, &self.uses, now, self.address.to_text()],
        )?;
        tx.execute(
            "DELETE FROM server_replicas WHERE seen_at < $1",
            params![now - LEASE_MILLIS],
        )?;
        Ok(())
    }

    /// The other replicas with another address: the identifier, the time of the last announcement
    /// and the difference.
    fn others(&self, tx: &mut Tx<'_>, id: &str, now: i64) -> Result<Vec<Other>, StoreError> {
        let rows = tx.query(
            "SELECT id, seen_at, address FROM server_replicas WHERE seen_at > $1 AND id <> $2",
            params![now - LEASE_MILLIS, id],
        )?;
        let mut others = Vec::new();
        for row in rows {
            let address = Address::of_text(&row.get::<String>(2)?);
            if let Err(difference) = self.address.check(&address) {
                others.push((row.get(0)?, row.get(1)?, difference));
            }
        }
        Ok(others)
    }
}

/// A replica with another address.
type Other = (String, i64, OtherAddress);

/// Announces the keys and the address of this replica, before it makes hashes with the keys. The
/// same transaction checks that no key is missing. So either the command that promotes a key sees
/// this replica, or this replica sees the promoted key.
///
/// The transaction also checks that no running replica has another public address. A killed replica
/// looks like a running one until its announcements have stopped for some seconds, so this function
/// waits that long before it decides.
///
/// # Errors
///
/// When the store fails, this replica does not have the current key, or another replica has another
/// address.
pub async fn join(kernel: &Kernel) -> Result<(), FollowError> {
    follow(kernel).await?;
    let began = Instant::now();
    let mut seen: HashMap<String, i64> = HashMap::new();
    loop {
        let is_final = began.elapsed() > SILENCE;
        let (announcement, id) = (Announcement::of(kernel), kernel.replica.clone());
        let now = kernel.clock.now().timestamp_millis();
        let known = seen.clone();
        let outcome = kernel.store.write(move |tx| {
            let mut others = announcement.others(tx, &id, now)?;
            others.retain(|(other, at, _)| !is_final || known.get(other) != Some(at));
            if others.is_empty() {
                announcement.write(tx, &id, now)?;
            }
            Ok::<_, StoreError>((others, promoted(tx)?.pop()))
        });
        let (others, current) = outcome.await?;
        if others.is_empty() {
            return match current {
                Some(current) if kernel.server_keys.ring().position(current.name).is_none() => {
                    Err(MissingKey(current.name).into())
                }
                _ => Ok(()),
            };
        }
        for (other, at, difference) in others {
            if seen.is_empty() {
                tracing::warn!(
                    seconds = SILENCE.as_secs(),
                    "waiting, because a stopped replica may have left its address: {difference}"
                );
            }
            let is_running = seen.insert(other, at).is_some_and(|before| before != at);
            if is_running || is_final {
                return Err(difference.into());
            }
        }
        tokio::time::sleep(CHECK).await;
    }
}

/// Announces the current state of this replica.
///
/// # Errors
///
/// When the store fails.
pub async fn announce(kernel: &Kernel) -> Result<(), StoreError> {
    let (announcement, id) = (Announcement::of(kernel), kernel.replica.clone());
    let now = kernel.clock.now().timestamp_millis();
    let write = move |tx: &mut Tx<'_>| announcement.write(tx, &id, now);
    kernel.store.write(write).await
}

/// Announces this replica after a change, and at intervals.
pub(super) async fn announce_changes(
    kernel: &Kernel,
    announced: &mut Option<(Announcement, Instant)>,
) -> Result<(), StoreError> {
    let new = Announcement::of(kernel);
    let is_known = |(old, at): &(Announcement, Instant)| *old == new && at.elapsed() < AGAIN;
    if announced.as_ref().is_some_and(is_known) {
        return Ok(());
    }
    announce(kernel).await?;
    *announced = Some((new, Instant::now()));
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
