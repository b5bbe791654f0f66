//! Both implementations of shared limits and their bounds: several replicas in one process, with a
//! simulated clock, and a database for budgets.

use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::{AtomicUsize, Ordering};

use accord_server::inference::admission::allocation::{self, Allocated};
use accord_server::inference::admission::by_share::ByShare;
use accord_server::inference::admission::demand::{Reservation, Settlement};
use accord_server::inference::admission::limits::Limits;
use accord_server::inference::admission::meter::Meter;
use accord_server::inference::admission::period::Period;
use accord_server::inference::admission::redis::Redis;
use accord_server::inference::admission::share::Share;
use accord_server::inference::admission::shared::{LimitedKey, SharedLimits};
use accord_server::inference::admission::shares::{Report, Shares};
use accord_server::kernel::Metrics;
use accord_server::params;
use accord_server::store::{Store, StoreError, Tx};
use chrono::{DateTime, TimeDelta, Utc};
use proptest::prelude::*;

use crate::harness::redis::RedisServer;

/// The number of services so far, each with a key of its own.
static SERVICES: AtomicUsize = AtomicUsize::new(0);
/// The interval of reports, in milliseconds.
const ROUND: i64 = 500;
/// The interval at which the ledger writes, in milliseconds.
const WRITE: i64 = 1000;
/// The maximum duration of a call, in milliseconds. Leases expire after 15 s without renewals.
const MAX_DURATION: i64 = 5000;
/// The maximum number of tokens that a call reserves.
pub const BOUND: i64 = 20;

/// A replica, and its usage that the ledger does not have yet.
pub struct Replica<L> {
    pub limiter: L,
    meter: Meter,
    pub shares: Shares,
    /// The shares of the last report, until they are applied.
    reported: Option<Shares>,
    unwritten: i64,
    pub calls: Vec<Call>,
}

/// A call in progress.
pub struct Call {
    reservation: Reservation,
    used: i64,
    entered: DateTime<Utc>,
}

/// Several replicas, and the calls that they have admitted.
pub struct Service<L> {
    pub key: String,
    limits: Limits,
    store: Store,
    pub replicas: Vec<Replica<L>>,
    /// The table of reports.
    reports: BTreeMap<usize, Report>,
    written: i64,
    pub now: DateTime<Utc>,
    /// The times of admissions, and the used tokens.
    pub admitted: Vec<(DateTime<Utc>, i64)>,
    pub streams: usize,
    most_streams: usize,
    most_calls: usize,
}

impl<L: SharedLimits> Service<L> {
    pub fn new(limits: Limits, limiters: Vec<L>, store: Store) -> Self {
        let count = limiters.len() as f64;
        let replicas = limiters.into_iter().map(|limiter| Replica {
            limiter,
            meter: Meter::new(Share::even(1.0 / count)),
            shares: Shares::default(),
            reported: None,
            unwritten: 0,
            calls: Vec::new(),
        });
        let number = SERVICES.fetch_add(1, Ordering::Relaxed);
        let mut service = Service {
            key: format!("apikey.local.{number}"),
            limits,
            store,
            replicas: replicas.collect(),
            reports: BTreeMap::new(),
            written: 0,
            now: DateTime::UNIX_EPOCH + TimeDelta::days(20_000),
            admitted: Vec::new(),
            streams: 0,
            most_streams: 0,
            most_calls: 0,
        };
        // All replicas have read the reports of the others before the first call.
        for _ in 0..2 {
            for replica in 0..service.replicas.len() {
                service.round(replica);
                service.follow_report(replica);
            }
        }
        service
    }

    pub async fn call(&mut self, replica: usize, reservation: Reservation, used: i64) -> bool {
        let Replica {
            limiter,
            meter,
            calls,
            ..
        } = &mut self.replicas[replica];
        let key = LimitedKey {
            id: &self.key,
            limits: &self.limits,
            meter,
        };
        let entered = limiter.enter(key, reservation, self.now).await;
        if entered.is_err() {
            return false;
        }
        calls.push(Call {
            reservation,
            used,
            entered: self.now,
        });
        self.streams += usize::from(reservation.streams);
        self.most_streams = self.most_streams.max(self.streams);
        self.most_calls = self.most_calls.max(self.calls());
        true
    }

