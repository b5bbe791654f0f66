//! What many API keys cost: the start, memory, calls while keys change, and the time until a
//! revoked secret is refused.
//!
//! Two replicas over PostgreSQL hold `--keys` API keys with two secrets each. Rounds of chats
//! without changes and with ten changed keys a second alternate; the figures are medians. Then each
//! of `--revocations` secrets is revoked at one replica and used at both until both refuse it, while
//! keys still change. The run fails if a bar is missed.

// No benchmark uses all of the shared code.
#![allow(dead_code, missing_docs)]

#[path = "../growth/fill.rs"]
mod fill;
#[path = "../load/mod.rs"]
mod load;
#[path = "../load/opened.rs"]
mod opened;
#[path = "../../tests/it/harness/postgres.rs"]
mod postgres_cluster;
#[path = "../../tests/it/harness/tokens.rs"]
mod tokens;

use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use accord_server::accounts::demo::ADMINISTRATOR;
use clap::Parser;
use http::Method;
use load::{Figures, Process, Request, closed_loop, median};
use serde_json::{Value, json};

const API: &str = "/20231130";
const CONNECTIONS: usize = 8;
/// Keys that change: each changes every ten seconds.
const CHANGING: usize = 100;
const CHANGES_PER_SECOND: u32 = 10;

const MAX_START_SECONDS: f64 = 10.0;
const MAX_MEMORY_MB: f64 = 300.0;
const MAX_P99: f64 = 1.2;
const MAX_REVOCATION_SECONDS: f64 = 1.0;

#[derive(Parser)]
struct Arguments {
    /// The number of API keys
    #[arg(long, default_value_t = 100_000)]
    keys: i64,
    /// The number of rounds
    #[arg(long, default_value_t = 5)]
    rounds: usize,
    /// The seconds of a round
    #[arg(long, default_value_t = 4.0)]
    seconds: f64,
    /// The number of revoked secrets
    #[arg(long, default_value_t = 30)]
    revocations: usize,
    /// Cargo passes this.
    #[arg(long, hide = true)]
    bench: bool,
}

/// An API key that was created through the service.
struct Key {
    id: String,
    secret: String,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let directory = tempfile::tempdir().expect("a directory");
    postgres_cluster::flush_to_disk();
    let database = postgres_cluster::fresh_database();
    let runtime = load::runtime();
    let issuer = format!("http://{}", load::free_port());
    let settings = [
        ("ACCORD_PUBLIC_URL", issuer.as_str()),
        ("ACCORD_API_KEY_COUNT", "4000000"),
    ];
    // Creates the demo catalog.
    drop(load::service(directory.path(), database.url(), &settings));
    let token = runtime.block_on(async {
        let app = opened::open(directory.path(), database.url(), &issuer).await;
        tokens::token_of(&app, &issuer, ADMINISTRATOR, "apikeys.read apikeys.write").await
    });
    let bearer = format!("Bearer {token}");
    let count = 1 + CHANGING + arguments.revocations;
    let first = load::service(directory.path(), database.url(), &settings);
    let keys = runtime.block_on(create(&first, &bearer, count));
    drop(first);
    runtime.block_on(async {
        let app = opened::open(directory.path(), database.url(), &issuer).await;
        fill::fill_keys(&app, arguments.keys, false).await;
    });
    let mut starts = Vec::new();
    let replicas = [(); 2].map(|()| {
        let began = Instant::now();
        let replica = load::service(directory.path(), database.url(), &settings);
        runtime.block_on(until(&replica, &keys[0].secret, 200));
        starts.push(began.elapsed().as_secs_f64());
        replica
    });
    let [one, other] = &replicas;
    let (changing, revoked) = keys[1..].split_at(CHANGING);
    let time = Duration::from_secs_f64(arguments.seconds);
    let [mut quiet, mut busy] = [Vec::new(), Vec::new()];
    for round in 0..=arguments.rounds {
        let before = runtime.block_on(chats(other, &keys[0].secret, time));
        let during = while_keys_change(one, &bearer, changing, || {
            runtime.block_on(chats(other, &keys[0].secret, time))
        });
        // The first round warms up.
        if round > 0 {
            quiet.push(before);
            busy.push(during);
        }
        eprintln!("round {round} of {}", arguments.rounds);
    }
    let revocations = while_keys_change(one, &bearer, changing, || {
        let times = revoked.iter().map(|key| {
            let refused = revoke(&replicas, &bearer, key);
            runtime.block_on(refused).as_secs_f64()
        });
        times.collect::<Vec<f64>>()
    });
    report(
        &arguments,
        &starts,
        &replicas,
        [&quiet, &busy],
        &revocations,
    )
}

