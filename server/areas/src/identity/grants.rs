//! Device grants: the request of a device and its state.
//!
//! ```text
//!            approve                redeem
//! pending ────────────▶ approved ────────────▶ redeemed
//!    │  deny
//!    └──────▶ denied            (pending and approved grants expire)
//! ```
//!
//! Every step is one conditional update: if two replicas try the same step at the same time, only
//! one succeeds. Both codes are stored as keyed hashes. Times are Unix milliseconds.

use super::error::{Refusal, ServerError};
use super::scopes::Scopes;
use super::tokens;
use super::user_code::UserCode;
use crate::audit::{Actor, AuditContext};
use crate::kernel::expiry;
use crate::kernel::{ServerKeys, server_keys};
use crate::params;
use crate::store::{Row, StoreError, Tx};

/// The seconds that `slow_down` adds to the interval (RFC 8628, section 3.5).
const SLOWER: i64 = 5;
/// The time for which an expired grant stays, so that its device gets `expired_token`.
const RETENTION_MILLIS: i64 = 3_600_000;
/// The purpose of the keyed hashes of device codes.
const DEVICE_CODE: &str = "identity device code";

/// A grant before it is stored.
#[derive(Clone)]
pub struct NewGrant {
    /// Its identifier.
    pub id: String,
    /// The secret of the device.
    pub device_code: String,
    /// The client that requests it.
    pub client_id: String,
    /// The scopes that can be granted.
    pub scopes: Scopes,
    /// The address that the request came from.
    pub origin: String,
    /// Now.
    pub created_at: i64,
    /// The expiry of both codes.
    pub expires_at: i64,
    /// Seconds between two polls.
    pub interval: i64,
}

impl NewGrant {
    /// Stores the grant under the first free user code, and returns that code.
    ///
    /// # Errors
    ///
    /// When the store fails, or all of the codes are in use.
    pub fn insert(
        &self,
        tx: &mut Tx<'_>,
        server_keys: &ServerKeys,
        candidates: &[UserCode],
    ) -> Result<UserCode, ServerError> {
        for code in candidates {
            let inserted = tx.execute(
                "INSERT INTO device_grants (id, device_mac, user_mac, client_id, scopes, state, \
                 origin, created_at, expires_at, interval_seconds) \
                 VALUES ($1, $2, $3, $4, $5, 'pending', $6, $7, $8, $9) \
                 ON CONFLICT (user_mac) DO NOTHING",
                params![
                    &self.id,
                    server_keys.mac(DEVICE_CODE, self.device_code.as_bytes()),
                    code.mac(server_keys),
                    &self.client_id,
                    self.scopes.to_string(),
                    &self.origin,
                    self.created_at,
                    self.expires_at,
                    self.interval,
                ],
            )?;
            if inserted == 1 {
                return Ok(code.clone());
            }
        }
        Err(ServerError::Corrupt("every user code is taken"))
    }
}

/// The user's approval.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Approved {
    /// The grant.
    pub grant_id: String,
    /// The user.
    pub user_id: String,
    /// The approved scopes.
    pub scopes: Scopes,
}

