//! Users whom an operator has disabled: they cannot sign in, and none of their sessions
//! and tokens are accepted.

use super::users::{self, User};
use super::{grants, password_links, sessions, tokens};
use crate::audit::AuditContext;
use crate::store::{StoreError, Tx};

/// Disables a user: ends sessions and links that set a password, and revokes tokens at once. Returns
/// false if no enabled user has this email address.
pub fn disable(tx: &mut Tx<'_>, by: &AuditContext, email: &str) -> Result<bool, StoreError> {
    let Some((user, _)) = User::by_username(tx, email)? else {
        return Ok(false);
    };
    users::disable(tx, &user.id, by.now())?;
    sessions::end_all(tx, &user.id)?;
    password_links::end_all(tx, &user.id, by.now())?;
    grants::withdraw_all(tx, &user.id)?;
    tokens::revoke_all(tx, &user.id, by.now())?;
    by.record(tx, "identity.user.disabled", &user.id, "")?;
    Ok(true)
}

/// Enables a user, with the same password and passkeys as before. Returns false if no disabled user
/// has this email address.
pub fn enable(tx: &mut Tx<'_>, by: &AuditContext, email: &str) -> Result<bool, StoreError> {
    let Some(id) = users::enable(tx, email)? else {
        return Ok(false);
    };
    by.record(tx, "identity.user.enabled", &id, "")?;
    Ok(true)
}