async fn create(replica: &Process, bearer: &str, count: usize) -> Vec<Key> {
    let http = reqwest::Client::new();
    let mut keys = Vec::new();
    for _ in 0..count {
        let body = json!({
            "displayName": "measured", "compartmentId": "compartment.demo",
            "keyDetails": [{"keyName": "one"}, {"keyName": "two"}],
        });
        let request = http.post(format!("http://{}{API}/apikeys", replica.address));
        let response = request.header("authorization", bearer).json(&body).send();
        let response = response.await.expect("a response");
        let created: Value = response.json().await.expect("a key");
        let text = |value: &Value| value.as_str().expect("a text").to_owned();
        keys.push(Key {
            id: text(&created["id"]),
            secret: text(&created["keys"][0]["key"]),
        });
    }
    keys
}

async fn chats(replica: &Process, secret: &str, time: Duration) -> Figures {
    let body = json!({"model": "accord.echo", "messages": [{"role": "user", "content": "Hello"}]});
    let path = format!("{API}/actions/v1/chat/completions");
    let chat = Request::new(Method::POST, path)
        .json(&body)
        .authorization(&format!("Bearer {secret}"));
    let next = move || Some(chat.clone());
    let check = |answer: load::Answer| {
        let text = String::from_utf8_lossy(&answer.body);
        assert_eq!(answer.status, 200, "{text}");
    };
    closed_loop(&replica.address, CONNECTIONS, time, next, check).await
}

/// Runs `measure` while another thread renews the second secrets of these keys in turn.
fn while_keys_change<T>(
    replica: &Process,
    bearer: &str,
    keys: &[Key],
    measure: impl FnOnce() -> T,
) -> T {
    let is_done = AtomicBool::new(false);
    std::thread::scope(|threads| {
        threads.spawn(|| {
            load::runtime().block_on(async {
                let http = reqwest::Client::new();
                let mut times = tokio::time::interval(Duration::from_secs(1) / CHANGES_PER_SECOND);
                for key in keys.iter().cycle() {
                    times.tick().await;
                    if is_done.load(Ordering::Relaxed) {
                        break;
                    }
                    let path = format!("{API}/apikeys/{}/actions/renew", key.id);
                    let body = json!({"details": {"keyName": "two"}});
                    post(&http, replica, &path, bearer, &body).await;
                }
            });
        });
        let measured = measure();
        is_done.store(true, Ordering::Relaxed);
        measured
    })
}

async fn post(http: &reqwest::Client, replica: &Process, path: &str, bearer: &str, body: &Value) {
    let request = http.post(format!("http://{}{path}", replica.address));
    let response = request.header("authorization", bearer).json(body).send();
    let status = response.await.expect("a response").status();
    assert_eq!(status, 200, "{path}");
}

/// Revokes a secret at the first replica. Returns the time until all replicas refuse it.
async fn revoke(replicas: &[Process], bearer: &str, key: &Key) -> Duration {
    let http = reqwest::Client::new();
    let path = format!("{API}/apikeys/{}/actions/setstate", key.id);
    let body = json!({"keyName": "one", "state": "REVOKED"});
    post(&http, &replicas[0], &path, bearer, &body).await;
    let revoked = Instant::now();
    for replica in replicas {
        until(replica, &key.secret, 401).await;
    }
    revoked.elapsed()
}

/// Lists the models with a secret, until the response has this status.
async fn until(replica: &Process, secret: &str, status: u16) {
    let http = reqwest::Client::new();
    loop {
        let url = format!("http://{}{API}/actions/v1/models", replica.address);
        let response = http.get(url).bearer_auth(secret).send();
        if response.await.expect("a response").status() == status {
            return;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

fn report(
    arguments: &Arguments,
    starts: &[f64],
    replicas: &[Process],
    [quiet, busy]: [&[Figures]; 2],
    revocations: &[f64],
) -> ExitCode {
    let [quiet, busy] = [quiet, busy].map(median);
    let most = |values: &[f64]| values.iter().copied().fold(0.0, f64::max);
    let memory: Vec<f64> = replicas.iter().map(Process::peak_memory).collect();
    let mut sorted = revocations.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.get(sorted.len() / 2).copied().unwrap_or_default();
    println!(
        "{} API keys with two secrets each, two replicas\n\
         chats without changes: {:.0}/s, p99 {:.2} ms; with {CHANGES_PER_SECOND} changed keys a second: \
         {:.0}/s, p99 {:.2} ms\n\
         median time until all replicas refuse a revoked secret: {middle:.3} s",
        arguments.keys, quiet.rate, quiet.p99, busy.rate, busy.p99,
    );
    let bars = [
        (
            "seconds to the first accepted call after a start",
            most(starts),
            MAX_START_SECONDS,
        ),
        ("MB of memory", most(&memory), MAX_MEMORY_MB),
        (
            "p99 of chats while keys change, as a multiple",
            busy.p99 / quiet.p99,
            MAX_P99,
        ),
        (
            "longest seconds to a refusal",
            most(revocations),
            MAX_REVOCATION_SECONDS,
        ),
    ];
    let mut met = true;
    for (name, value, bar) in bars {
        let verdict = if value <= bar { "met" } else { "MISSED" };
        met &= value <= bar;
        println!("{name}: {value:.2}, at most {bar}: {verdict}");
    }
    if met {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
