//! Writes the usage of keys, and the times of last use, in the background.

use std::sync::Weak;
use std::time::{Duration, Instant};

use chrono::{DateTime, Utc};

use super::allocation::{self, Allocated};
use super::ledger::SAVE;
use super::state::Admission;
use crate::inference::Inference;
use crate::inference::keys::KeyError;
use crate::kernel::upkeep::{self, LAST_USE, USAGE};

/// The interval at which the times of last use are written.
const WRITE_LAST_USED: Duration = Duration::from_secs(5);

impl Admission {
    /// Writes the usage of ended processes in the same data directory.
    ///
    /// # Errors
    ///
    /// When the store fails. The files stay.
    pub async fn recover_usage(&self, inference: &Inference) -> Result<usize, KeyError> {
        let now = crate::inference::now(inference);
        Ok(self.ledger.recover(&inference.store, now).await?)
    }

    /// Writes the counts of this replica, and reads how much is used of the budgets of keys that
    /// call. Returns the number of written lines.
    ///
    /// # Errors
    ///
    /// When the store fails. The counts stay and are written later.
    pub async fn write_usage(&self, inference: &Inference) -> Result<u64, KeyError> {
        let followed = self.budgets.followed(Instant::now());
        let by_share = self.limiter.by_share();
        let allocations = &by_share.allocations;
        let is_alone = by_share.is_alone();
        let locked = allocations
            .lock(if is_alone { &[] } else { &followed })
            .await;
        if self.ledger.is_empty() && followed.is_empty() && locked.is_empty() {
            return Ok(0);
        }
        let now = crate::inference::now(inference);
        let allocated = |id: &String| self.return_allocated(id, is_alone, now);
        let allocated: Vec<_> = locked.ids().map(allocated).collect();
        let store = &inference.store;
        let written = self.ledger.write(store, now, &followed, &allocated).await?;
        if let Some(snapshot) = self.current() {
            for one in &written.spent {
                if let Some(key) = snapshot.credentials.key(&one.key_id) {
                    let just_now = written.tokens(&one.key_id, one.start);
                    key.meter.follow(one.start, one.used, just_now);
                }
            }
        }
        allocations.unlock(locked, &allocated);
        Ok(written.len() as u64)
    }

    /// Returns a part of the allocated tokens of a budget that this replica does not need.
    fn return_allocated(&self, key_id: &str, is_alone: bool, now: DateTime<Utc>) -> Allocated {
        let rest = self.with(key_id, |key| {
            let (_, period) = key.limits.budget?;
            Some(key.meter.return_allocated(period, is_alone, now))
        });
        let (period, tokens) = rest.flatten().unwrap_or((now.date_naive(), 0));
        let allocations = &self.limiter.by_share().allocations;
        allocations.allocated(key_id, period, tokens)
    }
}

/// Adds the usage of earlier runs, and writes usage and times of last use, until the context is
/// dropped.
pub async fn write(inference: Weak<Inference>) {
    if let Some(inference) = inference.upgrade() {
        let recovery = async {
            if let Err(error) = inference.admission.recover_usage(&inference).await {
                tracing::error!(%error, "usage of an earlier run cannot be added");
            }
            let deleted = inference.store.write(allocation::delete_stopped);
            if let Err(error) = deleted.await {
                tracing::warn!(%error, "allocated tokens of stopped replicas cannot be deleted");
            }
        };
        save_during(&inference, recovery).await;
    }
    let mut written_at = tokio::time::Instant::now();
    loop {
        tokio::time::sleep(SAVE).await;
        let Some(inference) = inference.upgrade() else {
            return;
        };
        let (admission, metrics) = (&inference.admission, &inference.metrics);
        let writes = async {
            let written = upkeep::measure(metrics, USAGE, admission.write_usage(&inference));
            if let Err(error) = written.await {
                tracing::warn!(%error, "usage cannot be written");
            }
            if written_at.elapsed() >= WRITE_LAST_USED {
                written_at = tokio::time::Instant::now();
                let used = admission.write_last_used(&inference);
                if let Err(error) = upkeep::measure(metrics, LAST_USE, used).await {
                    tracing::warn!(%error, "times of last use cannot be written");
                }
            }
        };
        save_during(&inference, writes).await;
    }
}

/// Saves usage to files during the writes to a slow database.
async fn save_during(inference: &Inference, writes: impl Future<Output = ()>) {
    inference.admission.ledger.save().await;
    tokio::select! {
        () = writes => {}
        () = inference.admission.ledger.keep_saving() => {}
    }
}
