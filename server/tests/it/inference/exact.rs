//! Usage, counted by a program that is killed at any moment: all but about its last second
//! is counted, once, whether the database responds or not.
//!
//! The program itself says how often it has written usage. So the tests know what a killed program
//! may lose, however slow the machine is.
//!
//! `ACCORD_CRASH_ROUNDS` says how often; without it, a few times.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, Instant};

use accord_server::area::Area;
use accord_server::inference::admission::usage::{self, Counts};
use chrono::NaiveDate;
use futures::StreamExt;
use reqwest::{Client, RequestBuilder};
use serde_json::{Value, json};

use super::client::{Key, Manager};
use super::fake::Fake;
use crate::harness::{Database, Server, http};
use crate::serving::Serving;

const CLIENTS: i64 = 4;
const TIMEOUT: Duration = Duration::from_secs(120);
/// The most that a killed program loses, unless the machine is busy: it saves usage about every second, and a test sees
/// that one save later.
const LOST: Duration = Duration::from_secs(3);
/// The metric that counts the writes of usage.
const WRITES: &str = "accord_upkeep_runs_total{task=\"usage\",outcome=\"done\"} ";

/// The service beside the program, over the same data. The program will read `configuration`.
async fn beside(database: Database, directory: &Path, configuration: &str) -> (Server, Key) {
    let data = directory.join("data");
    let server = Server::start_with(database, |layer| layer.server.data_dir = Some(data)).await;
    // Each listens at an address of its own, and their tokens have one issuer.
    let identity = server.area(Area::Identity);
    let file = format!("{configuration}\n[server]\nidentity_url = \"{identity}\"\n");
    std::fs::write(directory.join("accord.toml"), file).unwrap();
    let key = Manager::of(&server).await.new_key().await;
    (server, key)
}

async fn program(server: &Server, directory: &Path) -> Serving {
    let url = server.app().config.database_url().expose().to_owned();
    let directory = directory.to_owned();
    let start = move || {
        let arguments = ["--log", "error", "--database-url", &url];
        Serving::start_on("127.0.0.1:0", &directory, &arguments)
    };
    tokio::task::spawn_blocking(start).await.unwrap()
}

fn post(http: &Client, base: &str, key: &Key, body: &Value) -> RequestBuilder {
    let url = format!("http://{base}/20231130/actions/v1/chat/completions");
    http.post(url).bearer_auth(&key.one).json(body)
}

/// All that is counted.
async fn counted(server: &Server) -> Counts {
    let lines = server.read(|tx| usage::read(tx, NaiveDate::MIN)).await;
    let mut sum = Counts::default();
    for (_, counts) in lines {
        sum.requests += counts.requests;
        sum.errors += counts.errors;
        sum.tokens.input += counts.tokens.input;
        sum.tokens.output += counts.tokens.output;
    }
    sum
}

/// How many files with usage there are.
fn files(directory: &Path) -> usize {
    let files = std::fs::read_dir(directory.join("data/usage"));
    files.map_or(0, Iterator::count)
}

