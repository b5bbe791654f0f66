//! Decides whether a model call is admitted: by its key, its policies and its limits.
//!
//! A [`Snapshot`] in memory has all secrets and policies of the region, so that a call costs one
//! lookup and one keyed hash. Malformed secrets are rejected before both, and a flood of invented
//! ones never reaches the database. A change on this replica makes the snapshot stale before its
//! author gets the response. Changes on other replicas are noticed by a counter in the database
//! that is read every 250 milliseconds, and on PostgreSQL as soon as a notice arrives. While the
//! database is unreachable, the snapshot is used for a bounded time only: a key that is revoked
//! meanwhile must not continue to work.

mod active;
pub mod admitted_call;
pub mod allocation;
mod allocations;
pub mod bucket;
mod budget_use;
mod budgets;
pub mod by_share;
mod caller;
pub mod changes;
pub mod credential;
pub mod credentials;
mod decisions;
pub mod demand;
pub mod exchange;
pub mod flood;
pub mod journal;
mod last_use;
pub mod ledger;
pub mod limiter;
pub mod limits;
pub mod meter;
mod names;
mod peers;
pub mod period;
pub mod policies;
mod principals;
pub mod redis;
pub mod share;
pub mod shared;
pub mod shares;
pub mod snapshot;
mod state;
pub mod usage;
mod used;

use std::sync::atomic::Ordering;
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use chrono::{DateTime, Utc};
use tokio::sync::watch;

use crate::inference::Inference;
use crate::kernel::upkeep::{self, LAST_USE, USAGE};
use crate::store::StoreError;

use super::gateway::models::Model;
use super::keys::KeyError;
use super::keys::secrets::{Presented, mask};
use super::problem::Problem;
use super::settings::Settings;
use allocation::Allocated;
use credential::Credential;
use demand::Reservation;
use ledger::SAVE;
use limits::{Exhausted, LimitStatuses, Limits};
use policies::Ruling;
use policies::question::{Action, Question, Resource};
use shared::{LimitedKey, SharedLimits as _};
use snapshot::{Reading, Snapshot};

pub use caller::{Caller, Rejected};
pub use state::Admission;

/// The interval at which changes of other replicas are read.
const POLL: Duration = Duration::from_millis(250);
/// The interval at which the times of last use are written.
const WRITE_LAST_USED: Duration = Duration::from_secs(5);
/// The maximum delay of a key's first call while the database does not respond.
const READ_BUDGET: Duration = Duration::from_secs(1);

impl Admission {
    /// Finds the caller with this secret, and records the use. During a flood of invalid secrets,
    /// the rejection is delayed.
    ///
    /// # Errors
    ///
    /// If the secret is unknown, or not accepted now.
    pub async fn authenticate(
        &self,
        inference: &Inference,
        region: &str,
        presented: &str,
    ) -> Result<Caller, Rejected> {
        let outcome = self.identify(inference, region, presented).await;
        if let Err(Rejected::Secret { .. }) = &outcome
            && let Some(delay) = self.flood.delay(Instant::now(), self.share("flood").rate)
        {
            tokio::time::sleep(delay).await;
        }
        outcome
    }

    async fn identify(
        &self,
        inference: &Inference,
        region: &str,
        presented: &str,
    ) -> Result<Caller, Rejected> {
        let rejected = || Rejected::Secret {
            mask: mask(presented),
        };
        let secret = Presented::parse(presented).ok_or_else(rejected)?;
        let snapshot = self.snapshot(inference).await?;
        let now = super::now(inference);
        let delay = inference.settings().config.propagation_delay();
        let credential = snapshot
            .credentials
            .get(secret.public_id())
            .filter(|credential| *credential.region == *region)
            .filter(|credential| credential.is_presented(&inference.server_keys, secret))
            .filter(|credential| credential.is_accepted(now, delay))
            .map(Arc::clone)
            .ok_or_else(rejected)?;
        credential.last_use.touch(now);
        credential.follow_key(&inference.server_keys, secret);
        self.list_use(&credential);
        Ok(Caller {
            credential,
            snapshot,
        })
    }

