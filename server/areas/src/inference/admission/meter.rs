//! The limits of one API key, and its usage.
//!
//! A call is admitted if the key has a request and at least one token left. The call reserves its
//! estimated input and its maximum output, into debt if necessary, so one token left admits one
//! call. The real usage replaces the reservation while the response passes and at its end. A meter
//! belongs to one replica, and admits the replica's [`Share`] of the limits. A budget is counted in
//! the database, which also allocates its tokens to replicas.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use chrono::{DateTime, NaiveDate, Utc};

use super::allocation::{Allocation, Request};
use super::bucket::Bucket;
use super::budget_use::BudgetUse;
use super::demand::{Attempts, Demand, InProgress, Reservation, Settlement};
use super::limits::{Exhausted, LimitKind, LimitStatus, LimitStatuses, Limits};
use super::period::Period;
use super::share::Share;

/// Seconds until the share of a replica has followed the demand for a key.
const SHARES_FOLLOW_SECONDS: i64 = 2;

/// The usage of a key.
#[derive(Debug, Default)]
pub struct Meter {
    state: Mutex<State>,
    /// Whether it is among the [`Active`](super::active::Active) ones.
    is_active: AtomicBool,
}

#[derive(Debug, Default)]
struct State {
    share: Share,
    attempts: Attempts,
    requests: Option<Bucket>,
    tokens: Option<Bucket>,
    calls: u32,
    streams: u32,
    /// The reserved tokens of calls in progress.
    reserved: i64,
    /// The part of them that Redis did not take from the allowance.
    untaken: i64,
    budget: BudgetUse,
}

/// Why a call is not admitted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refused {
    /// A limit is exhausted.
    Exhausted(Exhausted),
    /// The call needs more tokens of the budget than this replica has.
    Unallocated(Request),
}

/// How a replica decides about a budget.
#[derive(Clone, Copy, PartialEq, Eq)]
enum BudgetRule {
    /// By its share of the rest.
    Share,
    /// By the tokens that the database has allocated.
    Allocation,
}

impl Meter {
    /// Creates the meter of a key with this share of its limits.
    pub fn new(share: Share) -> Self {
        let state = State {
            share,
            ..State::default()
        };
        Meter {
            state: Mutex::new(state),
            is_active: AtomicBool::default(),
        }
    }

    /// Admits a call by the replica's share, or rejects it.
    ///
    /// # Errors
    ///
    /// The exhausted limit.
    pub fn enter(
        &self,
        limits: &Limits,
        reservation: Reservation,
        now: DateTime<Utc>,
    ) -> Result<LimitStatuses, Exhausted> {
        let mut state = self.lock();
        match state.enter(limits, reservation, now, BudgetRule::Share) {
            Ok(statuses) => Ok(statuses),
            Err(Refused::Exhausted(exhausted)) => Err(exhausted),
            Err(Refused::Unallocated(_)) => Err(state.wait_for_budget(limits)),
        }
    }

    /// Admits a call if the database has allocated enough tokens of the budget.
    ///
    /// # Errors
    ///
    /// The exhausted limit, or the missing tokens.
    pub fn enter_allocated(
        &self,
        limits: &Limits,
        reservation: Reservation,
        now: DateTime<Utc>,
    ) -> Result<LimitStatuses, Refused> {
        self.lock()
            .enter(limits, reservation, now, BudgetRule::Allocation)
    }

    /// Adds tokens that the database has allocated.
    pub fn allocate(&self, allocation: &Allocation) {
        self.lock().budget.allocate(allocation);
    }

    /// Returns half of the allocated tokens that no call has used or reserved, or all of them if no
    /// call was admitted since the last time. A replica that `is_alone` needs none. The result is
    /// the first day of the period, and the tokens that remain.
    pub fn return_allocated(
        &self,
        period: Period,
        is_alone: bool,
        now: DateTime<Utc>,
    ) -> (NaiveDate, i64) {
        let state = &mut *self.lock();
        let start = period.start(now.date_naive());
        if is_alone {
            state.budget.forget_allocated();
            return (start, 0);
        }
        (start, state.budget.return_some(start, state.reserved))
    }

    /// Returns the allocated tokens of the period from `start` that no call has used or reserved.
    pub fn return_spare(&self, start: NaiveDate) -> i64 {
        let state = &mut *self.lock();
        state.budget.return_all(start, state.reserved)
    }

