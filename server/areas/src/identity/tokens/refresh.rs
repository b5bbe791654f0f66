//! Refresh tokens: random texts for one use.
//!
//! A used token stays until it expires, so that its reuse is noticed. Reuse indicates a theft, and
//! revokes all tokens of the approval (RFC 9700, section 4.14.2).
//!
//! There is one exception: a client that lost the response to a refresh repeats it. Within
//! [`GRACE`], while the successor is unused, the client gets another one. The lost successor then
//! counts as used: presenting it revokes all tokens. So if a thief and a client have the same
//! token, at most one of them succeeds, and only until the other one's next refresh.

use super::{Mint, revoke_approval};
use crate::audit::{Actor, AuditContext};
use crate::identity::error::{Refusal, ServerError};
use crate::identity::scopes::Scopes;
use crate::kernel::{Mac, ServerKeys, server_keys};
use crate::params;
use crate::store::{StoreError, Tx};

/// The prefix of refresh tokens, which distinguishes them from other secrets.
const REFRESH_PREFIX: &str = "rt_";
const PURPOSE: &str = "identity refresh token";
/// The time in which a refresh can be repeated, in milliseconds.
const GRACE: i64 = 30_000;
/// A refresh requests more scopes than the user has approved.
pub const UNAPPROVED: Refusal =
    Refusal::InvalidScope("the user has not approved all of these scopes");

/// Makes a refresh token from a random text.
pub fn refresh_token(random: &str) -> String {
    format!("{REFRESH_PREFIX}{random}")
}

/// Issues a refresh token for an approval.
pub fn issue_refresh(
    tx: &mut Tx<'_>,
    server_keys: &ServerKeys,
    mint: &Mint,
    approval_id: &str,
) -> Result<String, StoreError> {
    insert(tx, server_keys, mint, approval_id)?;
    Ok(mint.refresh_token.clone())
}

/// Issues the successor of a used refresh token.
pub fn issue_successor(
    tx: &mut Tx<'_>,
    server_keys: &ServerKeys,
    mint: &Mint,
    spent: &Refresh,
) -> Result<String, StoreError> {
    let mac = insert(tx, server_keys, mint, &spent.approval_id)?;
    tx.execute(
        "UPDATE refresh_tokens SET successor = $1 WHERE mac = $2",
        params![mac, spent.mac],
    )?;
    Ok(mint.refresh_token.clone())
}

fn insert(
    tx: &mut Tx<'_>,
    server_keys: &ServerKeys,
    mint: &Mint,
    approval_id: &str,
) -> Result<Mac, StoreError> {
    let mac = server_keys.mac(PURPOSE, mint.refresh_token.as_bytes());
    tx.execute(
        "INSERT INTO refresh_tokens (mac, approval_id, issued_at, expires_at) \
         VALUES ($1, $2, $3, $4)",
        params![
            mac,
            approval_id,
            mint.now,
            mint.now + mint.refresh_seconds * 1000,
        ],
    )?;
    Ok(mac)
}

/// A stored refresh token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refresh {
    /// The approval that it belongs to.
    pub approval_id: String,
    /// The client that it was issued to.
    pub client_id: String,
    /// The user that it acts for.
    pub user_id: String,
    /// The approved scopes.
    pub scopes: Scopes,
    /// The time of issue.
    pub issued_at: i64,
    /// The expiry.
    pub expires_at: i64,
    /// The time of its use.
    pub used_at: Option<i64>,
    /// Whether the approval was revoked.
    pub revoked: bool,
    /// The keyed hash under which it is stored.
    mac: Mac,
    /// The keyed hash of the token that it was exchanged for.
    successor: Option<Mac>,
}

