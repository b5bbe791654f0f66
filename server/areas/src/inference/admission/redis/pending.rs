//! The data that a replica sends to Redis after the admission of calls.

use chrono::NaiveDate;

use crate::inference::admission::demand::{InProgress, Reservation, Settlement};
use crate::inference::admission::limits::Limits;

/// The settlements of a key that Redis does not have yet.
#[derive(Debug, Default)]
pub(super) struct Pending {
    pub limits: Limits,
    /// The used tokens beyond the reserved ones. The number is negative if fewer were used.
    pub taken: i64,
    /// The reserved tokens that are no longer held.
    pub released: i64,
    /// The ended calls that counted as concurrent ones.
    pub ended_calls: u32,
    /// The ended streams.
    pub ended_streams: u32,
    /// The period of the budget.
    pub period: Option<NaiveDate>,
    /// The used tokens in the period.
    pub used: i64,
}

impl Pending {
    /// Adds a settlement. `refunded` is the part of its released tokens that Redis took from the
    /// allowance.
    pub fn settle(&mut self, limits: &Limits, settlement: Settlement, refunded: i64) {
        let Settlement {
            used,
            released,
            day,
        } = settlement;
        self.taken = self.taken.saturating_add(used - refunded);
        self.released = self.released.saturating_add(released);
        if let Some((_, period)) = limits.budget {
            let start = period.start(day);
            if self.period.is_none_or(|known| known < start) {
                (self.period, self.used) = (Some(start), 0);
            }
            if self.period == Some(start) {
                self.used = self.used.saturating_add(used);
            }
        }
    }

    /// Releases the rest of a reservation. `refunded` is the part of its tokens that Redis took from
    /// the allowance.
    pub fn release(&mut self, limits: &Limits, rest: Reservation, refunded: i64) {
        let is_call = rest.calls && limits.concurrent_calls.is_some();
        let is_stream = rest.streams && limits.concurrent_streams.is_some();
        self.taken = self.taken.saturating_sub(refunded);
        self.released = self.released.saturating_add(rest.tokens);
        self.ended_calls = self.ended_calls.saturating_add(is_call.into());
        self.ended_streams = self.ended_streams.saturating_add(is_stream.into());
    }
}

/// A key, with its calls in progress at a replica.
pub type Held = (String, InProgress);
