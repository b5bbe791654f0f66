//! Counts what keys use in Redis, for all replicas together.
//!
//! A call costs one round trip before it is admitted: a script checks and takes requests and
//! tokens by minute (GCRA), concurrent streams and the budget. What calls use and release is
//! added up for some milliseconds and sent in one pipeline, which nobody waits for. Streams and
//! reserved tokens are held under a lease of the replica, which it renews, and which ends by
//! itself when the replica dies. The time is Redis' own: the clocks of replicas do not matter.
//!
//! While Redis cannot be reached, each replica admits its share.

mod link;
mod reply;

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

use ::redis::RedisError;
use arc_swap::ArcSwapOption;
use chrono::{DateTime, NaiveDate, Utc};
use metrics::{Counter, Gauge, counter, gauge};
use tokio::sync::Notify;

use super::meter::{Demand, Exhausted, LimitKind, LimitStatuses, Limits, Settlement};
use super::shared::{LimitedKey, Limiter, SharedLimits};
use crate::inference::Inference;
use crate::kernel::Metrics;
use crate::kernel::metrics::{LIMITS_FALLBACKS, LIMITS_REDIS};
use link::Link;

/// How long settlements wait for others.
const BATCH: Duration = Duration::from_millis(10);
/// How often leases are renewed.
const RENEW: Duration = Duration::from_secs(5);
/// The wait after the first failed attempt to connect, and the longest.
const BACKOFF: (Duration, Duration) = (Duration::from_millis(100), Duration::from_secs(5));

/// Limits in Redis.
pub struct Redis {
    client: ::redis::Client,
    replica: String,
    link: ArcSwapOption<Link>,
    /// Counts connections: each one has leases of its own.
    links: AtomicU64,
    pending: Mutex<HashMap<String, Pending>>,
    /// Something is pending, or the connection is lost.
    wake: Arc<Notify>,
    /// Whether the callers' time counts, in tests with a simulated clock.
    simulated: bool,
    fallbacks: Counter,
    connected: Gauge,
}

/// What Redis does not know yet of a key.
#[derive(Debug, Default)]
struct Pending {
    limits: Limits,
    /// Tokens used without those that were reserved for them.
    taken: i64,
    released: i64,
    ended: u32,
    /// The period of the budget, and the tokens used in it.
    period: Option<NaiveDate>,
    used: i64,
}

/// What a replica holds of a key: streams, and reserved tokens.
pub type Held = (String, u32, i64);

impl Redis {
    /// Counts in the Redis of a client, for a replica.
    pub fn new(client: ::redis::Client, replica: String, metrics: &Metrics) -> Self {
        Redis {
            client,
            replica,
            link: ArcSwapOption::empty(),
            links: AtomicU64::default(),
            pending: Mutex::default(),
            wake: Arc::default(),
            simulated: false,
            fallbacks: metrics.record(|| counter!(LIMITS_FALLBACKS)),
            connected: metrics.record(|| gauge!(LIMITS_REDIS)),
        }
    }

    /// The same, by the time of its callers instead of Redis'.
    pub fn with_simulated_time(self) -> Self {
        Redis {
            simulated: true,
            ..self
        }
    }

    /// Whether there is a connection.
    pub fn is_connected(&self) -> bool {
        self.link.load().is_some()
    }

    /// Connects, and announces what this replica holds.
    ///
    /// # Errors
    ///
    /// When Redis cannot be reached, or refuses.
    pub async fn connect(&self, held: impl FnOnce() -> Vec<Held>) -> Result<(), RedisError> {
        let number = self.links.fetch_add(1, Ordering::Relaxed);
        let lease = format!("{}:{number}", self.replica);
        let link = Link::open(&self.client, lease).await?;
        self.pending().clear();
        link.renew(held(), self.time(DateTime::UNIX_EPOCH)).await?;
        self.link.store(Some(Arc::new(link)));
        self.connected.set(1.0);
        Ok(())
    }

    /// Sends what is pending.
    pub async fn flush(&self, now: DateTime<Utc>) {
        let Some(link) = self.link.load_full() else {
            return;
        };
        let pending = std::mem::take(&mut *self.pending());
        if pending.is_empty() {
            return;
        }
        if let Err(error) = link.settle(pending, self.time(now)).await {
            self.lose(&link, &error);
        }
    }

    /// Renews the leases on what this replica holds.
    async fn renew(&self, held: Vec<Held>) {
        let Some(link) = self.link.load_full() else {
            return;
        };
        if let Err(error) = link.renew(held, None).await {
            self.lose(&link, &error);
        }
    }

    /// Gives up a connection that failed.
    fn lose(&self, link: &Arc<Link>, error: &RedisError) {
        let current = self.link.load();
        if !current
            .as_ref()
            .is_some_and(|current| Arc::ptr_eq(current, link))
        {
            return;
        }
        let lost = self.link.compare_and_swap(&current, None);
        if lost.as_ref().is_some_and(|lost| Arc::ptr_eq(lost, link)) {
            self.connected.set(0.0);
            tracing::warn!(
                %error,
                "Redis cannot be reached: each replica admits its share of the limits"
            );
            self.wake.notify_one();
        }
    }

