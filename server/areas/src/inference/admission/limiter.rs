//! The configured implementation of shared limits.

use chrono::{DateTime, Utc};

use super::by_share::ByShare;
use super::demand::{Reservation, Settlement};
use super::limits::{Exhausted, LimitStatuses};
use super::redis::Redis;
use super::shared::{LimitedKey, SharedLimits};

/// One of the implementations.
pub enum Limiter {
    /// Each replica admits its share.
    ByShare(ByShare),
    /// Redis counts for all replicas.
    Redis(Box<Redis>),
}

impl Limiter {
    /// The shares of this replica, which also admit calls while Redis is unreachable.
    pub fn by_share(&self) -> &ByShare {
        match self {
            Limiter::ByShare(limits) => limits,
            Limiter::Redis(redis) => redis.by_share(),
        }
    }

    /// Sends the pending settlements, after the last call.
    pub async fn finish(&self, now: DateTime<Utc>) {
        if let Limiter::Redis(redis) = self {
            redis.flush(now).await;
        }
    }
}

impl SharedLimits for Limiter {
    async fn enter(
        &self,
        key: LimitedKey<'_>,
        reservation: Reservation,
        now: DateTime<Utc>,
    ) -> Result<LimitStatuses, Exhausted> {
        match self {
            Limiter::ByShare(limits) => limits.enter(key, reservation, now).await,
            // On the heap, so that calls without Redis do not carry its state.
            Limiter::Redis(limits) => Box::pin(limits.enter(key, reservation, now)).await,
        }
    }

    fn settle(&self, key: LimitedKey<'_>, settlement: Settlement, now: DateTime<Utc>) {
        match self {
            Limiter::ByShare(limits) => limits.settle(key, settlement, now),
            Limiter::Redis(limits) => limits.settle(key, settlement, now),
        }
    }

    fn leave(&self, key: LimitedKey<'_>, rest: Reservation, now: DateTime<Utc>) {
        match self {
            Limiter::ByShare(limits) => limits.leave(key, rest, now),
            Limiter::Redis(limits) => limits.leave(key, rest, now),
        }
    }
}
