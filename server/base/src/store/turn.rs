//! Turns of transactions that conflict with each other.
//!
//! Two transactions that change one row, such as a counter, conflict on PostgreSQL: one of them runs
//! again. Of many such transactions most would be repeated, and their runs would take the connections
//! from other work.

use std::time::Duration;

use tokio::sync::{Mutex, MutexGuard};

/// How long a transaction waits for its turn. Then it runs beside the others, as those of other
/// replicas do, and the database finds the conflicts.
const TIMEOUT: Duration = Duration::from_secs(1);

/// The turn of transactions that conflict with each other. In this process, they run one at a time, in
/// their order.
#[derive(Debug, Default)]
pub struct Turn(Mutex<()>);

impl Turn {
    /// Waits for the turn, which lasts until the guard is dropped. `None` if it takes too long.
    pub(super) async fn wait(&self) -> Option<MutexGuard<'_, ()>> {
        tokio::time::timeout(TIMEOUT, self.0.lock()).await.ok()
    }
}
