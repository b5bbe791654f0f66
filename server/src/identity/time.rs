//! Clocks that differ.

/// How far the clocks of replicas and clients may differ, in milliseconds. What must
/// not be forgotten before it expires is kept for this long after.
pub(crate) const SKEW: i64 = 60_000;
