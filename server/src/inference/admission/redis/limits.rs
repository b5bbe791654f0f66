//! The limits in Redis, and this replica's connection.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ::redis::RedisError;
use arc_swap::ArcSwapOption;
use chrono::{DateTime, Utc};
use metrics::{Counter, Gauge, counter, gauge};
use tokio::sync::Notify;

use super::connection::Connection;
use super::pending::{Held, Pending};
use crate::inference::admission::demand::{Reservation, Settlement};
use crate::inference::admission::meter::{Exhausted, LimitKind, LimitStatuses, Limits};
use crate::inference::admission::shared::{LimitedKey, SharedLimits};
use crate::kernel::Metrics;
use crate::kernel::metrics::{LIMITS_FALLBACKS, LIMITS_REDIS};

/// Limits in Redis.
pub struct Redis {
    client: ::redis::Client,
    replica: String,
    connection: ArcSwapOption<Connection>,
    /// The number of connections so far. Each one has leases of its own.
    connections: AtomicU64,
    pending: Mutex<HashMap<String, Pending>>,
    /// Wakes the worker when a settlement is pending, and when the connection is lost.
    wake: Arc<Notify>,
    /// Whether the time of the caller replaces that of Redis, in tests with a simulated clock.
    is_simulated: bool,
    fallbacks: Counter,
    connected: Gauge,
}

impl Redis {
    /// Creates the limits of a replica, without a connection.
    pub fn new(client: ::redis::Client, replica: String, metrics: &Metrics) -> Self {
        Redis {
            client,
            replica,
            connection: ArcSwapOption::empty(),
            connections: AtomicU64::default(),
            pending: Mutex::default(),
            wake: Arc::default(),
            is_simulated: false,
            fallbacks: metrics.record(|| counter!(LIMITS_FALLBACKS)),
            connected: metrics.record(|| gauge!(LIMITS_REDIS)),
        }
    }

    /// The same limits by the time of the callers instead of that of Redis.
    pub fn with_simulated_time(self) -> Self {
        Redis {
            is_simulated: true,
            ..self
        }
    }

    /// Whether there is a connection.
    pub fn is_connected(&self) -> bool {
        self.connection.load().is_some()
    }

    /// Connects, and sends the streams and the reserved tokens of calls in progress.
    ///
    /// # Errors
    ///
    /// When Redis is unreachable or returns an error.
    pub async fn connect(&self, held: impl FnOnce() -> Vec<Held>) -> Result<(), RedisError> {
        let number = self.connections.fetch_add(1, Ordering::Relaxed);
        let lease = format!("{}:{number}", self.replica);
        let connection = Connection::open(&self.client, lease).await?;
        self.pending().clear();
        let time = self.time(DateTime::UNIX_EPOCH);
        connection.renew(held(), time).await?;
        self.connection.store(Some(Arc::new(connection)));
        self.connected.set(1.0);
        Ok(())
    }

    /// Sends the pending settlements.
    pub async fn flush(&self, now: DateTime<Utc>) {
        let Some(connection) = self.connection.load_full() else {
            return;
        };
        let pending = std::mem::take(&mut *self.pending());
        if pending.is_empty() {
            return;
        }
        if let Err(error) = connection.settle(pending, self.time(now)).await {
            self.disconnect(&connection, &error);
        }
    }

    /// Renews the leases of this replica.
    pub(super) async fn renew(&self, held: Vec<Held>) {
        let Some(connection) = self.connection.load_full() else {
            return;
        };
        if let Err(error) = connection.renew(held, None).await {
            self.disconnect(&connection, &error);
        }
    }

    /// Wakes the worker when a settlement is pending, and when the connection is lost.
    pub(super) fn wake(&self) -> Arc<Notify> {
        Arc::clone(&self.wake)
    }

    /// Drops a failed connection, unless another call has done so.
    fn disconnect(&self, failed: &Arc<Connection>, error: &RedisError) {
        let current = self.connection.load();
        let is_failed = |one: &Arc<Connection>| Arc::ptr_eq(one, failed);
        if !current.as_ref().is_some_and(is_failed) {
            return;
        }
        let before = self.connection.compare_and_swap(&current, None);
        if before.as_ref().is_some_and(is_failed) {
            self.connected.set(0.0);
            tracing::warn!(
                %error,
                "Redis is unreachable: each replica admits its share of the limits"
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
        if let Some(connection) = self.connection.load_full() {
            let reply = connection.enter(key, reservation, now, self.time(now));
            match reply.await {
                Ok(reply) => {
                    let limit_statuses = reply.limit_statuses(limits);
                    let Some(kind) = reply.exhausted() else {
                        meter.count(limits, reservation, now);
                        return Ok(limit_statuses);
                    };
                    meter.reject(reservation, kind);
                    // Calls in progress may release all their reserved tokens.
                    let owed = match kind {
                        LimitKind::Tokens => meter.held().1,
                        _ => 0,
                    };
                    return Err(Exhausted {
                        kind,
                        retry_after: reply.retry_after(limits, owed),
                        limit_statuses,
                    });
                }
                Err(error) => self.disconnect(&connection, &error),
            }
        }
        self.fallbacks.increment(1);
        meter.enter(limits, reservation, now)
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

    fn leave(&self, key: LimitedKey<'_>, rest: Reservation, now: DateTime<Utc>) {
        let LimitedKey { limits, meter, .. } = key;
        meter.leave(limits, rest, now);
        let ended = u32::from(rest.streams && limits.concurrent_streams.is_some());
        if ended == 0 && rest.tokens == 0 {
            return;
        }
        self.add(key, |pending| {
            pending.taken = pending.taken.saturating_sub(rest.tokens);
            pending.released = pending.released.saturating_add(rest.tokens);
            pending.ended = pending.ended.saturating_add(ended);
        });
    }
}
