//! Erases the data of a user in this area: everything by which the user can sign in or is recognized.

use super::{sessions, throttle, tokens};
use crate::kernel::ServerKeys;
use crate::params;
use crate::store::{StoreError, Tx};

/// The numbers of removed objects.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
pub struct Removed {
    /// Browser sessions.
    pub sessions: u64,
    /// Passkeys.
    pub passkeys: u64,
    /// Requests of devices that the user decided about.
    pub device_authorizations: u64,
    /// Connected devices and applications.
    pub approvals: u64,
    /// Access tokens and refresh tokens, which are revoked before.
    pub tokens: u64,
    /// Links that set a password.
    pub password_links: u64,
    /// Counts of failed attempts.
    pub failed_attempts: u64,
}

/// Ends all access of a user, and removes its rows. The row of the account itself stays. `email` is
/// the address that the user signs in with, in any case.
pub fn erase(
    tx: &mut Tx<'_>,
    server_keys: &ServerKeys,
    user_id: &str,
    email: &str,
    now: i64,
) -> Result<Removed, StoreError> {
    let mut delete = |sql: &str| tx.execute(sql, params![user_id]);
    let passkeys = delete("DELETE FROM passkeys WHERE user_id = $1")?;
    let device_authorizations = delete("DELETE FROM device_grants WHERE decided_by = $1")?;
    let password_links = delete("DELETE FROM password_tokens WHERE user_id = $1")?;
    delete("DELETE FROM disabled_users WHERE user_id = $1")?;
    let (approvals, tokens) = tokens::erase(tx, user_id, now)?;
    Ok(Removed {
        sessions: sessions::end_all(tx, user_id)?,
        passkeys,
        device_authorizations,
        approvals,
        tokens,
        password_links,
        failed_attempts: throttle::erase(tx, server_keys, user_id, email)?,
    })
}
