//! Hub administrators: users who manage the accounts and profiles of an organization. Requests of
//! provisioning read this right together with the organization, in [`directory`](super::directory).

use crate::params;
use crate::store::{self, Row, StoreError, Tx, Value};

/// Whether a user is administrator of any organization.
pub fn administers_anything(tx: &mut Tx<'_>, user_id: &str) -> Result<bool, StoreError> {
    tx.exists(
        "SELECT 1 FROM hub_administrators WHERE user_id = $1 LIMIT 1",
        params![user_id],
    )
}

/// An administrator of an organization.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Administrator {
    /// The organization.
    pub organization: i64,
    /// The user's id.
    pub user_id: String,
    /// The user's email address.
    pub email: String,
}

/// All administrators, by organization and email address.
pub fn list(tx: &mut Tx<'_>) -> Result<Vec<Administrator>, StoreError> {
    let rows = tx.query(
        "SELECT a.organization_id, a.user_id, u.email_address FROM hub_administrators a \
         JOIN hub_users u ON u.id = a.user_id ORDER BY a.organization_id, u.email",
        &[],
    )?;
    let read = |row: &Row| {
        Ok(Administrator {
            organization: row.get(0)?,
            user_id: row.get(1)?,
            email: row.get(2)?,
        })
    };
    rows.iter().map(read).collect()
}

/// The organizations that users administer, as pairs of a user's id and an organization.
pub fn of_users(tx: &mut Tx<'_>, ids: &[String]) -> Result<Vec<(String, i64)>, StoreError> {
    let sql = format!(
        "SELECT user_id, organization_id FROM hub_administrators WHERE user_id IN ({}) \
         ORDER BY organization_id",
        store::places(1)
    );
    let mut found = Vec::new();
    for batch in store::batches(ids) {
        let ids: Vec<Value> = batch.into_iter().map(Value::from).collect();
        for row in tx.query(&sql, &ids)? {
            found.push((row.get(0)?, row.get(1)?));
        }
    }
    Ok(found)
}

/// Makes a user administrator of an organization. Returns false if the user already was
/// one.
///
/// # Errors
///
/// When the organization or the user does not exist, or the store fails.
pub fn add(tx: &mut Tx<'_>, organization: i64, user_id: &str) -> Result<bool, StoreError> {
    let rows = tx.execute(
        "INSERT INTO hub_administrators (organization_id, user_id) VALUES ($1, $2) \
         ON CONFLICT DO NOTHING",
        params![organization, user_id],
    )?;
    Ok(rows == 1)
}

/// Removes a user from the administrators of an organization. Returns whether the user
/// was one.
pub fn remove(tx: &mut Tx<'_>, organization: i64, user_id: &str) -> Result<bool, StoreError> {
    let rows = tx.execute(
        "DELETE FROM hub_administrators WHERE organization_id = $1 AND user_id = $2",
        params![organization, user_id],
    )?;
    Ok(rows == 1)
}
