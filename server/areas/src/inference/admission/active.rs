//! The keys and principals with calls since the last round, or with calls in progress.
//!
//! Rounds visit these instead of all that exist.

use std::sync::{Mutex, MutexGuard, PoisonError};

use super::shared::LimitedKey;

/// Keys and principals by id, each of them once.
#[derive(Debug, Default)]
pub struct Active(Mutex<Vec<String>>);

impl Active {
    /// Adds a key after a call was admitted or rejected.
    pub fn add(&self, key: LimitedKey<'_>) {
        // Nearly always added already.
        if !key.meter.is_active() {
            let mut ids = self.lock();
            if key.meter.activate() {
                ids.push(key.id.to_owned());
            }
        }
    }

    /// Calls a function with the id of each.
    pub fn each(&self, each: impl FnMut(&String)) {
        self.lock().iter().for_each(each);
    }

    /// Removes those for which a function returns false.
    pub fn retain(&self, is_busy: impl FnMut(&String) -> bool) {
        self.lock().retain(is_busy);
    }

    fn lock(&self) -> MutexGuard<'_, Vec<String>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inference::admission::demand::Reservation;
    use crate::inference::admission::limits::Limits;
    use crate::inference::admission::meter::Meter;
    use chrono::DateTime;

    #[test]
    fn a_key_is_active_in_the_round_after_a_call_and_while_one_is_in_progress() {
        let (meter, active, now) = (Meter::default(), Active::default(), DateTime::UNIX_EPOCH);
        let limits = Limits {
            concurrent_streams: Some(1),
            ..Limits::default()
        };
        let key = LimitedKey {
            id: "key",
            limits: &limits,
            meter: &meter,
        };
        let stream = Reservation {
            calls: false,
            streams: true,
            tokens: 0,
        };
        let enter = |reservation, is_admitted| {
            let entered = meter.enter(&limits, reservation, now);
            assert_eq!(entered.is_ok(), is_admitted);
            active.add(key);
        };
        let round = || {
            let mut demands = 0;
            active.retain(|id| {
                assert_eq!(id, "key");
                demands += i32::from(meter.take_demand(&limits, 0.5).is_some());
                meter.is_active()
            });
            demands
        };
        assert_eq!(round(), 0);
        enter(Reservation::default(), true);
        enter(stream, true);
        // A rejected call is demand, too.
        enter(stream, false);
        assert_eq!([round(), round()], [1, 1]);
        meter.leave(&limits, stream, now);
        assert_eq!(round(), 0);
        enter(Reservation::default(), true);
        assert_eq!([round(), round()], [1, 0]);
    }
}
