//! What one API key may use, and what it has used.
//!
//! A call is admitted when the key has a request and at least one token left. The call reserves
//! its estimated input and the bound of its output, into debt if need be: so one token left admits
//! one call. The true usage replaces the reservation while the response passes and at its end.
//! A meter is of one replica and admits the replica's [`Share`] of the limits; a budget is counted
//! in the database and followed by all replicas.

use std::sync::{Mutex, MutexGuard, PoisonError};

use chrono::{DateTime, Datelike, Days, Months, NaiveDate, Utc};

use super::bucket::Bucket;
use super::share::Share;
use crate::config::inference::InferenceConfig;

/// When a budget begins anew, in UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Period {
    /// Each day.
    Day,
    /// Each month, on its first day.
    Month,
}

impl Period {
    /// The text in the database.
    pub fn as_str(self) -> &'static str {
        match self {
            Period::Day => "day",
            Period::Month => "month",
        }
    }

    /// Reads the text in the database.
    pub fn parse(text: &str) -> Option<Self> {
        [Period::Day, Period::Month]
            .into_iter()
            .find(|period| period.as_str() == text)
    }

    /// The first day of the period that `day` is in.
    pub fn start(self, day: NaiveDate) -> NaiveDate {
        match self {
            Period::Day => day,
            Period::Month => day.with_day(1).unwrap_or(day),
        }
    }

    /// Seconds from `now` to the next period, at least one.
    pub fn seconds_left(self, now: DateTime<Utc>) -> i64 {
        let start = self.start(now.date_naive());
        let next = match self {
            Period::Day => start.checked_add_days(Days::new(1)),
            Period::Month => start.checked_add_months(Months::new(1)),
        };
        let next = next.unwrap_or(start).and_time(chrono::NaiveTime::MIN);
        (next.and_utc() - now).num_seconds().max(0) + 1
    }
}

/// What an API key may use. What is absent has no limit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Limits {
    /// Calls a minute.
    pub requests_per_minute: Option<u32>,
    /// Tokens a minute, in and out together.
    pub tokens_per_minute: Option<u32>,
    /// Streams at once.
    pub concurrent_streams: Option<u32>,
    /// Tokens in each period.
    pub budget: Option<(i64, Period)>,
}

impl Limits {
    /// The limits of a key without its own.
    pub fn configured(config: &InferenceConfig) -> Limits {
        Limits {
            requests_per_minute: config.requests_per_minute,
            tokens_per_minute: config.tokens_per_minute,
            concurrent_streams: config.concurrent_streams,
            budget: None,
        }
    }

    /// Whether tokens are counted.
    pub fn count_tokens(&self) -> bool {
        self.tokens_per_minute.is_some() || self.budget.is_some()
    }

    /// These, with the `other` ones where there are none.
    pub fn or(self, other: Limits) -> Limits {
        Limits {
            requests_per_minute: self.requests_per_minute.or(other.requests_per_minute),
            tokens_per_minute: self.tokens_per_minute.or(other.tokens_per_minute),
            concurrent_streams: self.concurrent_streams.or(other.concurrent_streams),
            budget: self.budget.or(other.budget),
        }
    }
}

/// Where a key stands in one of its limits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LimitStatus {
    /// The most in a minute.
    pub limit: i64,
    /// What is left of it.
    pub remaining: i64,
    /// Seconds until all of it is there again.
    pub reset_seconds: i64,
}

/// Where a key stands, for the caller.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LimitStatuses {
    /// In requests.
    pub requests: Option<LimitStatus>,
    /// In tokens.
    pub tokens: Option<LimitStatus>,
}

/// Why a key may not call now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Exhausted {
    /// Of what there is no more.
    pub kind: LimitKind,
    /// Seconds to wait.
    pub retry_after: i64,
    /// Where the key stands.
    pub limit_statuses: LimitStatuses,
}

/// A limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LimitKind {
    /// Calls a minute.
    Requests,
    /// Tokens a minute.
    Tokens,
    /// Streams at once.
    Streams,
    /// The budget.
    Budget,
}

/// What a call demands of its key's limits.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Demand {
    /// Whether the response is a stream.
    pub streams: bool,
    /// The tokens to reserve: the estimated input and the bound of the output.
    pub tokens: i64,
}

/// What a call has used since it was admitted or last settled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settlement {
    /// Its tokens; fewer than none when the estimate before was too high.
    pub used: i64,
    /// The reserved tokens that these replace.
    pub released: i64,
    /// The day on which the call was admitted.
    pub day: NaiveDate,
}

