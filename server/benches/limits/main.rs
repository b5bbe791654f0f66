//! What limits in Redis cost a model call, beside limits that each replica counts itself.
//!
//! Each of two services has one limit that no call reaches. A call to the second service takes one
//! round trip to Redis before it is admitted. The time of a bare round trip is measured, too.
//! Rounds alternate; the figures are medians.

// No benchmark uses all of the shared code.
#![allow(dead_code, missing_docs)]

#[path = "../load/mod.rs"]
mod load;
#[path = "../load/opened.rs"]
mod opened;
#[path = "../../tests/it/harness/redis.rs"]
mod redis_server;
#[path = "../../tests/it/harness/tokens.rs"]
mod tokens;

use std::time::{Duration, Instant};

use accord_server::accounts::demo::ADMINISTRATOR;
use clap::Parser;
use http::Method;
use load::{Figures, Process, Request, closed_loop, median};
use redis_server::RedisServer;
use serde_json::{Value, json};

const API: &str = "/20231130";
const CONNECTIONS: [usize; 2] = [1, 16];
/// Bare round trips in a round.
const PINGS: u32 = 2000;

#[derive(Parser)]
struct Arguments {
    /// The number of rounds
    #[arg(long, default_value_t = 5)]
    rounds: usize,
    /// The seconds of a round
    #[arg(long, default_value_t = 3.0)]
    seconds: f64,
    /// Cargo passes this.
    #[arg(long, hide = true)]
    bench: bool,
}

struct Subject {
    name: &'static str,
    process: Process,
    secret: String,
    /// In the order of [`CONNECTIONS`].
    figures: [Vec<Figures>; 2],
}

impl Subject {
    async fn start(name: &'static str, directory: &std::path::Path, redis: Option<&str>) -> Self {
        let place = directory.join(name);
        let database = format!("sqlite:{}.db", place.display());
        let issuer = format!("http://{}", load::free_port());
        let mut settings = vec![
            ("ACCORD_PUBLIC_URL", issuer.as_str()),
            ("ACCORD_REQUESTS_PER_MINUTE", "1000000000"),
        ];
        settings.extend(redis.map(|url| ("ACCORD_LIMITS_URL", url)));
        let process = load::service(&place, &database, &settings);
        let app = opened::open(&place, &database, &issuer).await;
        let token = tokens::token_of(&app, &issuer, ADMINISTRATOR, "apikeys.write").await;
        drop(app);
        let body = json!({
            "displayName": "measured", "compartmentId": "compartment.demo",
            "keyDetails": [{"keyName": "one"}],
        });
        let request =
            reqwest::Client::new().post(format!("http://{}{API}/apikeys", process.address));
        let response = request.bearer_auth(token).json(&body).send().await;
        let created: Value = response.expect("a response").json().await.expect("a key");
        let secret = created["keys"][0]["key"].as_str().expect("a secret");
        Subject {
            name,
            secret: secret.to_owned(),
            process,
            figures: [Vec::new(), Vec::new()],
        }
    }

    async fn round(&mut self, time: Duration) {
        for (connections, figures) in CONNECTIONS.iter().zip(&mut self.figures) {
            let content = json!([{"role": "user", "content": "Hello"}]);
            let path = format!("{API}/actions/v1/chat/completions");
            let chat = Request::new(Method::POST, path)
                .json(&json!({"model": "accord.echo", "messages": content}))
                .authorization(&format!("Bearer {}", self.secret));
            let next = move || Some(chat.clone());
            let check = |answer: load::Answer| assert_eq!(answer.status, 200);
            let run = closed_loop(&self.process.address, *connections, time, next, check);
            figures.push(run.await);
        }
    }
}

fn main() {
    let arguments = Arguments::parse();
    let directory = tempfile::tempdir().expect("a directory");
    let redis = RedisServer::start();
    let runtime = load::runtime();
    let mut subjects = [("own", None), ("Redis", Some(redis.url()))].map(|(name, url)| {
        runtime.block_on(Subject::start(name, directory.path(), url.as_deref()))
    });
    let client = redis::Client::open(redis.url()).expect("an address");
    let mut connection = client.get_connection().expect("a connection");
    let mut pings = Vec::new();
    let time = Duration::from_secs_f64(arguments.seconds);
    for round in 0..=arguments.rounds {
        for subject in &mut subjects {
            runtime.block_on(subject.round(time));
        }
        pings.push(ping(&mut connection));
        if round == 0 {
            // The first round warms up.
            for subject in &mut subjects {
                subject.figures = [Vec::new(), Vec::new()];
            }
            pings.clear();
        }
        eprintln!("round {round} of {}", arguments.rounds);
    }
    pings.sort_by(f64::total_cmp);
    report(&subjects, pings[pings.len() / 2]);
    let statistics: String = redis::cmd("INFO")
        .arg("commandstats")
        .query(&mut connection)
        .expect("statistics");
    let of_scripts = |line: &&str| line.starts_with("cmdstat_evalsha:");
    let scripts = statistics.lines().find(of_scripts).expect("a call");
    println!("Redis counts for its scripts: {scripts}");
}

/// The mean time of a bare round trip in milliseconds.
fn ping(connection: &mut redis::Connection) -> f64 {
    let began = Instant::now();
    for _ in 0..PINGS {
        let answer: String = redis::cmd("PING").query(connection).expect("an answer");
        assert_eq!(answer, "PONG");
    }
    began.elapsed().as_secs_f64() * 1000.0 / f64::from(PINGS)
}

fn report(subjects: &[Subject; 2], ping: f64) {
    let heads = ["", "chats/s", "p50 ms", "p99 ms"];
    let mut lines = vec![heads.map(String::from).to_vec()];
    for (index, connections) in CONNECTIONS.iter().enumerate() {
        let figures = subjects.each_ref().map(|subject| {
            let figures = median(&subject.figures[index]);
            lines.push(vec![
                format!("{}, {connections} connections", subject.name),
                format!("{:.0}", figures.rate),
                format!("{:.3}", figures.p50),
                format!("{:.3}", figures.p99),
            ]);
            figures
        });
        let [own, redis] = figures;
        lines.push(vec![
            "  Redis / own".to_owned(),
            format!("{:.2}", redis.rate / own.rate),
            format!("{:.2}", redis.p50 / own.p50),
            format!("{:.2}", redis.p99 / own.p99),
        ]);
    }
    print!("{}", load::table(&lines));
    println!("a bare round trip to Redis: {ping:.3} ms");
}
