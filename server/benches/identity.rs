//! The device grant beside `oidc-provider`, the reference in Node, in one run.
//!
//! Each round, each service answers device authorizations, and then one poll for
//! each of the codes that it gave out. `oidc-provider` keeps its state in memory;
//! this service writes every step to disk. Medians of alternated rounds.
//!
//! `cargo xtask bench identity` installs the rival and runs this.

// Not everything that benchmarks share is needed by each.
#![allow(dead_code, missing_docs)]

mod load;
#[path = "../tests/it/harness/postgres.rs"]
mod postgres_cluster;

use std::cell::RefCell;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::rc::Rc;
use std::time::Duration;

use bytes::Bytes;
use clap::Parser;
use load::{Figures, Process, Request, Row, closed_loop, free_port, median};
use serde_json::Value;

const CONNECTIONS: usize = 16;
const ROUNDS: usize = 5;
const ROUND: Duration = Duration::from_secs(3);

struct Rival {
    name: &'static str,
    process: Process,
    device: &'static str,
    token: &'static str,
    client: &'static str,
    /// How many grants it remembers, when it forgets the older ones. They are
    /// then polled again and again, which it does not mind.
    keeps: Option<usize>,
    authorizations: Vec<Figures>,
    polls: Vec<Figures>,
}

impl Rival {
    fn new(name: &'static str, process: Process) -> Rival {
        Rival {
            name,
            process,
            device: "/oauth2/v1/device",
            token: "/oauth2/v1/token",
            client: "accord-cli",
            keeps: None,
            authorizations: Vec::new(),
            polls: Vec::new(),
        }
    }

    async fn round(&mut self) {
        let codes = Rc::new(RefCell::new(Vec::new()));
        let ask = format!("client_id={}&scope={}", self.client, self.scope());
        let (path, body) = (self.device, Bytes::from(ask));
        let given = Rc::clone(&codes);
        let figures = closed_loop(
            &self.process.address,
            CONNECTIONS,
            ROUND,
            move || Some(Request::form(path, body.clone())),
            move |answer| {
                let text = String::from_utf8_lossy(&answer.body);
                assert_eq!(answer.status, 200, "{text}");
                let value: Value = serde_json::from_str(&text).expect("JSON");
                let code = value["device_code"].as_str().expect("a device code");
                given.borrow_mut().push(code.to_owned());
            },
        );
        self.authorizations.push(figures.await);

        let codes = codes.take();
        let mut codes: Box<dyn Iterator<Item = String>> = match self.keeps {
            None => Box::new(codes.into_iter()),
            Some(most) => {
                let recent = codes.len().saturating_sub(most);
                Box::new(codes.into_iter().skip(recent).cycle())
            }
        };
        let (path, client) = (self.token, self.client);
        let figures = closed_loop(
            &self.process.address,
            CONNECTIONS,
            ROUND,
            move || {
                let code = codes.next()?;
                let body = format!(
                    "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Adevice_code\
                     &client_id={client}&device_code={code}"
                );
                Some(Request::form(path, body))
            },
            |answer| {
                let text = String::from_utf8_lossy(&answer.body);
                assert!(text.contains("authorization_pending"), "{text}");
            },
        );
        self.polls.push(figures.await);
    }

    fn scope(&self) -> &'static str {
        match self.client {
            "accord-cli" => "accounts.read",
            _ => "openid",
        }
    }
}

/// Where `cargo xtask bench` puts rivals.
fn tools() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/tools/bench")
}

fn oidc_provider() -> Process {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/node/oidc_provider.mjs");
    let copy = tools().join("oidc_provider.mjs");
    std::fs::copy(&script, &copy).expect("cargo xtask bench identity installs oidc-provider");
    let address = free_port();
    let port = address.rsplit(':').next().unwrap_or_default().to_owned();
    Process::start(
        Command::new("node")
            .arg(&copy)
            .arg(port)
            .env("NODE_ENV", "production"),
        address,
    )
}

