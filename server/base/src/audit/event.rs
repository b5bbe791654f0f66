//! Events, as the database stores them.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::params;
use crate::store::{Row, StoreError, Tx};

/// The actor of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Actor<'a> {
    /// A hub user, by identifier.
    User(&'a str),
    /// An application, by client identifier.
    Client(&'a str),
    /// An operator who runs commands on the server, by their name in the operating system.
    Operator(&'a str),
    /// The service itself.
    Service,
    /// An anonymous or unauthenticated caller.
    Unknown,
}

impl std::fmt::Display for Actor<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Actor::User(id) => write!(f, "user:{id}"),
            Actor::Client(id) => write!(f, "client:{id}"),
            Actor::Operator(name) => write!(f, "operator:{name}"),
            Actor::Service => f.write_str("service"),
            Actor::Unknown => f.write_str("unknown"),
        }
    }
}

/// An event as the trail stores it.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Entry {
    /// Its place in the trail, from 1 on. `None` until it is sealed.
    pub number: Option<i64>,
    /// The time, in Unix milliseconds.
    pub at: i64,
    /// The actor, as [`Actor`] is displayed.
    pub actor: String,
    /// The action.
    pub action: String,
    /// The subject of the action.
    pub subject: String,
    /// The origin of the request.
    pub origin: String,
    /// Further details.
    pub detail: String,
}

/// The columns that [`Entry::read`] reads; others may follow.
pub(super) const COLUMNS: &str = "number, at, actor, action, subject, origin, detail";

impl Entry {
    pub(super) fn read(row: &Row) -> Result<Entry, StoreError> {
        Ok(Entry {
            number: row.get(0)?,
            at: row.get(1)?,
            actor: row.get(2)?,
            action: row.get(3)?,
            subject: row.get(4)?,
            origin: row.get(5)?,
            detail: row.get(6)?,
        })
    }
}

/// The identifier of an event, which distinguishes equal events.
pub(super) type Id = [u8; 16];

/// An event with the other columns of its row.
pub(super) struct Stored {
    pub(super) entry: Entry,
    pub(super) id: Id,
    /// Its seal; the keyed hash of the event alone until it is sealed.
    pub(super) seal: Vec<u8>,
}

impl Stored {
    /// Reads [`COLUMNS`], the identifier and the seal.
    pub(super) fn read(row: &Row) -> Result<Stored, StoreError> {
        Ok(Stored {
            entry: Entry::read(row)?,
            id: row.get(7)?,
            seal: row.get(8)?,
        })
    }

    /// The next unsealed events after `from`, in the order of their recording, `most` at most.
    pub(super) fn unsealed_after(
        tx: &mut Tx<'_>,
        from: Id,
        most: i64,
    ) -> Result<Vec<Stored>, StoreError> {
        let sql = format!(
            "SELECT {COLUMNS}, id, seal FROM audit_trail WHERE number IS NULL AND id > $1 \
             ORDER BY id LIMIT $2"
        );
        let rows = tx.query(&sql, params![from, most])?;
        rows.iter().map(Stored::read).collect()
    }
}

/// Greater than the numbers that this process gave to events at or before `at`. The count begins at
/// a random number, so that no two processes give the same.
pub(super) fn next_id(at: i64) -> Id {
    static COUNT: LazyLock<AtomicU64> = LazyLock::new(|| {
        let random = RandomState::new().build_hasher().finish();
        // Far from the maximum.
        AtomicU64::new(random >> 1)
    });
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let mut id = Id::default();
    id[..8].copy_from_slice(&at.to_be_bytes());
    id[8..].copy_from_slice(&count.to_be_bytes());
    id
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_keep_the_order_in_which_events_were_recorded() {
        let ids = [next_id(5), next_id(5), next_id(6), next_id(1 << 40)];
        assert!(ids.is_sorted() && ids[0] != ids[1]);
    }
}
