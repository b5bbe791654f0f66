//! One attempt for all who wait for it.
//!
//! Callers that need the same thing from the database wait for one of them to read it.
//! When that fails, they all fail: otherwise each would try in its turn, and the last of
//! two hundred callers would wait two hundred timeouts. Who comes within a second after
//! that fails as well: while the database is away, nobody but one caller waits.

use std::time::{Duration, Instant};

use tokio::sync::Mutex;

/// How long a failure is remembered.
const REMEMBERED: Duration = Duration::from_secs(1);

/// Makes attempts one after the other, and shares their failures.
#[derive(Debug)]
pub struct SharedAttempt<E> {
    /// When the last attempt failed, if it did, and how.
    failed: Mutex<Option<(Instant, E)>>,
}

impl<E> Default for SharedAttempt<E> {
    fn default() -> Self {
        SharedAttempt {
            failed: Mutex::new(None),
        }
    }
}

impl<E: Clone> SharedAttempt<E> {
    /// Returns what `done` finds when this caller's turn comes, or else makes the
    /// `attempt`.
    ///
    /// # Errors
    ///
    /// The attempt's error, or that of an attempt that failed while this caller waited, or within
    /// the second before it came.
    pub async fn make<T>(
        &self,
        done: impl Fn() -> Option<T>,
        attempt: impl Future<Output = Result<T, E>>,
    ) -> Result<T, E> {
        let came = Instant::now();
        let mut failed = self.failed.lock().await;
        if let Some(done) = done() {
            return Ok(done);
        }
        if let Some((at, error)) = &*failed
            && came.saturating_duration_since(*at) < REMEMBERED
        {
            return Err(error.clone());
        }
        let outcome = attempt.await;
        let error = outcome.as_ref().err();
        *failed = error.map(|error| (Instant::now(), error.clone()));
        outcome
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::time::Duration;

    use super::*;

    #[tokio::test]
    async fn those_who_wait_share_one_failure_and_who_comes_later_tries_again() {
        let (shared, attempts) = (SharedAttempt::default(), Cell::new(0));
        let call = || {
            let attempt = async {
                attempts.set(attempts.get() + 1);
                tokio::time::sleep(Duration::from_millis(50)).await;
                Err::<(), _>("away")
            };
            shared.make(|| None, attempt)
        };
        let outcomes = futures::future::join_all((0..200).map(|_| call())).await;
        assert!(outcomes.iter().all(|outcome| *outcome == Err("away")));
        assert_eq!(attempts.get(), 1);
        assert_eq!(call().await, Err("away"));
        assert_eq!(attempts.get(), 1, "a failure is remembered");
        tokio::time::sleep(REMEMBERED).await;
        assert_eq!(call().await, Err("away"));
        assert_eq!(attempts.get(), 2);
    }

    #[tokio::test]
    async fn those_who_wait_find_what_one_of_them_has_read() {
        let (shared, known) = (SharedAttempt::<()>::default(), Cell::new(None));
        let call = || {
            let attempt = async {
                tokio::time::sleep(Duration::from_millis(20)).await;
                assert_eq!(known.replace(Some(7)), None, "read twice");
                Ok(7)
            };
            shared.make(|| known.get(), attempt)
        };
        let outcomes = futures::future::join_all((0..20).map(|_| call())).await;
        assert!(outcomes.iter().all(|outcome| *outcome == Ok(7)));
    }
}