/// What calls have demanded of a key since this was last asked for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Tried {
    requests: u32,
    tokens: i64,
    /// Streams that were refused for want of a place.
    streams: u32,
}

/// What calls demand of each share of a key.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Wanted {
    /// As a part of the limits by minute, at most 1.
    pub rate: f64,
    /// As a part of the limit of concurrent streams, at most 1.
    pub streams: f64,
    /// The part of what is left of the budget that the database does not know to be used.
    pub held_budget: f64,
    /// The part of the limit of concurrent streams that streams in progress hold.
    pub held_streams: f64,
}

/// What a key has used.
#[derive(Debug, Default)]
pub struct Meter(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    share: Share,
    tried: Tried,
    requests: Option<Bucket>,
    tokens: Option<Bucket>,
    streams: u32,
    /// The tokens that calls in progress have reserved.
    reserved: i64,
    /// What the database knows of the period that begins on a day, and what
    /// this replica has counted since.
    period: Option<NaiveDate>,
    written: i64,
    unwritten: i64,
}

impl Meter {
    /// A meter of a key that has a share of its limits here.
    pub fn new(share: Share) -> Self {
        Meter(Mutex::new(State {
            share,
            ..State::default()
        }))
    }

    /// Admits a call, or not.
    ///
    /// # Errors
    ///
    /// The limit that the key has reached.
    pub fn enter(
        &self,
        limits: &Limits,
        demand: Demand,
        now: DateTime<Utc>,
    ) -> Result<LimitStatuses, Exhausted> {
        let mut state = self.lock();
        let (reserved, share) = (state.reserved, state.share);
        state.tried.add(demand, false);
        let mut refused = None;
        let mut wait = |kind, seconds: i64| {
            if seconds > 0 && refused.is_none_or(|(_, most)| seconds > most) {
                refused = Some((kind, seconds));
            }
        };
        if let Some(rate) = limits.requests_per_minute {
            let rate = share.of_rate(rate);
            let bucket = filled(&mut state.requests, rate, now);
            wait(LimitKind::Requests, bucket.seconds_until(1.0, rate));
        }
        if let Some(rate) = limits.tokens_per_minute {
            let rate = share.of_rate(rate);
            let bucket = filled(&mut state.tokens, rate, now);
            if bucket.seconds_until(1.0, rate) > 0 {
                // Calls in progress may give back all that they have reserved.
                let owed = 1.0 - reserved as f64;
                wait(LimitKind::Tokens, bucket.seconds_until(owed, rate).max(1));
            }
        }
        if let Some(most) = limits.concurrent_streams.filter(|_| demand.streams) {
            let is_full = state.streams >= share.of_streams(most);
            state.tried.streams = state.tried.streams.saturating_add(is_full.into());
            wait(LimitKind::Streams, is_full.into());
        }
        if let Some((budget, period)) = limits.budget {
            let (written, unwritten) = state.used(period, now);
            let left = budget.saturating_sub(written);
            if unwritten >= left {
                wait(LimitKind::Budget, period.seconds_left(now));
            } else if unwritten.saturating_add(reserved) >= share.of_budget(left) {
                wait(LimitKind::Budget, 1);
            }
        }
        if let Some((kind, retry_after)) = refused {
            return Err(Exhausted {
                kind,
                retry_after,
                limit_statuses: state.limit_statuses(limits),
            });
        }
        state.take(limits, demand, now);
        Ok(state.limit_statuses(limits))
    }

    /// Counts a call that was admitted elsewhere, whatever is left.
    pub fn count(&self, limits: &Limits, demand: Demand, now: DateTime<Utc>) {
        let mut state = self.lock();
        state.tried.add(demand, false);
        state.take(limits, demand, now);
    }

    /// Notes what a call demanded that was refused elsewhere.
    pub fn refuse(&self, demand: Demand, kind: LimitKind) {
        self.lock().tried.add(demand, kind == LimitKind::Streams);
    }

    /// Replaces reserved tokens by used ones. The used ones count for the period that the day of
    /// the call is in.
    pub fn settle(&self, limits: &Limits, settlement: Settlement, now: DateTime<Utc>) {
        let Settlement {
            used,
            released,
            day,
        } = settlement;
        let mut state = self.lock();
        state.release(limits, released, now);
        if let Some(rate) = limits.tokens_per_minute {
            let rate = state.share.of_rate(rate);
            filled(&mut state.tokens, rate, now).take(used as f64);
        }
        if let Some((_, period)) = limits.budget {
            let start = period.start(day);
            if state.period.is_none_or(|known| known < start) {
                (state.period, state.written, state.unwritten) = (Some(start), 0, 0);
            }
            if state.period == Some(start) {
                state.unwritten = state.unwritten.saturating_add(used);
            }
        }
    }

