//! The tolerance for clocks that differ.

/// The maximum difference between the clocks of replicas and clients, in milliseconds. Records that
/// must exist until they expire are kept this much longer.
pub(crate) const SKEW: i64 = 60_000;
