//! Budgets of several replicas without Redis: the database allocates their tokens.

use std::time::Duration;

use accord_server::inference::admission::allocation::{self, Allocated};
use accord_server::inference::admission::by_share::ByShare;
use accord_server::inference::admission::demand::Reservation;
use accord_server::inference::admission::limits::{LimitKind, Limits};
use accord_server::inference::admission::meter::Meter;
use accord_server::inference::admission::period::Period;
use accord_server::inference::admission::shared::{LimitedKey, SharedLimits};
use accord_server::inference::admission::usage;
use accord_server::params;
use accord_server::store::{Store, StoreError, Tx};
use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use reqwest::Method;
use serde_json::json;

use super::client::{Key, call};
use super::shared_limits::{limited, replicas, stop, until};
use super::shared_model;
use crate::harness::Server;

const BUDGET: i64 = 1_000;
/// The maximum output of a call.
const OUTPUT: i64 = 40;

fn budget(tokens: i64) -> Limits {
    Limits {
        budget: Some((tokens, Period::Month)),
        ..Limits::default()
    }
}

/// The seconds after which a call may be repeated. `None` if it was admitted.
async fn wait(server: &Server, key: &Key) -> Option<u64> {
    let body = json!({
        "model": "accord.echo",
        "max_tokens": OUTPUT,
        "messages": [{"role": "user", "content": "one two three four five six"}],
    });
    let request = call(server, &key.one, Method::POST, "/chat/completions").json(&body);
    let response = request.send().await.unwrap();
    let wait = response.headers().get("retry-after").cloned();
    match response.status().as_u16() {
        200 => None,
        429 => Some(wait.unwrap().to_str().unwrap().parse().unwrap()),
        status => panic!("{status}"),
    }
}

/// The tokens in the database, after all replicas have written theirs.
async fn used(replicas: &[Server]) -> i64 {
    for server in replicas {
        let inference = &server.app().inference;
        inference.admission.write_usage(inference).await.unwrap();
    }
    let read = |tx: &mut Tx<'_>| usage::read(tx, NaiveDate::MIN);
    let lines = replicas[0].read(read).await;
    lines.iter().map(|(_, counts)| counts.tokens.total()).sum()
}

#[tokio::test(flavor = "multi_thread")]
async fn four_replicas_use_a_budget_up_and_exceed_it_by_one_call_at_most() {
    let replicas = replicas(4, None).await;
    for server in &replicas {
        let inference = &server.app().inference;
        until(async || !inference.admission.limiter.by_share().is_alone()).await;
    }
    for spread in [4, 1] {
        let before = used(&replicas).await;
        let key = limited(&replicas, budget(BUDGET)).await;
        let callers = (0..20).map(async |caller| {
            loop {
                match wait(&replicas[caller % spread], &key).await {
                    None => {}
                    Some(seconds) if seconds > 60 => break,
                    // Calls in progress, and replicas with more than they need.
                    Some(_) => tokio::time::sleep(Duration::from_millis(200)).await,
                }
            }
        });
        futures::future::join_all(callers).await;
        let used = used(&replicas).await - before;
        let bound = 10 + OUTPUT;
        assert!((BUDGET..BUDGET + bound).contains(&used), "{spread}: {used}");
    }
    stop(replicas).await;
}

/// A call that reserves as many tokens.
async fn enter(
    limits: &ByShare,
    meter: &Meter,
    budget: &Limits,
    tokens: i64,
    now: DateTime<Utc>,
) -> Result<(), (LimitKind, i64)> {
    let key = LimitedKey {
        id: "apikey.local.x",
        limits: budget,
        meter,
    };
    let reservation = Reservation {
        calls: false,
        streams: false,
        tokens,
    };
    let entered = limits.enter(key, reservation, now).await;
    let entered = entered.map(drop);
    entered.map_err(|exhausted| (exhausted.kind, exhausted.retry_after))
}

/// The tokens that replicas may use.
async fn allocated(store: &Store) -> Vec<(String, i64)> {
    let read = |tx: &mut Tx<'_>| {
        let sql = "SELECT replica, tokens FROM inference_budget_allocations ORDER BY replica";
        let rows = tx.query(sql, &[])?;
        let rows = rows.iter().map(|row| Ok((row.get(0)?, row.get(1)?)));
        rows.collect::<Result<Vec<_>, StoreError>>()
    };
    store.read(read).await.unwrap()
}

