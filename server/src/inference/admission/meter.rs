//! The limits of one API key, and its usage.
//!
//! A call is admitted if the key has a request and at least one token left. Its real usage is known
//! only at its end and is deducted then, into debt if necessary, so a long response makes the next
//! call wait. Each replica has its own limits of requests and tokens a minute, and of concurrent
//! streams. A budget is counted in the database and shared by all replicas.

use std::sync::{Mutex, MutexGuard, PoisonError};

use chrono::{DateTime, Datelike, Days, Months, NaiveDate, Utc};

use super::bucket::Bucket;
use crate::config::inference::InferenceConfig;

/// The period of a budget, in UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Period {
    /// Each day.
    Day,
    /// Each month, on its first day.
    Month,
}

impl Period {
    /// The period's name in the database.
    pub fn as_str(self) -> &'static str {
        match self {
            Period::Day => "day",
            Period::Month => "month",
        }
    }

    /// Parses the period's name in the database.
    pub fn parse(text: &str) -> Option<Self> {
        [Period::Day, Period::Month]
            .into_iter()
            .find(|period| period.as_str() == text)
    }

    /// The first day of the period that contains `day`.
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

/// The limits of an API key. An absent limit does not apply.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Limits {
    /// Calls a minute.
    pub requests_per_minute: Option<u32>,
    /// Tokens a minute, input and output together.
    pub tokens_per_minute: Option<u32>,
    /// Concurrent streams.
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

    /// These limits, with the `other` ones in place of absent ones.
    pub fn or(self, other: Limits) -> Limits {
        Limits {
            requests_per_minute: self.requests_per_minute.or(other.requests_per_minute),
            tokens_per_minute: self.tokens_per_minute.or(other.tokens_per_minute),
            concurrent_streams: self.concurrent_streams.or(other.concurrent_streams),
            budget: self.budget.or(other.budget),
        }
    }
}

/// The status of one limit of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LimitStatus {
    /// The maximum in a minute.
    pub limit: i64,
    /// The rest.
    pub remaining: i64,
    /// Seconds until the rest is the maximum again.
    pub reset_seconds: i64,
}

/// The status of a key's limits, for the caller.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LimitStatuses {
    /// The status of requests.
    pub requests: Option<LimitStatus>,
    /// The status of tokens.
    pub tokens: Option<LimitStatus>,
}

/// Why a key may not call now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Exhausted {
    /// The exhausted limit.
    pub kind: LimitKind,
    /// Seconds to wait.
    pub retry_after: i64,
    /// The status of the limits.
    pub limit_statuses: LimitStatuses,
}

/// A limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LimitKind {
    /// Calls a minute.
    Requests,
    /// Tokens a minute.
    Tokens,
    /// Concurrent streams.
    Streams,
    /// The budget.
    Budget,
}

/// The usage of a key.
#[derive(Debug, Default)]
pub struct Meter(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    requests: Option<Bucket>,
    tokens: Option<Bucket>,
    streams: u32,
    /// The usage in the database for the period that begins on a day, and the counts of this
    /// replica since.
    period: Option<NaiveDate>,
    written: i64,
    unwritten: i64,
}

impl Meter {
    /// Admits a call, or rejects it.
    ///
    /// # Errors
    ///
    /// The exhausted limit.
    pub fn enter(
        &self,
        limits: &Limits,
        streams: bool,
        now: DateTime<Utc>,
    ) -> Result<LimitStatuses, Exhausted> {
        let mut state = self.lock();
        let mut refused = None;
        let mut wait = |kind, seconds: i64| {
            if seconds > 0 && refused.is_none_or(|(_, most)| seconds > most) {
                refused = Some((kind, seconds));
            }
        };
        if let Some(rate) = limits.requests_per_minute {
            let bucket = filled(&mut state.requests, rate, now);
            wait(LimitKind::Requests, bucket.seconds_until(1.0, rate));
        }
        if let Some(rate) = limits.tokens_per_minute {
            let bucket = filled(&mut state.tokens, rate, now);
            wait(LimitKind::Tokens, bucket.seconds_until(1.0, rate));
        }
        if let Some(most) = limits.concurrent_streams.filter(|_| streams) {
            wait(LimitKind::Streams, i64::from(state.streams >= most));
        }
        if let Some((budget, period)) = limits.budget {
            let start = period.start(now.date_naive());
            let used = match state.period == Some(start) {
                true => state.written.saturating_add(state.unwritten),
                false => 0,
            };
            if used >= budget {
                wait(LimitKind::Budget, period.seconds_left(now));
            }
        }
        if let Some((kind, retry_after)) = refused {
            return Err(Exhausted {
                kind,
                retry_after,
                limit_statuses: state.limit_statuses(limits),
            });
        }
        if let Some(bucket) = &mut state.requests {
            bucket.take(1.0);
        }
        if streams {
            state.streams += 1;
        }
        Ok(state.limit_statuses(limits))
    }

