//! Limits that hold for the service, not for a replica.
//!
//! There are two ways. By [`Shares`](super::shares), each replica admits its part of the limits,
//! out of memory. With [`Redis`], a server counts for all replicas, and a call costs a round trip.

use chrono::{DateTime, Utc};

use super::meter::{Demand, Exhausted, LimitStatuses, Limits, Meter, Settlement};
use super::redis::Redis;

/// A key with its limits.
#[derive(Debug, Clone, Copy)]
pub struct LimitedKey<'a> {
    /// Its id.
    pub id: &'a str,
    /// What it may use.
    pub limits: &'a Limits,
    /// What it uses at this replica.
    pub meter: &'a Meter,
}

/// Admits calls, for all replicas together.
pub trait SharedLimits {
    /// Admits a call, which then holds what it demands.
    ///
    /// # Errors
    ///
    /// The limit that the key has reached.
    fn enter(
        &self,
        key: LimitedKey<'_>,
        demand: Demand,
        now: DateTime<Utc>,
    ) -> impl Future<Output = Result<LimitStatuses, Exhausted>> + Send;

    /// Replaces reserved tokens by used ones. Nobody waits for other replicas to know.
    fn settle(&self, key: LimitedKey<'_>, settlement: Settlement, now: DateTime<Utc>);

    /// Ends a call, and gives back what it still holds.
    fn leave(&self, key: LimitedKey<'_>, demand: Demand, now: DateTime<Utc>);
}

/// The share that each key has here, as its meter knows.
#[derive(Debug, Default)]
pub struct ByShare;

impl SharedLimits for ByShare {
    async fn enter(
        &self,
        key: LimitedKey<'_>,
        demand: Demand,
        now: DateTime<Utc>,
    ) -> Result<LimitStatuses, Exhausted> {
        key.meter.enter(key.limits, demand, now)
    }

    fn settle(&self, key: LimitedKey<'_>, settlement: Settlement, now: DateTime<Utc>) {
        key.meter.settle(key.limits, settlement, now);
    }

    fn leave(&self, key: LimitedKey<'_>, demand: Demand, now: DateTime<Utc>) {
        key.meter.leave(key.limits, demand, now);
    }
}

/// What the configuration chooses.
pub enum Limiter {
    /// Each replica admits its share.
    ByShare(ByShare),
    /// A server counts.
    Redis(Box<Redis>),
}

impl Limiter {
    /// Sends what is only in memory, when no more calls come.
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
        demand: Demand,
        now: DateTime<Utc>,
    ) -> Result<LimitStatuses, Exhausted> {
        match self {
            Limiter::ByShare(limits) => limits.enter(key, demand, now).await,
            // On the heap: calls without Redis have no use for its state.
            Limiter::Redis(limits) => Box::pin(limits.enter(key, demand, now)).await,
        }
    }

    fn settle(&self, key: LimitedKey<'_>, settlement: Settlement, now: DateTime<Utc>) {
        match self {
            Limiter::ByShare(limits) => limits.settle(key, settlement, now),
            Limiter::Redis(limits) => limits.settle(key, settlement, now),
        }
    }

    fn leave(&self, key: LimitedKey<'_>, demand: Demand, now: DateTime<Utc>) {
        match self {
            Limiter::ByShare(limits) => limits.leave(key, demand, now),
            Limiter::Redis(limits) => limits.leave(key, demand, now),
        }
    }
}
