//! Removes deleted keys from the database.
//!
//! A key that has usage stays until its usage is removed. Otherwise the usage would not belong to a
//! compartment.

use crate::kernel::expiry::BATCH;
use crate::store::{StoreError, Tx, Value};

use super::rows;

/// The keys that were deleted before `$1` and have no usage, the oldest deletions first, at most `$2`.
pub const REMOVED: &str = "SELECT k.id FROM inference_keys k WHERE k.deleted_at < $1 \
     AND NOT EXISTS (SELECT 1 FROM inference_usage u WHERE u.key_id = k.id) \
     ORDER BY k.deleted_at, k.id LIMIT $2";

/// The tables of a key's rows and the columns with its id. The keys themselves are the last.
const TABLES: [(&str, &str); 4] = [
    ("inference_secrets", "key_id"),
    ("inference_limits", "key_id"),
    ("inference_budget_allocations", "key_id"),
    ("inference_keys", "id"),
];

/// Removes the keys that were deleted before `end` and have no usage, at most [`BATCH`]. Returns
/// their number.
///
/// # Errors
///
/// When the store fails.
pub fn remove(tx: &mut Tx<'_>, end: Value) -> Result<u64, StoreError> {
    let mut removed = 0;
    for (table, column) in TABLES {
        let sql = format!("DELETE FROM {table} WHERE {column} IN ({REMOVED})");
        removed = tx.execute(&sql, &[end.clone(), BATCH.into()])?;
    }
    if removed > 0 {
        // A replica that has not read the database since the deletion finds no changed key.
        rows::announce_change(tx)?;
    }
    Ok(removed)
}
