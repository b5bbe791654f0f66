//! The quotas of device requests: per minute, for a client and for an address.
//!
//! A request is admitted while the quota of a minute is not used up, and the quota refills
//! evenly. So a rejected caller waits a second or less for the next request, and not for
//! minutes. Each replica counts for itself.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// The quota of this many milliseconds can be used at once.
const MINUTE: i64 = 60_000;
/// The number of subjects above which those with a full quota are deleted.
const SWEEP_THRESHOLD: usize = 10_000;
/// The maximum of counted subjects. No further ones are added, so that invented names do not fill
/// the memory.
const MAX_SUBJECTS: usize = 100_000;

/// The time at which the quota of each subject is full again, in Unix milliseconds.
#[derive(Debug, Default)]
pub struct Quotas(Mutex<HashMap<String, i64>>);

impl Quotas {
    /// Seconds until a subject may send a request. `None` if it may now. A rate of 0 sets no limit.
    pub fn wait(&self, subject: &str, per_minute: i64, now: i64) -> Option<i64> {
        let full_at = *self.lock().get(subject)?;
        let cost = cost(per_minute)?;
        let over = in_time(full_at, now) + cost - (now + MINUTE);
        (over > 0).then_some((over + 999) / 1000)
    }

    /// Uses the quota of a subject for one request.
    pub fn take(&self, subject: &str, per_minute: i64, now: i64) {
        let Some(cost) = cost(per_minute) else {
            return;
        };
        let mut all = self.lock();
        if all.len() >= SWEEP_THRESHOLD {
            all.retain(|_, full_at| in_time(*full_at, now) > now);
        }
        if let Some(full_at) = all.get_mut(subject) {
            *full_at = in_time(*full_at, now) + cost;
        } else if all.len() < MAX_SUBJECTS {
            all.insert(subject.to_owned(), now + cost);
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<String, i64>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A quota that would be full more than a minute from now was used while the clock was ahead, and
/// counts as full.
fn in_time(full_at: i64, now: i64) -> i64 {
    match (now..=now + MINUTE).contains(&full_at) {
        true => full_at,
        false => now,
    }
}

/// Milliseconds in which the quota for one request refills.
fn cost(per_minute: i64) -> Option<i64> {
    (per_minute > 0).then(|| (MINUTE / per_minute).max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(quotas: &Quotas, now: i64) -> Result<(), i64> {
        match quotas.wait("a", 60, now) {
            Some(seconds) => Err(seconds),
            None => {
                quotas.take("a", 60, now);
                Ok(())
            }
        }
    }

    #[test]
    fn whoever_has_used_up_a_minutes_allowance_waits_a_second() {
        let quotas = Quotas::default();
        for _ in 0..60 {
            assert_eq!(ask(&quotas, 0), Ok(()));
        }
        assert_eq!(ask(&quotas, 0), Err(1));
        assert_eq!(ask(&quotas, 999), Err(1));
        assert_eq!(ask(&quotas, 1_000), Ok(()));
        assert_eq!(ask(&quotas, 1_000), Err(1));
        assert_eq!(quotas.wait("b", 60, 0), None);
        assert_eq!(quotas.wait("a", 0, 0), None);
    }

    #[test]
    fn a_clock_that_was_ahead_leaves_no_wait() {
        let quotas = Quotas::default();
        for _ in 0..60 {
            ask(&quotas, 7_200_000).unwrap();
        }
        assert_eq!(ask(&quotas, 0), Ok(()));
    }
}
