//! Limits of one service with several replicas over PostgreSQL.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use accord_server::area::Area;
use accord_server::config::Layer;
use accord_server::inference::admission::limits::Limits;
use accord_server::inference::gateway::models::Backend;
use accord_server::inference::operator;
use reqwest::Method;
use serde_json::json;

use super::client::{Key, Manager, Reply, call, chat};
use super::fake::{Exchange, Fake, model};
use crate::harness::redis::RedisServer;
use crate::harness::{Database, Server};

/// Starts replicas, which use a Redis if there is one.
pub async fn replicas(count: usize, redis: Option<&RedisServer>) -> Vec<Server> {
    let url = redis.map(|redis| redis.url().parse().unwrap());
    let change = |layer: &mut Layer| layer.limits.url = url;
    let mut replicas = vec![Server::start_with(Database::Postgres, change).await];
    while replicas.len() < count {
        replicas.push(beside(&replicas[0], |_| {}).await);
    }
    if redis.is_some() {
        for server in &replicas {
            until(async || connected(server).await == "1").await;
        }
    }
    replicas
}

/// Another replica, with the same address of identity and its own addresses of the other areas.
async fn beside(first: &Server, change: impl FnOnce(&mut Layer) + Send) -> Server {
    let identity = first.area(Area::Identity).parse().unwrap();
    let change = |layer: &mut Layer| {
        layer.server.public_url = None;
        layer.server.identity_url = Some(identity);
        change(layer);
    };
    first.replica_with(change).await
}

/// A key with limits that all replicas know.
pub async fn limited(replicas: &[Server], limits: Limits) -> Key {
    let key = Manager::of(&replicas[0]).await.new_key().await;
    let id = key.id.clone();
    replicas[0]
        .write(move |tx| operator::put_limits(tx, &id, Some(&limits)))
        .await;
    for server in replicas {
        server.app().inference.admission.invalidate();
    }
    key
}

fn requests(limit: u32) -> Limits {
    Limits {
        requests_per_minute: Some(limit),
        ..Limits::default()
    }
}

