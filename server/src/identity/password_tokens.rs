//! One-time links with which a user sets a password.
//!
//! A link's token is stored only as a keyed hash, expires, and can be used once.

use super::users::User;
use crate::kernel::{Mac, ServerKeys, server_keys};
use crate::params;
use crate::store::{StoreError, Tx};

/// Purpose of the keyed hash of a token.
pub const PURPOSE: &str = "password-token";

/// The keyed hashes that may be stored for a token.
pub fn macs(server_keys: &ServerKeys, token: &str) -> Vec<Mac> {
    server_keys.macs(PURPOSE, token.as_bytes())
}

/// The keyed hash of a token under the key that another hash names, or under the current key
/// if that one was removed.
pub fn mac_like(server_keys: &ServerKeys, like: &Mac, token: &str) -> Mac {
    let mac = server_keys.mac_like(like, PURPOSE, token.as_bytes());
    mac.unwrap_or_else(|| server_keys.mac(PURPOSE, token.as_bytes()))
}

/// Stores a token that is valid until `expires_at` in Unix milliseconds.
///
/// # Errors
///
/// When the store fails.
pub fn add(tx: &mut Tx<'_>, mac: Mac, user_id: &str, expires_at: i64) -> Result<(), StoreError> {
    tx.add(
        "INSERT INTO password_tokens (token_mac, user_id, expires_at) VALUES ($1, $2, $3)",
        params![mac, user_id, expires_at],
    )?;
    Ok(())
}

/// The user of a token, if it is valid.
///
/// # Errors
///
/// When the store fails.
pub fn owner(tx: &mut Tx<'_>, macs: &[Mac], now: i64) -> Result<Option<User>, StoreError> {
    let row = server_keys::find(macs, |mac| {
        tx.query_opt(
            "SELECT user_id FROM password_tokens \
             WHERE token_mac = $1 AND used_at IS NULL AND expires_at > $2",
            params![mac, now],
        )
    })?;
    match row {
        Some(row) => User::by_id(tx, &row.get::<String>(0)?),
        None => Ok(None),
    }
}

/// Deletes every unused link of a user. Returns how many there were.
///
/// # Errors
///
/// When the store fails.
pub fn end_all(tx: &mut Tx<'_>, user_id: &str, now: i64) -> Result<u64, StoreError> {
    tx.execute(
        "UPDATE password_tokens SET used_at = $1 \
         WHERE user_id = $2 AND used_at IS NULL AND expires_at > $1",
        params![now, user_id],
    )
}

/// Marks a token as used. Returns whether it was valid.
///
/// # Errors
///
/// When the store fails.
pub fn redeem(tx: &mut Tx<'_>, macs: &[Mac], now: i64) -> Result<bool, StoreError> {
    let used = server_keys::find(macs, |mac| {
        let used = tx.execute(
            "UPDATE password_tokens SET used_at = $1 \
             WHERE token_mac = $2 AND used_at IS NULL AND expires_at > $1",
            params![now, mac],
        )?;
        Ok::<_, StoreError>((used == 1).then_some(()))
    })?;
    Ok(used.is_some())
}
