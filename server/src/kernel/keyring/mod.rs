//! Which server keys there are, and which of them is the current one.
//!
//! The keys themselves are with the operator ([`text`]). The database knows their
//! names: which were promoted, in which order, and which are retired. The one that
//! was promoted last is the current one, for every replica at once; each looks
//! every two seconds, and reads its key file again.
//!
//! A replica that does not have a key would refuse what others made with it. So
//! each says in the database which keys it holds and which one it uses: a key is
//! promoted when all hold it, and the one before is retired when nobody uses it
//! any more and nothing needs it. A replica that is without a key that is needed
//! does not start; one to which that happens goes on with the keys it has, says
//! so, and is not ready.

pub mod replicas;
pub mod text;

use std::sync::Arc;
use std::time::Duration;

use crate::config::Secret;
use crate::kernel::server_keys::{KeyName, Ring, RingKey};
use crate::kernel::{Kernel, Random};
use crate::params;
use crate::store::{StoreError, Tx};
use text::{KeyFile, ServerKeyError};

/// How often a replica looks which key is the current one.
pub const PAUSE: Duration = Duration::from_secs(2);

/// Where the keys are kept.
#[derive(Debug, Clone)]
pub enum KeySource {
    /// In a file, which is read again while the service runs.
    File(KeyFile),
    /// In the configuration, which is read at start.
    Configuration(Secret),
}

impl KeySource {
    /// The keys; a file that is not there is made.
    ///
    /// # Errors
    ///
    /// When there are none that can be read.
    pub fn read_or_make(&self, random: &dyn Random) -> Result<Vec<RingKey>, ServerKeyError> {
        match self {
            KeySource::File(file) => file.read_or_make(random),
            KeySource::Configuration(_) => self.read(),
        }
    }

    /// The keys of a database that was used before: a file that is not there was
    /// lost.
    ///
    /// # Errors
    ///
    /// When there are none that can be read.
    pub fn read(&self) -> Result<Vec<RingKey>, ServerKeyError> {
        match self {
            KeySource::File(file) => file.read(),
            KeySource::Configuration(keys) => text::parse(keys.expose(), "server.key"),
        }
    }
}

/// What the database knows of a key that is or was the current one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Promoted {
    /// What it is called.
    pub name: KeyName,
    /// When it became the current one, in Unix milliseconds.
    pub promoted_at: i64,
    /// When it was retired.
    pub retired_at: Option<i64>,
}

/// Why keys are not the ones that the database needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "the server key {0}, which this database was written with, is not among the keys here (server.key): \
     hashes made with it cannot be verified. Put it back, or use another database"
)]
pub struct MissingKey(pub KeyName);

/// All keys that were ever the current one, in the order in which they were; the
/// last one is.
///
/// # Errors
///
/// When the store fails.
pub fn promoted(tx: &mut Tx<'_>) -> Result<Vec<Promoted>, StoreError> {
    let sql = "SELECT name, promoted_at, retired_at FROM server_keys ORDER BY number";
    let mut promoted = Vec::new();
    for row in tx.query(sql, &[])? {
        promoted.push(Promoted {
            name: read_name(&row.get::<String>(0)?)?,
            promoted_at: row.get(1)?,
            retired_at: row.get(2)?,
        });
    }
    Ok(promoted)
}

/// Makes a key the current one.
///
/// # Errors
///
/// When the store fails, or the key was the current one before.
pub fn promote(tx: &mut Tx<'_>, name: KeyName, now: i64) -> Result<(), StoreError> {
    tx.execute(
        "INSERT INTO server_keys (name, number, promoted_at) \
         VALUES ($1, (SELECT COUNT(*) FROM server_keys), $2)",
        params![name.to_string(), now],
    )?;
    Ok(())
}

/// Makes what is hashed with a key worth nothing.
///
/// # Errors
///
/// When the store fails.
pub fn retire(tx: &mut Tx<'_>, name: KeyName, now: i64) -> Result<(), StoreError> {
    tx.execute(
        "UPDATE server_keys SET retired_at = $2 WHERE name = $1",
        params![name.to_string(), now],
    )?;
    Ok(())
}

fn read_name(text: &str) -> Result<KeyName, StoreError> {
    let name = text.parse();
    name.map_err(|_| StoreError::Statement(format!("server_keys: {text} is not the name of a key")))
}

/// What the database knows; a new one begins with the first key that is here.
pub(super) fn begin(
    tx: &mut Tx<'_>,
    keys: &[RingKey],
    now: i64,
) -> Result<Vec<Promoted>, StoreError> {
    let known = promoted(tx)?;
    let first = keys.iter().find(|one| !one.is_retired);
    match first {
        Some(first) if known.is_empty() => {
            promote(tx, first.key.name(), now)?;
            promoted(tx)
        }
        _ => Ok(known),
    }
}