    /// The rejection of a call while other calls have reserved the rest of the budget.
    pub fn wait_for_budget(&self, limits: &Limits) -> Exhausted {
        self.lock().wait_for_budget(limits)
    }

    /// Counts a call that Redis admitted. Shares do not follow it.
    pub fn count(&self, limits: &Limits, reservation: Reservation, now: DateTime<Utc>) {
        let mut state = self.lock();
        state.take(limits, reservation, now);
        state.end_debt();
    }

    /// Ends a debt that calls have left which Redis admitted. A share admits less than Redis, so
    /// later calls without Redis would have to pay for them.
    pub fn end_debt(&self) {
        self.lock().end_debt();
    }

    /// Replaces reserved tokens by used ones, which count for the period that contains the day of
    /// the admission.
    pub fn settle(&self, limits: &Limits, settlement: Settlement, now: DateTime<Utc>) {
        let Settlement {
            used,
            released,
            day,
        } = settlement;
        let mut state = self.lock();
        state.release(limits, released, used, now);
        if let Some((_, period)) = limits.budget {
            state.budget.count(period.start(day), used);
        }
    }

    /// Records that a call has ended. `rest` has the tokens that are still reserved.
    pub fn leave(&self, limits: &Limits, rest: Reservation, now: DateTime<Utc>) {
        if rest == Reservation::default() {
            return;
        }
        let mut state = self.lock();
        state.release(limits, rest.tokens, 0, now);
        state.calls = state.calls.saturating_sub(rest.calls.into());
        state.streams = state.streams.saturating_sub(rest.streams.into());
    }

    /// Records that the database has `used` tokens in the period from `start`, `written` of them
    /// from this replica.
    pub fn follow(&self, start: NaiveDate, used: i64, written: i64) {
        self.lock().budget.follow(start, used, written);
    }

    /// Records that the database has at least `used` tokens in the period from `start`. A read
    /// apart from the writes may be older than the count in [`Self::follow`].
    pub fn catch_up(&self, start: NaiveDate, used: i64) {
        self.lock().budget.catch_up(start, used);
    }

    /// Changes the key's share. Allowances are refilled by the old share up to now.
    pub fn set_share(&self, share: Share, limits: &Limits, now: DateTime<Utc>) {
        let mut state = self.lock();
        let before = std::mem::replace(&mut state.share, share);
        let change = |bucket: &mut Option<Bucket>, limit: Option<u32>| {
            if let (Some(bucket), Some(limit)) = (bucket, limit) {
                bucket.fill(before.of_rate(limit), now);
                bucket.fill(share.of_rate(limit), now);
            }
        };
        change(&mut state.requests, limits.requests_per_minute);
        change(&mut state.tokens, limits.tokens_per_minute);
    }

    /// Returns the demand of the last `seconds` and resets it. `None` if there were no calls and
    /// none are in progress. The meter stays active only if some are in progress.
    pub fn take_demand(&self, limits: &Limits, seconds: f64) -> Option<Demand> {
        let mut state = self.lock();
        let attempts = std::mem::take(&mut state.attempts);
        let is_busy = state.in_progress() != InProgress::default();
        // While the state is locked: a later call finds this value, and activates the meter again.
        self.is_active.store(is_busy, Ordering::Release);
        // Nothing is shared of a key without limits.
        if *limits == Limits::default() {
            return None;
        }
        if attempts == Attempts::default() && !is_busy {
            return None;
        }
        let of = |count: f64, limit: Option<u32>| {
            let limit = limit.map(|limit| f64::from(limit.max(1)) * seconds / 60.0);
            limit.map(|limit| (count / limit).min(1.0))
        };
        let requests = of(attempts.requests.into(), limits.requests_per_minute);
        let tokens = of(attempts.tokens as f64, limits.tokens_per_minute);
        let rates = [requests, tokens].into_iter().flatten();
        let part = |count: u32, limit: Option<u32>| {
            let limit = limit.map(|limit| f64::from(limit.max(1)));
            limit.map_or(0.0, |limit| (f64::from(count) / limit).min(1.0))
        };
        let concurrent = |calls: u32, streams: u32| {
            let calls = part(calls, limits.concurrent_calls);
            calls.max(part(streams, limits.concurrent_streams))
        };
        Some(Demand {
            rate: rates.fold(0.0, f64::max),
            concurrent: concurrent(
                state.calls.saturating_add(attempts.rejected_calls),
                state.streams.saturating_add(attempts.rejected_streams),
            ),
            held: concurrent(state.calls, state.streams),
        })
    }

