//! Tokens: access tokens are signed JWTs (RFC 9068), refresh tokens random texts for one use (RFC
//! 6749, section 6; RFC 9700, section 4.14).
//!
//! All tokens of one approval belong to it and are revoked with it. Every access token has a row,
//! by its `jti`, that records a revocation despite a valid signature. [`access`] has the form of
//! tokens and their issue. The other files have their verification, refresh and revocation.

mod access;
mod connected;
mod refresh;
mod revoke;
mod verify;

pub use access::{AUDIENCE, Claims, Mint, Unsigned, approve, issue_access};
pub use connected::{Connected, connected, see};
pub use refresh::{Refresh, UNAPPROVED, issue_refresh, issue_successor, refresh_token, spend};
pub use revoke::{
    Change, Changes, changed, changes, erase, revoke_access, revoke_all, revoke_approval,
    revoke_own,
};
pub use verify::{TokenError, verify, verify_signature};

use crate::identity::SKEW;
use crate::params;
use crate::store::{StoreError, Tx};

/// Deletes expired tokens, and approvals without tokens. Access tokens stay until no replica's
/// clock accepts them, so that they can be revoked until then.
///
/// # Errors
///
/// When the store fails.
pub fn sweep(tx: &mut Tx<'_>, now: i64) -> Result<(), StoreError> {
    tx.execute(
        "DELETE FROM access_tokens WHERE expires_at < $1",
        params![now - SKEW],
    )?;
    tx.execute(
        "DELETE FROM refresh_tokens WHERE expires_at < $1",
        params![now],
    )?;
    revoke::sweep(tx, now)?;
    // A new approval gets its first token in its own transaction.
    tx.execute(
        "DELETE FROM approvals WHERE id NOT IN (SELECT approval_id FROM access_tokens) \
         AND id NOT IN (SELECT approval_id FROM refresh_tokens)",
        &[],
    )?;
    Ok(())
}
