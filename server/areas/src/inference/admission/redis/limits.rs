//! The limits in Redis, and this replica's connection.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use ::redis::RedisError;
use chrono::{DateTime, Utc};
use metrics::{Counter, counter};
use tokio::sync::Notify;

use super::connection::Connection;
use super::entering::Entering;
use super::link::Link;
use super::pending::Held;
use crate::inference::admission::by_share::ByShare;
use crate::inference::admission::demand::{Reservation, Settlement};
use crate::inference::admission::limits::{Exhausted, LimitKind, LimitStatuses, Limits};
use crate::inference::admission::shared::{LimitedKey, SharedLimits};
use crate::kernel::Metrics;
use crate::kernel::metrics::LIMITS_FALLBACKS;

/// Limits in Redis.
pub struct Redis {
    client: ::redis::Client,
    replica: String,
    link: Arc<Link>,
    /// The number of connections so far. Each one has leases of its own.
    connections: AtomicU64,
    /// Whether the time of the caller replaces that of Redis, in tests with a simulated clock.
    is_simulated: bool,
    fallbacks: Counter,
    by_share: ByShare,
}

impl Redis {
    /// Creates the limits of a replica, without a connection. Without one, `by_share` admits calls.
    pub fn new(client: ::redis::Client, by_share: ByShare, metrics: &Metrics) -> Self {
        Redis {
            client,
            replica: by_share.allocations.replica().to_owned(),
            link: Link::new(metrics),
            connections: AtomicU64::default(),
            is_simulated: false,
            fallbacks: metrics.record(|| counter!(LIMITS_FALLBACKS)),
            by_share,
        }
    }

    /// The same limits by the time of the callers instead of that of Redis.
    pub fn with_simulated_time(self) -> Self {
        Redis {
            is_simulated: true,
            ..self
        }
    }

    /// The limits without Redis.
    pub fn by_share(&self) -> &ByShare {
        &self.by_share
    }

    /// Whether there is a connection.
    pub fn is_connected(&self) -> bool {
        self.link.connection().is_some()
    }

    /// Connects, and sends the calls in progress.
    ///
    /// # Errors
    ///
    /// When Redis is unreachable or returns an error.
    pub async fn connect(&self, held: impl FnOnce() -> Vec<Held>) -> Result<(), RedisError> {
        let number = self.connections.fetch_add(1, Ordering::Relaxed);
        let lease = format!("{}:{number}", self.replica);
        let connection = Connection::open(&self.client, lease).await?;
        // Pending settlements belong to the lease of the former connection.
        drop(self.link.take_pending());
        let time = self.time(DateTime::UNIX_EPOCH);
        connection.renew(held(), time).await?;
        self.link.connect(connection);
        Ok(())
    }

    /// Sends the pending settlements.
    pub async fn flush(&self, now: DateTime<Utc>) {
        let Some(connection) = self.link.connection() else {
            return;
        };
        let pending = self.link.take_pending();
        if pending.is_empty() {
            return;
        }
        if let Err(error) = connection.settle(pending, self.time(now)).await {
            self.link.disconnect(&connection, &error);
        }
    }

    /// Renews the leases of this replica.
    pub(super) async fn renew(&self, held: Vec<Held>) {
        let Some(connection) = self.link.connection() else {
            return;
        };
        if let Err(error) = connection.renew(held, None).await {
            self.link.disconnect(&connection, &error);
        }
    }

    /// Notifies the worker when a settlement is pending, and when the connection is lost.
    pub(super) fn wake(&self) -> Arc<Notify> {
        self.link.wake()
    }

    /// The time for Redis to use. `None` means its own.
    fn time(&self, now: DateTime<Utc>) -> Option<DateTime<Utc>> {
        self.is_simulated.then_some(now)
    }
}

impl SharedLimits for Redis {
    async fn enter(
        &self,
        key: LimitedKey<'_>,
        reservation: Reservation,
        now: DateTime<Utc>,
    ) -> Result<LimitStatuses, Exhausted> {
        let LimitedKey { limits, meter, .. } = key;
        if *limits == Limits::default() {
            return meter.enter(limits, reservation, now);
        }
        if let Some(connection) = self.link.connection() {
            let entering = Entering {
                link: &self.link,
                connection: &connection,
                key,
                reservation,
                reply: Some(connection.enter(key, reservation, now, self.time(now))),
            };
            match entering.reply().await {
                Ok(reply) => {
                    let limit_statuses = reply.limit_statuses(limits);
                    let Some(kind) = reply.exhausted() else {
                        meter.count(limits, reservation, now);
                        return Ok(limit_statuses);
                    };
                    // Calls in progress may release all their reserved tokens.
                    let releasable = match kind {
                        LimitKind::Tokens => meter.in_progress().tokens,
                        _ => 0,
                    };
                    return Err(Exhausted {
                        kind,
                        retry_after: reply.retry_after(limits, releasable),
                        limit_statuses,
                    });
                }
                Err(error) => self.link.disconnect(&connection, &error),
            }
        }
        self.fallbacks.increment(1);
        self.by_share.enter(key, reservation, now).await
    }

    fn settle(&self, key: LimitedKey<'_>, settlement: Settlement, now: DateTime<Utc>) {
        let LimitedKey { limits, meter, .. } = key;
        meter.settle(limits, settlement, now);
        if self.is_connected() {
            meter.end_debt();
        }
        if !limits.count_tokens() {
            return;
        }
        let refunded = meter.refund(settlement.released);
        self.link.add(key.id, limits, |pending| {
            pending.settle(limits, settlement, refunded);
        });
    }

    fn leave(&self, key: LimitedKey<'_>, rest: Reservation, now: DateTime<Utc>) {
        let LimitedKey { limits, meter, .. } = key;
        meter.leave(limits, rest, now);
        let ends_call = rest.calls && limits.concurrent_calls.is_some();
        let ends_stream = rest.streams && limits.concurrent_streams.is_some();
        if !ends_call && !ends_stream && rest.tokens == 0 {
            return;
        }
        let refunded = meter.refund(rest.tokens);
        self.link.add(key.id, limits, |pending| {
            pending.release(limits, rest, refunded);
        });
    }
}
