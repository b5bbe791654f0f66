//! The tolerance for clocks that differ.

/// The maximum difference between the clocks of replicas and clients, in milliseconds. A record that
/// other replicas need until its expiry is deleted this much later.
pub const CLOCK_SKEW: i64 = 60_000;
