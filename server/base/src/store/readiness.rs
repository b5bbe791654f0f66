//! Whether the store can be written.

use std::time::{Duration, Instant};

use super::{Store, StoreError, Tx};
use crate::params;

/// How long an outcome is reused, so that frequent requests do not cause
/// frequent writes.
const MAX_AGE: Duration = Duration::from_secs(1);

/// The last outcome of the check whether the store can be written. A read-only
/// store, such as one on a full disk, is not ready.
#[derive(Debug, Default)]
pub struct Readiness(tokio::sync::Mutex<Option<(Instant, Result<(), StoreError>)>>);

impl Readiness {
    /// Writes a row that is never read.
    pub async fn check(&self, store: &Store, now: i64) -> Result<(), StoreError> {
        let mut last = self.0.lock().await;
        if let Some((at, outcome)) = &*last
            && at.elapsed() < MAX_AGE
        {
            return outcome.clone();
        }
        let write = move |tx: &mut Tx<'_>| {
            tx.execute(
                "INSERT INTO meta (name, value) VALUES ('readiness', $1) \
                 ON CONFLICT (name) DO UPDATE SET value = excluded.value",
                params![now.to_string()],
            )
        };
        let outcome = store.write_relaxed(write).await.map(drop);
        *last = Some((Instant::now(), outcome.clone()));
        outcome
    }
}
