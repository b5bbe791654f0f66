//! A passkey in the database.

use crate::store::{Row, StoreError};

/// A new passkey.
#[derive(Debug, Clone)]
pub struct NewPasskey {
    /// Its authenticator's identifier for it.
    pub credential_id: Vec<u8>,
    /// The public key, in the library's own form.
    pub static_state: Vec<u8>,
    /// Counter and flags, in the library's own form.
    pub dynamic_state: Vec<u8>,
    /// Its transports, in the library's own form.
    pub transports: i64,
}

/// A passkey as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Passkey {
    /// Its authenticator's identifier for it.
    pub credential_id: Vec<u8>,
    /// Its owner.
    pub user_id: String,
    /// Its owner's name for it.
    pub name: String,
    /// The public key, in the library's own form.
    pub static_state: Vec<u8>,
    /// Counter and flags, in the library's own form.
    pub dynamic_state: Vec<u8>,
    /// Its transports, in the library's own form.
    pub transports: i64,
    /// When it was added, in Unix milliseconds.
    pub created_at: i64,
    /// The time of the last sign-in with it, in Unix milliseconds.
    pub used_at: Option<i64>,
}

/// The columns that [`Passkey::of`] reads.
pub(super) const COLUMNS: &str =
    "credential_id, user_id, name, static_state, dynamic_state, transports, created_at, used_at";

impl Passkey {
    /// Reads a row of [`COLUMNS`].
    pub(super) fn of(row: &Row) -> Result<Passkey, StoreError> {
        Ok(Passkey {
            credential_id: row.get(0)?,
            user_id: row.get(1)?,
            name: row.get(2)?,
            static_state: row.get(3)?,
            dynamic_state: row.get(4)?,
            transports: row.get(5)?,
            created_at: row.get(6)?,
            used_at: row.get(7)?,
        })
    }

    /// Its identifier on a page: the credential's identifier in hexadecimal.
    pub fn id(&self) -> String {
        base16ct::lower::encode_string(&self.credential_id)
    }
}
