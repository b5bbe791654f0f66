//! Limits without Redis: each replica admits its share.

use std::sync::atomic::{AtomicBool, Ordering};

use chrono::{DateTime, Utc};

use super::allocations::Allocations;
use super::demand::{Reservation, Settlement};
use super::limits::{Exhausted, LimitStatuses};
use super::meter::Refused;
use super::shared::{LimitedKey, SharedLimits};
use crate::store::Store;

/// Admits calls by the share in the meter of each key. If there are other replicas, tokens of
/// budgets come from the database.
pub struct ByShare {
    /// The tokens of budgets that this replica may use.
    pub allocations: Allocations,
    is_alone: AtomicBool,
}

impl ByShare {
    /// Creates the limits of a replica that does not know yet whether there are others.
    pub fn new(store: Store, replica: String) -> Self {
        ByShare {
            allocations: Allocations::new(store, replica),
            is_alone: AtomicBool::default(),
        }
    }

    /// Whether there are no other replicas.
    pub fn is_alone(&self) -> bool {
        self.is_alone.load(Ordering::Relaxed)
    }

    /// Sets whether there are no other replicas.
    pub fn set_alone(&self, is_alone: bool) {
        self.is_alone.store(is_alone, Ordering::Relaxed);
    }
}

impl SharedLimits for ByShare {
    async fn enter(
        &self,
        key: LimitedKey<'_>,
        reservation: Reservation,
        now: DateTime<Utc>,
    ) -> Result<LimitStatuses, Exhausted> {
        let LimitedKey { limits, meter, .. } = key;
        if limits.budget.is_none() || self.is_alone() || self.allocations.is_paused(now) {
            return meter.enter(limits, reservation, now);
        }
        match meter.enter_allocated(limits, reservation, now) {
            Ok(statuses) => Ok(statuses),
            Err(Refused::Exhausted(exhausted)) => Err(exhausted),
            // On the heap, because few calls need it.
            Err(Refused::Unallocated(_)) => {
                Box::pin(self.allocations.enter(key, reservation, now)).await
            }
        }
    }

    fn settle(&self, key: LimitedKey<'_>, settlement: Settlement, now: DateTime<Utc>) {
        key.meter.settle(key.limits, settlement, now);
    }

    fn leave(&self, key: LimitedKey<'_>, rest: Reservation, now: DateTime<Utc>) {
        key.meter.leave(key.limits, rest, now);
    }
}
