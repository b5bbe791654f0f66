//! Recent calls to an upstream, by key: whether it mostly fails.
//!
//! Each key has one vote, however many of its calls fail.

use std::time::{Duration, Instant};

use foldhash::HashMap;

/// Whose call it is: a hash of the API key's id.
pub type KeyHash = u32;

/// Calls count for this long at least, and for twice as long at most.
pub const WINDOW: Duration = Duration::from_secs(5);
/// The fewest failures in the window that open the circuit.
pub const FAILURES: u32 = 5;
/// The share of failures, averaged over the keys, above which the circuit opens.
const SHARE: f64 = 0.5;
/// Keys that are told apart in a window; calls of further keys count as one key's.
pub const MAX_KEYS: usize = 1024;

/// How a call went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// The upstream answered.
    Success,
    /// The upstream failed.
    Failure,
}

/// Recent calls, by key.
#[derive(Debug, Default)]
pub struct Window {
    /// When the current half began.
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
        let is_known = self.current.contains_key(&caller) || self.current.len() < MAX_KEYS;
        let tally = self.current.entry(if is_known { caller } else { 0 });
        let tally = tally.or_default();
        match outcome {
            Outcome::Success => tally.successes += 1,
            Outcome::Failure => tally.failures += 1,
        }
    }

    /// How many calls failed.
    pub fn failures(&self) -> u32 {
        let tallies = self.current.values().chain(self.previous.values());
        tallies.map(|tally| tally.failures).sum()
    }

    /// Whether so many calls fail that the circuit opens.
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
