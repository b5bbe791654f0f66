//! A circuit breaker: an upstream whose calls mostly fail is not called for a while.
//!
//! Failed connections, timeouts and the statuses 502 to 504 are failures, and so is a connection
//! that fails in the middle of a response. They open the circuit by their share over a window. Each
//! API key has one vote, so that the failures of one key do not keep the others from the upstream.
//! The crates `failsafe` and `recloser` count the calls of all keys together.
//!
//! An open circuit admits one trial at a time of the keys that have failed, and one of the others.
//! Its outcome decides. A key that has not failed may try at once, one that has failed after a
//! pause. Only the failures of a second key make the pause longer. From then on the upstream is
//! probably down, and the other keys try one after the other, with a short pause between them. A
//! key whose trial failed leaves the next trial to the others for a moment.

mod pause;
mod window;

use std::pin::pin;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use tokio::sync::Notify;

use pause::Pause;
use window::{Outcome, Window};

pub use window::KeyHash;

/// Whether an upstream may be called.
#[derive(Debug, Default)]
pub struct Breaker {
    state: Mutex<State>,
    /// Notifies waiting calls that the circuit has closed, or that a trial was given up.
    changed: Notify,
}

#[derive(Debug)]
enum State {
    Closed(Window),
    Open(Pause),
}

/// How a call was admitted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Admitted {
    /// The circuit is closed.
    Ordinary,
    /// The circuit is open, and the call's outcome decides whether it stays so.
    Trial,
}

impl Default for State {
    fn default() -> Self {
        State::Closed(Window::default())
    }
}

impl Breaker {
    /// Whether a call of `caller` may be made at `now`. A trial must report its outcome.
    ///
    /// # Errors
    ///
    /// The time of the next attempt.
    pub fn admit(&self, now: Instant, caller: KeyHash) -> Result<Admitted, Instant> {
        let mut state = self.lock();
        let State::Open(pause) = &mut *state else {
            return Ok(Admitted::Ordinary);
        };
        let until = pause.until(caller);
        if now < until {
            return Err(until);
        }
        pause.begin_trial(now, caller);
        Ok(Admitted::Trial)
    }

    /// Waits until [`admit`](Self::admit) can admit a call.
    ///
    /// # Errors
    ///
    /// The time of the next attempt, if it is not before the deadline.
    pub async fn ready(&self, caller: KeyHash, deadline: Instant) -> Result<(), Instant> {
        loop {
            let mut changed = pin!(self.changed.notified());
            // From here on no notification is missed.
            changed.as_mut().enable();
            let until = match &*self.lock() {
                State::Open(pause) => pause.until(caller),
                State::Closed(_) => return Ok(()),
            };
            if until <= Instant::now() {
                return Ok(());
            }
            if until >= deadline {
                return Err(until);
            }
            tokio::select! {
                () = changed => {}
                () = tokio::time::sleep_until(until.into()) => {}
            }
        }
    }

    /// The upstream responded to a call: with a success, or with an error that does not indicate an
    /// outage.
    pub fn succeeded(&self, now: Instant, caller: KeyHash, admitted: Admitted) {
        let mut state = self.lock();
        match &mut *state {
            State::Closed(window) => {
                if window.failures() == 0 {
                    // Many successes would outweigh the failures with which an outage begins.
                    *window = Window::default();
                }
                window.count(now, caller, Outcome::Success);
            }
            // The call began before the circuit opened, so its success proves nothing.
            State::Open(_) if admitted == Admitted::Ordinary => {}
            State::Open(_) => {
                let mut window = Window::default();
                window.count(now, caller, Outcome::Success);
                *state = State::Closed(window);
                drop(state);
                self.changed.notify_waiters();
            }
        }
    }

    /// The upstream failed a call. Returns whether this opened the circuit, or kept it open.
    pub fn failed(&self, now: Instant, caller: KeyHash, admitted: Admitted) -> bool {
        let mut state = self.lock();
        match &mut *state {
            State::Closed(window) => {
                window.count(now, caller, Outcome::Failure);
                if !window.opens_circuit() {
                    return false;
                }
                let pause = Pause::begin(now, window.mostly_failed().collect());
                *state = State::Open(pause);
            }
            // The call began before the circuit opened, so its failure proves nothing new.
            State::Open(_) if admitted == Admitted::Ordinary => return false,
            State::Open(pause) => pause.fail_trial(now, caller),
        }
        drop(state);
        // A key that has not failed may be next.
        self.changed.notify_waiters();
        true
    }

