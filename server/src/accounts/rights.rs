//! Who may do what. There is one right, hub administrator, and it is held per
//! organization. Where somebody holds it is read with the organization itself, in
//! [`directory`](super::directory).

use crate::params;
use crate::store::{StoreError, Tx};

/// Whether a user is hub administrator of anything.
///
/// # Errors
///
/// When the store fails.
pub fn administers_anything(tx: &mut Tx<'_>, user_id: &str) -> Result<bool, StoreError> {
    let row = tx.query_opt(
        "SELECT 1 FROM hub_administrators WHERE user_id = $1 LIMIT 1",
        params![user_id],
    )?;
    Ok(row.is_some())
}