/// Waits until no file with usage is left behind.
async fn nothing_is_left(directory: &Path) {
    let deadline = Instant::now() + TIMEOUT;
    while files(directory) > 0 {
        assert!(Instant::now() < deadline, "usage is left behind");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// Waits for this time and for two writes of usage. Returns a time: usage before it is saved, since of two writes that
/// ended after it, the second one began after it.
async fn until_saved(http: &Client, base: &str, time: Duration) -> Instant {
    let url = format!("http://{base}/metrics");
    let begun = Instant::now();
    let mut told: Vec<(Instant, u64)> = Vec::new();
    loop {
        let asked = Instant::now();
        let metrics = http.get(&url).send().await.unwrap();
        let metrics = metrics.text().await.unwrap();
        let number = metrics.lines().find_map(|line| line.strip_prefix(WRITES));
        let number = number.map_or(0, |number| number.parse().unwrap());
        told.push((asked, number));
        let is_before = |one: &&(Instant, u64)| one.1 + 2 <= number;
        if let Some((before, _)) = told.iter().rev().find(is_before)
            && begun.elapsed() >= time
        {
            return *before;
        }
        assert!(begun.elapsed() < TIMEOUT, "usage is not written");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// Calls the program until it is killed. Returns when the responses had arrived.
async fn call_until_killed(
    base: String,
    key: Key,
    streams: bool,
    asked: Arc<AtomicI64>,
) -> Vec<Instant> {
    let http = http().build().unwrap();
    let body = json!({
        "model": "accord.echo", "stream": streams,
        "messages": [{"role": "user", "content": "one two three"}],
    });
    let mut times = Vec::new();
    loop {
        asked.fetch_add(1, Ordering::SeqCst);
        let Ok(answer) = post(&http, &base, &key, &body).send().await else {
            return times;
        };
        assert_eq!(answer.status(), 200);
        if answer.bytes().await.is_err() {
            return times;
        }
        times.push(Instant::now());
        // Other tests need the processors, too.
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

async fn all_but_the_last_second_is_counted_once(database: Database) {
    let rounds = std::env::var("ACCORD_CRASH_ROUNDS").ok();
    let rounds: u32 = rounds.map_or(4, |rounds| rounds.parse().unwrap());
    let directory = tempfile::tempdir().unwrap();
    let (server, key) = beside(database, directory.path(), "").await;
    let (asked, mut answered) = (Arc::new(AtomicI64::new(0)), 0);
    let (mut round, mut fastest) = (0, Duration::MAX);
    // A busy machine may be slow now and then.
    while round < rounds || fastest >= LOST {
        assert!(round < rounds + 10, "the fastest save took {fastest:?}");
        round += 1;
        let mut serving = program(&server, directory.path()).await;
        let clients: Vec<_> = (0..CLIENTS)
            .map(|number| {
                let (base, key) = (serving.address.clone(), key.clone());
                let asked = Arc::clone(&asked);
                tokio::spawn(call_until_killed(base, key, number % 2 == 0, asked))
            })
            .collect();
        let random = server.app().random.bytes::<1>()[0];
        let time = Duration::from_millis(2300 + 8 * u64::from(random));
        let saved = until_saved(server.http(), &serving.address, time).await;
        serving.signal("KILL");
        fastest = fastest.min(saved.elapsed());
        serving.wait();
        for client in clients {
            let times = client.await.unwrap();
            let is_kept = |time: &&Instant| **time < saved;
            answered += times.iter().filter(is_kept).count() as i64;
        }
    }
    let serving = program(&server, directory.path()).await;
    nothing_is_left(directory.path()).await;
    let counts = counted(&server).await;
    let asked = asked.load(Ordering::SeqCst);
    assert!(answered > 0, "nothing was answered");
    assert!(
        (answered..=asked).contains(&counts.requests),
        "{answered} to {asked}: {counts:?}"
    );
    assert_eq!(counts.errors, 0);
    // Three words are three tokens each way, and the built-in model says so at
    // the end of a whole answer; of a stream, its events are counted.
    assert!(
        counts.tokens.output >= 3 * answered,
        "{answered}: {counts:?}"
    );
    drop(serving);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn usage_survives_a_program_that_is_killed_again_and_again() {
    all_but_the_last_second_is_counted_once(Database::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn usage_survives_a_program_that_is_killed_again_and_again_on_postgres() {
    all_but_the_last_second_is_counted_once(Database::Postgres).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn usage_survives_a_program_that_is_killed_while_the_database_takes_no_writes() {
    let directory = tempfile::tempdir().unwrap();
    let (server, key) = beside(Database::Sqlite, directory.path(), "").await;
    let mut serving = program(&server, directory.path()).await;
    let locker = rusqlite::Connection::open(directory.path().join("data/accord.db")).unwrap();
    locker.busy_timeout(TIMEOUT).unwrap();
    locker.execute_batch("BEGIN IMMEDIATE").unwrap();
    let body = json!({
        "model": "accord.echo", "messages": [{"role": "user", "content": "one two three"}],
    });
    for answered in 1..=2 {
        let request = post(server.http(), &serving.address, &key, &body);
        assert_eq!(request.send().await.unwrap().status(), 200);
        // How soon usage is saved, the other tests measure.
        let deadline = Instant::now() + TIMEOUT;
        while files(directory.path()) < answered {
            assert!(Instant::now() < deadline, "usage is not saved");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
    serving.signal("KILL");
    serving.wait();
    locker.execute_batch("ROLLBACK").unwrap();
    assert_eq!(counted(&server).await, Counts::default());
    let serving = program(&server, directory.path()).await;
    nothing_is_left(directory.path()).await;
    assert_eq!(counted(&server).await.requests, 2);
    drop(serving);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stream_counts_up_to_where_the_program_was_killed() {
    let sent = Arc::new(AtomicI64::new(0));
    let log = Arc::clone(&sent);
    let fake = Fake::start(move |mut exchange| {
        let sent = Arc::clone(&log);
        async move {
            exchange.begin_stream().await;
            // As far as the test lets it: the other side is killed then.
            for _ in 0..5_000 {
                sent.fetch_add(1, Ordering::SeqCst);
                exchange.piece("data: {\"choices\":[]}\n\n").await;
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        }
    })
    .await;
    let directory = tempfile::tempdir().unwrap();
    let configuration = format!(
        "[[inference.models]]\nname = \"acme.chat\"\nfamily = \"acme\"\nurl = \"http://{}/v1\"\n",
        fake.address
    );
    let (server, key) = beside(Database::Sqlite, directory.path(), &configuration).await;
    let mut serving = program(&server, directory.path()).await;
    let body = json!({
        "model": "acme.chat", "stream": true, "messages": [{"role": "user", "content": "x"}],
    });
    let request = post(server.http(), &serving.address, &key, &body);
    let mut events = request.send().await.unwrap().bytes_stream();
    events.next().await.unwrap().unwrap();
    let mut received = vec![Instant::now()];
    let reader = tokio::spawn(async move {
        while let Some(Ok(piece)) = events.next().await {
            let events = String::from_utf8_lossy(&piece).matches("data:").count();
            received.extend(std::iter::repeat_n(Instant::now(), events));
        }
        received
    });
    // With more than one writing of what was counted.
    let saved = until_saved(server.http(), &serving.address, Duration::from_secs(4)).await;
    serving.signal("KILL");
    serving.wait();
    let received = tokio::time::timeout(TIMEOUT, reader).await;
    let received = received.expect("the stream was cut").unwrap();
    let is_kept = |time: &&Instant| **time < saved;
    let kept = received.iter().filter(is_kept).count() as i64;
    assert!(kept > 0, "{received:?}");
    let serving = program(&server, directory.path()).await;
    nothing_is_left(directory.path()).await;
    let Counts {
        requests, tokens, ..
    } = counted(&server).await;
    let sent = sent.load(Ordering::SeqCst);
    assert_eq!(requests, 1);
    assert!(
        (kept..=sent).contains(&tokens.output),
        "{kept} to {sent}: {tokens:?}"
    );
    drop(serving);
    server.stop().await;
}
