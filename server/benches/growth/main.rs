//! Compares a full store with an empty one, for each operation and both databases.
//!
//! The full store has `--rows` device grants, approvals, access and refresh tokens, users, sealed
//! events of the audit trail, and API keys with two secrets each, in 100 compartments. The empty one
//! has 1,000 of each. Rounds alternate between the two; the figures are medians. The run fails if a
//! rate is below 0.8 of that of the empty store, or a 99th percentile above 1.5 times.

// No benchmark uses all of the shared code.
#![allow(dead_code, missing_docs)]

mod fill;
#[path = "../load/mod.rs"]
mod load;
#[path = "../load/opened.rs"]
mod opened;
#[path = "../operations/mod.rs"]
mod operations;
#[path = "../../tests/it/harness/postgres.rs"]
mod postgres_cluster;
#[path = "../../tests/it/harness/tokens.rs"]
mod tokens;

use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::Parser;
use load::{Figures, Process, Row, median};
use operations::{Operation, SCOPES};

const DATABASES: [&str; 2] = ["SQLite", "PostgreSQL"];
const CONNECTIONS: usize = 8;
/// The rows of the empty store: so few that they cost nothing, and every list has its page.
const FEW: i64 = 1000;
/// The minimum of the rate, as a share of that of the empty store.
const MIN_RATE: f64 = 0.8;
/// The maximum of the 99th percentile, as a multiple of that of the empty store.
const MAX_P99: f64 = 1.5;

#[derive(Parser)]
struct Arguments {
    /// The rows of each kind in the full store
    #[arg(long, default_value_t = 1_000_000)]
    rows: i64,
    /// The number of rounds
    #[arg(long, default_value_t = 3)]
    rounds: usize,
    /// The seconds of each operation in a round
    #[arg(long, default_value_t = 2.0)]
    seconds: f64,
    /// Measure this database only
    #[arg(long, value_parser = DATABASES)]
    only: Option<String>,
    /// Cargo passes this.
    #[arg(long, hide = true)]
    bench: bool,
}

/// A service on a store.
struct Subject {
    process: Process,
    token: String,
    /// The names of the operations in the order of a round, and the figures of each round.
    figures: Vec<(&'static str, Vec<Figures>)>,
    start: Duration,
}

impl Subject {
    async fn start(directory: &Path, database: &str, rows: i64) -> Subject {
        let address = load::free_port();
        let issuer = format!("http://{address}");
        let settings = [
            ("ACCORD_PUBLIC_URL", issuer.as_str()),
            ("ACCORD_API_KEY_COUNT", "4000000"),
        ];
        let of_service = (issuer.as_str(), &settings[..]);
        let token = fill::filled_store(directory, database, of_service, rows, SCOPES).await;
        settle(database);
        let began = Instant::now();
        let process = load::service(directory, database, &settings);
        let start = began.elapsed();
        Subject {
            process,
            token,
            figures: Vec::new(),
            start,
        }
    }

    async fn round(&mut self, time: Duration) {
        let health = load::Request::get("/healthz");
        let health = Operation::repeated("health check, for comparison", health);
        let [create, turns] = operations::renewals_and_chats(&self.token);
        create.run(&self.process.address, 1, time).await;
        let mut measured = vec![health];
        measured.extend(operations::all(&self.token));
        measured.push(turns);
        for (index, operation) in measured.into_iter().enumerate() {
            let name = operation.name;
            let figures = operation.run(&self.process.address, CONNECTIONS, time);
            let figures = figures.await;
            match self.figures.get_mut(index) {
                Some((_, all)) => all.push(figures),
                None => self.figures.push((name, vec![figures])),
            }
        }
    }
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let directory = tempfile::tempdir().expect("a directory");
    let runtime = load::runtime();
    postgres_cluster::flush_to_disk();
    let databases = [(); 2].map(|()| postgres_cluster::fresh_database());
    let time = Duration::from_secs_f64(arguments.seconds);
    let mut met = true;
    let mut groups = Vec::new();
    let wanted = |name: &&str| arguments.only.as_ref().is_none_or(|only| only == name);
    for name in DATABASES.into_iter().filter(wanted) {
        let start = |which: usize, rows: i64| {
            let place = directory.path().join(format!("{name} {which}"));
            let database = match name {
                "SQLite" => format!("sqlite:{}.db", place.display()),
                _ => databases[which].url().to_owned(),
            };
            runtime.block_on(Subject::start(&place, &database, rows))
        };
        let mut subjects = [start(0, FEW), start(1, arguments.rows)];
        for round in 0..=arguments.rounds {
            for subject in &mut subjects {
                runtime.block_on(subject.round(time));
                if round == 0 {
                    // The first round warms up.
                    subject.figures.clear();
                }
            }
            eprintln!("{name}: round {round} of {}", arguments.rounds);
        }
        met &= report(name, &subjects, &mut groups);
    }
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/bench-growth.svg");
    let title = format!(
        "Operations a second with {} rows of each kind",
        arguments.rows
    );
    std::fs::write(&file, load::chart(&title, &groups)).expect("target is writable");
    println!("drawn: target/bench-growth.svg");
    match met {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    }
}

/// Prints the figures of a database, and adds them to the picture. Returns whether all bars are met.
fn report(name: &str, subjects: &[Subject; 2], groups: &mut Vec<(String, Vec<Row>)>) -> bool {
    let heads = [
        "",
        "empty/s",
        "full/s",
        "rate",
        "empty p99 ms",
        "full p99 ms",
        "p99",
        "",
    ];
    let mut lines = vec![heads.map(String::from).to_vec()];
    let mut all_met = true;
    let [empty, full] = subjects;
    for ((operation, empty), (_, full)) in empty.figures.iter().zip(&full.figures) {
        let [empty, full] = [empty, full].map(|figures| median(figures));
        let (rate, p99) = (full.rate / empty.rate, full.p99 / empty.p99);
        let met = rate >= MIN_RATE && p99 <= MAX_P99;
        all_met &= met;
        lines.push(vec![
            format!("{name}, {operation}"),
            format!("{:.0}", empty.rate),
            format!("{:.0}", full.rate),
            format!("{rate:.2}"),
            format!("{:.2}", empty.p99),
            format!("{:.2}", full.p99),
            format!("{p99:.2}"),
            if met { "met" } else { "MISSED" }.to_owned(),
        ]);
        let row = |name: &str, value| Row {
            name: name.to_owned(),
            value,
        };
        groups.push((
            format!("{name}: {operation}, {rate:.2} of the rate, {p99:.2} of the p99"),
            vec![row("full", full.rate), row("empty", empty.rate)],
        ));
    }
    print!("{}", load::table(&lines));
    let [empty, full] = subjects.each_ref().map(|one| {
        let (start, memory) = (one.start.as_secs_f64(), one.process.peak_memory());
        format!("starts in {start:.1} s, peak {memory:.0} MB")
    });
    println!("{name}: the empty one {empty}; the full one {full}\n");
    all_met
}

/// Runs the maintenance that PostgreSQL would start within a minute. Its client has a runtime of its
/// own, so it needs another thread.
fn settle(database: &str) {
    let settled = std::thread::scope(|threads| threads.spawn(|| vacuum(database)).join());
    settled.expect("upkeep");
}

fn vacuum(database: &str) {
    if database.starts_with("postgres") {
        let database = postgres::Client::connect(database, postgres::NoTls);
        let mut database = database.expect("the database");
        for statement in ["VACUUM ANALYZE", "CHECKPOINT"] {
            database.execute(statement, &[]).expect("upkeep");
        }
    }
}
