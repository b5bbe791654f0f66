//! Verifies that the trail is unchanged.

use super::chain::{self, Head};
use super::event::{COLUMNS, Entry, Id};
use crate::kernel::ServerKeys;
use crate::kernel::server_keys::KeyName;
use crate::params;
use crate::store::{StoreError, Tx};

/// Number of entries that are verified at a time.
const PAGE: i64 = 1000;

/// The place of a change in a trail.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Broken {
    /// A number is missing.
    #[error("event {0} is missing")]
    Missing(i64),
    /// An event's seal is invalid.
    #[error("event {0} was changed, or one before it was changed, added or removed")]
    Changed(i64),
    /// An unsealed event was changed.
    #[error("an unsealed event was changed or added: {action} of {subject}")]
    Forged {
        /// The action that it records.
        action: String,
        /// The subject that it records.
        subject: String,
    },
    /// A seal that an operator kept is no longer in the trail.
    #[error("the trail no longer contains {0}")]
    Shortened(Head),
}

/// Why a trail could not be verified.
#[derive(Debug, Clone, thiserror::Error)]
pub enum VerifyError {
    /// The trail was changed.
    #[error(transparent)]
    Broken(#[from] Broken),
    /// An event was sealed with a server key that this replica lacks.
    #[error(
        "event {number} is sealed with the server key {key}, which is missing: \
         add it to the key file again, with the word retired before it"
    )]
    KeyMissing {
        /// The event.
        number: i64,
        /// The key.
        key: KeyName,
    },
    /// The trail could not be read.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// An unchanged trail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verified {
    /// The end of its chain.
    pub head: Head,
    /// The number of valid unsealed events.
    pub unsealed: i64,
}

/// Verifies the whole trail, and that it still contains the `kept` seal, if there is one.
///
/// # Errors
///
/// [`Broken`] at the first event that was changed.
pub fn verify(
    tx: &mut Tx<'_>,
    server_keys: &ServerKeys,
    kept: Option<&Head>,
) -> Result<Verified, VerifyError> {
    let head = verify_chain(tx, server_keys, kept)?;
    let unsealed = verify_unsealed(tx, server_keys)?;
    Ok(Verified { head, unsealed })
}

fn verify_chain(
    tx: &mut Tx<'_>,
    server_keys: &ServerKeys,
    kept: Option<&Head>,
) -> Result<Head, VerifyError> {
    let (mut last, mut age) = (Head::default(), 0);
    let ring = server_keys.ring();
    let mut seen = kept.is_none_or(|kept| *kept == last);
    let sql = format!(
        "SELECT {COLUMNS}, id, seal FROM audit_trail WHERE number > $1 ORDER BY number LIMIT $2"
    );
    loop {
        let rows = tx.query(&sql, params![last.number, PAGE])?;
        if rows.is_empty() {
            break;
        }
        for row in rows {
            let entry = Entry::read(&row)?;
            let number = last.number + 1;
            if entry.number != Some(number) {
                return Err(Broken::Missing(number).into());
            }
            let seal: Vec<u8> = row.get(8)?;
            let key = KeyName::of(&seal).ok_or(Broken::Changed(number))?;
            let position = ring.position(key);
            let position = position.ok_or(VerifyError::KeyMissing { number, key })?;
            // An older key than that of the event before may have leaked.
            if position < age || !last.is_next(server_keys, &row.get::<Id>(7)?, &entry, &seal) {
                return Err(Broken::Changed(number).into());
            }
            age = position;
            last = Head { number, seal };
            seen |= kept == Some(&last);
        }
    }
    match (seen, kept) {
        (false, Some(kept)) => Err(Broken::Shortened(kept.clone()).into()),
        _ => Ok(last),
    }
}

fn verify_unsealed(tx: &mut Tx<'_>, server_keys: &ServerKeys) -> Result<i64, VerifyError> {
    let (mut from, mut found) = (Id::default(), 0);
    let sql = format!(
        "SELECT {COLUMNS}, id, seal FROM audit_trail WHERE number IS NULL AND id > $1 \
         ORDER BY id LIMIT $2"
    );
    loop {
        let rows = tx.query(&sql, params![from, PAGE])?;
        if rows.is_empty() {
            return Ok(found);
        }
        for row in rows {
            let entry = Entry::read(&row)?;
            from = row.get(7)?;
            let stored: Vec<u8> = row.get(8)?;
            if !chain::has_mac(server_keys, &from, &entry, &stored) {
                let Entry {
                    action, subject, ..
                } = entry;
                return Err(Broken::Forged { action, subject }.into());
            }
            found += 1;
        }
    }
}