impl Refresh {
    /// Finds a refresh token.
    ///
    /// # Errors
    ///
    /// When the store fails.
    pub fn find(
        tx: &mut Tx<'_>,
        server_keys: &ServerKeys,
        token: &str,
    ) -> Result<Option<Refresh>, ServerError> {
        if !token.starts_with(REFRESH_PREFIX) {
            return Ok(None);
        }
        let macs = server_keys.macs(PURPOSE, token.as_bytes());
        let row = server_keys::find(&macs, |mac| {
            tx.query_opt(
                "SELECT r.approval_id, a.client_id, a.user_id, a.scopes, r.issued_at, \
                 r.expires_at, r.used_at, a.revoked_at, r.mac, r.successor \
                 FROM refresh_tokens r JOIN approvals a ON a.id = r.approval_id WHERE r.mac = $1",
                params![mac],
            )
        })?;
        let Some(row) = row else {
            return Ok(None);
        };
        let scopes: String = row.get(3)?;
        Ok(Some(Refresh {
            approval_id: row.get(0)?,
            client_id: row.get(1)?,
            user_id: row.get(2)?,
            scopes: Scopes::parse(&scopes).map_err(|_| ServerError::Corrupt("approved scopes"))?,
            issued_at: row.get(4)?,
            expires_at: row.get(5)?,
            used_at: row.get(6)?,
            revoked: row.get::<Option<i64>>(7)?.is_some(),
            mac: row.get(8)?,
            successor: row.get(9)?,
        }))
    }

    /// Whether the token is valid now.
    pub fn is_active(&self, now: i64) -> bool {
        self.used_at.is_none() && self.is_valid(now)
    }

    /// Neither revoked nor expired.
    fn is_valid(&self, now: i64) -> bool {
        !self.revoked && self.expires_at > now
    }

    /// The successor that was probably lost: this token was used a moment ago, and its successor
    /// never.
    fn lost(&self, tx: &mut Tx<'_>, now: i64) -> Result<Option<Mac>, StoreError> {
        let recent = self.used_at.is_some_and(|at| now < at + GRACE) && self.is_valid(now);
        let Some(successor) = self.successor.filter(|_| recent) else {
            return Ok(None);
        };
        let row = tx.query_opt(
            "SELECT 1 FROM refresh_tokens WHERE mac = $1 AND used_at IS NULL",
            params![successor],
        )?;
        Ok(row.map(|_| successor))
    }
}

/// Redeems a refresh token of its client. A second use indicates a theft: it revokes all tokens of
/// the approval, unless the client repeats a refresh whose response it lost. Then the lost
/// successor becomes invalid. `scopes` chooses the scopes of the new access token from the approved
/// ones.
///
/// # Errors
///
/// [`Refusal::InvalidGrant`] for every invalid token, and the rejections by `scopes`, after which
/// the token stays valid.
pub fn spend(
    tx: &mut Tx<'_>,
    server_keys: &ServerKeys,
    token: &str,
    client_id: &str,
    scopes: impl FnOnce(&Scopes) -> Result<Scopes, Refusal>,
    origin: &str,
    now: i64,
) -> Result<(Refresh, Scopes), Refusal> {
    const BAD: Refusal = Refusal::InvalidGrant(
        "the refresh token is unknown, was used or revoked, or belongs to another client",
    );
    let refresh = Refresh::find(tx, server_keys, token)?
        .filter(|refresh| refresh.client_id == client_id)
        .ok_or(BAD)?;
    let lost = refresh.lost(tx, now)?;
    let trail = AuditContext::new(server_keys, Actor::Client(client_id), origin, now);
    if refresh.used_at.is_some()
        && lost.is_none()
        && revoke_approval(tx, &refresh.approval_id, now)?
    {
        let detail = "all tokens of its approval have been revoked";
        trail.record(
            tx,
            "identity.refresh_token.reused",
            &refresh.approval_id,
            detail,
        )?;
    }
    if !refresh.is_active(now) && lost.is_none() {
        return Err(BAD);
    }
    let scopes = scopes(&refresh.scopes)?;
    if lost.is_some() {
        let detail = "its successor, which nobody has used, is no longer valid";
        trail.record(
            tx,
            "identity.refresh_token.repeated",
            &refresh.approval_id,
            detail,
        )?;
    }
    let changed = tx.execute(
        "UPDATE refresh_tokens SET used_at = $1 WHERE mac = $2 AND used_at IS NULL",
        params![now, lost.unwrap_or(refresh.mac)],
    )?;
    match changed {
        1 => Ok((refresh, scopes)),
        _ => Err(BAD),
    }
}