    /// The number of models that new API keys of a compartment may call, in a region or in all.
    ///
    /// # Errors
    ///
    /// When the policies cannot be read.
    pub async fn callable_models(
        &self,
        inference: &Inference,
        compartment_id: &str,
        region: Option<&str>,
    ) -> Result<usize, KeyError> {
        let snapshot = self.snapshot(inference).await?;
        let settings = inference.settings();
        let (compartment_id, region) = (compartment_id.to_owned(), region.map(str::to_owned));
        // Policies may be many, and their evaluation is not cached.
        let counted = tokio::task::spawn_blocking(move || {
            let is_allowed = |model: &Model, action| {
                let question = Question {
                    // A new key has an ID that no policy can name yet.
                    key_id: "",
                    compartment_id: &compartment_id,
                    action,
                    model: Resource::of(model),
                };
                snapshot.policies.ruling(&question) == Ruling::Allowed
            };
            let models = settings.models.iter().filter(|model| {
                let region = region.as_ref();
                region.is_none_or(|region| *model.region == **region)
            });
            let callable = models.filter(|model| {
                let mut actions = Action::ALL.into_iter();
                actions.any(|action| is_allowed(model, action))
            });
            callable.count()
        });
        // It fails only if a policy panics, or while the service stops.
        counted.await.map_err(|_| StoreError::Closed.into())
    }

    /// Whether a running call would still be admitted, by the data in memory: its secret is
    /// accepted, and policies allow its model. `None` if the database has not confirmed the data
    /// for too long.
    pub fn admits(
        &self,
        inference: &Inference,
        credential: &Credential,
        action: Action,
        model: &Model,
    ) -> Option<bool> {
        // A local change is read within moments, so it does not end the call.
        let settings = inference.settings();
        let snapshot = self.current().filter(|_| self.is_recent(&settings))?;
        let now = super::now(inference);
        let delay = settings.config.propagation_delay();
        let found = snapshot.credentials.get(&credential.public_id);
        let found = found
            .filter(|found| found.region == credential.region)
            .filter(|found| found.is_accepted(now, delay))
            .map(Arc::clone);
        let caller = found.map(|credential| Caller {
            credential,
            snapshot,
        });
        Some(caller.is_some_and(|caller| caller.may(action, model)))
    }

    /// Takes one call without a model from a key's allowance.
    ///
    /// # Errors
    ///
    /// When the key's allowance is exhausted.
    pub async fn take_call(
        &self,
        inference: &Inference,
        caller: &Caller,
    ) -> Result<LimitStatuses, Problem> {
        let (key, now) = (caller.credential.key(), super::now(inference));
        let entered = self
            .enter(inference, key, Reservation::default(), now)
            .await;
        entered.map_err(admitted_call::limit_problem)
    }

    /// Takes one management call from a principal's allowance.
    ///
    /// # Errors
    ///
    /// The seconds to wait.
    pub async fn take_management(&self, inference: &Inference, principal: &str) -> Result<(), i64> {
        let limits = &self.principals.limits();
        if *limits == Limits::default() {
            return Ok(());
        }
        let (id, now) = (format!("principal:{principal}"), super::now(inference));
        let meter = self.principals.meter(&id, || self.share(&id), now);
        let key = LimitedKey {
            id: &id,
            limits,
            meter: &meter,
        };
        let entered = self
            .enter(inference, key, Reservation::default(), now)
            .await;
        entered.map(drop).map_err(|exhausted| exhausted.retry_after)
    }

    /// Admits a call by the limits of a key or a principal.
    async fn enter(
        &self,
        inference: &Inference,
        key: LimitedKey<'_>,
        reservation: Reservation,
        now: DateTime<Utc>,
    ) -> Result<LimitStatuses, Exhausted> {
        if let Some((_, period)) = key.limits.budget {
            let read = self.read_budget(inference, key, now);
            let follow = self.budgets.follow(key.id, period, Instant::now(), read);
            follow.await;
        }
        let entered = self.limiter.enter(key, reservation, now).await;
        self.active.add(key);
        entered
    }

