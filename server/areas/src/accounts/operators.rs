//! Operators in the console: users who may see the operations of the service. The operators who
//! run commands on the server decide who they are.

use crate::params;
use crate::store::{Row, StoreError, Tx};

/// A user who is an operator.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Operator {
    /// The user's id.
    pub user: String,
    /// The user's email address.
    pub email: String,
}

/// Whether a user is an operator.
pub fn is_operator(tx: &mut Tx<'_>, user_id: &str) -> Result<bool, StoreError> {
    tx.exists(
        "SELECT 1 FROM operators WHERE user_id = $1",
        params![user_id],
    )
}

/// Whether a user is an operator, and not disabled.
pub fn is_enabled(tx: &mut Tx<'_>, user_id: &str) -> Result<bool, StoreError> {
    tx.exists(
        "SELECT 1 FROM operators o WHERE o.user_id = $1 \
         AND NOT EXISTS (SELECT 1 FROM disabled_users d WHERE d.user_id = o.user_id)",
        params![user_id],
    )
}

/// All operators, by email address.
pub fn list(tx: &mut Tx<'_>) -> Result<Vec<Operator>, StoreError> {
    let rows = tx.query(
        "SELECT o.user_id, u.email_address FROM operators o \
         JOIN hub_users u ON u.id = o.user_id ORDER BY u.email",
        &[],
    )?;
    let operator = |row: &Row| {
        Ok(Operator {
            user: row.get(0)?,
            email: row.get(1)?,
        })
    };
    rows.iter().map(operator).collect()
}

/// Makes a user an operator. Returns false if the user already was one.
///
/// # Errors
///
/// When the user does not exist, or the store fails.
pub fn add(tx: &mut Tx<'_>, user_id: &str) -> Result<bool, StoreError> {
    let rows = tx.execute(
        "INSERT INTO operators (user_id) VALUES ($1) ON CONFLICT DO NOTHING",
        params![user_id],
    )?;
    Ok(rows == 1)
}

/// Removes a user from the operators. Returns whether the user was one.
pub fn remove(tx: &mut Tx<'_>, user_id: &str) -> Result<bool, StoreError> {
    let rows = tx.execute("DELETE FROM operators WHERE user_id = $1", params![user_id])?;
    Ok(rows == 1)
}
