//! Time, as a part of the context.
//!
//! All expiry, rotation and throttling uses this clock, so that a test can skip an hour in an
//! instant.

use std::sync::Mutex;

use chrono::{DateTime, TimeDelta, Utc};

use super::lock;

/// The source of the current time.
pub trait Clock: Send + Sync + 'static {
    /// Now.
    fn now(&self) -> DateTime<Utc>;
}

/// The machine's clock.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> DateTime<Utc> {
        Utc::now()
    }
}

/// The machine's clock with an offset that a test sets.
///
/// The clock keeps running between two changes of the offset. A stopped clock would hide faults
/// that occur in a running service.
#[derive(Debug, Default)]
pub struct ShiftedClock {
    offset: Mutex<TimeDelta>,
}

impl ShiftedClock {
    /// Changes the offset; forward if positive.
    pub fn advance(&self, by: TimeDelta) {
        *lock(&self.offset) += by;
    }
}

impl Clock for ShiftedClock {
    fn now(&self) -> DateTime<Utc> {
        Utc::now() + *lock(&self.offset)
    }
}
