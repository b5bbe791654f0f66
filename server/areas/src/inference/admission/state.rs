//! The state in memory: secrets, policies, allowances and counts.

use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use arc_swap::{ArcSwap, ArcSwapOption};

use super::active::Active;
use super::budgets::Budgets;
use super::flood::Flood;
use super::last_use::UsedSecret;
use super::ledger::Ledger;
use super::limiter::Limiter;
use super::meter::Meter;
use super::peers::Peers;
use super::principals::Principals;
use super::shared::LimitedKey;
use super::shares::Shares;
use super::snapshot::{Reading, Snapshot};
use crate::inference::keys::KeyError;
use crate::inference::settings::Settings;
use crate::kernel::shared::SharedAttempt;

/// The folder of unwritten usage, below the data directory.
const USAGE_FILES: &str = "usage";

/// The state of admission.
pub struct Admission {
    pub(super) snapshot: ArcSwapOption<Snapshot>,
    /// Counts local changes; a snapshot of an earlier count is stale.
    pub(super) generation: AtomicU64,
    /// The milliseconds from `began` at which the database last confirmed the snapshot.
    confirmed: AtomicU64,
    began: Instant,
    /// Whether the last attempt to follow changes failed.
    pub(super) is_cut_off: AtomicBool,
    /// One load at a time; the others wait for its result.
    pub(super) loading: SharedAttempt<KeyError>,
    /// Held while a snapshot is published or shares are adopted, so that each meter has its share.
    pub(super) publishing: Mutex<()>,
    /// The secrets that were used since their times were last written.
    pub(super) used: Mutex<Vec<UsedSecret>>,
    /// One writer of uses at a time; the others wait, so that they read what it writes.
    pub(super) writing_uses: tokio::sync::Mutex<()>,
    /// The keys and principals that have called.
    pub(super) active: Active,
    /// The keys with a budget that have called lately.
    pub(super) budgets: Budgets,
    /// This replica's shares of the limits of keys.
    pub(super) shares: ArcSwap<Shares>,
    /// The other replicas. There is one exchange at a time.
    pub(super) peers: tokio::sync::Mutex<Peers>,
    /// The limits that all replicas share.
    pub limiter: Limiter,
    /// The counts of model calls that are not written yet.
    pub ledger: Ledger,
    /// The usage of principals.
    pub(super) principals: Principals,
    /// Calls with secrets that are not accepted.
    pub(super) flood: Flood,
}

impl Admission {
    /// The state of a starting service, without a snapshot. Counts are saved in files below a
    /// directory until they are in the database. `management_rate` limits the management calls of
    /// each principal in a minute.
    pub fn new(data_dir: &Path, limiter: Limiter, management_rate: Option<u32>) -> Self {
        Admission {
            snapshot: ArcSwapOption::empty(),
            generation: AtomicU64::default(),
            confirmed: AtomicU64::default(),
            began: Instant::now(),
            is_cut_off: AtomicBool::default(),
            loading: SharedAttempt::default(),
            publishing: Mutex::default(),
            used: Mutex::default(),
            writing_uses: tokio::sync::Mutex::default(),
            active: Active::default(),
            budgets: Budgets::default(),
            shares: ArcSwap::default(),
            peers: tokio::sync::Mutex::default(),
            limiter,
            ledger: Ledger::new(data_dir.join(USAGE_FILES)),
            principals: Principals::new(management_rate),
            flood: Flood::default(),
        }
    }

    /// Makes the snapshot stale. Call this after every change, before its response is sent.
    pub fn invalidate(&self) {
        self.generation.fetch_add(1, Ordering::SeqCst);
    }

    /// The present snapshot, even if it is stale.
    pub(super) fn current(&self) -> Option<Arc<Snapshot>> {
        self.snapshot.load_full()
    }

    /// The snapshot, unless a local change or a reload of the configuration made it stale, or the
    /// database has not confirmed it for too long.
    pub(super) fn fresh(&self, settings: &Settings) -> Option<Arc<Snapshot>> {
        let generation = self.generation.load(Ordering::SeqCst);
        let catalog = settings.models.number();
        let is_recent = self.is_recent(settings);
        self.current()
            .filter(|snapshot| snapshot.generation == generation && snapshot.catalog == catalog)
            .filter(|_| is_recent)
    }

    /// Whether the database has confirmed the snapshot in the last `offline_seconds`.
    pub(super) fn is_recent(&self, settings: &Settings) -> bool {
        let max = u64::from(settings.config.offline_seconds) * 1000;
        let confirmed = self.confirmed.load(Ordering::Relaxed);
        self.millis(Instant::now()).saturating_sub(confirmed) <= max
    }

    /// The time since the database confirmed the snapshot. `None` without a snapshot.
    pub fn snapshot_age(&self) -> Option<Duration> {
        self.current()?;
        let confirmed = self.confirmed.load(Ordering::Relaxed);
        let age = self.millis(Instant::now()).saturating_sub(confirmed);
        Some(Duration::from_millis(age))
    }

    /// Records that the database confirmed the snapshot at a time.
    pub(super) fn confirm(&self, at: Instant) {
        self.confirmed.fetch_max(self.millis(at), Ordering::Relaxed);
    }

    /// Milliseconds from `began` to a time.
    fn millis(&self, at: Instant) -> u64 {
        let since = at.saturating_duration_since(self.began);
        u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
    }

    /// Publishes the data that was read at a time. Meters and times of last use outlive snapshots.
    pub(super) fn publish(&self, read: Reading, read_at: Instant) -> Arc<Snapshot> {
        let publishing = self.publishing.lock();
        let _publishing = publishing.unwrap_or_else(PoisonError::into_inner);
        let shares = self.shares.load();
        let current = self.current();
        let new_meter = |key_id: &str| Meter::new(shares.of(key_id));
        let snapshot = Arc::new(read.into_snapshot(current.as_deref(), new_meter));
        self.snapshot.store(Some(Arc::clone(&snapshot)));
        self.confirm(read_at);
        snapshot
    }

    /// Calls a function with a key or a principal, if it exists.
    pub(super) fn with<T>(&self, id: &str, call: impl FnOnce(LimitedKey<'_>) -> T) -> Option<T> {
        let snapshot = self.snapshot.load();
        if let Some(key) = snapshot.as_ref().and_then(|one| one.credentials.key(id)) {
            return Some(call(key));
        }
        let (meter, limits) = (&self.principals.known(id)?, &self.principals.limits());
        Some(call(LimitedKey { id, limits, meter }))
    }

    /// Calls a function with each key and each principal.
    pub(super) fn each_key(&self, mut call: impl FnMut(LimitedKey<'_>)) {
        self.principals.each(&mut call);
        if let Some(snapshot) = self.current() {
            snapshot.credentials.keys().for_each(call);
        }
    }
}
