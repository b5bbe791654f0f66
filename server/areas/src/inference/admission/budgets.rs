//! The keys with a budget that call this replica.
//!
//! How much of a budget is used is read before the first call, and then each second. So the cost
//! follows the calls, and not the number of keys.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::OnceCell;

use super::period::Period;

/// The time after its last call for which a budget is read each second.
const FOLLOWED: Duration = Duration::from_secs(60);

/// The keys with a budget that have called lately.
#[derive(Debug, Default)]
pub struct Budgets(Mutex<HashMap<String, Followed>>);

#[derive(Debug)]
struct Followed {
    period: Period,
    called_at: Instant,
    /// Filled once the budget was read.
    is_read: Arc<OnceCell<()>>,
}

impl Budgets {
    /// Follows the budget of a key that calls at a time. If it is not followed yet, this waits for
    /// `read`, which runs once for all calls that wait.
    pub async fn follow(
        &self,
        key_id: &str,
        period: Period,
        at: Instant,
        read: impl Future<Output = ()>,
    ) {
        let is_read = self.touch(key_id, period, at);
        is_read.get_or_init(|| read).await;
    }

    /// The ids of the keys that have called in the last minute. The others are removed.
    pub fn followed(&self, now: Instant) -> Vec<String> {
        let mut all = self.lock();
        all.retain(|_, one| now.saturating_duration_since(one.called_at) < FOLLOWED);
        all.keys().cloned().collect()
    }

    fn touch(&self, key_id: &str, period: Period, at: Instant) -> Arc<OnceCell<()>> {
        let mut all = self.lock();
        if let Some(known) = all.get_mut(key_id).filter(|known| known.period == period) {
            known.called_at = at;
            return Arc::clone(&known.is_read);
        }
        let is_read = Arc::default();
        let followed = Followed {
            period,
            called_at: at,
            is_read: Arc::clone(&is_read),
        };
        all.insert(key_id.to_owned(), followed);
        is_read
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, Followed>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[tokio::test]
    async fn a_budget_is_read_once_until_its_key_is_silent_or_its_period_changes() {
        let (budgets, reads, began) = (Budgets::default(), AtomicUsize::new(0), Instant::now());
        let call = |period, seconds| {
            let read = async {
                tokio::time::sleep(Duration::from_millis(10)).await;
                reads.fetch_add(1, Ordering::Relaxed);
            };
            budgets.follow("key", period, began + Duration::from_secs(seconds), read)
        };
        futures::future::join_all((0..50).map(|_| call(Period::Day, 0))).await;
        assert_eq!(reads.load(Ordering::Relaxed), 1);
        call(Period::Day, 50).await;
        let followed = |seconds| budgets.followed(began + Duration::from_secs(seconds));
        assert_eq!(followed(109), ["key"]);
        call(Period::Day, 109).await;
        assert_eq!(reads.load(Ordering::Relaxed), 1);
        call(Period::Month, 109).await;
        assert_eq!(reads.load(Ordering::Relaxed), 2);
        assert!(followed(169).is_empty());
        call(Period::Month, 170).await;
        assert_eq!(reads.load(Ordering::Relaxed), 3);
    }

    #[tokio::test]
    async fn a_call_that_ends_while_it_reads_leaves_the_read_to_the_next() {
        let (budgets, now) = (Budgets::default(), Instant::now());
        let pending = budgets.follow("key", Period::Day, now, std::future::pending());
        let ended = tokio::time::timeout(Duration::from_millis(1), pending).await;
        ended.expect_err("it never ends");
        let mut is_read = false;
        let read = async { is_read = true };
        budgets.follow("key", Period::Day, now, read).await;
        assert!(is_read);
    }
}