    /// A call has ended. `demand` has the tokens that are still reserved.
    pub fn leave(&self, limits: &Limits, demand: Demand, now: DateTime<Utc>) {
        if demand == Demand::default() {
            return;
        }
        let mut state = self.lock();
        state.release(limits, demand.tokens, now);
        state.streams = state.streams.saturating_sub(demand.streams.into());
    }

    /// The database now knows of `used` tokens in the period from `start`, and
    /// of `written` that this replica had counted.
    pub fn follow(&self, start: NaiveDate, used: i64, written: i64) {
        let mut state = self.lock();
        if state.period != Some(start) {
            (state.period, state.unwritten) = (Some(start), written);
        }
        state.written = used;
        state.unwritten = state.unwritten.saturating_sub(written);
    }

    /// Changes the key's share. Until now, its allowances grew by the share before.
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

    /// What calls have demanded within `seconds`, since this was last asked for. `None` if there
    /// was nothing and nothing is held.
    pub fn take_wanted(&self, limits: &Limits, seconds: f64) -> Option<Wanted> {
        let mut state = self.lock();
        let tried = std::mem::take(&mut state.tried);
        if tried == Tried::default() && state.streams == 0 && state.reserved == 0 {
            return None;
        }
        let of = |tried: f64, limit: Option<u32>| {
            let limit = limit.map(|limit| f64::from(limit.max(1)) * seconds / 60.0);
            limit.map(|limit| (tried / limit).min(1.0))
        };
        let requests = of(tried.requests.into(), limits.requests_per_minute);
        let tokens = of(tried.tokens as f64, limits.tokens_per_minute);
        // A budget has no rate: replicas that use it have equal parts.
        let budget = limits.budget.map(|_| f64::from(tried.requests.min(1)));
        let parts = [requests, tokens, budget].into_iter().flatten();
        let streams = limits.concurrent_streams.map(|most| f64::from(most.max(1)));
        let part = |count: u32| streams.map_or(0.0, |most| (f64::from(count) / most).min(1.0));
        Some(Wanted {
            rate: parts.fold(0.0, f64::max),
            streams: part(state.streams.saturating_add(tried.streams)),
            held_budget: limits.budget.map_or(0.0, |(budget, _)| {
                let left = budget.saturating_sub(state.written).max(1);
                let held = state.unwritten.saturating_add(state.reserved);
                (held as f64 / left as f64).clamp(0.0, 1.0)
            }),
            held_streams: part(state.streams),
        })
    }

    /// The streams in progress, and the tokens that calls in progress have reserved.
    pub fn held(&self) -> (u32, i64) {
        let state = self.lock();
        (state.streams, state.reserved)
    }

