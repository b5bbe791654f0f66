//! An open circuit: the keys that may try the upstream, and the times of their trials.
//!
//! A key that has not failed tries at once, a key that has failed after a pause. Only the failures
//! of a second key make the pause longer, and put a short pause between the trials of the other
//! keys.

use std::time::{Duration, Instant};

use foldhash::HashSet;

use super::window::{KeyHash, MAX_KEYS};

/// The first pause of an open circuit. It doubles after each failed trial.
pub const PAUSE: Duration = Duration::from_secs(2);
/// The maximum pause of an open circuit.
pub const MAX_PAUSE: Duration = Duration::from_secs(60);
/// The time for which a key whose trial failed leaves the next trial to other keys.
pub const OTHERS_FIRST: Duration = Duration::from_secs(2);

/// The state of an open circuit.
#[derive(Debug)]
pub struct Pause {
    /// The time at which a key that has failed may try again.
    until: Instant,
    /// The time at which any other key may try: at once, unless one of them is trying. After a
    /// second key has failed, a short pause separates these trials.
    others_until: Instant,
    /// The present length of the pause.
    length: Duration,
    /// The keys that have failed.
    failed: HashSet<KeyHash>,
    /// The key whose trial failed last, or was given up.
    last: Option<KeyHash>,
}

impl Pause {
    /// The first pause, after calls of these keys have failed.
    pub fn begin(now: Instant, failed: HashSet<KeyHash>) -> Self {
        Pause {
            until: now + PAUSE,
            others_until: now,
            length: PAUSE,
            failed,
            last: None,
        }
    }

    /// Whether a key has failed. True for every key once more have failed than the window
    /// distinguishes.
    fn has_failed(&self, caller: KeyHash) -> bool {
        self.failed.len() >= MAX_KEYS || self.failed.contains(&caller)
    }

    /// The time at which a key may try.
    pub fn until(&self, caller: KeyHash) -> Instant {
        let until = match self.has_failed(caller) {
            true => self.until.max(self.others_until),
            false => self.others_until,
        };
        match self.last == Some(caller) {
            true => until + OTHERS_FIRST,
            false => until,
        }
    }

    /// A trial has begun. That of a key that has failed does not delay the trials of the others.
    pub fn begin_trial(&mut self, now: Instant, caller: KeyHash) {
        let until = now + self.length;
        match self.has_failed(caller) {
            true => self.until = until,
            false => self.others_until = until,
        }
    }

    /// A trial has failed.
    pub fn fail_trial(&mut self, now: Instant, caller: KeyHash) {
        self.last = Some(caller);
        let had_failed = self.has_failed(caller);
        // Otherwise, another key's trial may be in progress.
        if !had_failed {
            self.failed.insert(caller);
            let is_alone = self.failed.len() == 1;
            // In a real outage, not every key has to lose a call at once.
            self.others_until = if is_alone { now } else { now + PAUSE };
        }
        if !had_failed && now < self.until {
            // One more vote: the pause of the earlier keys is unchanged.
            return;
        }
        if self.failed.len() > 1 {
            self.length = (self.length * 2).min(MAX_PAUSE);
        }
        self.until = now + self.length;
    }

    /// A trial ended without an outcome: another key may try at once.
    pub fn give_up_trial(&mut self, now: Instant, caller: KeyHash) {
        match self.has_failed(caller) {
            true => self.until = now,
            false => self.others_until = now,
        }
        self.last = Some(caller);
    }
}