    fn add(&self, key: LimitedKey<'_>, add: impl FnOnce(&mut Pending)) {
        let mut all = self.pending();
        if let Some(pending) = all.get_mut(key.id) {
            return add(pending);
        }
        let mut pending = Pending {
            limits: *key.limits,
            ..Pending::default()
        };
        add(&mut pending);
        all.insert(key.id.to_owned(), pending);
        self.wake.notify_one();
    }

    fn pending(&self) -> MutexGuard<'_, HashMap<String, Pending>> {
        self.pending.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn time(&self, now: DateTime<Utc>) -> Option<DateTime<Utc>> {
        self.simulated.then_some(now)
    }
}

impl SharedLimits for Redis {
    async fn enter(
        &self,
        key: LimitedKey<'_>,
        demand: Demand,
        now: DateTime<Utc>,
    ) -> Result<LimitStatuses, Exhausted> {
        let LimitedKey { limits, meter, .. } = key;
        if *limits == Limits::default() {
            return meter.enter(limits, demand, now);
        }
        if let Some(link) = self.link.load_full() {
            match link.enter(key, demand, now, self.time(now)).await {
                Ok(reply) => {
                    let limit_statuses = reply.limit_statuses(limits);
                    let Some(kind) = reply.refused() else {
                        meter.count(limits, demand, now);
                        return Ok(limit_statuses);
                    };
                    meter.refuse(demand, kind);
                    // Calls in progress may give back all that they have reserved.
                    let owed = match kind {
                        LimitKind::Tokens => meter.held().1,
                        _ => 0,
                    };
                    return Err(Exhausted {
                        kind,
                        retry_after: reply.seconds(limits, owed),
                        limit_statuses,
                    });
                }
                Err(error) => self.lose(&link, &error),
            }
        }
        self.fallbacks.increment(1);
        meter.enter(limits, demand, now)
    }

    fn settle(&self, key: LimitedKey<'_>, settlement: Settlement, now: DateTime<Utc>) {
        let LimitedKey { limits, meter, .. } = key;
        meter.settle(limits, settlement, now);
        if !limits.count_tokens() {
            return;
        }
        self.add(key, |pending| {
            let Settlement {
                used,
                released,
                day,
            } = settlement;
            pending.taken = pending.taken.saturating_add(used - released);
            pending.released = pending.released.saturating_add(released);
            if let Some((_, period)) = limits.budget {
                let start = period.start(day);
                if pending.period.is_none_or(|known| known < start) {
                    (pending.period, pending.used) = (Some(start), 0);
                }
                if pending.period == Some(start) {
                    pending.used = pending.used.saturating_add(used);
                }
            }
        });
    }

    fn leave(&self, key: LimitedKey<'_>, demand: Demand, now: DateTime<Utc>) {
        let LimitedKey { limits, meter, .. } = key;
        meter.leave(limits, demand, now);
        let ended = u32::from(demand.streams && limits.concurrent_streams.is_some());
        if ended == 0 && demand.tokens == 0 {
            return;
        }
        self.add(key, |pending| {
            pending.taken = pending.taken.saturating_sub(demand.tokens);
            pending.released = pending.released.saturating_add(demand.tokens);
            pending.ended = pending.ended.saturating_add(ended);
        });
    }
}

/// Connects, settles and renews, until the context is dropped.
pub async fn run(inference: Weak<Inference>) {
    let mut backoff = BACKOFF.0;
    let mut renewed_at = Instant::now();
    loop {
        let wake = {
            let Some(inference) = inference.upgrade() else {
                return;
            };
            let Limiter::Redis(redis) = &inference.admission.limiter else {
                return;
            };
            let held = || inference.admission.held();
            match redis.is_connected() {
                true if renewed_at.elapsed() >= RENEW => {
                    renewed_at = Instant::now();
                    redis.renew(held()).await;
                }
                true => redis.flush(crate::inference::now(&inference)).await,
                false => match redis.connect(held).await {
                    Ok(()) => {
                        (backoff, renewed_at) = (BACKOFF.0, Instant::now());
                        tracing::info!("Redis counts what API keys use");
                    }
                    Err(error) if backoff == BACKOFF.0 => {
                        tracing::warn!(%error, "Redis cannot be reached for limits; it is tried again");
                    }
                    Err(error) => tracing::debug!(%error, "Redis still cannot be reached"),
                },
            }
            redis.is_connected().then(|| Arc::clone(&redis.wake))
        };
        match wake {
            Some(wake) => {
                let patience = RENEW.saturating_sub(renewed_at.elapsed());
                // In vain, if the context is dropped meanwhile.
                let patience = patience.min(Duration::from_secs(1));
                if tokio::time::timeout(patience, wake.notified())
                    .await
                    .is_ok()
                {
                    tokio::time::sleep(BATCH).await;
                }
            }
            None => {
                tokio::time::sleep(backoff.mul_f64(0.5 + fastrand::f64() / 2.0)).await;
                backoff = (backoff * 2).min(BACKOFF.1);
            }
        }
    }
}
