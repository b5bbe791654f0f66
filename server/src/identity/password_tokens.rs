//! One-time links with which a user sets a password.
//!
//! A link's token is stored only as a keyed hash, works until it expires, and
//! works once.

use super::users::User;
use crate::kernel::Pepper;
use crate::params;
use crate::store::{StoreError, Tx};

/// Purpose of the keyed hash of a token.
pub const PURPOSE: &str = "password-token";

/// The keyed hash of a token, under which it is stored.
pub fn mac(pepper: &Pepper, token: &str) -> [u8; 32] {
    pepper.mac(PURPOSE, token.as_bytes())
}

/// Makes a token known, until `expires_at` in Unix milliseconds.
///
/// # Errors
///
/// When the store fails.
pub fn add(
    tx: &mut Tx<'_>,
    mac: [u8; 32],
    user_id: &str,
    expires_at: i64,
) -> Result<(), StoreError> {
    tx.add(
        "INSERT INTO password_tokens (token_mac, user_id, expires_at) VALUES ($1, $2, $3)",
        params![mac, user_id, expires_at],
    )?;
    Ok(())
}

/// Whose token it is, while it is good.
///
/// # Errors
///
/// When the store fails.
pub fn owner(tx: &mut Tx<'_>, mac: [u8; 32], now: i64) -> Result<Option<User>, StoreError> {
    let row = tx.query_opt(
        "SELECT user_id FROM password_tokens \
         WHERE token_mac = $1 AND used_at IS NULL AND expires_at > $2",
        params![mac, now],
    )?;
    match row {
        Some(row) => User::by_id(tx, &row.get::<String>(0)?),
        None => Ok(None),
    }
}

/// Uses a token up; says whether it was good.
///
/// # Errors
///
/// When the store fails.
pub fn redeem(tx: &mut Tx<'_>, mac: [u8; 32], now: i64) -> Result<bool, StoreError> {
    let used = tx.execute(
        "UPDATE password_tokens SET used_at = $1 \
         WHERE token_mac = $2 AND used_at IS NULL AND expires_at > $1",
        params![now, mac],
    )?;
    Ok(used == 1)
}
