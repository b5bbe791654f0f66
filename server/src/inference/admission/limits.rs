//! Token buckets: how many calls a minute.
//!
//! A bucket holds one minute's allowance and fills evenly. Buckets are kept by
//! each replica for itself; a full one says nothing and is forgotten.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use chrono::{DateTime, Utc};

/// Past this many, full buckets are forgotten.
const MANY: usize = 10_000;

/// Buckets by name.
#[derive(Debug, Default)]
pub struct Buckets(Mutex<HashMap<String, Bucket>>);

#[derive(Debug)]
struct Bucket {
    tokens: f64,
    filled_at: DateTime<Utc>,
}

impl Bucket {
    fn fill(&mut self, per_minute: f64, now: DateTime<Utc>) {
        let elapsed = (now - self.filled_at).num_milliseconds().max(0);
        self.tokens = (self.tokens + elapsed as f64 * per_minute / 60_000.0).min(per_minute);
        self.filled_at = now;
    }
}

impl Buckets {
    /// Takes one token from a bucket that holds `per_minute`; no limit when
    /// that is absent.
    ///
    /// # Errors
    ///
    /// The seconds until there is a token, at least one.
    pub fn take(&self, name: &str, per_minute: Option<u32>, now: DateTime<Utc>) -> Result<(), i64> {
        let Some(per_minute) = per_minute.map(|rate| f64::from(rate.max(1))) else {
            return Ok(());
        };
        let mut buckets = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if buckets.len() >= MANY {
            buckets.retain(|_, bucket| {
                bucket.fill(per_minute, now);
                bucket.tokens < per_minute
            });
        }
        if !buckets.contains_key(name) {
            let full = Bucket {
                tokens: per_minute,
                filled_at: now,
            };
            buckets.insert(name.to_owned(), full);
        }
        let Some(bucket) = buckets.get_mut(name) else {
            return Ok(());
        };
        bucket.fill(per_minute, now);
        if bucket.tokens >= 1.0 {
            bucket.tokens -= 1.0;
            return Ok(());
        }
        let seconds = (1.0 - bucket.tokens) * 60.0 / per_minute;
        Err((seconds.ceil() as i64).max(1))
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
        for _ in 0..30 {
            assert_eq!(buckets.take("a", Some(30), start), Ok(()));
        }
        assert_eq!(buckets.take("a", Some(30), start), Err(2));
        assert_eq!(buckets.take("b", Some(30), start), Ok(()));
        assert_eq!(
            buckets.take("a", Some(30), start + TimeDelta::seconds(1)),
            Err(1)
        );
        assert_eq!(
            buckets.take("a", Some(30), start + TimeDelta::seconds(2)),
            Ok(())
        );
        assert_eq!(
            buckets.take("a", Some(30), start + TimeDelta::seconds(2)),
            Err(2)
        );
    }

    #[test]
    fn without_a_limit_nothing_is_counted() {
        let buckets = Buckets::default();
        for _ in 0..1000 {
            assert_eq!(buckets.take("a", None, DateTime::UNIX_EPOCH), Ok(()));
        }
    }
}
