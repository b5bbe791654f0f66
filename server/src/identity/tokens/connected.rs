//! The devices of a user, for the page that lists them.

use crate::identity::error::ServerError;
use crate::identity::scopes::Scopes;
use crate::params;
use crate::store::Tx;

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
}

/// The connected devices of a user, the newest first.
///
/// # Errors
///
/// When the store fails.
pub fn connected(tx: &mut Tx<'_>, user_id: &str, now: i64) -> Result<Vec<Connected>, ServerError> {
    let rows = tx.query(
        "SELECT a.id, c.name, a.scopes, a.created_at \
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
            Ok(Connected {
                id: row.get(0)?,
                client_name: row.get(1)?,
                scopes: Scopes::parse(&scopes)
                    .map_err(|_| ServerError::Corrupt("approved scopes"))?,
                created_at: row.get(3)?,
            })
        })
        .collect()
}
