//! Removes deleted keys from the database.
//!
//! A key that has usage stays until its usage is removed. Otherwise the usage would not belong to a
//! compartment.

use crate::kernel::expiry::BATCH;
use crate::store::{StoreError, Tx, Value};

use super::rows;

/// The keys that were deleted at `$1` or later, but before `$2`, and have no usage: the oldest
/// deletions first, at most `$3`.
pub const REMOVED: &str = "SELECT k.id FROM inference_keys k \
     WHERE k.deleted_at >= $1 AND k.deleted_at < $2 \
     AND NOT EXISTS (SELECT 1 FROM inference_usage u WHERE u.key_id = k.id) \
     ORDER BY k.deleted_at, k.id LIMIT $3";

/// The tables of a key's rows and the columns with its id. The keys themselves are the last.
const TABLES: [(&str, &str); 4] = [
    ("inference_secrets", "key_id"),
    ("inference_limits", "key_id"),
    ("inference_budget_allocations", "key_id"),
    ("inference_keys", "id"),
];

/// Announces a change of keys, if [`remove`] would remove any. Returns whether it did. `remove` must
/// follow a committed announcement.
///
/// A replica reads only the keys that changed. If it has not read the database since the deletion of
/// a key, it would not find that key any more. After this, it reads all keys.
pub fn announce(tx: &mut Tx<'_>, end: &Value) -> Result<bool, StoreError> {
    let is_needed = first_deletion(tx, end)?.is_some();
    if is_needed {
        rows::announce_change(tx)?;
    }
    Ok(is_needed)
}

/// Removes the keys that were deleted before `end` and have no usage, at most [`BATCH`]. Returns
/// their number.
pub fn remove(tx: &mut Tx<'_>, end: &Value) -> Result<u64, StoreError> {
    let Some(first) = first_deletion(tx, end)? else {
        return Ok(0);
    };
    let mut removed = 0;
    for (table, column) in TABLES {
        let sql = format!("DELETE FROM {table} WHERE {column} IN ({REMOVED})");
        removed = tx.execute(&sql, &[first.into(), end.clone(), BATCH.into()])?;
    }
    Ok(removed)
}

/// When the first key that can be removed was deleted. Keys with usage may come before it in great
/// number, so that only this statement goes through them.
fn first_deletion(tx: &mut Tx<'_>, end: &Value) -> Result<Option<i64>, StoreError> {
    let sql = format!("SELECT deleted_at FROM inference_keys WHERE id IN ({REMOVED})");
    let row = tx.query_opt(&sql, &[0.into(), end.clone(), 1.into()])?;
    row.map(|row| row.get(0)).transpose()
}
