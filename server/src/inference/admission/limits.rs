//! Limits of calls a minute, for principals and other names.
//!
//! Each replica has its own buckets. A full bucket carries no information and can be deleted. API
//! keys have more kinds of limits: see [`super::meter`].

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use chrono::{DateTime, Utc};

use super::bucket::Bucket;

/// The number of buckets above which full ones are deleted.
const SWEEP_THRESHOLD: usize = 10_000;

/// Buckets by name.
#[derive(Debug, Default)]
pub struct Buckets(Mutex<HashMap<String, Bucket>>);

impl Buckets {
    /// Takes one call from a bucket that holds `per_minute`. Without `per_minute`, there is no
    /// limit.
    ///
    /// # Errors
    ///
    /// The seconds until a call is allowed, at least one.
    pub fn take(&self, name: &str, per_minute: Option<u32>, now: DateTime<Utc>) -> Result<(), i64> {
        let Some(per_minute) = per_minute.map(|rate| f64::from(rate.max(1))) else {
            return Ok(());
        };
        let mut buckets = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if buckets.len() >= SWEEP_THRESHOLD {
            buckets.retain(|_, bucket| {
                bucket.fill(per_minute, now);
                !bucket.is_full(per_minute)
            });
        }
        if !buckets.contains_key(name) {
            buckets.insert(name.to_owned(), Bucket::full(per_minute, now));
        }
        let Some(bucket) = buckets.get_mut(name) else {
            return Ok(());
        };
        bucket.fill(per_minute, now);
        match bucket.seconds_until(1.0, per_minute) {
            0 => {
                bucket.take(1.0);
                Ok(())
            }
            seconds => Err(seconds),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chrono::TimeDelta;

    #[test]
    fn a_bucket_gives_its_minute_and_then_what_flows_in() {
        let buckets = Buckets::default();
        let start = DateTime::UNIX_EPOCH;
        let take = |name, seconds| {
            let now = start + TimeDelta::seconds(seconds);
            buckets.take(name, Some(30), now)
        };
        for _ in 0..30 {
            assert_eq!(take("a", 0), Ok(()));
        }
        assert_eq!(take("a", 0), Err(2));
        assert_eq!(take("b", 0), Ok(()));
        assert_eq!(take("a", 1), Err(1));
        assert_eq!(take("a", 2), Ok(()));
        assert_eq!(take("a", 2), Err(2));
    }

    #[test]
    fn without_a_limit_nothing_is_counted() {
        let buckets = Buckets::default();
        for _ in 0..1000 {
            assert_eq!(buckets.take("a", None, DateTime::UNIX_EPOCH), Ok(()));
        }
    }
}
