//! Revocation, and word of it.
//!
//! A revoked token is marked where it is issued, which is what this area's own
//! endpoints look at. The other areas verify tokens without a look-up, so every
//! change that makes good signatures worthless gets the next number of one
//! sequence: whoever remembers the last number finds what happened since, and
//! sees from the number alone that nothing did.

use crate::identity::SKEW;
use crate::params;
use crate::store::{StoreError, Tx};

/// The sequence that numbers changes.
const SEQUENCE: &str = "identity changes";

/// Numbers a change of what replicas know of tokens, and sends word of it.
///
/// # Errors
///
/// When the store fails.
pub fn changed(tx: &mut Tx<'_>) -> Result<i64, StoreError> {
    tx.notify()?;
    tx.next_id(SEQUENCE)
}

/// A token that was revoked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// Its identifier.
    pub jti: String,
    /// When it would have expired, in Unix milliseconds.
    pub expires_at: i64,
}

/// What happened since a number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Changes {
    /// The number of the last change.
    pub number: i64,
    /// The tokens that were revoked.
    pub revoked: Vec<Change>,
}

/// What happened after the change of this number; nothing, when nothing did.
///
/// # Errors
///
/// When the store fails.
pub fn changes(tx: &mut Tx<'_>, since: i64) -> Result<Option<Changes>, StoreError> {
    let row = tx.query_opt(
        "SELECT value FROM sequences WHERE name = $1",
        params![SEQUENCE],
    )?;
    let number = row.map_or(Ok(0), |row| row.get(0))?;
    if number == since {
        return Ok(None);
    }
    let rows = tx.query(
        "SELECT jti, expires_at FROM revoked_tokens WHERE number > $1",
        params![since],
    )?;
    let mut revoked = Vec::new();
    for row in rows {
        revoked.push(Change {
            jti: row.get(0)?,
            expires_at: row.get(1)?,
        });
    }
    Ok(Some(Changes { number, revoked }))
}

/// Numbers the tokens of approvals that were just revoked, also those that a replica with
/// a slower clock still accepts.
fn revoked(tx: &mut Tx<'_>, column: &str, value: &str, now: i64) -> Result<(), StoreError> {
    let number = changed(tx)?;
    tx.execute(
        &format!(
            "INSERT INTO revoked_tokens (jti, number, expires_at) \
             SELECT t.jti, $1, t.expires_at FROM access_tokens t \
             JOIN approvals a ON a.id = t.approval_id \
             WHERE {column} = $2 AND t.expires_at > $3 ON CONFLICT (jti) DO NOTHING"
        ),
        params![number, value, now - SKEW],
    )?;
    Ok(())
}

/// Revokes everything that came from an approval; says whether there was
/// anything to revoke.
///
/// # Errors
///
/// When the store fails.
pub fn revoke_approval(tx: &mut Tx<'_>, id: &str, now: i64) -> Result<bool, StoreError> {
    let changed = tx.execute(
        "UPDATE approvals SET revoked_at = $1 WHERE id = $2 AND revoked_at IS NULL",
        params![now, id],
    )?;
    if changed == 1 {
        revoked(tx, "a.id", id, now)?;
    }
    Ok(changed == 1)
}

/// Revokes everything that came from an approval of this user; says whether
/// there was anything to revoke.
///
/// # Errors
///
/// When the store fails.
pub fn revoke_own(tx: &mut Tx<'_>, user_id: &str, id: &str, now: i64) -> Result<bool, StoreError> {
    let changed = tx.execute(
        "UPDATE approvals SET revoked_at = $1 \
         WHERE id = $2 AND user_id = $3 AND revoked_at IS NULL",
        params![now, id, user_id],
    )?;
    if changed == 1 {
        revoked(tx, "a.id", id, now)?;
    }
    Ok(changed == 1)
}

/// Revokes everything that a user has approved.
///
/// # Errors
///
/// When the store fails.
pub fn revoke_all(tx: &mut Tx<'_>, user_id: &str, now: i64) -> Result<u64, StoreError> {
    let changed = tx.execute(
        "UPDATE approvals SET revoked_at = $1 WHERE user_id = $2 AND revoked_at IS NULL",
        params![now, user_id],
    )?;
    if changed > 0 {
        revoked(tx, "a.user_id", user_id, now)?;
    }
    Ok(changed)
}

/// Revokes one access token; says whether it was good before.
///
/// # Errors
///
/// When the store fails.
pub fn revoke_access(tx: &mut Tx<'_>, jti: &str, now: i64) -> Result<bool, StoreError> {
    let changed = tx.execute(
        "UPDATE access_tokens SET revoked_at = $1 WHERE jti = $2 AND revoked_at IS NULL",
        params![now, jti],
    )?;
    if changed == 1 {
        revoked(tx, "t.jti", jti, now)?;
    }
    Ok(changed == 1)
}

/// Forgets the tokens that have expired by every replica's clock.
pub(super) fn sweep(tx: &mut Tx<'_>, now: i64) -> Result<(), StoreError> {
    tx.execute(
        "DELETE FROM revoked_tokens WHERE expires_at < $1",
        params![now - SKEW],
    )?;
    Ok(())
}
