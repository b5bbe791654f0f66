//! Revokes tokens, and notifies the replicas.
//!
//! A revoked token is marked in its row, which this area's own endpoints read. The other areas
//! verify tokens without a query. So every change that invalidates signatures gets the next number
//! of one sequence. A replica that remembers the last number finds the changes since then, and sees
//! from the number alone that there are none.

use crate::identity::CLOCK_SKEW;
use crate::kernel::expiry;
use crate::params;
use crate::store::{StoreError, Tx};

/// The sequence that numbers changes.
const SEQUENCE: &str = "identity changes";

/// Numbers a change of the replicas' token caches, and sends a notice of it.
pub fn changed(tx: &mut Tx<'_>) -> Result<i64, StoreError> {
    tx.notify()?;
    tx.next_id(SEQUENCE)
}

/// The changes since a number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Changes {
    /// The number of the last change.
    pub number: i64,
    /// The revoked tokens by `jti`, with their expiry in Unix milliseconds.
    pub revoked: Vec<(String, i64)>,
}

/// The changes after the change with this number. `None` if there are none.
pub fn changes(tx: &mut Tx<'_>, since: i64) -> Result<Option<Changes>, StoreError> {
    let number = tx.query_integer(
        "SELECT value FROM sequences WHERE name = $1",
        params![SEQUENCE],
    )?;
    if number == since {
        return Ok(None);
    }
    let rows = tx.query(
        "SELECT jti, expires_at FROM revoked_tokens WHERE number > $1",
        params![since],
    )?;
    let mut revoked = Vec::new();
    for row in rows {
        revoked.push((row.get(0)?, row.get(1)?));
    }
    Ok(Some(Changes { number, revoked }))
}

/// Numbers the tokens of approvals that were just revoked, also those that a replica with a slower
/// clock still accepts.
fn record(tx: &mut Tx<'_>, column: &str, value: &str, now: i64) -> Result<(), StoreError> {
    let number = changed(tx)?;
    tx.execute(
        &format!(
            "INSERT INTO revoked_tokens (jti, number, expires_at) \
             SELECT t.jti, $1, t.expires_at FROM access_tokens t \
             JOIN approvals a ON a.id = t.approval_id \
             WHERE {column} = $2 AND t.expires_at > $3 ON CONFLICT (jti) DO NOTHING"
        ),
        params![number, value, now - CLOCK_SKEW],
    )?;
    Ok(())
}

/// Revokes all tokens of an approval. Returns whether there was one to revoke.
pub fn revoke_approval(tx: &mut Tx<'_>, id: &str, now: i64) -> Result<bool, StoreError> {
    let changed = tx.execute(
        "UPDATE approvals SET revoked_at = $1 WHERE id = $2 AND revoked_at IS NULL",
        params![now, id],
    )?;
    if changed == 1 {
        record(tx, "a.id", id, now)?;
    }
    Ok(changed == 1)
}

/// Revokes all tokens of an approval by this user. Returns whether there was one to revoke.
pub fn revoke_own(tx: &mut Tx<'_>, user_id: &str, id: &str, now: i64) -> Result<bool, StoreError> {
    let is_own = tx.exists(
        "SELECT 1 FROM approvals WHERE id = $1 AND user_id = $2",
        params![id, user_id],
    )?;
    Ok(is_own && revoke_approval(tx, id, now)?)
}

/// Revokes all approvals by a user.
pub fn revoke_all(tx: &mut Tx<'_>, user_id: &str, now: i64) -> Result<u64, StoreError> {
    let changed = tx.execute(
        "UPDATE approvals SET revoked_at = $1 WHERE user_id = $2 AND revoked_at IS NULL",
        params![now, user_id],
    )?;
    if changed > 0 {
        record(tx, "a.user_id", user_id, now)?;
    }
    Ok(changed)
}

/// Revokes all approvals by a user, and deletes them with their tokens. Returns the number of
/// approvals, and that of tokens. Replicas know the revoked tokens until these expire.
pub fn erase(tx: &mut Tx<'_>, user_id: &str, now: i64) -> Result<(u64, u64), StoreError> {
    revoke_all(tx, user_id, now)?;
    let mut tokens = 0;
    for table in ["access_tokens", "refresh_tokens"] {
        let sql = format!(
            "DELETE FROM {table} WHERE approval_id IN (SELECT id FROM approvals WHERE user_id = $1)"
        );
        tokens += tx.execute(&sql, params![user_id])?;
    }
    let sql = "DELETE FROM approvals WHERE user_id = $1";
    Ok((tx.execute(sql, params![user_id])?, tokens))
}

/// Revokes one access token. Returns whether it was valid before.
pub fn revoke_access(tx: &mut Tx<'_>, jti: &str, now: i64) -> Result<bool, StoreError> {
    let changed = tx.execute(
        "UPDATE access_tokens SET revoked_at = $1 WHERE jti = $2 AND revoked_at IS NULL",
        params![now, jti],
    )?;
    if changed == 1 {
        record(tx, "t.jti", jti, now)?;
    }
    Ok(changed == 1)
}

/// Deletes a batch of the revocations of tokens that have expired by every replica's clock. Returns
/// their number.
pub fn sweep_revocations(tx: &mut Tx<'_>, now: i64) -> Result<u64, StoreError> {
    expiry::delete(tx, "revoked_tokens", "jti", "expires_at", now - CLOCK_SKEW)
}
