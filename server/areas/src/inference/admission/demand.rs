//! What calls take from the limits of a key, and the demand that results.

use chrono::NaiveDate;

/// The part of a key's limits that a call holds until it ends.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Reservation {
    /// Whether the call counts as a concurrent one.
    pub calls: bool,
    /// Whether the response is a stream.
    pub streams: bool,
    /// The estimated input and the maximum output, in tokens.
    pub tokens: i64,
}

/// The usage of a call since its admission or its last settlement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settlement {
    /// The used tokens. The number is negative if an earlier one was too high.
    pub used: i64,
    /// The reserved tokens that the used ones replace.
    pub released: i64,
    /// The day of the admission.
    pub day: NaiveDate,
}

/// The calls of a key that are in progress at one replica.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct InProgress {
    /// The concurrent calls.
    pub calls: u32,
    /// The concurrent streams.
    pub streams: u32,
    /// The reserved tokens of all calls.
    pub tokens: i64,
}

/// The calls with a key that this replica admitted or rejected by its share since the last round.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Attempts {
    pub requests: u32,
    pub tokens: i64,
    /// The calls that were rejected because of too many concurrent ones.
    pub rejected_calls: u32,
    /// The streams that were rejected because of too many concurrent ones.
    pub rejected_streams: u32,
}

impl Attempts {
    pub(super) fn add(&mut self, reservation: Reservation) {
        self.requests = self.requests.saturating_add(1);
        self.tokens = self.tokens.saturating_add(reservation.tokens);
    }
}

/// The demand for the limits of a key at one replica. Each number is a part of a limit, at most 1.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Demand {
    /// The demand for requests and tokens.
    pub rate: f64,
    /// The demand for concurrent calls and streams.
    pub concurrent: f64,
    /// The part of them that is in progress here.
    pub held: f64,
}
