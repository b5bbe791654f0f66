//! Passkeys: a second way to sign in, by Web Authentication Level 3. The device that has the key
//! verifies its owner by a finger, a face or a PIN. So a passkey suffices without a password.
//!
//! `relying_party` implements the protocol, and `seal` stores the state of a ceremony in the
//! browser. This file is the database's part: the public key, which does not let anybody sign in.

mod passkey;
mod relying_party;
mod seal;

pub use passkey::{NewPasskey, Passkey};
pub use relying_party::{Offer, PasskeyError, Presented, RelyingParty};
pub use seal::{Ceremony, open, seal};

use super::{CLOCK_SKEW, sessions};
use crate::kernel::expiry;
use crate::params;
use crate::store::{StoreError, Tx};
use passkey::COLUMNS;

/// The maximum of passkeys of a user.
pub const MAX_PASSKEYS: usize = 20;
/// Maximum length of a passkey's name, in characters.
pub const MAX_NAME_LENGTH: usize = 60;

/// Whether a name is valid for a passkey: a line of [`MAX_NAME_LENGTH`] characters at most.
pub fn is_name(name: &str) -> bool {
    let is_empty = name.trim().is_empty();
    !is_empty && name.chars().count() <= MAX_NAME_LENGTH && !name.contains(char::is_control)
}

/// The passkeys of a user, the oldest first.
pub fn list_of(tx: &mut Tx<'_>, user_id: &str) -> Result<Vec<Passkey>, StoreError> {
    let sql = format!(
        "SELECT {COLUMNS} FROM passkeys WHERE user_id = $1 ORDER BY created_at, credential_id"
    );
    let rows = tx.query(&sql, params![user_id])?;
    rows.iter().map(Passkey::of).collect()
}

/// The passkey with this identifier of its authenticator.
pub fn find(tx: &mut Tx<'_>, credential_id: &[u8]) -> Result<Option<Passkey>, StoreError> {
    let sql = format!("SELECT {COLUMNS} FROM passkeys WHERE credential_id = $1");
    let row = tx.query_opt(&sql, params![credential_id.to_vec()])?;
    row.map(|row| Passkey::of(&row)).transpose()
}

/// Stores a new passkey, unless its identifier exists already. Returns whether it did.
pub fn insert(
    tx: &mut Tx<'_>,
    new: &NewPasskey,
    user_id: &str,
    name: &str,
    now: i64,
) -> Result<bool, StoreError> {
    let inserted = tx.execute(
        "INSERT INTO passkeys (credential_id, user_id, name, static_state, dynamic_state, \
         transports, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7) \
         ON CONFLICT (credential_id) DO NOTHING",
        params![
            new.credential_id.clone(),
            user_id,
            name,
            new.static_state.clone(),
            new.dynamic_state.clone(),
            new.transports,
            now,
        ],
    )?;
    Ok(inserted == 1)
}

/// Records a sign-in with a passkey. `false` if the passkey was removed, or was used elsewhere at
/// the same time. Then its counter proves nothing.
pub fn used(
    tx: &mut Tx<'_>,
    before: &Passkey,
    dynamic_state: &[u8],
    now: i64,
) -> Result<bool, StoreError> {
    let changed = tx.execute(
        "UPDATE passkeys SET dynamic_state = $1, used_at = $2 \
         WHERE credential_id = $3 AND dynamic_state = $4",
        params![
            dynamic_state.to_vec(),
            now,
            before.credential_id.clone(),
            before.dynamic_state.clone(),
        ],
    )?;
    Ok(changed == 1)
}

/// Removes a passkey of a user, and ends its sessions. Returns its name, if the user had it.
pub fn remove(tx: &mut Tx<'_>, user_id: &str, id: &str) -> Result<Option<String>, StoreError> {
    let passkey = list_of(tx, user_id)?
        .into_iter()
        .find(|passkey| passkey.id() == id);
    let Some(passkey) = passkey else {
        return Ok(None);
    };
    delete(tx, &passkey)?;
    Ok(Some(passkey.name))
}

/// Removes all passkeys of a user, and ends their sessions. Returns their names.
pub fn remove_all(tx: &mut Tx<'_>, user_id: &str) -> Result<Vec<String>, StoreError> {
    let passkeys = list_of(tx, user_id)?;
    for passkey in &passkeys {
        delete(tx, passkey)?;
    }
    Ok(passkeys.into_iter().map(|passkey| passkey.name).collect())
}

fn delete(tx: &mut Tx<'_>, passkey: &Passkey) -> Result<(), StoreError> {
    tx.execute(
        "DELETE FROM passkeys WHERE credential_id = $1",
        params![passkey.credential_id.clone()],
    )?;
    sessions::end_of_passkey(tx, &passkey.user_id, &passkey.credential_id)?;
    Ok(())
}

/// Marks a ceremony as used. False if it was used before.
pub fn use_up(tx: &mut Tx<'_>, ceremony: &Ceremony, now: i64) -> Result<bool, StoreError> {
    let inserted = tx.execute(
        "INSERT INTO passkey_ceremonies (digest, expires_at) VALUES ($1, $2) \
         ON CONFLICT (digest) DO NOTHING",
        params![ceremony.digest().to_vec(), now + relying_party::TIMEOUT],
    )?;
    Ok(inserted == 1)
}

/// Deletes a batch of the ceremonies that have expired by every replica's clock. Returns their
/// number.
pub fn sweep(tx: &mut Tx<'_>, now: i64) -> Result<u64, StoreError> {
    expiry::delete(
        tx,
        "passkey_ceremonies",
        "digest",
        "expires_at",
        now - CLOCK_SKEW,
    )
}
