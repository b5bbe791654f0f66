//! The state of the server keys in the database.

use crate::kernel::server_keys::{KeyName, Ring, ServerKey};
use crate::params;
use crate::store::{StoreError, Tx};

/// The state in the database of a key that is or was the current one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Promoted {
    /// Its name.
    pub name: KeyName,
    /// The time of its promotion, in Unix milliseconds.
    pub promoted_at: i64,
    /// The time of its retirement.
    pub retired_at: Option<i64>,
}

/// Why the available keys do not match those of the database.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum KeyMismatch {
    /// A required key is missing.
    #[error(
        "the server key {0}, which this database was written with, is not among the keys here (server.key): \
         hashes made with it cannot be verified. Put it back, or use another database"
    )]
    Missing(KeyName),
    /// A key is before one that was promoted earlier.
    #[error(
        "the server key {newer} is before {older} here (server.key), and was promoted after it: the audit \
         trail cannot be verified. Put {newer} behind {older}"
    )]
    Order {
        /// The key that was promoted earlier.
        older: KeyName,
        /// The key that was promoted next.
        newer: KeyName,
    },
}

/// All keys that were ever the current one, in the order of their promotion. The last one is the
/// current key.
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

/// Makes a key the current one, which it never was before.
pub fn promote(tx: &mut Tx<'_>, name: KeyName, now: i64) -> Result<(), StoreError> {
    tx.execute(
        "INSERT INTO server_keys (name, number, promoted_at) \
         VALUES ($1, (SELECT COUNT(*) FROM server_keys), $2)",
        params![name.to_string(), now],
    )?;
    Ok(())
}

/// Invalidates all hashes under a key.
pub fn retire(tx: &mut Tx<'_>, name: KeyName, now: i64) -> Result<(), StoreError> {
    tx.execute(
        "UPDATE server_keys SET retired_at = $2 WHERE name = $1",
        params![name.to_string(), now],
    )?;
    Ok(())
}

pub(super) fn read_name(text: &str) -> Result<KeyName, StoreError> {
    let name = text.parse();
    name.map_err(|_| StoreError::Statement(format!("server_keys: {text} is not the name of a key")))
}

/// The state in the database. In a new database, the first available key is the current one.
pub(in crate::kernel) fn begin(
    tx: &mut Tx<'_>,
    keys: &[ServerKey],
    now: i64,
) -> Result<Vec<Promoted>, StoreError> {
    if promoted(tx)?.is_empty()
        && let Some(first) = keys.iter().find(|one| !one.is_retired)
    {
        promote(tx, first.name(), now)?;
    }
    promoted(tx)
}

/// The available keys, with their state in the database, or why they do not match it.
///
/// Both the key file and the database have the order of the keys, and must agree. The order of the
/// file alone may differ between machines. A writer of the database could make a leaked key the
/// newest one, and forge the end of the audit trail with it.
pub fn ring(mut keys: Vec<ServerKey>, promoted: &[Promoted]) -> Result<Ring, KeyMismatch> {
    for one in &mut keys {
        let known = promoted.iter().find(|known| known.name == one.name());
        one.is_retired |= known.is_some_and(|known| known.retired_at.is_some());
    }
    let mut needed = promoted.iter().filter(|known| known.retired_at.is_none());
    let is_here = |known: &&Promoted| keys.iter().any(|one| one.name() == known.name);
    if let Some(missing) = needed.clone().find(|known| !is_here(known)) {
        return Err(KeyMismatch::Missing(missing.name));
    }
    let place = |known: &Promoted| keys.iter().position(|one| one.name() == known.name);
    let places = promoted
        .iter()
        .filter_map(|known| Some((place(known)?, known.name)));
    let places: Vec<_> = places.collect();
    let mut pairs = places.iter().zip(places.iter().skip(1));
    if let Some(((_, older), (_, newer))) = pairs.find(|(older, newer)| older.0 > newer.0) {
        let (older, newer) = (*older, *newer);
        return Err(KeyMismatch::Order { older, newer });
    }
    let current = needed.next_back().map(|known| known.name);
    // Without promoted keys, the database is new and all available keys are retired.
    let current = current.unwrap_or_else(|| keys[0].name());
    Ring::new(keys, current).ok_or(KeyMismatch::Missing(current))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(byte: u8) -> ServerKey {
        ServerKey::new([byte; 32])
    }

    fn known(byte: u8, retired_at: Option<i64>) -> Promoted {
        Promoted {
            name: key(byte).name(),
            promoted_at: 0,
            retired_at,
        }
    }

    #[test]
    fn the_key_that_was_promoted_last_is_the_current_one() {
        let names = |byte| key(byte).name();
        let promoted = [known(1, None), known(2, None)];
        let ring = ring(vec![key(1), key(2), key(3)], &promoted).unwrap();
        assert_eq!(ring.current(), names(2));
    }

    #[test]
    fn keys_must_be_in_the_order_of_their_promotion() {
        let promoted = [known(1, Some(0)), known(2, None), known(3, None)];
        for (keys, is_ordered) in [
            (vec![key(1), key(2), key(3)], true),
            (vec![key(2), key(3)], true),
            // A key that was never promoted may be anywhere.
            (vec![key(4), key(1), key(2), key(5), key(3), key(6)], true),
            (vec![key(1), key(3), key(2)], false),
            (vec![key(2), key(3), key(1)], false),
        ] {
            assert_eq!(ring(keys, &promoted).is_ok(), is_ordered);
        }
        let error = ring(vec![key(3), key(1), key(2)], &promoted).unwrap_err();
        let (older, newer) = (key(2).name(), key(3).name());
        assert_eq!(error, KeyMismatch::Order { older, newer });
    }

    #[test]
    fn a_key_that_is_needed_must_be_here_and_a_retired_one_need_not() {
        let missing = ring(vec![key(2)], &[known(1, None), known(2, None)]);
        let expected = KeyMismatch::Missing(key(1).name());
        assert_eq!(missing.unwrap_err(), expected);
        assert!(ring(vec![key(2)], &[known(1, Some(0)), known(2, None)]).is_ok());
    }

    #[test]
    fn what_the_database_retired_is_retired_here() {
        let promoted = [known(1, Some(0)), known(2, None)];
        let ring = ring(vec![key(1), key(2)], &promoted).unwrap();
        assert!(ring.keys()[0].is_retired && !ring.keys()[1].is_retired);
    }
}
