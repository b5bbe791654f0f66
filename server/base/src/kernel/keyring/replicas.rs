//! The server keys that each running replica has, the one that it uses, and its public address.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use super::known::read_name;
use super::{Address, KeyMismatch, OtherAddress, follow, promoted};
use crate::kernel::server_keys::{KeyName, ServerKey};
use crate::kernel::{Kernel, KernelError};
use crate::params;
use crate::store::{StoreError, Tx};

/// The time without announcements after which a replica with another address counts as stopped.
const SILENCE: Duration = Duration::from_secs(15);
/// The interval at which a starting replica checks the announcements of such a replica.
const CHECK: Duration = Duration::from_millis(500);
/// Milliseconds after which a replica without announcements counts as stopped.
const LEASE_MILLIS: i64 = 60_000;
/// Milliseconds after which the row of such a replica is deleted. A replica with a clock that is ahead must not
/// delete the rows of the others: without a row, they exchange no reports.
const DELETED_AFTER_MILLIS: i64 = 60 * LEASE_MILLIS;

/// A running replica.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replica {
    /// Its identifier; a new one with each start.
    pub id: String,
    /// The keys that it has, in their order in its key file.
    pub held: Vec<KeyName>,
    /// The key that it makes hashes with.
    pub uses: KeyName,
    /// The time of its last announcement, in Unix milliseconds.
    pub seen_at: i64,
    address: Address,
}

/// The replicas with a recent announcement.
pub fn list(tx: &mut Tx<'_>, now: i64) -> Result<Vec<Replica>, StoreError> {
    let rows = tx.query(
        "SELECT id, held, uses, seen_at, address FROM server_replicas WHERE seen_at > $1 ORDER BY id",
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
            address: Address(row.get(4)?),
        });
    }
    Ok(replicas)
}

impl Replica {
    /// Whether it has a key behind the current one, so that the key can be the next one.
    pub fn has_behind(&self, current: Option<KeyName>, key: KeyName) -> bool {
        let from_current = self.held.iter().skip_while(|held| Some(**held) != current);
        from_current.skip(1).any(|held| *held == key)
    }

    /// This process, now.
    fn this(kernel: &Kernel) -> Replica {
        let ring = kernel.server_keys.ring();
        let held = ring.keys().iter().filter(|key| !key.is_retired);
        Replica {
            id: kernel.replica.clone(),
            held: held.map(ServerKey::name).collect(),
            uses: ring.current(),
            seen_at: kernel.clock.now().timestamp_millis(),
            address: kernel.address(),
        }
    }

    fn announce(&self, tx: &mut Tx<'_>) -> Result<(), StoreError> {
        let held: Vec<_> = self.held.iter().map(KeyName::to_string).collect();
        let (held, uses) = (held.join(" "), self.uses.to_string());
        tx.execute(
            "INSERT INTO server_replicas (id, held, uses, seen_at, address) \
             VALUES ($1, $2, $3, $4, $5) \
             ON CONFLICT (id) DO UPDATE SET held = excluded.held, uses = excluded.uses, \
             seen_at = excluded.seen_at, address = excluded.address",
            params![&self.id, held, uses, self.seen_at, &self.address.0],
        )?;
        tx.execute(
            "DELETE FROM server_replicas WHERE seen_at < $1",
            params![self.seen_at - DELETED_AFTER_MILLIS],
        )?;
        Ok(())
    }

    /// The other replicas with another address, and the differences.
    fn others(&self, tx: &mut Tx<'_>) -> Result<Vec<(Replica, OtherAddress)>, StoreError> {
        let all = list(tx, self.seen_at)?.into_iter();
        let others = all.filter(|other| other.id != self.id).filter_map(|other| {
            let difference = self.address.check(&other.address).err()?;
            Some((other, difference))
        });
        Ok(others.collect())
    }
}

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
pub async fn join(kernel: &Kernel) -> Result<(), KernelError> {
    follow(kernel).await?;
    let began = Instant::now();
    let mut seen: HashMap<String, i64> = HashMap::new();
    loop {
        let is_final = began.elapsed() > SILENCE;
        let (this, known) = (Replica::this(kernel), seen.clone());
        let outcome = kernel.store.write(move |tx| {
            let mut others = this.others(tx)?;
            others.retain(|(other, _)| !is_final || known.get(&other.id) != Some(&other.seen_at));
            if others.is_empty() {
                this.announce(tx)?;
            }
            Ok::<_, StoreError>((others, promoted(tx)?.pop()))
        });
        let (others, current) = outcome.await?;
        if others.is_empty() {
            return match current {
                Some(current) if kernel.server_keys.ring().position(current.name).is_none() => {
                    Err(KeyMismatch::Missing(current.name).into())
                }
                _ => Ok(()),
            };
        }
        for (other, difference) in others {
            if seen.is_empty() {
                tracing::warn!(
                    seconds = SILENCE.as_secs(),
                    "waiting, because a stopped replica may have left its address: {difference}"
                );
            }
            let before = seen.insert(other.id, other.seen_at);
            let is_running = before.is_some_and(|before| before != other.seen_at);
            if is_running || is_final {
                return Err(difference.into());
            }
        }
        tokio::time::sleep(CHECK).await;
    }
}

/// Announces the current state of this replica. A lost announcement is replaced by the next one.
pub async fn announce(kernel: &Kernel) -> Result<(), StoreError> {
    let this = Replica::this(kernel);
    let write = move |tx: &mut Tx<'_>| this.announce(tx);
    kernel.store.write_relaxed(write).await
}

/// Announces that this replica stops. Without it, the replica counts as stopped after a minute.
pub async fn leave(kernel: &Kernel) -> Result<(), StoreError> {
    let id = kernel.replica.clone();
    let write = move |tx: &mut Tx<'_>| {
        tx.execute("DELETE FROM server_replicas WHERE id = $1", params![&id])
    };
    kernel.store.write(write).await.map(drop)
}
