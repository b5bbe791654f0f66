//! Types that represent operations.

use crate::table::{Api, Operation};

/// A type for each operation, for what dropshot asks of types.
pub trait OperationMarker: Send + Sync + 'static {
    /// The operation.
    const OPERATION: &'static Operation;
    /// Its document.
    const API: &'static Api;
}