/// The keys that are here, with what the database knows of them.
///
/// # Errors
///
/// The key that is needed and not here.
pub fn ring(mut keys: Vec<RingKey>, promoted: &[Promoted]) -> Result<Ring, MissingKey> {
    for one in &mut keys {
        let known = promoted.iter().find(|known| known.name == one.key.name());
        one.is_retired |= known.is_some_and(|known| known.retired_at.is_some());
    }
    let mut needed = promoted.iter().filter(|known| known.retired_at.is_none());
    let is_here = |known: &&Promoted| keys.iter().any(|one| one.key.name() == known.name);
    if let Some(missing) = needed.clone().find(|known| !is_here(known)) {
        return Err(MissingKey(missing.name));
    }
    let current = needed.next_back().map(|known| known.name);
    // Without one, the database is new and all keys here are retired.
    let current = current.unwrap_or_else(|| keys[0].key.name());
    Ring::new(keys, current).ok_or(MissingKey(current))
}

/// Follows the keys and the database, until dropped.
pub async fn run(kernel: Arc<Kernel>) {
    let mut announced = None;
    loop {
        tokio::time::sleep(PAUSE).await;
        if let Err(error) = follow(&kernel).await {
            tracing::error!(%error, "the server keys cannot be followed");
        }
        if let Err(error) = replicas::announce_changes(&kernel, &mut announced).await {
            tracing::warn!(%error, "cannot announce the server keys of this replica to the others");
        }
    }
}

/// Why keys cannot be followed.
#[derive(Debug, thiserror::Error)]
pub enum FollowError {
    /// They cannot be read.
    #[error(transparent)]
    Keys(#[from] ServerKeyError),
    /// One is missing.
    #[error(transparent)]
    Missing(#[from] MissingKey),
    /// The store fails.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl FollowError {
    /// Whether it says nothing of the keys: too many files are open at the moment, in
    /// the process (EMFILE) or in the system (ENFILE).
    fn is_passing(&self) -> bool {
        match self {
            FollowError::Keys(ServerKeyError::File { source, .. }) => {
                matches!(source.raw_os_error(), Some(23 | 24))
            }
            _ => false,
        }
    }
}

/// Looks which keys are here and which of them is the current one.
///
/// # Errors
///
/// When the store fails, or this replica does not have a required key; the keys then stay
/// unchanged.
pub async fn follow(kernel: &Kernel) -> Result<(), FollowError> {
    let promoted = kernel.store.read(promoted).await?;
    let keys = kernel.key_source.read();
    let ring = keys
        .map_err(FollowError::from)
        .and_then(|keys| Ok(ring(keys, &promoted)?));
    if ring.as_ref().err().is_none_or(|error| !error.is_passing()) {
        kernel.miss_keys(ring.is_err());
    }
    let ring = ring?;
    let before = kernel.server_keys.ring();
    if before.current() != ring.current() {
        tracing::info!(key = %ring.current(), "another server key is the current one");
    }
    kernel.server_keys.set(ring);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::server_keys::ServerKey;
    use super::*;

    fn key(byte: u8) -> RingKey {
        RingKey {
            key: Arc::new(ServerKey::new([byte; 32])),
            is_retired: false,
        }
    }

    fn known(byte: u8, retired_at: Option<i64>) -> Promoted {
        Promoted {
            name: key(byte).key.name(),
            promoted_at: 0,
            retired_at,
        }
    }

    #[test]
    fn the_key_that_was_promoted_last_is_the_current_one() {
        let names = |byte| key(byte).key.name();
        let promoted = [known(2, None), known(1, None)];
        let ring = ring(vec![key(1), key(2), key(3)], &promoted).unwrap();
        assert_eq!(ring.current(), names(1));
    }

    #[test]
    fn a_key_that_is_needed_must_be_here_and_a_retired_one_need_not() {
        let missing = ring(vec![key(2)], &[known(1, None), known(2, None)]);
        assert_eq!(missing.unwrap_err(), MissingKey(key(1).key.name()));
        assert!(ring(vec![key(2)], &[known(1, Some(0)), known(2, None)]).is_ok());
    }

    #[test]
    fn what_the_database_retired_is_retired_here() {
        let promoted = [known(1, Some(0)), known(2, None)];
        let ring = ring(vec![key(1), key(2)], &promoted).unwrap();
        assert!(ring.keys()[0].is_retired && !ring.keys()[1].is_retired);
    }
}
