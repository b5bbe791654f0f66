//! One attempt, shared by all callers who wait for it.
//!
//! Callers that need the same data from the database wait for one caller to read it. If this
//! attempt fails, all of them fail. Otherwise each would try in its turn, and the last of two
//! hundred callers would wait for two hundred timeouts. After a failure, one caller tries again,
//! and callers that arrive meanwhile fail at once. So one caller at most waits while the database
//! is unreachable.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use super::lock;

/// The time for which a failure is remembered: longer than an attempt takes.
const REMEMBERED: Duration = Duration::from_secs(30);

/// Makes attempts one after the other, and shares their failures.
#[derive(Debug)]
pub struct SharedAttempt<E> {
    /// Held by the caller that makes the attempt.
    turn: tokio::sync::Mutex<()>,
    /// The failure of the last attempt, and its time. `None` if the attempt succeeded.
    failed: Mutex<Option<(Instant, E)>>,
}

impl<E> Default for SharedAttempt<E> {
    fn default() -> Self {
        SharedAttempt {
            turn: tokio::sync::Mutex::new(()),
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
    /// The attempt's error, that of an attempt that failed while this caller waited, or, if another
    /// caller makes an attempt, that of the attempt before.
    pub async fn make<T>(
        &self,
        done: impl Fn() -> Option<T>,
        attempt: impl Future<Output = Result<T, E>>,
    ) -> Result<T, E> {
        let came = Instant::now();
        let _turn = match self.turn.try_lock() {
            Ok(turn) => turn,
            Err(_) => {
                let is_recent = |at: Instant| came.saturating_duration_since(at) < REMEMBERED;
                if let Some(error) = self.failure(is_recent) {
                    return Err(error);
                }
                self.turn.lock().await
            }
        };
        if let Some(done) = done() {
            return Ok(done);
        }
        if let Some(error) = self.failure(|at| at > came) {
            return Err(error);
        }
        let outcome = attempt.await;
        let error = outcome.as_ref().err();
        *lock(&self.failed) = error.map(|error| (Instant::now(), error.clone()));
        outcome
    }

    /// The failure of the last attempt, if its time counts.
    fn failure(&self, counts: impl Fn(Instant) -> bool) -> Option<E> {
        let failed = lock(&self.failed);
        let failed = failed.as_ref().filter(|(at, _)| counts(*at));
        failed.map(|(_, error)| error.clone())
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::pin::pin;

    use tokio::sync::Notify;

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
        assert_eq!(attempts.get(), 2);
    }

    #[tokio::test]
    async fn after_a_failure_nobody_waits_for_the_attempt_of_another() {
        let shared = SharedAttempt::<&str>::default();
        let failed = shared.make(|| None::<u8>, async { Err("away") }).await;
        assert_eq!(failed, Err("away"));
        let back = Notify::new();
        let attempt = async {
            back.notified().await;
            Ok(7)
        };
        let mut trying = pin!(shared.make(|| None::<u8>, attempt));
        assert!(futures::poll!(&mut trying).is_pending());
        let meanwhile = shared.make(|| None::<u8>, async { Ok(8) }).await;
        assert_eq!(meanwhile, Err("away"));
        back.notify_one();
        assert_eq!(trying.await, Ok(7));
        let later = shared.make(|| None::<u8>, async { Ok(8) }).await;
        assert_eq!(later, Ok(8));
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
