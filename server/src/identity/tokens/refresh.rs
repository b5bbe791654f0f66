//! Refresh tokens: random texts that are good for one use.
//!
//! A used one stays until it expires, so that its reuse is seen: it is the sign
//! of a theft, and revokes everything that came from the approval.

use super::{Mint, revoke_approval};
use crate::audit::{self, Actor, Event};
use crate::identity::error::{Refusal, ServerError};
use crate::identity::scopes::Scopes;
use crate::kernel::{Mac, Pepper, pepper};
use crate::params;
use crate::store::{StoreError, Tx};

/// What refresh tokens begin with, so that they are told from other secrets.
const REFRESH_PREFIX: &str = "rt_";
const PURPOSE: &str = "identity refresh token";

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
    pepper: &Pepper,
    mint: &Mint,
    approval_id: &str,
) -> Result<String, StoreError> {
    tx.execute(
        "INSERT INTO refresh_tokens (mac, approval_id, issued_at, expires_at) \
         VALUES ($1, $2, $3, $4)",
        params![
            pepper.mac(PURPOSE, mint.refresh_token.as_bytes()),
            approval_id,
            mint.now,
            mint.now + mint.refresh_seconds * 1000,
        ],
    )?;
    Ok(mint.refresh_token.clone())
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
    /// Whether it has been used.
    pub used: bool,
    /// Whether the approval was revoked.
    pub revoked: bool,
    /// The keyed hash under which it is stored.
    mac: Mac,
}

impl Refresh {
    /// Finds a refresh token.
    ///
    /// # Errors
    ///
    /// When the store fails.
    pub fn find(
        tx: &mut Tx<'_>,
        pepper: &Pepper,
        token: &str,
    ) -> Result<Option<Refresh>, ServerError> {
        if !token.starts_with(REFRESH_PREFIX) {
            return Ok(None);
        }
        let macs = pepper.macs(PURPOSE, token.as_bytes());
        let row = pepper::find(&macs, |mac| {
            tx.query_opt(
                "SELECT r.approval_id, a.client_id, a.user_id, a.scopes, r.issued_at, \
                 r.expires_at, r.used_at, a.revoked_at, r.mac \
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
            used: row.get::<Option<i64>>(6)?.is_some(),
            revoked: row.get::<Option<i64>>(7)?.is_some(),
            mac: row.get(8)?,
        }))
    }

    /// Whether the token would be taken now.
    pub fn is_active(&self, now: i64) -> bool {
        !self.used && !self.revoked && self.expires_at > now
    }
}

/// Takes a refresh token out of use, for its client. A second use is the sign of
/// a theft: it revokes everything that came from the approval.
///
/// # Errors
///
/// [`Refusal::InvalidGrant`] for every token that is not good, and
/// [`Refusal::InvalidScope`] when more is wanted than was approved; the token
/// then stays good.
pub fn spend(
    tx: &mut Tx<'_>,
    pepper: &Pepper,
    token: &str,
    client_id: &str,
    wanted: Option<&Scopes>,
    origin: &str,
    now: i64,
) -> Result<Refresh, Refusal> {
    const BAD: Refusal = Refusal::InvalidGrant(
        "the refresh token is unknown, was used or revoked, or belongs to another client",
    );
    let refresh = Refresh::find(tx, pepper, token)?
        .filter(|refresh| refresh.client_id == client_id)
        .ok_or(BAD)?;
    if refresh.used && revoke_approval(tx, &refresh.approval_id, now)? {
        let event = Event {
            at: now,
            actor: Actor::Client(client_id),
            action: "identity.refresh_token.reused",
            subject: &refresh.approval_id,
            origin,
            detail: "everything of its approval has been revoked",
        };
        audit::record(tx, pepper, &event)?;
    }
    if !refresh.is_active(now) {
        return Err(BAD);
    }
    if wanted.is_some_and(|wanted| !wanted.is_subset(&refresh.scopes)) {
        return Err(Refusal::InvalidScope(
            "the scope goes beyond what the user has approved",
        ));
    }
    let changed = tx.execute(
        "UPDATE refresh_tokens SET used_at = $1 WHERE mac = $2 AND used_at IS NULL",
        params![now, refresh.mac],
    )?;
    match changed {
        1 => Ok(refresh),
        _ => Err(BAD),
    }
}