    /// Whether nothing distinguishes the meter from a new one, if calls have no other limit than
    /// requests.
    pub fn is_idle(&self, limits: &Limits, now: DateTime<Utc>) -> bool {
        let mut state = self.lock();
        let share = state.share;
        let rate = limits.requests_per_minute.map(|rate| share.of_rate(rate));
        rate.is_none_or(|rate| filled(&mut state.requests, rate, now).is_full(rate))
    }

    /// Whether it is among the active ones.
    pub(super) fn is_active(&self) -> bool {
        self.is_active.load(Ordering::Acquire)
    }

    /// Marks it as active. Returns whether it was not.
    pub(super) fn activate(&self) -> bool {
        !self.is_active.swap(true, Ordering::AcqRel)
    }

    /// The calls in progress.
    pub fn in_progress(&self) -> InProgress {
        self.lock().in_progress()
    }

    /// Marks the reserved tokens of calls in progress as not taken by Redis.
    pub fn forget_taken(&self) {
        let mut state = self.lock();
        state.untaken = state.reserved;
    }

    /// The part of released tokens that Redis took from the allowance, as far as is known.
    pub fn refund(&self, released: i64) -> i64 {
        let mut state = self.lock();
        let untaken = released.min(state.untaken);
        state.untaken -= untaken;
        released - untaken
    }

