//! The tokens of budgets that this replica may use.
//!
//! With several replicas and without Redis, a replica asks the database for tokens of a budget
//! before it admits calls that need them. The database never gives more than is free, except that
//! one free token is enough for one call. So all replicas together exceed a budget by one call's
//! reservation at most.
//!
//! A replica gets more tokens than its next call needs, so that few calls wait for the database.
//! With its usage, about every second, it returns half of those that no call has reserved, and all
//! of them when calls pause.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use tokio::sync::OwnedMutexGuard;

use super::allocation::{Allocated, allocate, reduce};
use super::demand::Reservation;
use super::limits::{Exhausted, LimitStatuses};
use super::meter::Refused;
use super::shared::LimitedKey;
use crate::store::{Store, StoreError, Tx};

/// The maximum delay of a call while the database does not respond.
const TIMEOUT: Duration = Duration::from_secs(1);
/// The time after a failure in which replicas admit calls by their shares.
const FAILURE_PAUSE: TimeDelta = TimeDelta::seconds(1);
/// The time after a rejection in which the database is not asked again for the same key.
const REJECTION_PAUSE: TimeDelta = TimeDelta::milliseconds(100);

/// The keys whose budgets this replica uses.
pub struct Allocations {
    store: Store,
    replica: String,
    keys: Mutex<BTreeMap<String, Arc<tokio::sync::Mutex<Asked>>>>,
    /// Until then, the database is not asked.
    paused_until: Mutex<Option<DateTime<Utc>>>,
}

/// One request at a time is made for a key, and none while its usage is written.
#[derive(Debug, Default)]
struct Asked {
    rejected_at: Option<DateTime<Utc>>,
}

/// The keys whose budgets nobody asks for meanwhile.
pub struct Locked(BTreeMap<String, OwnedMutexGuard<Asked>>);

impl Locked {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The ids of the keys.
    pub fn ids(&self) -> impl Iterator<Item = &String> {
        self.0.keys()
    }
}

impl Allocations {
    /// Creates the allocations of a replica, which has none yet.
    pub fn new(store: Store, replica: String) -> Self {
        Allocations {
            store,
            replica,
            keys: Mutex::default(),
            paused_until: Mutex::default(),
        }
    }

    /// The identifier of this replica.
    pub fn replica(&self) -> &str {
        &self.replica
    }

    /// Whether the database failed a moment ago.
    pub fn is_paused(&self, now: DateTime<Utc>) -> bool {
        let until = *lock(&self.paused_until);
        // A clock that was set back does not extend the pause.
        until.is_some_and(|until| now < until && until - now <= FAILURE_PAUSE)
    }

    /// Asks the database for the missing tokens of a call, and admits or rejects the call. Without
    /// the database, the share of the replica decides.
    ///
    /// # Errors
    ///
    /// The exhausted limit.
    pub async fn enter(
        &self,
        key: LimitedKey<'_>,
        reservation: Reservation,
        now: DateTime<Utc>,
    ) -> Result<LimitStatuses, Exhausted> {
        // After a failure, only one call at a time tries again.
        if let Some(until) = &mut *lock(&self.paused_until) {
            *until = now + FAILURE_PAUSE;
        }
        match tokio::time::timeout(TIMEOUT, self.ask(key, reservation, now)).await {
            Ok(Ok(entered)) => {
                *lock(&self.paused_until) = None;
                return entered;
            }
            Ok(Err(error)) => tracing::warn!(key.id, %error, "a budget cannot be read"),
            Err(_) => tracing::warn!(key.id, "a budget cannot be read in time"),
        }
        *lock(&self.paused_until) = Some(now + FAILURE_PAUSE);
        key.meter.enter(key.limits, reservation, now)
    }

    async fn ask(
        &self,
        key: LimitedKey<'_>,
        reservation: Reservation,
        now: DateTime<Utc>,
    ) -> Result<Result<LimitStatuses, Exhausted>, StoreError> {
        let LimitedKey { id, limits, meter } = key;
        let mut asked = self.of_key(id).lock_owned().await;
        // An earlier call may have got enough for this one.
        let request = match meter.enter_allocated(limits, reservation, now) {
            Ok(statuses) => return Ok(Ok(statuses)),
            Err(Refused::Exhausted(exhausted)) => return Ok(Err(exhausted)),
            Err(Refused::Unallocated(request)) => request,
        };
        let rejected_at = asked.rejected_at;
        let since = rejected_at.map(|at| now.signed_duration_since(at).abs());
        if since.is_none_or(|since| since >= REJECTION_PAUSE) {
            let (id, replica) = (id.to_owned(), self.replica.clone());
            let at = now.timestamp_millis();
            let allocate = move |tx: &mut Tx<'_>| allocate(tx, &id, &replica, request, at);
            // A lost allocation is written again with the usage.
            let allocation = self.store.write_relaxed(allocate).await?;
            meter.allocate(&allocation);
            asked.rejected_at = (allocation.tokens == 0).then_some(now);
            if allocation.tokens == 0 {
                self.return_spare(key, request.period).await?;
            }
        }
        // The lock still excludes other requests, but calls that fit enter without it.
        Ok(match meter.enter_allocated(limits, reservation, now) {
            Ok(statuses) => Ok(statuses),
            Err(Refused::Exhausted(exhausted)) => Err(exhausted),
            Err(Refused::Unallocated(_)) => Err(meter.wait_for_budget(limits)),
        })
    }

    /// Returns the tokens that are too few for a call, so that they suffice for a call elsewhere.
    async fn return_spare(&self, key: LimitedKey<'_>, period: NaiveDate) -> Result<(), StoreError> {
        let tokens = key.meter.return_spare(period);
        if tokens == 0 {
            return Ok(());
        }
        let by = self.allocated(key.id, period, tokens);
        let reduced = self.store.write_relaxed(move |tx| reduce(tx, &by));
        reduced.await
    }

    /// Tokens of a key's budget that are allocated to this replica.
    pub fn allocated(&self, key_id: &str, period: NaiveDate, tokens: i64) -> Allocated {
        Allocated {
            key_id: key_id.to_owned(),
            replica: self.replica.clone(),
            period,
            tokens,
        }
    }

    /// Waits for the requests for keys with allocations and for the `followed` keys, and excludes
    /// further ones.
    pub async fn lock(&self, followed: &[String]) -> Locked {
        let mut ids: BTreeSet<String> = followed.iter().cloned().collect();
        ids.extend(lock(&self.keys).keys().cloned());
        let mut locked = BTreeMap::new();
        // In the order of their ids, so that two that lock do not wait for each other.
        for id in ids {
            let guard = self.of_key(&id).lock_owned().await;
            locked.insert(id, guard);
        }
        Locked(locked)
    }

    /// Allows requests again. Keys without tokens are forgotten.
    pub fn unlock(&self, locked: Locked, written: &[Allocated]) {
        let mut keys = lock(&self.keys);
        for one in written.iter().filter(|one| one.tokens == 0) {
            // The map and `locked` hold it, and nobody waits.
            let is_free = |key: &Arc<_>| Arc::strong_count(key) == 2;
            if keys.get(&one.key_id).is_some_and(is_free) {
                keys.remove(&one.key_id);
            }
        }
        drop(locked);
    }

    fn of_key(&self, id: &str) -> Arc<tokio::sync::Mutex<Asked>> {
        let mut keys = lock(&self.keys);
        match keys.get(id) {
            Some(known) => Arc::clone(known),
            None => Arc::clone(keys.entry(id.to_owned()).or_default()),
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