pub async fn until(mut is_so: impl AsyncFnMut() -> bool) {
    let since = Instant::now();
    while !is_so().await {
        assert!(since.elapsed() < Duration::from_secs(60));
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// The value of a metric without labels.
async fn metric(server: &Server, name: &str) -> Option<String> {
    let url = format!("http://{}/metrics", server.address());
    let text = server.http().get(url).send().await.unwrap();
    let text = text.text().await.unwrap();
    let mut lines = text.lines();
    lines.find_map(|line| Some(line.strip_prefix(name)?.strip_prefix(' ')?.to_owned()))
}

async fn connected(server: &Server) -> String {
    let value = metric(server, "accord_limits_redis_connected").await;
    value.unwrap_or_default()
}

async fn fallbacks(server: &Server) -> u32 {
    let value = metric(server, "accord_limits_fallbacks_total").await;
    value.map_or(0, |value| value.parse().unwrap())
}

/// The status of a call, and the header with the remaining requests.
async fn remaining(server: &Server, key: &Key) -> (u16, i64) {
    let reply = chat(server, &key.one, "accord.echo").await;
    let left = reply.header("x-ratelimit-remaining-requests").unwrap();
    (reply.status, left.parse().unwrap())
}

/// Stops all replicas. The first one has the database of the others.
pub async fn stop(replicas: Vec<Server>) {
    for server in replicas.iter().rev() {
        assert_eq!(server.stop().await, Vec::<String>::new());
    }
}

/// Lets 20 callers, spread over the replicas, call until each is rejected. Returns the number of
/// admitted calls, and the requests that the limit of 600 a minute has allowed since.
async fn exhaust(replicas: &[Server], key: &Key) -> (f64, f64) {
    let since = Instant::now();
    let admitted = AtomicU32::new(0);
    let callers = (0..20).map(async |caller| {
        loop {
            let reply = chat(&replicas[caller % replicas.len()], &key.one, "accord.echo").await;
            match reply.status {
                200 => _ = admitted.fetch_add(1, Ordering::Relaxed),
                429 => break,
                _ => panic!("{reply:?}"),
            }
        }
    });
    futures::future::join_all(callers).await;
    let allowed = 600.0 + since.elapsed().as_secs_f64() * 10.0;
    (admitted.into_inner().into(), allowed)
}

#[tokio::test(flavor = "multi_thread")]
async fn with_redis_four_replicas_admit_no_more_than_one() {
    let redis = RedisServer::start();
    let replicas = replicas(4, Some(&redis)).await;
    let key = limited(&replicas, requests(600)).await;
    let (admitted, allowed) = exhaust(&replicas, &key).await;
    assert!(
        (600.0..=allowed * 1.02).contains(&admitted),
        "{admitted} of {allowed}"
    );
    let key = limited(&replicas, requests(600)).await;
    let (admitted, allowed) = exhaust(&replicas[..1], &key).await;
    assert!(
        (600.0..=allowed * 1.02).contains(&admitted),
        "{admitted} of {allowed}"
    );
    stop(replicas).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn without_redis_four_replicas_admit_one_more_call_each() {
    let replicas = replicas(4, None).await;
    // The first replica knows the others after its next round.
    for server in &replicas {
        let admission = &server.app().inference.admission;
        until(async || admission.share("any").rate < 0.26).await;
    }
    let mut most = 0_f64;
    // The shares follow the first calls, so that a part of the first allowance may be lost: more of it while the machine
    // is busy.
    for _ in 0..3 {
        let key = limited(&replicas, requests(600)).await;
        let (admitted, allowed) = exhaust(&replicas, &key).await;
        assert!(admitted <= allowed + 4.0, "{admitted} of {allowed}");
        most = most.max(admitted);
        if most >= 540.0 {
            break;
        }
    }
    assert!(most >= 540.0, "{most}");
    stop(replicas).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_that_is_exhausted_at_one_replica_is_rejected_by_both() {
    let redis = RedisServer::start();
    let replicas = replicas(2, Some(&redis)).await;
    let key = limited(&replicas, requests(6)).await;
    for left in [5, 4, 3, 2, 1, 0] {
        assert_eq!(remaining(&replicas[0], &key).await, (200, left));
    }
    for server in &replicas {
        let reply = chat(server, &key.one, "accord.echo").await;
        reply.is_inference(429, "rate_limit_error", "rate_limit_exceeded");
        let wait: i64 = reply.header("retry-after").unwrap().parse().unwrap();
        assert!((1..=10).contains(&wait), "{wait}");
    }
    stop(replicas).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_costs_one_round_trip_to_redis() {
    let redis = RedisServer::start();
    let replicas = replicas(1, Some(&redis)).await;
    let key = limited(&replicas, requests(100_000)).await;
    for _ in 0..20 {
        chat(&replicas[0], &key.one, "accord.echo").await.ok();
    }
    assert_eq!(redis.scripts(), 20);
    stop(replicas).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn no_call_fails_while_redis_is_killed_and_started_again() {
    let mut redis = RedisServer::start();
    let replicas = replicas(2, Some(&redis)).await;
    let key = limited(&replicas, requests(100_000)).await;
    let call_all = async |rounds: usize| {
        for _ in 0..rounds {
            for server in &replicas {
                chat(server, &key.one, "accord.echo").await.ok();
            }
        }
    };
    call_all(20).await;
    redis.kill();
    let before = [fallbacks(&replicas[0]).await, fallbacks(&replicas[1]).await];
    call_all(20).await;
    for (server, before) in replicas.iter().zip(before) {
        assert_eq!(connected(server).await, "0");
        assert_eq!(fallbacks(server).await, before + 20);
    }
    redis.restart();
    for server in &replicas {
        // Redis counts again.
        until(async || {
            let before = fallbacks(server).await;
            chat(server, &key.one, "accord.echo").await.ok();
            connected(server).await == "1" && fallbacks(server).await == before
        })
        .await;
    }
    stop(replicas).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn no_call_fails_while_redis_never_replies() {
    let redis = RedisServer::start();
    let replicas = replicas(1, Some(&redis)).await;
    let key = limited(&replicas, requests(100_000)).await;
    chat(&replicas[0], &key.one, "accord.echo").await.ok();
    redis.suspend();
    for _ in 0..20 {
        chat(&replicas[0], &key.one, "accord.echo").await.ok();
    }
    assert_eq!(connected(&replicas[0]).await, "0");
    assert!(fallbacks(&replicas[0]).await >= 20);
    stop(replicas).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn without_redis_the_whole_limit_follows_the_calls_to_one_replica() {
    let replicas = replicas(2, None).await;
    for server in &replicas {
        let admission = &server.app().inference.admission;
        until(async || admission.share("any").rate < 0.51).await;
    }
    let key = limited(&replicas, requests(600)).await;
    // Each replica has half of it at first.
    let (status, left) = remaining(&replicas[0], &key).await;
    assert_eq!(status, 200);
    assert!((290..300).contains(&left), "{left}");
    let admission = &replicas[0].app().inference.admission;
    until(async || {
        remaining(&replicas[0], &key).await;
        admission.share(&key.id).rate > 0.999
    })
    .await;
    // The other replica admits one call, and no second one.
    assert_eq!(remaining(&replicas[1], &key).await, (200, 0));
    assert_eq!(remaining(&replicas[1], &key).await.0, 429);
    stop(replicas).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn management_calls_are_limited_for_the_service() {
    let redis = RedisServer::start();
    let url = redis.url().parse().unwrap();
    let rate = |layer: &mut Layer| layer.inference.management_requests_per_minute = Some(4);
    let here = Server::start_with(Database::Postgres, |layer| {
        layer.limits.url = Some(url);
        rate(layer);
    })
    .await;
    let there = beside(&here, rate).await;
    let replicas = vec![here, there];
    for server in &replicas {
        until(async || connected(server).await == "1").await;
    }
    let managers = [
        Manager::of(&replicas[0]).await,
        Manager::of(&replicas[1]).await,
    ];
    let list = async |manager: &Manager| {
        let reply = manager.get("?compartmentId=compartment.demo").await;
        reply.status
    };
    for number in 0..4 {
        assert_eq!(list(&managers[number % 2]).await, 200, "{number}");
    }
    for manager in &managers {
        assert_eq!(list(manager).await, 429);
    }
    stop(replicas).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn replicas_share_the_concurrent_calls_of_an_upstream() {
    let models = |layer: &mut Layer| {
        layer.inference.models = Some(vec![model(json!({
            "name": "acme.chat",
            "family": "acme",
            "upstreams": [{"url": "http://127.0.0.1:9/v1", "max_concurrent": 8}],
        }))]);
    };
    let here = Server::start_with(Database::Postgres, models).await;
    let there = beside(&here, models).await;
    let replicas = vec![here, there];
    let slots = |server: &Server| {
        let settings = server.app().inference.settings();
        let model = settings.models.find("acme.chat").unwrap();
        let Backend::Servers(pool) = &model.backend else {
            panic!("the model has no upstreams");
        };
        let mut slots = Vec::new();
        while let Ok(slot) = pool.try_slot(1, &[]) {
            slots.push(slot);
        }
        slots
    };
    for server in &replicas {
        let admission = &server.app().inference.admission;
        until(async || admission.share("any").concurrent < 0.51).await;
    }
    until(async || slots(&replicas[0]).len() == 4).await;
    // Calls at one replica get the permits of the other.
    until(async || slots(&replicas[0]).len() == 8).await;
    let held = slots(&replicas[0]);
    assert_eq!(slots(&replicas[1]).len(), 1);
    drop(held);
    stop(replicas).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_last_running_replica_has_the_whole_limit() {
    let mut replicas = replicas(2, None).await;
    let last = replicas.remove(0);
    let admission = &last.app().inference.admission;
    until(async || admission.share("any").rate < 0.51).await;
    stop(replicas).await;
    until(async || admission.share("any").rate > 0.99).await;
    stop(vec![last]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_caller_who_leaves_pays_for_the_input_only() {
    let fake = Fake::start(async |mut exchange: Exchange| exchange.gone().await).await;
    let server = fake.behind().await;
    let limits = Limits {
        tokens_per_minute: Some(1000),
        ..Limits::default()
    };
    let key = limited(std::slice::from_ref(&server), limits).await;
    let body = json!({"model": "acme.chat", "max_tokens": 5000,
        "messages": [{"role": "user", "content": "x".repeat(2_000)}]});
    let request = call(&server, &key.one, Method::POST, "/chat/completions").json(&body);
    let caller = tokio::spawn(request.send());
    until(async || !fake.seen().is_empty()).await;
    caller.abort();
    until(async || {
        let reply = Reply::of(call(&server, &key.one, Method::GET, "/models")).await;
        let left = reply.header("x-ratelimit-remaining-tokens").unwrap();
        let left: i64 = left.parse().unwrap();
        assert!(left < 950, "the input was not counted: {left}");
        left > 0
    })
    .await;
    assert_eq!(server.stop().await, Vec::<String>::new());
}
