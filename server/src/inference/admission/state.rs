//! What is held in memory of secrets, policies and allowances.

use std::collections::HashMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use arc_swap::{ArcSwap, ArcSwapOption};

use super::exchange::Peers;
use super::flood::Flood;
use super::ledger::Ledger;
use super::limits::Buckets;
use super::meter::Meter;
use super::shared::Limiter;
use super::shares::Shares;
use super::snapshot::{Snapshot, Use};
use crate::inference::keys::KeyError;
use crate::kernel::Kernel;
use crate::kernel::shared::SharedAttempt;

/// Where usage is until it is written, below the data directory.
const USAGE_FILES: &str = "usage";

/// What is in memory.
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
    /// Times of last use, which outlive snapshots.
    pub(super) uses: Mutex<HashMap<String, Arc<Use>>>,
    /// What keys have used, which outlives snapshots too.
    pub(super) meters: Mutex<HashMap<String, Arc<Meter>>>,
    /// The shares of this replica of the limits of keys.
    pub(super) shares: ArcSwap<Shares>,
    /// What is known of other replicas. One exchange at a time.
    pub(super) peers: tokio::sync::Mutex<Peers>,
    /// What admits calls.
    pub limiter: Limiter,
    /// What is counted of model calls and not yet written.
    pub ledger: Ledger,
    /// Requests by who manages keys.
    pub(super) management: Buckets,
    /// Calls with secrets that are not accepted.
    pub(super) flood: Flood,
}

impl Admission {
    /// Nobody known yet. What is counted is kept in files below a directory until
    /// the database has it.
    pub fn new(data_dir: &Path, limiter: Limiter) -> Self {
        Admission {
            snapshot: ArcSwapOption::empty(),
            generation: AtomicU64::default(),
            confirmed: AtomicU64::default(),
            began: Instant::now(),
            is_cut_off: AtomicBool::default(),
            loading: SharedAttempt::default(),
            uses: Mutex::default(),
            meters: Mutex::default(),
            shares: ArcSwap::default(),
            peers: tokio::sync::Mutex::default(),
            limiter,
            ledger: Ledger::new(data_dir.join(USAGE_FILES)),
            management: Buckets::default(),
            flood: Flood::default(),
        }
    }

    /// Forgets what is in memory: to be called after every change, before the
    /// answer to it is sent.
    pub fn invalidate(&self) {
        self.generation.fetch_add(1, Ordering::SeqCst);
    }

    pub(super) fn current(&self) -> Option<Arc<Snapshot>> {
        self.snapshot.load_full()
    }

    /// The snapshot, unless a local change made it stale or the database has not
    /// confirmed it for too long.
    pub(super) fn fresh(&self, kernel: &Kernel) -> Option<Arc<Snapshot>> {
        let generation = self.generation.load(Ordering::SeqCst);
        let is_recent = self.is_recent(kernel);
        self.current()
            .filter(|snapshot| snapshot.generation == generation && is_recent)
    }

    /// Whether the database has confirmed the snapshot in the last `offline_seconds`.
    pub(super) fn is_recent(&self, kernel: &Kernel) -> bool {
        let most = u64::from(kernel.config.inference.offline_seconds) * 1000;
        let confirmed = self.confirmed.load(Ordering::Relaxed);
        self.millis(Instant::now()).saturating_sub(confirmed) <= most
    }

    /// Notes that the database was as the snapshot has it at a time.
    pub(super) fn confirm(&self, at: Instant) {
        self.confirmed.fetch_max(self.millis(at), Ordering::Relaxed);
    }

    fn millis(&self, at: Instant) -> u64 {
        let since = at.saturating_duration_since(self.began);
        u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
    }

    /// Gives the credentials of a new snapshot the times of use that are not
    /// yet written, and their meters. Credentials are not shared yet, so this happens before the
    /// snapshot is seen.
    pub(super) fn keep_uses(&self, snapshot: &mut Snapshot) {
        let mut uses = self.uses.lock().unwrap_or_else(PoisonError::into_inner);
        uses.retain(|id, one| snapshot.credentials.contains_key(id) || one.is_pending());
        let mut meters = self.meters.lock().unwrap_or_else(PoisonError::into_inner);
        let shares = self.shares.load();
        for (id, credential) in &mut snapshot.credentials {
            let last_use = uses.entry(id.clone()).or_default().clone();
            let credential = Arc::make_mut(credential);
            credential.last_use = last_use;
            let new = || Arc::new(Meter::new(shares.of(&credential.key_id)));
            let meter = meters.entry(credential.key_id.clone()).or_insert_with(new);
            credential.meter = Arc::clone(meter);
        }
        // Those of deleted keys, unless a call still holds one.
        meters.retain(|_, meter| Arc::strong_count(meter) > 1);
        for spent in &snapshot.spent {
            if let Some(meter) = meters.get(&spent.key_id) {
                meter.follow(spent.start, spent.used, 0);
            }
        }
    }
}