#[tokio::test]
async fn one_free_token_admits_one_call_of_all_replicas() {
    let directory = tempfile::tempdir().unwrap();
    let store = shared_model::store(directory.path()).await;
    let replicas = shared_model::by_share(2, &store);
    let (one, other, now) = (Meter::default(), Meter::default(), Utc::now());
    enter(&replicas[0], &one, &budget(8), 7, now).await.unwrap();
    enter(&replicas[1], &other, &budget(8), 1000, now)
        .await
        .unwrap();
    let rejected = Err((LimitKind::Budget, 1));
    for _ in 0..3 {
        assert_eq!(
            enter(&replicas[0], &one, &budget(8), 1, now).await,
            rejected
        );
        assert_eq!(
            enter(&replicas[1], &other, &budget(8), 1, now).await,
            rejected
        );
    }
    let tokens = [("replica0".to_owned(), 7), ("replica1".to_owned(), 1000)];
    assert_eq!(allocated(&store).await, tokens);
}

#[tokio::test]
async fn the_tokens_of_a_stopped_replica_are_free_again() {
    let directory = tempfile::tempdir().unwrap();
    let store = shared_model::store(directory.path()).await;
    let put = |tx: &mut Tx<'_>| {
        for replica in ["replica3", "killed"] {
            let allocated = Allocated {
                key_id: "apikey.local.x".into(),
                replica: replica.into(),
                period: Period::Month.start(Utc::now().date_naive()),
                tokens: 60,
            };
            allocation::put(tx, &allocated)?;
        }
        Ok::<_, StoreError>(())
    };
    store.write(put).await.unwrap();
    let (limits, meter) = (&shared_model::by_share(2, &store)[0], Meter::default());
    let mut now = Utc::now();
    assert!(enter(limits, &meter, &budget(60), 1, now).await.is_err());
    store.write(allocation::delete_stopped).await.unwrap();
    assert_eq!(allocated(&store).await, [("replica3".to_owned(), 60)]);
    let stopped = |tx: &mut Tx<'_>| {
        tx.execute(
            "DELETE FROM server_replicas WHERE id = $1",
            params!["replica3"],
        )
    };
    store.write(stopped).await.unwrap();
    now += TimeDelta::seconds(1);
    enter(limits, &meter, &budget(60), 1, now).await.unwrap();
}

#[tokio::test]
async fn the_tokens_of_a_killed_replica_are_free_after_five_minutes() {
    let directory = tempfile::tempdir().unwrap();
    let store = shared_model::store(directory.path()).await;
    let now = DateTime::UNIX_EPOCH + TimeDelta::days(20_000);
    let seen_at = now.timestamp_millis();
    let announce = move |tx: &mut Tx<'_>| {
        tx.execute("UPDATE server_replicas SET seen_at = $1", params![seen_at])
    };
    store.write(announce).await.unwrap();
    let replicas = shared_model::by_share(2, &store);
    let (killed, other) = (Meter::default(), Meter::default());
    let all = enter(&replicas[0], &killed, &budget(60), 60, now).await;
    all.unwrap();
    for (minutes, is_free) in [(0, false), (4, false), (6, true)] {
        let now = now + TimeDelta::minutes(minutes);
        let entered = enter(&replicas[1], &other, &budget(60), 1, now).await;
        assert_eq!(entered.is_ok(), is_free, "{minutes} minutes: {entered:?}");
    }
}

#[tokio::test]
async fn without_the_database_the_share_of_a_replica_decides() {
    let directory = tempfile::tempdir().unwrap();
    let store = shared_model::store(directory.path()).await;
    let drop_table = |tx: &mut Tx<'_>| tx.execute("DROP TABLE inference_budget_allocations", &[]);
    store.write(drop_table).await.unwrap();
    let limits = &shared_model::by_share(2, &store)[0];
    let half = accord_server::inference::admission::share::Share::even(0.5);
    let (meter, now) = (Meter::new(half), Utc::now());
    for _ in 0..5 {
        enter(limits, &meter, &budget(100), 10, now).await.unwrap();
    }
    let rejected = enter(limits, &meter, &budget(100), 10, now).await;
    assert_eq!(rejected, Err((LimitKind::Budget, 1)));
}
