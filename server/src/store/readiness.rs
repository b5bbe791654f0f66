//! Whether the store can be written.

use std::time::{Duration, Instant};

use super::{Store, StoreError, Tx};
use crate::params;

/// How long an outcome holds: whoever asks all the time must not write all the
/// time.
const FRESH: Duration = Duration::from_secs(1);

/// Whether the store can be written, as it was found out last. A store that can
/// only be read, as on a full disk, serves nobody.
#[derive(Debug, Default)]
pub(crate) struct Readiness(tokio::sync::Mutex<Option<(Instant, Result<(), StoreError>)>>);

impl Readiness {
    /// Writes something into the store that nobody reads.
    pub(crate) async fn check(&self, store: &Store, now: i64) -> Result<(), StoreError> {
        let mut last = self.0.lock().await;
        if let Some((at, outcome)) = &*last
            && at.elapsed() < FRESH
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
        let outcome = store
            .write_relaxed::<_, StoreError, _>(write)
            .await
            .map(drop);
        *last = Some((Instant::now(), outcome.clone()));
        outcome
    }
}
