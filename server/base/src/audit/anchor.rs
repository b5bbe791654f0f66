//! The anchor: the last pruned event, from which the chain of the other events continues.
//!
//! The anchor has a keyed hash. Without one, a writer of the database could decide where the trail
//! begins. The key of the hash is not retired: a leaked retired key could otherwise hide the removal
//! of events of its time. So the retirement of a key [renews](reseal) the hash.

use super::chain::Head;
use super::error::{Broken, VerifyError};
use crate::kernel::ServerKeys;
use crate::kernel::server_keys::KeyName;
use crate::params;
use crate::store::{StoreError, Tx};

/// The purpose of the keyed hash.
const PURPOSE: &str = "audit anchor";

/// The last pruned event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Anchor {
    /// Its number, which is the count of pruned events, and its seal.
    pub head: Head,
    /// Its time, in Unix milliseconds.
    pub at: i64,
}

impl Anchor {
    /// The anchor, after a check of its keyed hash. `None` if no event was pruned.
    ///
    /// # Errors
    ///
    /// When the hash is invalid, or its key is missing.
    pub(super) fn find(
        tx: &mut Tx<'_>,
        server_keys: &ServerKeys,
    ) -> Result<Option<Anchor>, VerifyError> {
        let sql = "SELECT number, seal, at, mac FROM audit_anchor";
        let Some(row) = tx.query_opt(sql, &[])? else {
            return Ok(None);
        };
        let head = Head {
            number: row.get(0)?,
            seal: row.get(1)?,
        };
        let at = row.get(2)?;
        let (anchor, mac): (_, Vec<u8>) = (Anchor { head, at }, row.get(3)?);
        let key = KeyName::of(&mac).ok_or(Broken::Anchor)?;
        if server_keys.ring().position(key).is_none() {
            return Err(VerifyError::AnchorKeyMissing(key));
        }
        match server_keys.accepts(&mac, PURPOSE, &anchor.text()) {
            true => Ok(Some(anchor)),
            false => Err(Broken::Anchor.into()),
        }
    }

    /// Replaces the anchor.
    pub(super) fn write(
        &self,
        tx: &mut Tx<'_>,
        server_keys: &ServerKeys,
    ) -> Result<(), StoreError> {
        let Anchor { head, at } = self;
        tx.add(
            "INSERT INTO audit_anchor (id, number, seal, at, mac) VALUES (1, $1, $2, $3, $4) \
             ON CONFLICT (id) DO UPDATE SET number = excluded.number, seal = excluded.seal, \
             at = excluded.at, mac = excluded.mac",
            params![
                head.number,
                head.seal.clone(),
                *at,
                server_keys.mac(PURPOSE, &self.text())
            ],
        )
    }

    /// The numbers have a fixed length, so that two anchors never give the same text.
    fn text(&self) -> Vec<u8> {
        let Anchor { head, at } = self;
        let numbers = [head.number.to_be_bytes(), at.to_be_bytes()];
        [numbers.as_flattened(), &head.seal].concat()
    }
}

/// Renews the keyed hash of the anchor under the current key. An invalid one stays, for
/// [`verify`](super::verify()) to find.
pub fn reseal(tx: &mut Tx<'_>, server_keys: &ServerKeys) -> Result<(), StoreError> {
    match Anchor::find(tx, server_keys) {
        Ok(Some(anchor)) => anchor.write(tx, server_keys),
        Err(VerifyError::Store(error)) => Err(error),
        Ok(None) | Err(_) => Ok(()),
    }
}