    /// The concurrent calls.
    pub fn calls(&self) -> usize {
        let calls = self.replicas.iter().flat_map(|replica| &replica.calls);
        calls.filter(|call| call.reservation.calls).count()
    }

    /// Ends the oldest call.
    pub fn end(&mut self, replica: usize) {
        let replica = &mut self.replicas[replica];
        if replica.calls.is_empty() {
            return;
        }
        let Call {
            mut reservation,
            used,
            entered,
        } = replica.calls.remove(0);
        let key = LimitedKey {
            id: &self.key,
            limits: &self.limits,
            meter: &replica.meter,
        };
        let settlement = Settlement {
            used,
            released: used.min(reservation.tokens),
            day: entered.date_naive(),
        };
        replica.limiter.settle(key, settlement, self.now);
        reservation.tokens -= settlement.released;
        replica.limiter.leave(key, reservation, self.now);
        replica.unwritten += used;
        self.streams -= usize::from(reservation.streams);
        self.admitted.push((entered, used));
    }

    /// Ends the calls that have reached their maximum duration.
    fn end_old(&mut self, replica: usize) {
        let since = self.now - TimeDelta::milliseconds(MAX_DURATION);
        while let Some(call) = self.replicas[replica].calls.first()
            && call.entered <= since
        {
            self.end(replica);
        }
    }

    /// A replica reads the reports of the others, and writes its own.
    fn round(&mut self, index: usize) {
        let others: Vec<_> = (0..self.replicas.len())
            .filter(|other| *other != index)
            .map(|other| self.reports.get(&other).cloned())
            .collect();
        let replica = &mut self.replicas[index];
        let demand = replica
            .meter
            .take_demand(&self.limits, ROUND as f64 / 1000.0);
        let demands: HashMap<_, _> = demand
            .map(|one| (self.key.clone(), one))
            .into_iter()
            .collect();
        let next = replica.shares.next(&others, &demands);
        replica.shares = replica.shares.reduced(&next);
        self.apply(index);
        let replica = &mut self.replicas[index];
        let next = replica
            .shares
            .next(&others, &demands)
            .raised(&replica.shares);
        self.reports.insert(index, next.report());
        replica.reported = Some(next);
    }

    /// Applies the reported shares, some time after the report.
    fn follow_report(&mut self, index: usize) {
        if let Some(next) = self.replicas[index].reported.take() {
            self.replicas[index].shares = next;
            self.apply(index);
        }
    }

    fn apply(&mut self, index: usize) {
        let replica = &mut self.replicas[index];
        let share = replica.shares.of(&self.key);
        replica.meter.set_share(share, &self.limits, self.now);
    }

