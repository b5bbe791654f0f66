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
    Changes, changed, changes, erase, revoke_access, revoke_all, revoke_approval, revoke_own,
    sweep_revocations,
};
pub use verify::{TokenError, verify, verify_signature};

use std::collections::BTreeSet;

use crate::identity::CLOCK_SKEW;
use crate::kernel::expiry;
use crate::params;
use crate::store::{StoreError, Tx};

/// Deletes a batch of expired access tokens, and the approvals whose last tokens they are. Returns
/// the number of tokens. They stay until no replica's clock accepts them, so that they can be
/// revoked until then.
pub fn sweep_access_tokens(tx: &mut Tx<'_>, now: i64) -> Result<u64, StoreError> {
    sweep(tx, "access_tokens", "jti", now - CLOCK_SKEW)
}

/// Deletes a batch of expired refresh tokens, and the approvals whose last tokens they are. Returns
/// the number of tokens.
pub fn sweep_refresh_tokens(tx: &mut Tx<'_>, now: i64) -> Result<u64, StoreError> {
    sweep(tx, "refresh_tokens", "mac", now)
}

fn sweep(tx: &mut Tx<'_>, table: &str, key: &str, end: i64) -> Result<u64, StoreError> {
    let sql = expiry::statement(table, key, "expires_at") + " RETURNING approval_id";
    let tokens = tx.query(&sql, params![end, expiry::BATCH])?;
    let approvals: Result<BTreeSet<String>, _> = tokens.iter().map(|row| row.get(0)).collect();
    for id in approvals? {
        tx.add(
            "DELETE FROM approvals WHERE id = $1 \
             AND NOT EXISTS (SELECT 1 FROM access_tokens WHERE approval_id = $1) \
             AND NOT EXISTS (SELECT 1 FROM refresh_tokens WHERE approval_id = $1)",
            params![id],
        )?;
    }
    Ok(tokens.len() as u64)
}
