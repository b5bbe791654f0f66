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
mod writes;

use std::sync::atomic::Ordering;
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use chrono::{DateTime, Utc};
use tokio::sync::watch;

use crate::inference::Inference;
use crate::store::StoreError;

use super::gateway::models::Model;
use super::keys::KeyError;
use super::keys::secrets::{Presented, mask};
use super::problem::Problem;
use super::settings::Settings;
use credential::Credential;
use demand::Reservation;
use limits::{Exhausted, LimitStatuses, Limits};
use policies::Ruling;
use policies::question::{Action, Question, Resource};
use shared::{LimitedKey, SharedLimits as _};
use snapshot::{Reading, Snapshot};

pub use caller::{Caller, Rejected};
pub use state::Admission;
pub use writes::write;

/// The interval at which changes of other replicas are read.
const POLL: Duration = Duration::from_millis(250);
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