    /// Deducts this many tokens for a call. The number is negative if an earlier one was too high.
    /// They count for the period that contains `day`.
    pub fn spend(&self, limits: &Limits, tokens: i64, day: NaiveDate, now: DateTime<Utc>) {
        let mut state = self.lock();
        if let Some(rate) = limits.tokens_per_minute {
            filled(&mut state.tokens, rate, now).take(tokens as f64);
        }
        if let Some((_, period)) = limits.budget {
            let start = period.start(day);
            if state.period.is_none_or(|known| known < start) {
                (state.period, state.written, state.unwritten) = (Some(start), 0, 0);
            }
            if state.period == Some(start) {
                state.unwritten = state.unwritten.saturating_add(tokens);
            }
        }
    }

    /// Records that a call has ended.
    pub fn leave(&self, streams: bool) {
        if streams {
            let mut state = self.lock();
            state.streams = state.streams.saturating_sub(1);
        }
    }

    /// Records that the database has `used` tokens in the period from `start`, `written` of them
    /// from this replica.
    pub fn follow(&self, start: NaiveDate, used: i64, written: i64) {
        let mut state = self.lock();
        if state.period != Some(start) {
            (state.period, state.unwritten) = (Some(start), written);
        }
        state.written = used;
        state.unwritten = state.unwritten.saturating_sub(written);
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn limit_statuses(&self, limits: &Limits) -> LimitStatuses {
        let status = |bucket: Option<Bucket>, rate: Option<u32>| {
            let (bucket, rate) = (bucket?, rate?);
            Some(LimitStatus {
                limit: rate.into(),
                remaining: bucket.left(),
                reset_seconds: bucket.seconds_until(rate.into(), rate),
            })
        };
        LimitStatuses {
            requests: status(self.requests, limits.requests_per_minute),
            tokens: status(self.tokens, limits.tokens_per_minute),
        }
    }
}

fn filled(bucket: &mut Option<Bucket>, rate: u32, now: DateTime<Utc>) -> &mut Bucket {
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

    fn day(seconds: i64) -> NaiveDate {
        at(seconds).date_naive()
    }

    #[test]
    fn a_long_answer_makes_the_next_call_wait() {
        let meter = Meter::default();
        let limits = Limits {
            tokens_per_minute: Some(60),
            ..Limits::default()
        };
        assert!(meter.enter(&limits, false, at(0)).is_ok());
        meter.spend(&limits, 90, day(0), at(0));
        let refused = meter.enter(&limits, false, at(0)).expect_err("in debt");
        assert_eq!((refused.kind, refused.retry_after), (LimitKind::Tokens, 31));
        let status = refused.limit_statuses.tokens.expect("a limit");
        assert_eq!((status.remaining, status.reset_seconds), (0, 90));
        assert!(meter.enter(&limits, false, at(31)).is_ok());
    }

    #[test]
    fn a_refused_call_takes_nothing() {
        let meter = Meter::default();
        let limits = Limits {
            requests_per_minute: Some(2),
            concurrent_streams: Some(1),
            ..Limits::default()
        };
        assert!(meter.enter(&limits, true, at(0)).is_ok());
        for _ in 0..5 {
            let refused = meter.enter(&limits, true, at(0)).expect_err("one at once");
            assert_eq!(refused.kind, LimitKind::Streams);
        }
        meter.leave(true);
        let limit_statuses = meter.enter(&limits, true, at(0)).expect("a second request");
        assert_eq!(limit_statuses.requests.map(|s| s.remaining), Some(0));
        meter.leave(true);
        let refused = meter.enter(&limits, true, at(0)).expect_err("no third");
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
        meter.spend(&limits, 40, day(0), at(0));
        assert!(meter.enter(&limits, false, at(1)).is_ok());
        // This replica's 40, now written, and 60 of another.
        meter.follow(at(0).date_naive(), 100, 40);
        let refused = meter.enter(&limits, false, at(86_390)).expect_err("spent");
        assert_eq!((refused.kind, refused.retry_after), (LimitKind::Budget, 11));
        assert!(meter.enter(&limits, false, at(86_401)).is_ok());
    }

    #[test]
    fn a_month_ends_with_its_last_day() {
        let now = "2026-02-28T23:59:50Z".parse().expect("a time");
        assert_eq!(Period::Month.seconds_left(now), 11);
        let first = Period::Month.start(now.date_naive());
        assert_eq!(first.to_string(), "2026-02-01");
    }
}
