//! Time, as a part of the context.
//!
//! Whatever expires, is rotated or is slowed down asks this clock, so that a
//! test can live through an hour in an instant.

use std::sync::Mutex;

use chrono::{DateTime, TimeDelta, Utc};

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

/// The machine's clock, moved by what a test asks for.
///
/// It runs on between two moves: a service whose time stands still would hide
/// faults that a running one shows.
#[derive(Debug, Default)]
pub struct ShiftedClock {
    offset: Mutex<TimeDelta>,
}

impl ShiftedClock {
    /// Moves the clock; forward when positive.
    pub fn advance(&self, by: TimeDelta) {
        *self.lock() += by;
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, TimeDelta> {
        self.offset
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

impl Clock for ShiftedClock {
    fn now(&self) -> DateTime<Utc> {
        Utc::now() + *self.lock()
    }
}