    /// Writes usage and the rest of the allocated tokens, as the ledger does.
    async fn write(&mut self, index: usize) {
        let Some((_, period)) = self.limits.budget else {
            return;
        };
        let replica = &mut self.replicas[index];
        let just_now = std::mem::take(&mut replica.unwritten);
        self.written += just_now;
        let (start, tokens) = replica.meter.return_allocated(period, false, self.now);
        let allocated = Allocated {
            key_id: self.key.clone(),
            replica: replica_id(index),
            period: start,
            tokens: tokens - just_now,
        };
        let write = move |tx: &mut Tx<'_>| {
            tx.execute(
                "INSERT INTO inference_usage \
                 (key_id, model, day, requests, errors, input_tokens, output_tokens) \
                 VALUES ($1, 'm', $2, 0, 0, $3, 0) ON CONFLICT (key_id, model, day) DO UPDATE \
                 SET input_tokens = inference_usage.input_tokens + excluded.input_tokens",
                params![&allocated.key_id, start.to_string(), just_now],
            )?;
            allocation::put(tx, &allocated)
        };
        self.store.write_relaxed(write).await.unwrap();
        replica.meter.follow(start, self.written, just_now);
    }

    /// Moves the clock. Rounds and writes of the replicas are due at different times.
    pub async fn pass(&mut self, milliseconds: i64) {
        for _ in 0..milliseconds {
            self.now += TimeDelta::milliseconds(1);
            let time = self.now.timestamp_millis();
            for index in 0..self.replicas.len() {
                let phase = time + index as i64 * 137;
                if phase % ROUND == 0 {
                    self.round(index);
                }
                if phase % ROUND == 100 {
                    self.follow_report(index);
                }
                if phase % WRITE == 0 {
                    self.write(index).await;
                }
            }
        }
    }

    /// Checks all limits. `more` calls and streams, and one call's reservation, may exceed them.
    pub fn check(mut self, more: f64) -> Result<(), TestCaseError> {
        for replica in 0..self.replicas.len() {
            while !self.replicas[replica].calls.is_empty() {
                self.end(replica);
            }
        }
        self.admitted.sort_unstable();
        let Limits {
            requests_per_minute,
            tokens_per_minute,
            concurrent_calls,
            concurrent_streams,
            budget,
        } = self.limits;
        let bounds = more.max(1.0) * BOUND as f64;
        for from in 0..self.admitted.len() {
            let (mut calls, mut tokens) = (0.0, 0.0);
            for (at, used) in &self.admitted[from..] {
                let minutes = (*at - self.admitted[from].0).num_milliseconds() as f64 / 60_000.0;
                (calls, tokens) = (calls + 1.0, tokens + *used as f64);
                if let Some(limit) = requests_per_minute {
                    let most = (f64::from(limit) + more) * (1.0 + minutes) + 1e-3;
                    prop_assert!(
                        calls <= most,
                        "{calls} calls in {minutes} min, limit {limit}"
                    );
                }
                if let Some(limit) = tokens_per_minute {
                    let most = (f64::from(limit) + more) * (1.0 + minutes) + bounds;
                    prop_assert!(
                        tokens <= most,
                        "{tokens} tokens in {minutes} min, limit {limit}"
                    );
                }
            }
        }
        if let Some(limit) = concurrent_calls {
            let most = limit as usize + more as usize;
            prop_assert!(
                self.most_calls <= most,
                "{} calls at once, limit {limit}",
                self.most_calls
            );
        }
        if let Some(limit) = concurrent_streams {
            let most = limit as usize + more as usize;
            prop_assert!(
                self.most_streams <= most,
                "{} streams, limit {limit}",
                self.most_streams
            );
        }
        if let Some((limit, _)) = budget {
            let used: i64 = self.admitted.iter().map(|(_, used)| used).sum();
            prop_assert!(used < limit + BOUND, "{used} tokens, budget {limit}");
        }
        Ok(())
    }
}

/// A step of a random run.
#[derive(Debug, Clone, Copy)]
enum Step {
    Pass(i64),
    Call {
        replica: usize,
        streams: bool,
        tokens: i64,
        used: i64,
    },
    End(usize),
}

fn limits() -> impl Strategy<Value = Limits> {
    let one = |most: u32| prop::option::of(1..most);
    let budget = prop::option::of((1..300i64).prop_map(|tokens| (tokens, Period::Month)));
    let limits = (one(200), one(400), one(16), one(12), budget);
    limits.prop_map(|(requests, tokens, calls, streams, budget)| Limits {
        requests_per_minute: requests,
        tokens_per_minute: tokens,
        concurrent_calls: calls,
        concurrent_streams: streams,
        budget,
    })
}

/// Bursts at one replica after the other, and scattered calls.
fn steps() -> impl Strategy<Value = Vec<Step>> {
    let call = (0..4usize, any::<bool>(), 1..=BOUND, 0..=BOUND).prop_map(
        |(replica, streams, tokens, used)| Step::Call {
            replica,
            streams,
            tokens,
            used: used.min(tokens),
        },
    );
    let burst = (call.clone(), 1..40usize).prop_map(|(call, count)| vec![call; count]);
    let steps = prop_oneof![
        3 => burst,
        3 => call.prop_map(|call| vec![call]),
        3 => (0..4usize, 1..20usize).prop_map(|(one, count)| vec![Step::End(one); count]),
        3 => (1..900i64).prop_map(|time| vec![Step::Pass(time)]),
        1 => (1000..20_000i64).prop_map(|time| vec![Step::Pass(time)]),
    ];
    prop::collection::vec(steps, 1..60).prop_map(|steps| steps.concat())
}