    /// The tokens that the database knows to be used in the period that now is in.
    pub fn written(&self, period: Period, now: DateTime<Utc>) -> i64 {
        self.lock().used(period, now).0
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Tried {
    fn add(&mut self, demand: Demand, is_full: bool) {
        self.requests = self.requests.saturating_add(1);
        self.tokens = self.tokens.saturating_add(demand.tokens);
        self.streams = self.streams.saturating_add(is_full.into());
    }
}

impl State {
    /// The tokens of the current period that the database knows, and those that it does not.
    fn used(&self, period: Period, now: DateTime<Utc>) -> (i64, i64) {
        match self.period == Some(period.start(now.date_naive())) {
            true => (self.written, self.unwritten),
            false => (0, 0),
        }
    }

    fn take(&mut self, limits: &Limits, demand: Demand, now: DateTime<Utc>) {
        if let Some(rate) = limits.requests_per_minute {
            let rate = self.share.of_rate(rate);
            filled(&mut self.requests, rate, now).take(1.0);
        }
        if let Some(rate) = limits.tokens_per_minute {
            let rate = self.share.of_rate(rate);
            filled(&mut self.tokens, rate, now).take(demand.tokens as f64);
        }
        self.reserved = self.reserved.saturating_add(demand.tokens);
        self.streams = self.streams.saturating_add(demand.streams.into());
    }

    /// Gives back reserved tokens.
    fn release(&mut self, limits: &Limits, tokens: i64, now: DateTime<Utc>) {
        self.reserved = self.reserved.saturating_sub(tokens);
        if let Some(rate) = limits.tokens_per_minute {
            let rate = self.share.of_rate(rate);
            filled(&mut self.tokens, rate, now).take(-(tokens as f64));
        }
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

fn filled(bucket: &mut Option<Bucket>, rate: f64, now: DateTime<Utc>) -> &mut Bucket {
    let bucket = bucket.get_or_insert_with(|| Bucket::full(rate, now));
    bucket.fill(rate, now);
    bucket
}

#[cfg(test)]
mod tests {
    use super::*;
    use chrono::TimeDelta;

    fn at(seconds: i64) -> DateTime<Utc> {
        DateTime::UNIX_EPOCH + TimeDelta::seconds(seconds)
    }

    fn used(tokens: i64) -> Settlement {
        Settlement {
            used: tokens,
            released: 0,
            day: at(0).date_naive(),
        }
    }

    const STREAM: Demand = Demand {
        streams: true,
        tokens: 0,
    };

    #[test]
    fn one_token_left_admits_one_call_until_its_usage_is_settled() {
        let meter = Meter::default();
        for limits in [
            Limits {
                tokens_per_minute: Some(60),
                ..Limits::default()
            },
            Limits {
                budget: Some((60, Period::Day)),
                ..Limits::default()
            },
        ] {
            let demand = Demand {
                streams: false,
                tokens: 1000,
            };
            meter.enter(&limits, demand, at(0)).expect("tokens left");
            for _ in 0..100 {
                let refused = meter.enter(&limits, demand, at(0));
                let refused = refused.expect_err("all tokens are reserved");
                assert_eq!(refused.retry_after, 1, "{limits:?}");
            }
            let settlement = Settlement {
                released: 10,
                ..used(10)
            };
            meter.settle(&limits, settlement, at(0));
            assert!(meter.enter(&limits, demand, at(0)).is_err());
            let rest = Demand {
                tokens: 990,
                ..demand
            };
            meter.leave(&limits, rest, at(0));
            meter.enter(&limits, demand, at(0)).expect("50 tokens left");
            meter.leave(&limits, demand, at(0));
        }
    }

    #[test]
    fn a_long_answer_makes_the_next_call_wait() {
        let meter = Meter::default();
        let limits = Limits {
            tokens_per_minute: Some(60),
            ..Limits::default()
        };
        assert!(meter.enter(&limits, Demand::default(), at(0)).is_ok());
        meter.settle(&limits, used(90), at(0));
        let refused = meter
            .enter(&limits, Demand::default(), at(0))
            .expect_err("in debt");
        assert_eq!((refused.kind, refused.retry_after), (LimitKind::Tokens, 31));
        let status = refused.limit_statuses.tokens.expect("a limit");
        assert_eq!((status.remaining, status.reset_seconds), (0, 90));
        assert!(meter.enter(&limits, Demand::default(), at(31)).is_ok());
    }

    #[test]
    fn a_refused_call_takes_nothing() {
        let meter = Meter::default();
        let limits = Limits {
            requests_per_minute: Some(2),
            concurrent_streams: Some(1),
            ..Limits::default()
        };
        assert!(meter.enter(&limits, STREAM, at(0)).is_ok());
        for _ in 0..5 {
            let refused = meter
                .enter(&limits, STREAM, at(0))
                .expect_err("one at once");
            assert_eq!(refused.kind, LimitKind::Streams);
        }
        meter.leave(&limits, STREAM, at(0));
        let limit_statuses = meter
            .enter(&limits, STREAM, at(0))
            .expect("a second request");
        assert_eq!(limit_statuses.requests.map(|s| s.remaining), Some(0));
        meter.leave(&limits, STREAM, at(0));
        let refused = meter.enter(&limits, STREAM, at(0)).expect_err("no third");
        assert_eq!(
            (refused.kind, refused.retry_after),
            (LimitKind::Requests, 30)
        );
    }

    #[test]
    fn a_budget_counts_what_others_used_and_begins_anew() {
        let meter = Meter::default();
        let limits = Limits {
            budget: Some((100, Period::Day)),
            ..Limits::default()
        };
        meter.settle(&limits, used(40), at(0));
        assert!(meter.enter(&limits, Demand::default(), at(1)).is_ok());
        // This replica's 40, now written, and 60 of another.
        meter.follow(at(0).date_naive(), 100, 40);
        let refused = meter
            .enter(&limits, Demand::default(), at(86_390))
            .expect_err("spent");
        assert_eq!((refused.kind, refused.retry_after), (LimitKind::Budget, 11));
        assert!(meter.enter(&limits, Demand::default(), at(86_401)).is_ok());
    }

    #[test]
    fn a_month_ends_with_its_last_day() {
        let now = "2026-02-28T23:59:50Z".parse().expect("a time");
        assert_eq!(Period::Month.seconds_left(now), 11);
        let first = Period::Month.start(now.date_naive());
        assert_eq!(first.to_string(), "2026-02-01");
    }
}
