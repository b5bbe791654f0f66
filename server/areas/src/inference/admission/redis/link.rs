//! The current connection to Redis, and the pending settlements.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ::redis::RedisError;
use arc_swap::ArcSwapOption;
use metrics::{Gauge, gauge};
use tokio::sync::Notify;

use super::connection::Connection;
use super::pending::Pending;
use crate::inference::admission::limits::Limits;
use crate::kernel::Metrics;
use crate::kernel::metrics::LIMITS_REDIS;

/// The connection to Redis, if there is one, and the pending settlements.
pub(super) struct Link {
    connection: ArcSwapOption<Connection>,
    /// The settlements by the id of the key.
    pending: Mutex<HashMap<String, Pending>>,
    /// Notifies the worker when a settlement is pending, and when the connection is lost.
    wake: Arc<Notify>,
    connected: Gauge,
}

impl Link {
    /// Creates a link without a connection.
    pub fn new(metrics: &Metrics) -> Arc<Self> {
        Arc::new(Link {
            connection: ArcSwapOption::empty(),
            pending: Mutex::default(),
            wake: Arc::default(),
            connected: metrics.record(|| gauge!(LIMITS_REDIS)),
        })
    }

    /// The connection.
    pub fn connection(&self) -> Option<Arc<Connection>> {
        self.connection.load_full()
    }

    /// Uses a new connection.
    pub fn connect(&self, connection: Connection) {
        self.connection.store(Some(Arc::new(connection)));
        self.connected.set(1.0);
    }

    /// Drops a failed connection, unless another call has done so.
    pub fn disconnect(&self, failed: &Arc<Connection>, error: &RedisError) {
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

    /// Adds to the pending settlements of a key.
    pub fn add(&self, key_id: &str, limits: &Limits, add: impl FnOnce(&mut Pending)) {
        let mut all = self.pending();
        if let Some(pending) = all.get_mut(key_id) {
            return add(pending);
        }
        let mut pending = Pending {
            limits: *limits,
            ..Pending::default()
        };
        add(&mut pending);
        all.insert(key_id.to_owned(), pending);
        self.wake.notify_one();
    }

    /// Takes the pending settlements.
    pub fn take_pending(&self) -> HashMap<String, Pending> {
        std::mem::take(&mut *self.pending())
    }

    /// Notifies the worker when a settlement is pending, and when the connection is lost.
    pub fn wake(&self) -> Arc<Notify> {
        Arc::clone(&self.wake)
    }

    fn pending(&self) -> MutexGuard<'_, HashMap<String, Pending>> {
        self.pending.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
