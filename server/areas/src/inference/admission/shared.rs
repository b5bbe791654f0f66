//! Limits that all replicas share.
//!
//! There are two implementations. With [`shares`](super::shares), each replica admits its part of
//! the limits from memory, and asks the database for tokens of budgets. With
//! [`redis`](super::redis), one server counts for all replicas, and a call costs one round trip.

use chrono::{DateTime, Utc};

use super::demand::{Reservation, Settlement};
use super::limits::{Exhausted, LimitStatuses, Limits};
use super::meter::Meter;

/// A key or a principal, with its limits.
#[derive(Debug, Clone, Copy)]
pub struct LimitedKey<'a> {
    /// The id.
    pub id: &'a str,
    /// The limits.
    pub limits: &'a Limits,
    /// The usage at this replica.
    pub meter: &'a Meter,
}

/// Admits calls for all replicas together.
pub trait SharedLimits {
    /// Admits a call, which then holds its reservation.
    ///
    /// # Errors
    ///
    /// The exhausted limit.
    fn enter(
        &self,
        key: LimitedKey<'_>,
        reservation: Reservation,
        now: DateTime<Utc>,
    ) -> impl Future<Output = Result<LimitStatuses, Exhausted>> + Send;

    /// Replaces reserved tokens by used ones. The call does not wait until other replicas know.
    fn settle(&self, key: LimitedKey<'_>, settlement: Settlement, now: DateTime<Utc>);

    /// Records that a call has ended, and releases the rest of its reservation.
    fn leave(&self, key: LimitedKey<'_>, rest: Reservation, now: DateTime<Utc>);
}
