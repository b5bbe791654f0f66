//! The meters of principals, which limit their management calls.
//!
//! An idle meter carries no information and can be deleted.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use arc_swap::ArcSwap;
use chrono::{DateTime, Utc};

use super::limits::Limits;
use super::meter::Meter;
use super::share::Share;
use super::shared::LimitedKey;

/// The number of meters above which idle ones are deleted.
const SWEEP_THRESHOLD: usize = 10_000;

/// Meters by principal, with the limits of each.
#[derive(Debug)]
pub struct Principals {
    /// The limits of each principal.
    limits: ArcSwap<Limits>,
    meters: Mutex<HashMap<String, Arc<Meter>>>,
}

impl Principals {
    /// Creates the limits of principals. Without `per_minute`, there is no limit.
    pub fn new(per_minute: Option<u32>) -> Self {
        let principals = Principals {
            limits: ArcSwap::default(),
            meters: Mutex::default(),
        };
        principals.set_rate(per_minute);
        principals
    }

    /// Changes the limits. Without `per_minute`, there is no limit.
    pub fn set_rate(&self, per_minute: Option<u32>) {
        self.limits.store(Arc::new(Limits {
            requests_per_minute: per_minute.map(|rate| rate.max(1)),
            ..Limits::default()
        }));
    }

    /// The limits of each principal.
    pub fn limits(&self) -> Limits {
        **self.limits.load()
    }

    /// The meter with this id. A new one has a share of the limits.
    pub fn meter(&self, id: &str, share: impl FnOnce() -> Share, now: DateTime<Utc>) -> Arc<Meter> {
        let mut meters = self.meters.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(meter) = meters.get(id) {
            return Arc::clone(meter);
        }
        if meters.len() >= SWEEP_THRESHOLD {
            let limits = &self.limits();
            meters.retain(|_, meter| Arc::strong_count(meter) > 1 || !meter.is_idle(limits, now));
        }
        let meter = Arc::new(Meter::new(share()));
        meters.insert(id.to_owned(), Arc::clone(&meter));
        meter
    }

    /// The meter with this id, if there is one.
    pub fn known(&self, id: &str) -> Option<Arc<Meter>> {
        let meters = self.meters.lock().unwrap_or_else(PoisonError::into_inner);
        meters.get(id).cloned()
    }

    /// Calls a function with each meter.
    pub fn each(&self, mut each: impl FnMut(LimitedKey<'_>)) {
        let limits = &self.limits();
        let meters = self.meters.lock().unwrap_or_else(PoisonError::into_inner);
        for (id, meter) in meters.iter() {
            each(LimitedKey { id, limits, meter });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inference::admission::demand::Reservation;
    use chrono::TimeDelta;

    fn at(seconds: i64) -> DateTime<Utc> {
        DateTime::UNIX_EPOCH + TimeDelta::seconds(seconds)
    }

    /// Takes one call. Returns the seconds to wait if there is none.
    fn take(principals: &Principals, id: &str, seconds: i64) -> Result<(), i64> {
        let meter = principals.meter(id, || Share::WHOLE, at(seconds));
        let entered = meter.enter(&principals.limits(), Reservation::default(), at(seconds));
        entered.map(drop).map_err(|exhausted| exhausted.retry_after)
    }

    #[test]
    fn a_principal_has_an_allowance_that_refills_evenly() {
        let principals = Principals::new(Some(30));
        for _ in 0..30 {
            assert_eq!(take(&principals, "a", 0), Ok(()));
        }
        assert_eq!(take(&principals, "a", 0), Err(2));
        assert_eq!(take(&principals, "b", 0), Ok(()));
        assert_eq!(take(&principals, "a", 1), Err(1));
        assert_eq!(take(&principals, "a", 2), Ok(()));
        assert_eq!(take(&principals, "a", 2), Err(2));
    }

    #[test]
    fn a_changed_limit_applies_to_the_next_call() {
        let principals = Principals::new(Some(30));
        assert_eq!(take(&principals, "a", 0), Ok(()));
        principals.set_rate(Some(1));
        assert_eq!(take(&principals, "a", 0), Ok(()));
        assert_eq!(take(&principals, "a", 0), Err(60));
        principals.set_rate(None);
        assert_eq!(take(&principals, "a", 0), Ok(()));
    }

    #[test]
    fn only_idle_meters_are_deleted() {
        let principals = Principals::new(Some(30));
        for number in 0..SWEEP_THRESHOLD {
            assert_eq!(take(&principals, &number.to_string(), 0), Ok(()));
        }
        assert_eq!(take(&principals, "busy", 1), Ok(()));
        assert_eq!(take(&principals, "new", 2), Ok(()));
        let mut left = Vec::new();
        principals.each(|key| left.push(key.id.to_owned()));
        left.sort_unstable();
        assert_eq!(left, ["busy", "new"]);
    }
}