    /// Reads how much of a key's budget is used. Without the database, the call is judged by the
    /// count in memory.
    async fn read_budget(&self, inference: &Inference, key: LimitedKey<'_>, now: DateTime<Utc>) {
        if self.is_cut_off.load(Ordering::Relaxed) {
            return;
        }
        let ids = [key.id.to_owned()];
        let read = inference.store.read(move |tx| usage::spent(tx, now, &ids));
        match tokio::time::timeout(READ_BUDGET, read).await {
            Ok(Ok(spent)) => {
                for one in &spent {
                    key.meter.catch_up(one.start, one.used);
                }
            }
            Ok(Err(error)) => tracing::warn!(key.id, %error, "the used budget cannot be read"),
            Err(_) => tracing::warn!(key.id, "the used budget cannot be read in time"),
        }
    }

    async fn snapshot(&self, inference: &Inference) -> Result<Arc<Snapshot>, KeyError> {
        let fresh = || self.fresh(&inference.settings());
        if let Some(snapshot) = fresh() {
            return Ok(snapshot);
        }
        if self.is_cut_off.load(Ordering::Relaxed) {
            let message = "the database cannot be reached, and the snapshot is too old";
            return Err(KeyError::Failed(message.into()));
        }
        self.loading.make(fresh, self.load(inference)).await
    }

    async fn load(&self, inference: &Inference) -> Result<Arc<Snapshot>, KeyError> {
        let read_at = Instant::now();
        let read = self.read(inference, &inference.settings()).await?;
        Ok(self.publish(read, read_at))
    }

    async fn read(&self, inference: &Inference, settings: &Settings) -> Result<Reading, KeyError> {
        // Read before the database: a later change makes this snapshot stale at once.
        let generation = self.generation.load(Ordering::SeqCst);
        let regions = inference.regions.all().map(str::to_owned).collect();
        let before = self.current();
        Reading::load(inference, regions, settings, before, generation).await
    }

    /// Reads the snapshot for new settings, and then applies both. So no call waits for the
    /// database.
    ///
    /// # Errors
    ///
    /// When the store fails. The old settings stay.
    pub(super) async fn apply(
        &self,
        inference: &Inference,
        settings: Arc<Settings>,
    ) -> Result<(), KeyError> {
        let read_at = Instant::now();
        let read = self.read(inference, &settings).await?;
        let rate = settings.config.management_requests_per_minute;
        // No exchange of reports changes shares meanwhile.
        let _peers = self.peers.lock().await;
        inference.replace_settings(settings);
        self.publish(read, read_at);
        self.principals.set_rate(rate);
        self.update_upstreams(inference);
        Ok(())
    }

    /// Writes the usage of ended processes in the same data directory.
    ///
    /// # Errors
    ///
    /// When the store fails. The files stay.
    pub async fn recover_usage(&self, inference: &Inference) -> Result<usize, KeyError> {
        let now = super::now(inference);
        Ok(self.ledger.recover(&inference.store, now).await?)
    }

    /// Writes the counts of this replica, and reads how much is used of the budgets of keys that
    /// call. Returns the number of written lines.
    ///
    /// # Errors
    ///
    /// When the store fails. The counts stay and are written later.
    pub async fn write_usage(&self, inference: &Inference) -> Result<u64, KeyError> {
        let followed = self.budgets.followed(Instant::now());
        let by_share = self.limiter.by_share();
        let allocations = &by_share.allocations;
        let is_alone = by_share.is_alone();
        let locked = allocations
            .lock(if is_alone { &[] } else { &followed })
            .await;
        if self.ledger.is_empty() && followed.is_empty() && locked.is_empty() {
            return Ok(0);
        }
        let now = super::now(inference);
        let allocated = |id: &String| self.return_allocated(id, is_alone, now);
        let allocated: Vec<_> = locked.ids().map(allocated).collect();
        let store = &inference.store;
        let written = self.ledger.write(store, now, &followed, &allocated).await?;
        if let Some(snapshot) = self.current() {
            for one in &written.spent {
                if let Some(key) = snapshot.credentials.key(&one.key_id) {
                    let just_now = written.tokens(&one.key_id, one.start);
                    key.meter.follow(one.start, one.used, just_now);
                }
            }
        }
        allocations.unlock(locked, &allocated);
        Ok(written.len() as u64)
    }

