//! Refresh tokens: random texts that are good for one use.
//!
//! A used one stays until it expires, so that its reuse is seen: it is the sign
//! of a theft, and revokes everything that came from the approval (RFC 9700,
//! section 4.14.2).
//!
//! With one exception: a client that lost the response to a refresh repeats it. For
//! [`GRACE`], while nobody has used the successor, it gets another one. The lost one
//! counts as used from then on: whoever has it after all, and presents it, ends
//! everything. So of a thief and a client that hold the same token, at most one gets
//! on, and only until the other one's next refresh.

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
/// For how long a refresh can be repeated whose response was lost, in milliseconds.
const GRACE: i64 = 30_000;
/// A refresh requests more scopes than the user has approved.
pub const UNAPPROVED: Refusal =
    Refusal::InvalidScope("the user has not approved all of these scopes");

/// Makes a refresh token out of a random text.
pub fn refresh_token(random: &str) -> String {
    format!("{REFRESH_PREFIX}{random}")
}

/// Issues a refresh token for an approval.
///
/// # Errors
///
/// When the store fails.
pub fn issue_refresh(
    tx: &mut Tx<'_>,
    server_keys: &ServerKeys,
    mint: &Mint,
    approval_id: &str,
) -> Result<String, StoreError> {
    insert(tx, server_keys, mint, approval_id)?;
    Ok(mint.refresh_token.clone())
}

/// Issues the successor of a refresh token that was spent.
///
/// # Errors
///
/// When the store fails.
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

/// A refresh token, as the store knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refresh {
    /// The approval that it comes from.
    pub approval_id: String,
    /// The client it was given to.
    pub client_id: String,
    /// The user it acts for.
    pub user_id: String,
    /// The scopes that were approved.
    pub scopes: Scopes,
    /// When it was issued.
    pub issued_at: i64,
    /// When it expires.
    pub expires_at: i64,
    /// When it was used.
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

    /// Whether the token would be taken now.
    pub fn is_active(&self, now: i64) -> bool {
        self.used_at.is_none() && self.is_valid(now)
    }

    /// Neither revoked nor expired.
    fn is_valid(&self, now: i64) -> bool {
        !self.revoked && self.expires_at > now
    }

    /// The successor that was probably lost: this token was used a moment ago, and the
    /// successor never was.
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

/// Takes a refresh token out of use, for its client. A second use is the sign of
/// a theft: it revokes everything that came from the approval, unless the client
/// repeats a refresh whose response it lost. Then the lost successor goes out of use.
/// `scopes` says which scopes the new access token has, of those that were approved.
///
/// # Errors
///
/// [`Refusal::InvalidGrant`] for every invalid token, and what `scopes` refuses, after which
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
        let detail = "everything of its approval has been revoked";
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