    /// A trial ended without an outcome, because its caller left: another call may try at once.
    pub fn gave_up(&self, now: Instant, caller: KeyHash) {
        if let State::Open(pause) = &mut *self.lock() {
            pause.give_up_trial(now, caller);
        }
        self.changed.notify_waiters();
    }

    /// Whether the circuit is open.
    pub fn is_open(&self) -> bool {
        matches!(*self.lock(), State::Open(_))
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use Admitted::{Ordinary, Trial};
    use pause::{MAX_PAUSE, OTHERS_FIRST, PAUSE};
    use window::{FAILURES, WINDOW};

    const A: KeyHash = 1;
    const B: KeyHash = 2;
    const C: KeyHash = 3;

    fn opened(now: Instant) -> Breaker {
        let breaker = Breaker::default();
        for _ in 1..FAILURES {
            assert!(!breaker.failed(now, A, Ordinary));
            assert_eq!(breaker.admit(now, A), Ok(Ordinary));
        }
        assert!(breaker.failed(now, A, Ordinary));
        breaker
    }

    #[test]
    fn an_upstream_that_mostly_fails_is_left_alone() {
        let now = Instant::now();
        assert_eq!(opened(now).admit(now, A), Err(now + PAUSE));
        // Two of three calls fail, and never many in a row.
        let breaker = Breaker::default();
        for _ in 0..FAILURES {
            breaker.succeeded(now, A, Ordinary);
            breaker.failed(now, A, Ordinary);
            breaker.failed(now, A, Ordinary);
        }
        assert!(breaker.is_open());
    }

    #[test]
    fn an_upstream_that_seldom_fails_is_called_on() {
        let now = Instant::now();
        let breaker = Breaker::default();
        for _ in 0..100 {
            breaker.failed(now, A, Ordinary);
            breaker.succeeded(now, A, Ordinary);
            breaker.succeeded(now, A, Ordinary);
        }
        assert!(!breaker.is_open());
    }

    #[test]
    fn failures_long_ago_do_not_count() {
        let mut now = Instant::now();
        let breaker = Breaker::default();
        for _ in 0..10 * FAILURES {
            assert!(!breaker.failed(now, A, Ordinary));
            now += WINDOW;
        }
        breaker.succeeded(now + WINDOW * 2, A, Ordinary);
        let state = breaker.lock();
        assert!(matches!(&*state, State::Closed(window) if window.failures() == 0));
    }

    #[test]
    fn the_failures_of_one_key_do_not_open_the_circuit_for_another() {
        let mut now = Instant::now();
        let breaker = Breaker::default();
        for _ in 0..100 {
            breaker.succeeded(now, B, Ordinary);
            for _ in 0..25 {
                breaker.failed(now, A, Ordinary);
            }
            assert_eq!(breaker.admit(now, B), Ok(Ordinary));
            now += Duration::from_secs(1);
        }
        // Once the other key's calls fail as well, it is the upstream.
        for _ in 0..3 {
            breaker.failed(now, B, Ordinary);
        }
        now += WINDOW * 2;
        for _ in 0..FAILURES {
            breaker.failed(now, A, Ordinary);
            breaker.failed(now, B, Ordinary);
        }
        assert!(breaker.is_open());
    }

    #[test]
    fn an_open_circuit_lets_one_trial_through_at_a_time() {
        let now = Instant::now();
        let breaker = opened(now);
        let later = now + PAUSE;
        assert_eq!(breaker.admit(later, A), Ok(Trial));
        assert_eq!(breaker.admit(later, A), Err(later + PAUSE));
        // Nor two of keys that have not failed.
        assert_eq!(breaker.admit(later, B), Ok(Trial));
        assert_eq!(breaker.admit(later, C), Err(later + PAUSE));
        breaker.succeeded(later, A, Trial);
        assert_eq!(breaker.admit(later, A), Ok(Ordinary));
        assert_eq!(breaker.admit(later, B), Ok(Ordinary));
    }

    #[test]
    fn a_key_whose_trial_failed_leaves_the_next_to_the_others() {
        let now = Instant::now();
        let breaker = opened(now);
        let later = now + PAUSE;
        assert_eq!(breaker.admit(later, A), Ok(Trial));
        breaker.failed(later, A, Trial);
        let later = later + PAUSE;
        assert_eq!(breaker.admit(later, A), Err(later + OTHERS_FIRST));
        assert_eq!(breaker.admit(later, B), Ok(Trial));
    }

    #[test]
    fn a_trial_of_a_key_that_has_failed_does_not_end_that_of_another() {
        let now = Instant::now();
        let later = now + PAUSE;
        let trials = || {
            let breaker = opened(now);
            assert_eq!(breaker.admit(later, A), Ok(Trial));
            assert_eq!(breaker.admit(later, B), Ok(Trial));
            breaker
        };
        let breaker = trials();
        breaker.failed(later, A, Trial);
        assert_eq!(breaker.admit(later, C), Err(later + PAUSE));
        let breaker = trials();
        breaker.gave_up(later, A);
        assert_eq!(breaker.admit(later, C), Err(later + PAUSE));
    }

    #[test]
    fn a_trial_whose_caller_leaves_is_free_for_others_at_once() {
        let now = Instant::now();
        let breaker = opened(now);
        let later = now + PAUSE;
        assert_eq!(breaker.admit(later, A), Ok(Trial));
        breaker.gave_up(later, A);
        assert_eq!(breaker.admit(later, A), Err(later + OTHERS_FIRST));
        assert_eq!(breaker.admit(later, B), Ok(Trial));
    }

    #[test]
    fn calls_that_began_before_the_circuit_opened_do_not_lengthen_the_pause() {
        let now = Instant::now();
        let breaker = opened(now);
        for _ in 0..20 {
            assert!(!breaker.failed(now, B, Ordinary));
        }
        assert_eq!(breaker.admit(now, A), Err(now + PAUSE));
    }

    /// One key's requests exceed their timeout, and nobody else calls.
    #[test]
    fn a_key_that_has_not_failed_may_try_at_once() {
        let mut now = Instant::now();
        let breaker = opened(now);
        for _ in 0..3 {
            assert!(!breaker.failed(now, A, Ordinary));
        }
        // One key's failed trials never make the pause longer.
        for _ in 0..5 {
            now += PAUSE + OTHERS_FIRST;
            assert_eq!(breaker.admit(now, A), Ok(Trial));
            breaker.failed(now, A, Trial);
            assert_eq!(breaker.admit(now, A), Err(now + PAUSE + OTHERS_FIRST));
        }
        // No other key waits for its trial.
        now += PAUSE + OTHERS_FIRST;
        assert_eq!(breaker.admit(now, A), Ok(Trial));
        assert_eq!(breaker.admit(now, B), Ok(Trial));
        breaker.succeeded(now, B, Trial);
        assert_eq!(breaker.admit(now, B), Ok(Ordinary));
    }

    #[test]
    fn the_failures_of_a_second_key_make_the_pause_longer() {
        let mut now = Instant::now();
        let breaker = opened(now);
        assert_eq!(breaker.admit(now, B), Ok(Trial));
        breaker.failed(now, B, Trial);
        // The pause of the first key is unchanged.
        assert_eq!(breaker.admit(now, A), Err(now + PAUSE));
        assert_eq!(breaker.admit(now, B), Err(now + PAUSE + OTHERS_FIRST));
        // A third key may try after the short pause, even if the others' pause is long.
        assert_eq!(breaker.admit(now, C), Err(now + PAUSE));
        now += PAUSE;
        assert_eq!(breaker.admit(now, A), Ok(Trial));
        breaker.failed(now, A, Trial);
        assert_eq!(breaker.admit(now, B), Err(now + PAUSE * 2));
        assert_eq!(breaker.admit(now + PAUSE, C), Ok(Trial));
    }

    #[tokio::test]
    async fn a_call_of_a_key_that_has_not_failed_does_not_wait() {
        let now = Instant::now();
        let breaker = opened(now);
        let deadline = now + MAX_PAUSE * 1000;
        assert!(futures::poll!(pin!(breaker.ready(A, deadline))).is_pending());
        assert_eq!(breaker.ready(B, deadline).await, Ok(()));
        // It waits for the trial of another key, and continues when that is given up.
        assert_eq!(breaker.admit(now, C), Ok(Trial));
        let mut waiting = pin!(breaker.ready(B, deadline));
        assert!(futures::poll!(&mut waiting).is_pending());
        breaker.gave_up(now, C);
        assert_eq!(waiting.await, Ok(()));
    }

    #[test]
    fn a_failed_trial_doubles_the_pause_up_to_a_limit() {
        let mut now = Instant::now();
        let breaker = opened(now);
        let mut pause = PAUSE;
        for trial in 0..10 {
            now += pause;
            // In turn, so that nobody has to leave a trial to another.
            let caller = trial % 2;
            assert_eq!(breaker.admit(now, caller), Ok(Trial));
            breaker.failed(now, caller, Trial);
            pause = (pause * 2).min(MAX_PAUSE);
            let until = now + pause + OTHERS_FIRST;
            assert_eq!(breaker.admit(now, caller), Err(until));
        }
        assert_eq!(pause, MAX_PAUSE);
    }
}
