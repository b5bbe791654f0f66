//! A circuit breaker: a model server that keeps failing is left alone.
//!
//! After some failures in a row the circuit opens for a while; then one call at
//! a time may try, and its outcome decides. A trial that never ends keeps the
//! circuit open no longer than the pause.

use std::pin::pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::Notify;

/// Failures in a row that open the circuit.
const FAILURES: u32 = 5;
/// How long it stays open at first; twice as long after each failed trial.
const PAUSE: Duration = Duration::from_secs(2);
/// How long it stays open at most.
const LONGEST_PAUSE: Duration = Duration::from_secs(60);

/// Whether a model server may be called.
#[derive(Debug, Default)]
pub struct Breaker {
    /// Whether it failed since it last answered. While it has not, which is nearly
    /// always, nobody waits for somebody else.
    has_failed: AtomicBool,
    state: Mutex<State>,
    /// Tells waiting calls that the circuit has closed.
    closed: Notify,
}

#[derive(Debug, Clone, Copy)]
enum State {
    Closed { failures: u32 },
    Open { until: Instant, pause: Duration },
}

impl Default for State {
    fn default() -> Self {
        State::Closed { failures: 0 }
    }
}

impl Breaker {
    /// Whether a call may be made at `now`. With the circuit open, whoever is
    /// told so is the trial, and must call.
    ///
    /// # Errors
    ///
    /// When to ask again.
    pub fn admit(&self, now: Instant) -> Result<(), Instant> {
        if !self.has_failed.load(Ordering::Acquire) {
            return Ok(());
        }
        let mut state = self.lock();
        match &mut *state {
            State::Closed { .. } => Ok(()),
            State::Open { until, .. } if now < *until => Err(*until),
            State::Open { until, pause } => {
                *until = now + *pause;
                Ok(())
            }
        }
    }

    /// The model server answered.
    pub fn succeeded(&self) {
        if self.has_failed.load(Ordering::Acquire) {
            let mut state = self.lock();
            *state = State::default();
            self.has_failed.store(false, Ordering::Release);
            drop(state);
            self.closed.notify_waiters();
        }
    }

    /// Waits until [`admit`](Self::admit) can let a call through.
    ///
    /// # Errors
    ///
    /// When to ask again, if that is not before the deadline.
    pub async fn ready(&self, deadline: Instant) -> Result<(), Instant> {
        loop {
            let mut closed = pin!(self.closed.notified());
            // From here on no closing is missed.
            closed.as_mut().enable();
            let until = match *self.lock() {
                State::Open { until, .. } if Instant::now() < until => until,
                State::Open { .. } | State::Closed { .. } => return Ok(()),
            };
            if until >= deadline {
                return Err(until);
            }
            tokio::select! {
                () = closed => {}
                () = tokio::time::sleep_until(until.into()) => {}
            }
        }
    }

    /// The model server failed. Whether this opened the circuit.
    pub fn failed(&self, now: Instant) -> bool {
        let mut state = self.lock();
        self.has_failed.store(true, Ordering::Release);
        let pause = match *state {
            State::Closed { failures } if failures + 1 < FAILURES => {
                *state = State::Closed {
                    failures: failures + 1,
                };
                return false;
            }
            State::Closed { .. } => PAUSE,
            // A call that began before the circuit opened is no trial.
            State::Open { until, pause } if now < until - pause => return false,
            State::Open { pause, .. } => (pause * 2).min(LONGEST_PAUSE),
        };
        *state = State::Open {
            until: now + pause,
            pause,
        };
        true
    }

    /// Whether the circuit is open.
    pub fn is_open(&self) -> bool {
        matches!(*self.lock(), State::Open { .. })
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn opened(now: Instant) -> Breaker {
        let breaker = Breaker::default();
        for _ in 1..FAILURES {
            assert!(!breaker.failed(now));
            assert_eq!(breaker.admit(now), Ok(()));
        }
        assert!(breaker.failed(now));
        breaker
    }

    #[test]
    fn failures_in_a_row_open_the_circuit_and_a_success_between_them_does_not() {
        let now = Instant::now();
        assert_eq!(opened(now).admit(now), Err(now + PAUSE));
        let breaker = Breaker::default();
        for _ in 0..3 * FAILURES {
            breaker.failed(now);
            breaker.succeeded();
        }
        assert!(!breaker.is_open());
    }

    #[test]
    fn an_open_circuit_lets_one_trial_through_at_a_time() {
        let now = Instant::now();
        let breaker = opened(now);
        let later = now + PAUSE;
        assert_eq!(breaker.admit(later), Ok(()));
        assert_eq!(breaker.admit(later), Err(later + PAUSE));
        breaker.succeeded();
        assert_eq!(breaker.admit(later), Ok(()));
        assert_eq!(breaker.admit(later), Ok(()));
    }

    #[test]
    fn a_failed_trial_doubles_the_pause_up_to_a_limit() {
        let mut now = Instant::now();
        let breaker = opened(now);
        let mut pause = PAUSE;
        for _ in 0..10 {
            now += pause;
            assert_eq!(breaker.admit(now), Ok(()));
            breaker.failed(now);
            pause = (pause * 2).min(LONGEST_PAUSE);
            assert_eq!(breaker.admit(now), Err(now + pause));
        }
        assert_eq!(pause, LONGEST_PAUSE);
    }
}