    /// Returns a part of the allocated tokens of a budget that this replica does not need.
    fn return_allocated(&self, key_id: &str, is_alone: bool, now: DateTime<Utc>) -> Allocated {
        let rest = self.with(key_id, |key| {
            let (_, period) = key.limits.budget?;
            Some(key.meter.return_allocated(period, is_alone, now))
        });
        let (period, tokens) = rest.flatten().unwrap_or((now.date_naive(), 0));
        let allocations = &self.limiter.by_share().allocations;
        allocations.allocated(key_id, period, tokens)
    }

    async fn follow(&self, inference: &Inference) -> Result<(), KeyError> {
        let Some(snapshot) = self.current() else {
            return Ok(());
        };
        let read_at = Instant::now();
        let changes = Snapshot::changes(inference).await;
        self.is_cut_off.store(changes.is_err(), Ordering::Relaxed);
        if changes? == snapshot.changes {
            self.confirm(read_at);
        } else {
            self.invalidate();
            // Reloads now, so that the next call does not have to wait.
            self.snapshot(inference).await?;
        }
        Ok(())
    }
}

/// Follows the changes of other replicas, until the context is dropped. This is a separate
/// task, so that revocations never wait for writes.
pub async fn follow(inference: Weak<Inference>) {
    let mut notices = inference
        .upgrade()
        .and_then(|inference| inference.store.notices());
    loop {
        tokio::select! {
            () = tokio::time::sleep(POLL) => {}
            () = notified(&mut notices) => {}
        }
        let Some(inference) = inference.upgrade() else {
            return;
        };
        if let Err(error) = inference.admission.follow(&inference).await {
            tracing::warn!(%error, "changes of API keys cannot be read");
        }
    }
}

/// Adds the usage of earlier runs, and writes usage and times of last use, until the context is
/// dropped.
pub async fn write(inference: Weak<Inference>) {
    if let Some(inference) = inference.upgrade() {
        let recovery = async {
            if let Err(error) = inference.admission.recover_usage(&inference).await {
                tracing::error!(%error, "usage of an earlier run cannot be added");
            }
            let deleted = inference.store.write(allocation::delete_stopped);
            if let Err(error) = deleted.await {
                tracing::warn!(%error, "allocated tokens of stopped replicas cannot be deleted");
            }
        };
        save_during(&inference, recovery).await;
    }
    let mut written_at = tokio::time::Instant::now();
    loop {
        tokio::time::sleep(SAVE).await;
        let Some(inference) = inference.upgrade() else {
            return;
        };
        let (admission, metrics) = (&inference.admission, &inference.metrics);
        let writes = async {
            let written = upkeep::measure(metrics, USAGE, admission.write_usage(&inference));
            if let Err(error) = written.await {
                tracing::warn!(%error, "usage cannot be written");
            }
            if written_at.elapsed() >= WRITE_LAST_USED {
                written_at = tokio::time::Instant::now();
                let used = admission.write_last_used(&inference);
                if let Err(error) = upkeep::measure(metrics, LAST_USE, used).await {
                    tracing::warn!(%error, "times of last use cannot be written");
                }
            }
        };
        save_during(&inference, writes).await;
    }
}

/// Saves usage to files during the writes to a slow database.
async fn save_during(inference: &Inference, writes: impl Future<Output = ()>) {
    inference.admission.ledger.save().await;
    tokio::select! {
        () = writes => {}
        () = inference.admission.ledger.keep_saving() => {}
    }
}

/// Waits for a notice of another replica, if the database sends any.
async fn notified(notices: &mut Option<watch::Receiver<u64>>) {
    if let Some(receiver) = notices {
        if receiver.changed().await.is_ok() {
            return;
        }
        *notices = None;
    }
    std::future::pending().await
}