    /// The used tokens of the current period in the database.
    pub fn written(&self, period: Period, now: DateTime<Utc>) -> i64 {
        self.lock().budget.used(period.start(now.date_naive())).0
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn enter(
        &mut self,
        limits: &Limits,
        reservation: Reservation,
        now: DateTime<Utc>,
        rule: BudgetRule,
    ) -> Result<LimitStatuses, Refused> {
        let mut wait = MaxWait::default();
        self.wait_for_rates(limits, now, &mut wait);
        let share = self.share;
        let is_full = |count: u32, limit: Option<u32>, counts: bool| {
            counts && limit.is_some_and(|limit| count >= share.of_concurrent(limit))
        };
        let rejects_call = is_full(self.calls, limits.concurrent_calls, reservation.calls);
        wait.add(LimitKind::Calls, rejects_call.into());
        let rejects_stream = is_full(self.streams, limits.concurrent_streams, reservation.streams);
        wait.add(LimitKind::Streams, rejects_stream.into());
        let missing = self.missing_of_budget(limits, reservation, now, rule, &mut wait);
        if let (None, Some(request)) = (wait.0, missing) {
            return Err(Refused::Unallocated(request));
        }
        self.attempts.add(reservation);
        let attempts = &mut self.attempts;
        attempts.rejected_calls = attempts.rejected_calls.saturating_add(rejects_call.into());
        attempts.rejected_streams = attempts
            .rejected_streams
            .saturating_add(rejects_stream.into());
        if let Some((kind, retry_after)) = wait.0 {
            return Err(Refused::Exhausted(Exhausted {
                kind,
                retry_after,
                limit_statuses: self.limit_statuses(limits),
            }));
        }
        if rule == BudgetRule::Allocation {
            self.budget.use_allocated();
        }
        self.take(limits, reservation, now);
        Ok(self.limit_statuses(limits))
    }

    /// Adds the waits for a request and a token a minute.
    fn wait_for_rates(&mut self, limits: &Limits, now: DateTime<Utc>, wait: &mut MaxWait) {
        let share = self.share;
        if let Some(limit) = limits.requests_per_minute {
            let rate = share.of_rate(limit);
            let bucket = filled(&mut self.requests, rate, now);
            wait.add(LimitKind::Requests, seconds_until(bucket, 1.0, rate, limit));
        }
        if let Some(limit) = limits.tokens_per_minute {
            let rate = share.of_rate(limit);
            let bucket = filled(&mut self.tokens, rate, now);
            if bucket.seconds_until(1.0, rate) > 0 {
                // Calls in progress may release all their reserved tokens.
                let owed = 1.0 - self.reserved as f64;
                let seconds = seconds_until(bucket, owed, rate, limit);
                wait.add(LimitKind::Tokens, seconds.max(1));
            }
        }
    }

    /// Adds the wait for the budget. Returns the tokens that the database has to allocate, if the
    /// call needs more than this replica has.
    fn missing_of_budget(
        &self,
        limits: &Limits,
        reservation: Reservation,
        now: DateTime<Utc>,
        rule: BudgetRule,
        wait: &mut MaxWait,
    ) -> Option<Request> {
        let (budget, period) = limits.budget?;
        let start = period.start(now.date_naive());
        let (written, unwritten) = self.budget.used(start);
        let left = budget.saturating_sub(written);
        if unwritten >= left {
            wait.add(LimitKind::Budget, period.seconds_left(now));
            return None;
        }
        if rule == BudgetRule::Share {
            let held = unwritten.saturating_add(self.reserved);
            wait.add(
                LimitKind::Budget,
                (held >= self.share.of_budget(left)).into(),
            );
            return None;
        }
        let needed = self.reserved.saturating_add(reservation.tokens.max(1));
        let tokens = needed.saturating_sub(self.budget.unused(start));
        (tokens > 0).then_some(Request {
            budget,
            period: start,
            tokens,
        })
    }

    fn in_progress(&self) -> InProgress {
        InProgress {
            calls: self.calls,
            streams: self.streams,
            tokens: self.reserved,
        }
    }

    fn wait_for_budget(&self, limits: &Limits) -> Exhausted {
        Exhausted {
            kind: LimitKind::Budget,
            retry_after: 1,
            limit_statuses: self.limit_statuses(limits),
        }
    }

    fn take(&mut self, limits: &Limits, reservation: Reservation, now: DateTime<Utc>) {
        if let Some(rate) = limits.requests_per_minute {
            let rate = self.share.of_rate(rate);
            filled(&mut self.requests, rate, now).take(1.0);
        }
        if let Some(rate) = limits.tokens_per_minute {
            let rate = self.share.of_rate(rate);
            filled(&mut self.tokens, rate, now).take(reservation.tokens as f64);
        }
        self.reserved = self.reserved.saturating_add(reservation.tokens);
        self.calls = self.calls.saturating_add(reservation.calls.into());
        self.streams = self.streams.saturating_add(reservation.streams.into());
    }

    /// Replaces reserved tokens in the bucket by used ones.
    fn release(&mut self, limits: &Limits, tokens: i64, used: i64, now: DateTime<Utc>) {
        self.reserved = self.reserved.saturating_sub(tokens);
        if let Some(rate) = limits.tokens_per_minute {
            let rate = self.share.of_rate(rate);
            filled(&mut self.tokens, rate, now).take(used as f64 - tokens as f64);
        }
    }

    fn end_debt(&mut self) {
        let buckets = [&mut self.requests, &mut self.tokens];
        buckets.into_iter().flatten().for_each(Bucket::end_debt);
    }

    fn limit_statuses(&self, limits: &Limits) -> LimitStatuses {
        let status = |bucket: Option<Bucket>, rate: Option<u32>| {
            let (bucket, limit) = (bucket?, rate?);
            let rate = self.share.of_rate(limit);
            Some(LimitStatus {
                limit: limit.into(),
                remaining: bucket.left(),
                reset_seconds: bucket.seconds_until(rate, rate),
            })
        };
        LimitStatuses {
            requests: status(self.requests, limits.requests_per_minute),
            tokens: status(self.tokens, limits.tokens_per_minute),
        }
    }
}

/// The limit with the longest wait in seconds, if there is one.
#[derive(Default)]
struct MaxWait(Option<(LimitKind, i64)>);

impl MaxWait {
    /// Adds a wait. Of two equal ones, the first stays.
    fn add(&mut self, kind: LimitKind, seconds: i64) {
        if seconds > 0 && self.0.is_none_or(|(_, most)| seconds > most) {
            self.0 = Some((kind, seconds));
        }
    }
}

fn filled(bucket: &mut Option<Bucket>, rate: f64, now: DateTime<Utc>) -> &mut Bucket {
    let bucket = bucket.get_or_insert_with(|| Bucket::full(rate, now));
    bucket.fill(rate, now);
    bucket
}

/// Seconds until a bucket holds this many units at a share's rate. Shares follow demand, so a caller
/// waits no longer than for that, and for the units at the rate of the whole limit.
fn seconds_until(bucket: &Bucket, count: f64, rate: f64, limit: u32) -> i64 {
    let whole = bucket.seconds_until(count, limit.into());
    bucket
        .seconds_until(count, rate)
        .min(whole.max(SHARES_FOLLOW_SECONDS))
}

#[cfg(test)]
mod tests;
