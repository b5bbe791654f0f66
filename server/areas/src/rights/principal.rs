//! The holders of grants: hub users.

use super::RightsError;
use crate::identity::users::username;
use crate::params;
use crate::store::Tx;

/// A hub user who can hold grants, disabled or not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Principal {
    /// The id of the user: the subject of access tokens.
    pub id: String,
    /// The email address.
    pub email: String,
    /// The hub organization that the user belongs to.
    pub organization: i64,
}

impl Principal {
    /// The user with this id or, failing that, this email address in any case.
    ///
    /// # Errors
    ///
    /// [`RightsError::UnknownPrincipal`] when there is none; when the store fails.
    pub fn find(tx: &mut Tx<'_>, id_or_email: &str) -> Result<Principal, RightsError> {
        let row = tx.query_opt(
            "SELECT id, email_address, organization_id FROM hub_users \
             WHERE id = $1 OR email = $2 ORDER BY CASE WHEN id = $1 THEN 0 ELSE 1 END",
            params![id_or_email, username(id_or_email)],
        )?;
        let row = row.ok_or_else(|| RightsError::UnknownPrincipal(id_or_email.to_owned()))?;
        Ok(Principal {
            id: row.get(0)?,
            email: row.get(1)?,
            organization: row.get(2)?,
        })
    }
}
