//! The devices of a user, for the page that lists them, and when each was last seen.

use crate::identity::error::ServerError;
use crate::identity::scopes::Scopes;
use crate::identity::sighting::Sighting;
use crate::params;
use crate::store::{StoreError, Tx};

/// A connected device: an approval with a valid token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Connected {
    /// The approval.
    pub id: String,
    /// Name of the application.
    pub client_name: String,
    /// The approved scopes.
    pub scopes: Scopes,
    /// The time of the approval, in Unix milliseconds.
    pub created_at: i64,
    /// When it last fetched tokens. `None` if that was before the service recorded it.
    pub seen: Option<Sighting>,
}

/// Records that the device of an approval has fetched tokens.
pub fn see(tx: &mut Tx<'_>, approval_id: &str, seen: &Sighting) -> Result<(), StoreError> {
    tx.add(
        "UPDATE approvals SET user_agent = $2, seen_from = $3, seen_at = $4 WHERE id = $1",
        params![
            approval_id,
            seen.user_agent.as_deref(),
            &seen.origin,
            seen.at
        ],
    )
}

/// The connected devices of a user, the newest first.
///
/// # Errors
///
/// When the store fails.
pub fn connected(tx: &mut Tx<'_>, user_id: &str, now: i64) -> Result<Vec<Connected>, ServerError> {
    let rows = tx.query(
        "SELECT a.id, c.name, a.scopes, a.created_at, a.user_agent, a.seen_from, a.seen_at \
         FROM approvals a JOIN oauth_clients c ON c.id = a.client_id \
         WHERE a.user_id = $1 AND a.revoked_at IS NULL AND (\
         EXISTS (SELECT 1 FROM access_tokens t WHERE t.approval_id = a.id \
         AND t.expires_at > $2 AND t.revoked_at IS NULL) OR \
         EXISTS (SELECT 1 FROM refresh_tokens r WHERE r.approval_id = a.id \
         AND r.expires_at > $2 AND r.used_at IS NULL)) ORDER BY a.created_at DESC",
        params![user_id, now],
    )?;
    rows.iter()
        .map(|row| {
            let scopes: String = row.get(2)?;
            let seen: (Option<String>, Option<i64>) = (row.get(5)?, row.get(6)?);
            let user_agent: Option<String> = row.get(4)?;
            Ok(Connected {
                id: row.get(0)?,
                client_name: row.get(1)?,
                scopes: Scopes::parse(&scopes)
                    .map_err(|_| ServerError::Corrupt("approved scopes"))?,
                created_at: row.get(3)?,
                seen: seen.0.zip(seen.1).map(|(origin, at)| Sighting {
                    user_agent,
                    origin,
                    at,
                }),
            })
        })
        .collect()
}
