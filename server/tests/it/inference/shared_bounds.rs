//! The bounds of shared limits with four replicas and 20 callers, by a simulated clock.

use accord_server::inference::admission::by_share::ByShare;
use accord_server::inference::admission::demand::Reservation;
use accord_server::inference::admission::limits::Limits;
use accord_server::inference::admission::meter::Meter;
use accord_server::inference::admission::period::Period;
use accord_server::inference::admission::redis::Redis;
use accord_server::inference::admission::shared::{LimitedKey, SharedLimits};
use accord_server::kernel::Metrics;
use accord_server::store::Store;
use chrono::{DateTime, TimeDelta, Utc};

use super::shared_model::{self, BOUND, Service, replica_id, runtime};
use crate::harness::redis::RedisServer;

/// 600 requests a minute.
fn requests() -> Limits {
    Limits {
        requests_per_minute: Some(600),
        ..Limits::default()
    }
}

const STREAM: Reservation = Reservation {
    calls: true,
    streams: true,
    tokens: 0,
};

/// A store in a new directory.
async fn store() -> (Store, tempfile::TempDir) {
    let directory = tempfile::tempdir().unwrap();
    (shared_model::store(directory.path()).await, directory)
}

/// Four replicas by share.
fn by_share(store: &Store, limits: Limits) -> Service<ByShare> {
    Service::new(limits, shared_model::by_share(4, store), store.clone())
}

/// Four replicas with one Redis.
async fn with_redis(store: &Store, server: &RedisServer, limits: Limits) -> Service<Redis> {
    let metrics = Metrics::new().unwrap();
    let mut limiters = Vec::new();
    for number in 0..4 {
        let client = redis::Client::open(server.url()).unwrap();
        let by_share = ByShare::new(store.clone(), replica_id(number));
        let redis = Redis::new(client, by_share, &metrics).with_simulated_time();
        redis.connect(Vec::new).await.unwrap();
        limiters.push(redis);
    }
    Service::new(limits, limiters, store.clone())
}

/// The ways in which 20 callers may use four replicas.
const SPREADS: [[usize; 4]; 4] = [[5, 5, 5, 5], [20, 0, 0, 0], [14, 6, 0, 0], [9, 6, 4, 1]];

/// The admitted calls of callers who each make two calls a second.
async fn admitted<L: SharedLimits>(
    service: &mut Service<L>,
    spread: [usize; 4],
    seconds: usize,
) -> usize {
    let mut admitted = 0;
    for _ in 0..seconds * 2 {
        service.pass(500).await;
        for (replica, callers) in spread.into_iter().enumerate() {
            for _ in 0..callers {
                let is_admitted = service.call(replica, Reservation::default(), 0).await;
                service.end(replica);
                admitted += usize::from(is_admitted);
            }
        }
    }
    admitted
}

#[test]
fn with_redis_four_replicas_admit_the_limit_within_two_percent() {
    let server = RedisServer::start();
    runtime().block_on(async {
        let (store, _directory) = store().await;
        for spread in SPREADS {
            server.erase();
            let mut service = with_redis(&store, &server, requests()).await;
            // The first minute's allowance is available at once.
            let first = admitted(&mut service, spread, 30).await;
            assert!((882..=918).contains(&first), "{spread:?}: {first}");
            let minute = admitted(&mut service, spread, 60).await;
            assert!((588..=612).contains(&minute), "{spread:?}: {minute}");
        }
    });
}

#[test]
fn by_share_four_replicas_admit_the_limit_soon_after_callers_move() {
    runtime().block_on(async {
        let (store, _directory) = store().await;
        let mut service = by_share(&store, requests());
        let first = admitted(&mut service, SPREADS[0], 30).await;
        assert!((882..=918).contains(&first), "{first}");
        for spread in SPREADS {
            admitted(&mut service, spread, 2).await;
            let minute = admitted(&mut service, spread, 60).await;
            assert!((540..=612).contains(&minute), "{spread:?}: {minute}");
        }
        service.check(4.0).unwrap();
    });
}

#[test]
fn by_share_four_replicas_admit_the_limit_soon_after_the_start() {
    for spread in SPREADS {
        runtime().block_on(async {
            let (store, _directory) = store().await;
            let mut service = by_share(&store, requests());
            admitted(&mut service, spread, 30).await;
            let minute = admitted(&mut service, spread, 60).await;
            assert!((540..=750).contains(&minute), "{spread:?}: {minute}");
            service.check(4.0).unwrap();
        });
    }
}

#[test]
fn a_key_has_its_whole_limit_within_two_seconds_at_the_replica_of_its_calls() {
    runtime().block_on(async {
        let (store, _directory) = store().await;
        let mut service = by_share(&store, requests());
        for replica in [0, 3, 1] {
            for _ in 0..200 {
                service.pass(10).await;
                service.call(replica, Reservation::default(), 0).await;
                service.end(replica);
            }
            let share = service.replicas[replica].shares.of(&service.key);
            assert!(share.rate > 0.999, "{replica}: {share:?}");
        }
    });
}

#[test]
fn a_key_far_below_its_limit_is_admitted_at_a_replica_without_earlier_calls() {
    runtime().block_on(async {
        let (store, _directory) = store().await;
        let mut service = by_share(&store, requests());
        for second in 0..10 {
            service.pass(1000).await;
            assert!(service.call(0, Reservation::default(), 0).await, "{second}");
            service.end(0);
        }
        for call in 0..20 {
            assert!(service.call(3, Reservation::default(), 0).await, "{call}");
            service.end(3);
        }
    });
}

