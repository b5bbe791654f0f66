//! Recent calls to an upstream, by key, and whether they mostly fail.
//!
//! Each key has one vote, independent of the number of its failures.

use std::time::{Duration, Instant};

use foldhash::HashMap;

/// The caller: a hash of the API key's id.
pub type KeyHash = u32;

/// The minimum time for which calls count. The maximum is twice as long.
pub const WINDOW: Duration = Duration::from_secs(5);
/// The minimum of failures in the window that open the circuit.
pub const FAILURES: u32 = 5;
/// The share of failures, averaged over the keys, above which the circuit opens.
const SHARE: f64 = 0.5;
/// The maximum of distinct keys in a window.
pub const MAX_KEYS: usize = 1024;
/// The key that the calls of all further keys count for.
const FURTHER: KeyHash = 0;

/// The outcome of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// The upstream responded.
    Success,
    /// The upstream failed.
    Failure,
}

/// Recent calls, by key.
#[derive(Debug, Default)]
pub struct Window {
    /// The start of the current half.
    since: Option<Instant>,
    current: HashMap<KeyHash, Tally>,
    previous: HashMap<KeyHash, Tally>,
}

/// Recent calls of one key.
#[derive(Debug, Default, Clone, Copy)]
struct Tally {
    successes: u32,
    failures: u32,
}

impl Window {
    /// Counts a call.
    pub fn count(&mut self, now: Instant, caller: KeyHash, outcome: Outcome) {
        let age = now.saturating_duration_since(*self.since.get_or_insert(now));
        if age >= WINDOW {
            self.previous = std::mem::take(&mut self.current);
            self.since = Some(now);
        }
        if age >= WINDOW * 2 {
            self.previous.clear();
        }
        let has_place = self.current.contains_key(&caller) || self.current.len() < MAX_KEYS;
        let key = if has_place { caller } else { FURTHER };
        let tally = self.current.entry(key).or_default();
        match outcome {
            Outcome::Success => tally.successes += 1,
            Outcome::Failure => tally.failures += 1,
        }
    }

    /// The number of failed calls.
    pub fn failures(&self) -> u32 {
        let tallies = self.current.values().chain(self.previous.values());
        tallies.map(|tally| tally.failures).sum()
    }

    /// Whether enough calls fail to open the circuit.
    pub fn opens_circuit(&self) -> bool {
        self.failures() >= FAILURES && self.share() > SHARE
    }

    /// The keys most of whose calls failed.
    pub fn mostly_failed(&self) -> impl Iterator<Item = KeyHash> {
        let tallies = self.tallies().into_iter();
        let failed = tallies.filter(|(_, tally)| tally.failures > tally.successes);
        failed.map(|(caller, _)| caller)
    }

    fn tallies(&self) -> HashMap<KeyHash, Tally> {
        let mut keys = self.current.clone();
        for (caller, previous) in &self.previous {
            let tally = keys.entry(*caller).or_default();
            tally.successes += previous.successes;
            tally.failures += previous.failures;
        }
        keys
    }

    /// The share of failures, averaged over the keys.
    fn share(&self) -> f64 {
        let keys = self.tallies();
        let share =
            |tally: &Tally| f64::from(tally.failures) / f64::from(tally.successes + tally.failures);
        keys.values().map(share).sum::<f64>() / keys.len() as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_beyond_the_maximum_have_one_vote_together() {
        let (mut window, now) = (Window::default(), Instant::now());
        for caller in (1..).take(MAX_KEYS) {
            window.count(now, caller, Outcome::Success);
        }
        for caller in (10_000..).take(100) {
            window.count(now, caller, Outcome::Failure);
        }
        assert_eq!(window.failures(), 100);
        assert_eq!(window.tallies().len(), MAX_KEYS + 1);
        assert_eq!(window.mostly_failed().collect::<Vec<_>>(), [FURTHER]);
        assert!(!window.opens_circuit());
    }
}