#[derive(Parser)]
struct Arguments {
    /// Write the table of README.md
    #[arg(long)]
    write: bool,
    /// Cargo passes this.
    #[arg(long, hide = true)]
    bench: bool,
}

fn main() {
    let arguments = Arguments::parse();
    let directory = tempfile::tempdir().expect("a directory");
    let own = |name: &str, database: &str| {
        let directory = directory.path().join(name);
        let settings = [
            ("ACCORD_DEVICE_REQUESTS_PER_CLIENT", "0"),
            ("ACCORD_DEVICE_REQUESTS_PER_ADDRESS", "0"),
        ];
        load::service(&directory, database, &settings)
    };
    let sqlite = format!("sqlite:{}", directory.path().join("accord.db").display());
    postgres_cluster::flush_to_disk();
    let postgres = postgres_cluster::fresh_database();
    let mut rivals = vec![
        Rival::new("Accord, SQLite", own("sqlite", &sqlite)),
        Rival::new("Accord, PostgreSQL", own("postgres", postgres.url())),
        Rival {
            device: "/device/auth",
            token: "/token",
            client: "bench",
            keeps: Some(200),
            ..Rival::new("oidc-provider, memory", oidc_provider())
        },
    ];
    let runtime = load::runtime();
    for round in 0..=ROUNDS {
        for rival in &mut rivals {
            runtime.block_on(rival.round());
        }
        if round == 0 {
            // The first warms everybody up.
            for rival in &mut rivals {
                rival.authorizations.clear();
                rival.polls.clear();
            }
        }
        eprintln!("round {round} of {ROUNDS}");
    }
    report(&rivals);
    if arguments.write {
        load::write_table("README.md", "identity", &page(&rivals));
    }
}

/// The table of README.md.
fn page(rivals: &[Rival]) -> String {
    let mut table = String::from(
        "| | device authorizations/s | p99 ms | polls/s | p99 ms | MB |\n|---|---|---|---|---|---|\n",
    );
    for rival in rivals {
        let (authorizations, polls) = (median(&rival.authorizations), median(&rival.polls));
        // Writing to a String cannot fail.
        let _ = writeln!(
            table,
            "| {} | {:.0} | {:.1} | {:.0} | {:.1} | {:.0} |",
            rival.name,
            authorizations.rate,
            authorizations.p99,
            polls.rate,
            polls.p99,
            rival.process.peak_memory(),
        );
    }
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let _ = write!(
        table,
        "\nMedians of {ROUNDS} alternated rounds with {CONNECTIONS} connections on {cores} cores, which the load and the\n\
         database share. Accord writes each grant to disk."
    );
    table
}

fn report(rivals: &[Rival]) {
    let mut lines = vec![
        [
            "",
            "authorizations/s",
            "p99 ms",
            "polls/s",
            "p99 ms",
            "peak MB",
        ]
        .map(String::from)
        .to_vec(),
    ];
    let mut groups: [(String, Vec<Row>); 3] = [
        "Device authorizations a second",
        "Polls of a pending grant a second",
        "Peak memory, MB",
    ]
    .map(|heading| (heading.to_owned(), Vec::new()));
    for rival in rivals {
        let (authorizations, polls) = (median(&rival.authorizations), median(&rival.polls));
        let memory = rival.process.peak_memory();
        lines.push(vec![
            rival.name.to_owned(),
            format!("{:.0}", authorizations.rate),
            format!("{:.1}", authorizations.p99),
            format!("{:.0}", polls.rate),
            format!("{:.1}", polls.p99),
            format!("{memory:.0}"),
        ]);
        for (group, value) in groups
            .iter_mut()
            .zip([authorizations.rate, polls.rate, memory])
        {
            group.1.push(Row {
                name: rival.name.to_owned(),
                value,
            });
        }
    }
    print!("{}", load::table(&lines));
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/bench-identity.svg");
    let title = format!("Device grant, {CONNECTIONS} connections");
    std::fs::write(&file, load::chart(&title, &groups)).expect("target is writable");
    println!("drawn: target/bench-identity.svg");
}
