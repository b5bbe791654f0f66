//! A token bucket that refills evenly and holds one minute's allowance.
//!
//! The crate `governor` neither goes into debt nor changes the rate of a bucket. Settlements need the
//! one, and shares the other.

use chrono::{DateTime, TimeDelta, Utc};

/// No call reads the clock so long before it fills a bucket: a bucket that was filled later shows that
/// the clock was set back.
const SET_BACK: TimeDelta = TimeDelta::minutes(1);
/// A minute, in milliseconds.
pub const MINUTE_MILLIS: f64 = 60_000.0;

/// The rest of an allowance.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bucket {
    left: f64,
    filled_at: DateTime<Utc>,
}

impl Bucket {
    /// A full bucket.
    pub fn full(per_minute: f64, now: DateTime<Utc>) -> Self {
        Bucket {
            left: per_minute,
            filled_at: now,
        }
    }

    /// Refills the bucket up to now. It never holds more than a minute's allowance, even if that was
    /// lowered. After a clock was set back, the refill continues from the new time.
    pub fn fill(&mut self, per_minute: f64, now: DateTime<Utc>) {
        if self.filled_at - now > SET_BACK {
            self.filled_at = now;
        }
        let elapsed = (now - self.filled_at).num_milliseconds().max(0);
        let added = elapsed as f64 * per_minute / MINUTE_MILLIS;
        self.left = (self.left + added).min(per_minute);
        self.filled_at = self.filled_at.max(now);
    }

    /// Whether it holds a minute's allowance.
    pub fn is_full(&self, per_minute: f64) -> bool {
        self.left >= per_minute
    }

    /// The rest, in whole units.
    pub fn left(&self) -> i64 {
        self.left.max(0.0) as i64
    }

    /// Removes this many units, into debt if necessary.
    pub fn take(&mut self, count: f64) {
        self.left -= count;
    }

    /// Ends a debt.
    pub fn end_debt(&mut self) {
        self.left = self.left.max(0.0);
    }

    /// Seconds until it holds this many units. 0 if it does.
    pub fn seconds_until(&self, count: f64, per_minute: f64) -> i64 {
        let missing = (count - self.left).max(0.0);
        (missing * 60.0 / per_minute.max(1.0)).ceil() as i64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bucket_is_refilled_after_the_clock_was_set_back() {
        let at = |seconds| DateTime::UNIX_EPOCH + TimeDelta::seconds(seconds);
        let mut bucket = Bucket::full(60.0, at(3600));
        bucket.take(60.0);
        // Calls may arrive in another order than they have read the clock.
        for (seconds, left) in [(3599, 0), (3600, 0), (3601, 1), (5, 1), (6, 2), (10, 6)] {
            bucket.fill(60.0, at(seconds));
            assert_eq!(bucket.left(), left, "{seconds}");
        }
    }
}
