//! Deletes expired rows in batches.
//!
//! A long transaction blocks others. On PostgreSQL, the database also remembers the reads of all
//! serializable transactions until it ends, and refuses statements once its memory for them is full.

use super::Kernel;
use crate::store::{StoreError, Tx, Value};

/// The maximum number of rows that one transaction deletes.
pub const BATCH: i64 = 1000;

/// Calls `delete`, which deletes at most [`BATCH`] rows and returns their number, until it finds
/// fewer or the service stops. Returns the number of all rows.
///
/// `task` is the name of the lock. It deletes nothing while another replica has the lock.
pub async fn in_batches(
    kernel: &Kernel,
    task: &'static str,
    delete: impl Fn(&mut Tx<'_>) -> Result<u64, StoreError> + Clone + Send + 'static,
) -> Result<u64, StoreError> {
    let mut deleted = 0;
    while !kernel.is_stopping() {
        let delete = delete.clone();
        let write = move |tx: &mut Tx<'_>| match tx.try_lock(task)? {
            true => delete(tx),
            false => Ok(0),
        };
        let rows = kernel.store.write(write).await?;
        deleted += rows;
        if rows < BATCH.unsigned_abs() {
            break;
        }
    }
    Ok(deleted)
}

/// Deletes the rows of a table whose time in the column `time` is before `end`, at most [`BATCH`].
/// `key` has the columns of the primary key.
pub fn delete(
    tx: &mut Tx<'_>,
    table: &str,
    key: &str,
    time: &str,
    end: impl Into<Value>,
) -> Result<u64, StoreError> {
    tx.execute(&statement(table, key, time), &[end.into(), BATCH.into()])
}

/// The statement of [`delete`]: `$1` is the end, and `$2` the number of rows.
pub fn statement(table: &str, key: &str, time: &str) -> String {
    format!(
        "DELETE FROM {table} WHERE ({key}) IN \
         (SELECT {key} FROM {table} WHERE {time} < $1 ORDER BY {time} LIMIT $2)"
    )
}