/// A poll of the device (RFC 8628, section 3.4). It redeems an approved grant: the caller issues
/// the token in the same transaction. A second redemption shows that the code was stolen, and
/// revokes the tokens of the first.
///
/// # Errors
///
/// The errors of RFC 8628, section 3.5.
pub fn poll(
    tx: &mut Tx<'_>,
    server_keys: &ServerKeys,
    device_code: &str,
    client_id: &str,
    origin: &str,
    now: i64,
) -> Result<Approved, Refusal> {
    const UNKNOWN: Refusal =
        Refusal::InvalidGrant("the device code is unknown, was used, or belongs to another client");
    let macs = server_keys.macs(DEVICE_CODE, device_code.as_bytes());
    let row = server_keys::find(&macs, |mac| {
        tx.query_opt(
            "SELECT id, client_id, state, expires_at, interval_seconds, polled_at, decided_by, scopes \
             FROM device_grants WHERE device_mac = $1",
            params![mac],
        )
    })?
    .ok_or(UNKNOWN)?;
    let (id, owner, state): (String, String, String) = (row.get(0)?, row.get(1)?, row.get(2)?);
    if owner != client_id {
        return Err(UNKNOWN);
    }
    let expired = row.get::<i64>(3)? <= now;
    match state.as_str() {
        "denied" => Err(Refusal::AccessDenied),
        "pending" | "approved" if expired => Err(Refusal::ExpiredToken),
        "pending" => Err(wait(tx, &id, row.get(4)?, row.get(5)?, now)?),
        "approved" if redeem(tx, &id)? => Ok(Approved {
            grant_id: id,
            user_id: row.get(6)?,
            scopes: scopes(&row, 7)?,
        }),
        "redeemed" => {
            if tokens::revoke_approval(tx, &id, now)? {
                let detail = "all tokens of its approval have been revoked";
                AuditContext::new(server_keys, Actor::Client(client_id), origin, now).record(
                    tx,
                    "identity.device_code.reused",
                    &id,
                    detail,
                )?;
            }
            Err(UNKNOWN)
        }
        _ => Err(UNKNOWN),
    }
}

/// Records a poll of the most frequent kind: of a pending grant, in time, by the public client of
/// the grant. Returns whether it was such a poll; [`poll`] judges the others.
pub fn poll_in_time(
    tx: &mut Tx<'_>,
    server_keys: &ServerKeys,
    device_code: &str,
    client_id: &str,
    now: i64,
) -> Result<bool, StoreError> {
    // CASE leaves the planner one index: the one of the code. Without statistics PostgreSQL would
    // rather read all pending grants of the client. The grant's name is not a parameter: SQLite
    // compiles a statement again for each operand of LIKE.
    const RECORD: &str = "UPDATE device_grants SET polled_at = $1 \
         WHERE device_mac = $2 AND CASE WHEN client_id = $3 AND state = 'pending' \
         AND expires_at > $1 \
         AND (polled_at IS NULL OR polled_at + interval_seconds * 1000 <= $1) \
         THEN 1 ELSE 0 END = 1 \
         AND EXISTS (SELECT 1 FROM oauth_clients \
             WHERE id = $3 AND kind = 'public' AND disabled = 0 \
             AND grants LIKE '%:grant-type:device_code%')";
    let macs = server_keys.macs(DEVICE_CODE, device_code.as_bytes());
    let recorded = server_keys::find(&macs, |mac| {
        let changed = tx.execute(RECORD, params![now, mac, client_id])?;
        Ok::<_, StoreError>((changed == 1).then_some(()))
    })?;
    Ok(recorded.is_some())
}

/// Counts a poll of a pending grant. A poll that is too early increases the interval permanently.
fn wait(
    tx: &mut Tx<'_>,
    id: &str,
    interval: i64,
    polled_at: Option<i64>,
    now: i64,
) -> Result<Refusal, StoreError> {
    let early = polled_at.is_some_and(|before| now < before + interval * 1000);
    let interval = if early { interval + SLOWER } else { interval };
    tx.execute(
        "UPDATE device_grants SET polled_at = $1, interval_seconds = $2 WHERE id = $3",
        params![now, interval, id],
    )?;
    Ok(match early {
        true => Refusal::SlowDown { interval },
        false => Refusal::AuthorizationPending,
    })
}

fn redeem(tx: &mut Tx<'_>, id: &str) -> Result<bool, StoreError> {
    let changed = tx.execute(
        "UPDATE device_grants SET state = 'redeemed' WHERE id = $1 AND state = 'approved'",
        params![id],
    )?;
    Ok(changed == 1)
}

/// A pending grant, for the consent page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pending {
    /// Name of the application.
    pub client_name: String,
    /// The requested scopes.
    pub scopes: Scopes,
    /// The address of the request.
    pub origin: String,
    /// The time of the request.
    pub created_at: i64,
}

