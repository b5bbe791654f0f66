//! Walks along the chain from its beginning, and checks each event.

use std::sync::Arc;

use super::anchor::Anchor;
use super::chain::Head;
use super::error::{Broken, VerifyError};
use super::event::{COLUMNS, Entry, Id};
use crate::kernel::ServerKeys;
use crate::kernel::server_keys::{KeyName, Ring};
use crate::params;
use crate::store::{Row, Tx};

/// A place in the chain, up to which all events are valid.
pub(super) struct Walk<'a> {
    server_keys: &'a ServerKeys,
    ring: Arc<Ring>,
    /// The last pruned event.
    pub anchor: Option<Anchor>,
    /// The last valid event.
    pub last: Head,
    /// The place of its key in the order of age.
    age: usize,
    /// The number after which the next page begins.
    read: i64,
}

impl<'a> Walk<'a> {
    /// The beginning of the chain.
    ///
    /// # Errors
    ///
    /// When the anchor is invalid.
    pub(super) fn begin(
        tx: &mut Tx<'_>,
        server_keys: &'a ServerKeys,
    ) -> Result<Walk<'a>, VerifyError> {
        let ring = server_keys.ring();
        let anchor = Anchor::find(tx, server_keys)?;
        let last = anchor.as_ref().map(|anchor| anchor.head.clone());
        let last = last.unwrap_or_default();
        // Once its events are pruned, a retired key may be removed.
        let age = KeyName::of(&last.seal).and_then(|key| ring.position(key));
        Ok(Walk {
            server_keys,
            ring,
            anchor,
            last,
            age: age.unwrap_or(0),
            // Pruned events that are there again must not be overlooked.
            read: i64::MIN,
        })
    }

    /// The next events, to be [checked](Walk::step) one after the other.
    ///
    /// # Errors
    ///
    /// When the store fails.
    pub(super) fn page(&mut self, tx: &mut Tx<'_>, most: i64) -> Result<Vec<Row>, VerifyError> {
        let sql = format!(
            "SELECT {COLUMNS}, id, seal FROM audit_trail WHERE number > $1 ORDER BY number LIMIT $2"
        );
        let rows = tx.query(&sql, params![self.read, most])?;
        if let Some(row) = rows.last() {
            self.read = row.get(0)?;
        }
        Ok(rows)
    }

    /// Moves to the next event, which it returns.
    ///
    /// # Errors
    ///
    /// When the event is not the next one of the chain.
    pub(super) fn step(&mut self, row: &Row) -> Result<Entry, VerifyError> {
        let entry = Entry::read(row)?;
        let number = self.last.number + 1;
        match entry.number {
            Some(found) if found < number => return Err(Broken::Changed(found).into()),
            Some(found) if found == number => {}
            _ => return Err(Broken::Missing(number).into()),
        }
        let seal: Vec<u8> = row.get(8)?;
        let key = KeyName::of(&seal).ok_or(Broken::Changed(number))?;
        let age = self.ring.position(key);
        let age = age.ok_or(VerifyError::KeyMissing { number, key })?;
        let id: Id = row.get(7)?;
        // An older key than that of the event before may have leaked.
        if age < self.age || !self.last.is_next(self.server_keys, &id, &entry, &seal) {
            return Err(Broken::Changed(number).into());
        }
        self.age = age;
        self.last = Head { number, seal };
        Ok(entry)
    }
}