/// The streams in progress when callers at the first replicas begin as many as possible.
async fn streams<L: SharedLimits>(service: &mut Service<L>, replicas: usize) -> usize {
    for _ in 0..30 {
        service.pass(100).await;
        for replica in 0..replicas {
            for _ in 0..20 {
                service.call(replica, STREAM, 0).await;
            }
        }
    }
    service.streams
}

#[test]
fn concurrent_calls_and_streams_reach_their_limit_at_any_replica() {
    let calls = Limits {
        concurrent_calls: Some(20),
        ..Limits::default()
    };
    let streams_only = Limits {
        concurrent_streams: Some(20),
        ..Limits::default()
    };
    let both = Limits {
        concurrent_calls: Some(20),
        concurrent_streams: Some(100),
        ..Limits::default()
    };
    let all = [calls, streams_only, both];
    let server = RedisServer::start();
    runtime().block_on(async {
        let (store, _directory) = store().await;
        for (limits, replicas) in all
            .into_iter()
            .flat_map(|one| [(one, 1), (one, 2), (one, 4)])
        {
            let by_share = streams(&mut by_share(&store, limits), replicas).await;
            assert!((18..=25).contains(&by_share), "{replicas}: {by_share}");
            server.erase();
            let mut service = with_redis(&store, &server, limits).await;
            assert_eq!(streams(&mut service, replicas).await, 20, "{replicas}");
        }
    });
}

/// A call that does not stream holds its place until it ends, and one without a model holds none.
#[test]
fn calls_that_do_not_stream_count_as_concurrent_until_they_end() {
    let limits = Limits {
        concurrent_calls: Some(4),
        ..Limits::default()
    };
    let call = Reservation {
        streams: false,
        ..STREAM
    };
    let server = RedisServer::start();
    runtime().block_on(async {
        let (store, _directory) = store().await;
        let mut service = with_redis(&store, &server, limits).await;
        for replica in 0..4 {
            assert!(service.call(replica, call, 0).await);
        }
        for replica in 0..4 {
            assert!(!service.call(replica, call, 0).await);
            assert!(!service.call(replica, STREAM, 0).await);
        }
        assert!(service.call(0, Reservation::default(), 0).await);
        service.end(1);
        let Service { replicas, now, .. } = &service;
        replicas[1].limiter.flush(*now).await;
        assert!(service.call(2, call, 0).await);
        assert!(!service.call(3, call, 0).await);

        let mut service = Service::new(limits, shared_model::by_share(1, &store), store.clone());
        for is_admitted in [true, true, true, true, false] {
            assert_eq!(service.call(0, call, 0).await, is_admitted);
        }
        service.end(0);
        assert!(service.call(0, STREAM, 0).await);
        assert!(!service.call(0, call, 0).await);
    });
}

/// The used tokens when 20 callers use a budget up, four calls each at a time.
async fn used<L: SharedLimits>(
    service: &mut Service<L>,
    spread: [usize; 4],
    flush: impl AsyncFn(&L, DateTime<Utc>),
) -> i64 {
    let reservation = Reservation {
        calls: false,
        streams: false,
        tokens: BOUND,
    };
    for _ in 0..120 {
        service.pass(250).await;
        for (replica, callers) in spread.into_iter().enumerate() {
            for _ in 0..callers {
                service.call(replica, reservation, BOUND).await;
            }
        }
        service.pass(250).await;
        for replica in 0..4 {
            while !service.replicas[replica].calls.is_empty() {
                service.end(replica);
            }
            flush(&service.replicas[replica].limiter, service.now).await;
        }
    }
    service.admitted.iter().map(|(_, used)| used).sum()
}

#[test]
fn a_budget_is_used_up_and_exceeded_by_one_call_at_most() {
    let limits = Limits {
        budget: Some((10_010, Period::Month)),
        ..Limits::default()
    };
    let server = RedisServer::start();
    runtime().block_on(async {
        let (store, _directory) = store().await;
        for spread in SPREADS {
            let mut service = by_share(&store, limits);
            let by_share = used(&mut service, spread, async |_, _| {}).await;
            let range = 10_010..10_010 + BOUND;
            assert!(range.contains(&by_share), "{spread:?}: {by_share}");
            server.erase();
            let mut service = with_redis(&store, &server, limits).await;
            let with_redis = used(&mut service, spread, Redis::flush).await;
            assert!(range.contains(&with_redis), "{spread:?}: {with_redis}");
        }
    });
}

#[test]
fn a_late_call_of_the_day_before_uses_nothing_of_the_next_days_budget() {
    let limits = &Limits {
        budget: Some((100, Period::Day)),
        ..Limits::default()
    };
    let midnight = DateTime::UNIX_EPOCH + TimeDelta::days(20_000);
    let server = RedisServer::start();
    runtime().block_on(async {
        let (store, _directory) = store().await;
        let service = with_redis(&store, &server, *limits).await;
        let [late, early] = [Meter::default(), Meter::default()];
        let enter = async |replica: usize, meter: &Meter, milliseconds| {
            let key = LimitedKey {
                id: &service.key,
                limits,
                meter,
            };
            let now = midnight + TimeDelta::milliseconds(milliseconds);
            let limiter = &service.replicas[replica].limiter;
            let entered = limiter.enter(key, Reservation::default(), now).await;
            entered.is_ok()
        };
        // The database has the used budget of the day before.
        late.catch_up((midnight - TimeDelta::days(1)).date_naive(), 100);
        assert!(enter(0, &early, 1).await);
        assert!(!enter(1, &late, -1).await);
        assert!(enter(0, &early, 2).await);
    });
}