async fn run<L: SharedLimits>(
    service: &mut Service<L>,
    steps: Vec<Step>,
    flush: impl AsyncFn(&L, DateTime<Utc>),
) {
    let count = service.replicas.len();
    for step in steps {
        match step {
            Step::Pass(time) => {
                let mut left = time;
                while left > 0 {
                    service.pass(left.min(MAX_DURATION)).await;
                    left -= MAX_DURATION;
                    for index in 0..count {
                        service.end_old(index);
                        flush(&service.replicas[index].limiter, service.now).await;
                    }
                }
            }
            Step::Call {
                replica,
                streams,
                tokens,
                used,
            } => {
                let counts = service.limits.count_tokens();
                let reservation = Reservation {
                    calls: true,
                    streams,
                    tokens: if counts { tokens } else { 0 },
                };
                service.call(replica % count, reservation, used).await;
            }
            Step::End(replica) => {
                service.end(replica % count);
                let replica = &service.replicas[replica % count];
                flush(&replica.limiter, service.now).await;
            }
        }
    }
}

pub fn runtime() -> tokio::runtime::Runtime {
    let mut builder = tokio::runtime::Builder::new_current_thread();
    builder.enable_all().build().unwrap()
}

/// A store with the announcements of four replicas, which never count as stopped.
pub async fn store(directory: &std::path::Path) -> Store {
    let url = format!("sqlite:{}", directory.join("db").display());
    let store = Store::open(&url).await.unwrap();
    let announce = |tx: &mut Tx<'_>| {
        for index in 0..4 {
            tx.execute(
                "INSERT INTO server_replicas (id, held, uses, seen_at) VALUES ($1, '', '', $2)",
                params![replica_id(index), i64::MAX],
            )?;
        }
        Ok::<_, StoreError>(())
    };
    store.write(announce).await.unwrap();
    store
}

pub fn replica_id(index: usize) -> String {
    format!("replica{index}")
}

/// The limits of some replicas, one of which knows if it is alone.
pub fn by_share(count: usize, store: &Store) -> Vec<ByShare> {
    let one = |index| {
        let limits = ByShare::new(store.clone(), replica_id(index));
        limits.set_alone(count == 1);
        limits
    };
    (0..count).map(one).collect()
}

#[test]
fn shares_never_admit_more_than_the_limit_and_one_for_each_replica() {
    let (runtime, directory) = (runtime(), tempfile::tempdir().unwrap());
    let store = runtime.block_on(store(directory.path()));
    proptest!(ProptestConfig::with_cases(150), |(limits in limits(), count in 1..5usize, steps in steps())| {
        let mut service = Service::new(limits, by_share(count, &store), store.clone());
        runtime.block_on(run(&mut service, steps, async |_, _| {}));
        service.check(if count == 1 { 0.0 } else { count as f64 })?;
    });
}

#[test]
fn redis_never_admits_more_than_the_limit() {
    let (runtime, directory) = (runtime(), tempfile::tempdir().unwrap());
    let store = runtime.block_on(store(directory.path()));
    let server = RedisServer::start();
    let metrics = Metrics::new().unwrap();
    let number = std::cell::Cell::new(0);
    let connect = |id: String| {
        let client = redis::Client::open(server.url()).unwrap();
        let by_share = ByShare::new(store.clone(), id);
        let redis = Redis::new(client, by_share, &metrics).with_simulated_time();
        runtime.block_on(redis.connect(Vec::new)).unwrap();
        redis
    };
    proptest!(ProptestConfig::with_cases(40), |(limits in limits(), count in 1..5usize, steps in steps())| {
        number.set(number.get() + 1);
        server.erase();
        let limiters = (0..count).map(|one| connect(format!("{}:{one}", number.get()))).collect();
        let mut service = Service::new(limits, limiters, store.clone());
        runtime.block_on(run(&mut service, steps, Redis::flush));
        prop_assert!(service.replicas.iter().all(|one| one.limiter.is_connected()));
        service.check(0.0)?;
    });
}