/// The pending grant of a user code.
///
/// # Errors
///
/// When the store fails.
pub fn pending(
    tx: &mut Tx<'_>,
    server_keys: &ServerKeys,
    code: &UserCode,
    now: i64,
) -> Result<Option<Pending>, ServerError> {
    server_keys::find(&code.macs(server_keys), |mac| {
        tx.query_opt(
            "SELECT c.name, g.scopes, g.origin, g.created_at \
             FROM device_grants g JOIN oauth_clients c ON c.id = g.client_id \
             WHERE g.user_mac = $1 AND g.state = 'pending' AND g.expires_at > $2 AND c.disabled = 0",
            params![mac, now],
        )
    })?
    .map(|row| {
        Ok(Pending {
            client_name: row.get(0)?,
            scopes: scopes(&row, 1)?,
            origin: row.get(2)?,
            created_at: row.get(3)?,
        })
    })
    .transpose()
}

/// A user's decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    /// The user has approved the request of the device.
    Approve,
    /// The user has denied it.
    Deny,
}

impl Decision {
    /// The state of a grant after the decision.
    fn state(self) -> &'static str {
        match self {
            Decision::Approve => "approved",
            Decision::Deny => "denied",
        }
    }
}

/// A grant that is decided.
#[derive(Debug)]
pub struct Decided {
    /// Its identifier.
    pub grant: String,
    /// False if the user had decided it in the same way before, and no device has redeemed it.
    pub is_new: bool,
}

/// Decides a pending grant of an enabled client. `None` if there is none to decide.
pub fn decide(
    tx: &mut Tx<'_>,
    server_keys: &ServerKeys,
    code: &UserCode,
    user_id: &str,
    decision: Decision,
    now: i64,
) -> Result<Option<Decided>, StoreError> {
    const NEW: &str = "UPDATE device_grants SET state = $1, decided_by = $2, decided_at = $3 \
         WHERE user_mac = $4 AND state = 'pending' AND expires_at > $3 \
         AND (SELECT c.disabled FROM oauth_clients c WHERE c.id = client_id) = 0 RETURNING id";
    const BEFORE: &str = "SELECT id FROM device_grants \
         WHERE state = $1 AND decided_by = $2 AND expires_at > $3 AND user_mac = $4";
    let macs = code.macs(server_keys);
    for (sql, is_new) in [(NEW, true), (BEFORE, false)] {
        let row = server_keys::find(&macs, |mac| {
            tx.query_opt(sql, params![decision.state(), user_id, now, mac])
        })?;
        if let Some(row) = row {
            let grant = row.get(0)?;
            return Ok(Some(Decided { grant, is_new }));
        }
    }
    Ok(None)
}

/// The name of the application that has requested a grant.
///
/// # Errors
///
/// When the store fails, or there is no such grant.
pub fn application(tx: &mut Tx<'_>, id: &str) -> Result<String, ServerError> {
    let row = tx.query_opt(
        "SELECT c.name FROM device_grants g JOIN oauth_clients c ON c.id = g.client_id \
         WHERE g.id = $1",
        params![id],
    )?;
    let row = row.ok_or(ServerError::Corrupt("client of a grant"))?;
    Ok(row.get(0)?)
}

/// Revokes the grants that a user has approved and no device has redeemed yet. Returns their
/// number.
pub fn withdraw_all(tx: &mut Tx<'_>, user_id: &str) -> Result<u64, StoreError> {
    tx.execute(
        "DELETE FROM device_grants WHERE decided_by = $1 AND state = 'approved'",
        params![user_id],
    )
}

/// Deletes a batch of the grants that ended some time ago. Returns their number.
pub fn sweep(tx: &mut Tx<'_>, now: i64) -> Result<u64, StoreError> {
    let end = now - RETENTION_MILLIS;
    expiry::delete(tx, "device_grants", "id", "expires_at", end)
}

fn scopes(row: &Row, index: usize) -> Result<Scopes, ServerError> {
    let text: String = row.get(index)?;
    Scopes::parse(&text).map_err(|_| ServerError::Corrupt("scopes of a grant"))
}
