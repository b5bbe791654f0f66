//! Compares the rate of provisioning with a bare loop of commits in the same database, and
//! measures lists in a large directory.
//!
//! The bare loop inserts and commits the rows of one creation: user, profile, invitation, two
//! mails, password link, two events of the audit trail, and the response under its idempotency
//! key. It uses one connection for SQLite, which allows one writer at a time, and one for each
//! client for PostgreSQL. Both databases flush every commit to disk. The loop reads nothing and
//! checks nothing. So it is the upper limit of a service with one commit a request; this service
//! may put several requests into one commit. The service also sends the two mails of each
//! creation, as files, and seals the audit trail. The loop does neither, and starts afterwards.
//!
//! Rounds alternate; the figures are medians. `--lists` measures only the lists. The run fails
//! if a target is missed.

// No benchmark uses all of the shared code.
#![allow(dead_code, missing_docs)]

mod bare;
#[path = "../load/mod.rs"]
mod load;
#[path = "../load/opened.rs"]
mod opened;
#[path = "../../tests/it/harness/postgres.rs"]
mod postgres_cluster;
#[path = "../../tests/it/harness/tokens.rs"]
mod tokens;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use accord_server::accounts::demo::{ADMINISTRATOR, COLLEAGUE};
use accord_server::params;
use accord_server::store::StoreError;
use http::Method;
use load::{Figures, Process, Request, Row, closed_loop, median};
use serde_json::json;

const CLIENTS: usize = 16;
const ROUNDS: usize = 3;
const ROUND: Duration = Duration::from_secs(4);
/// Lists have more and shorter rounds: the slowest of a hundred responses also depends on the
/// machine.
const LIST_ROUNDS: usize = 9;
const ORGANIZATIONS: i64 = 10_000;
/// The timeout for the background work that a round leaves to a service.
const REST: Duration = Duration::from_secs(60);
/// The minimum rate, as a share of that of the bare loop.
const MIN_SHARE: f64 = 0.5;
/// The maximum of the 99th percentile of lists, in milliseconds.
const MAX_LIST_MILLIS: f64 = 2.0;

/// One database, with the service on it and a token for it.
struct Subject {
    name: &'static str,
    process: Process,
    database: String,
    bare: String,
    token: String,
    colleague: String,
    creations: Vec<Figures>,
    limits: Vec<f64>,
    /// In the order of [`LISTS`].
    lists: [Vec<Figures>; 5],
}

const LISTS: [&str; 5] = [
    "the health check, for comparison",
    "a page of 100 of 10,000 organizations",
    "the 10 organizations of another user",
    "the instances of both",
    "the instances of the other",
];

/// Opens the store of a running service, as an operator's command does. Fills the directory and
/// issues tokens.
async fn prepare(directory: &Path, database: &str, issuer: &str) -> [String; 2] {
    let app = opened::open(directory, database, issuer).await;
    let filled: Result<(), StoreError> = app
        .store
        .write(|tx| {
            for number in 0..ORGANIZATIONS {
                let id = 100_000 + number;
                let name = format!("Organization {number}");
                tx.execute(
                    "INSERT INTO hub_organizations \
                     (id, name, trading_name, city, state, country, closed) \
                     VALUES ($1, $2, $2, 'Bergen', 'Vestland', 'Norway', 0)",
                    params![id, &name],
                )?;
                tx.execute(
                    "INSERT INTO collab_organizations \
                     (id, application_instance_id, hub_organization_id, name) \
                     VALUES ($1, $2, $1, $3)",
                    params![id, 71 + number % 2, &name],
                )?;
                tx.execute(
                    "INSERT INTO hub_administrators (organization_id, user_id) VALUES ($1, $2)",
                    params![id, ADMINISTRATOR],
                )?;
                if number % 1000 == 0 {
                    tx.execute(
                        "INSERT INTO hub_administrators (organization_id, user_id) VALUES ($1, $2)",
                        params![id, COLLEAGUE],
                    )?;
                }
            }
            Ok(())
        })
        .await;
    filled.expect("a directory");
    let scopes = "accounts.read accounts.write";
    [
        tokens::token_of(&app, issuer, ADMINISTRATOR, scopes).await,
        tokens::token_of(&app, issuer, COLLEAGUE, scopes).await,
    ]
}

static NUMBER: AtomicU64 = AtomicU64::new(0);

fn creation(token: &str) -> Request {
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let body = json!({
        "hubUser": {
            "emailAddress": format!("user-{number}@north.example"), "firstName": "Mira",
            "lastName": "Lund", "language": "en", "hubOrganizationId": 3104, "setPassword": true,
        },
        "collabUsers": [
            {"appInstanceId": 72, "collabOrganizationId": 5202, "projectIds": ["QUAY-7"]},
        ],
    });
    Request::new(Method::POST, "/api/user")
        .json(&body)
        .authorization(&format!("Bearer {token}"))
        .idempotency_key(format!("import-2026-11-21-row-{number}"))
}

impl Subject {
    async fn round(&mut self) {
        let token = self.token.clone();
        let figures = closed_loop(
            &self.process.address,
            CLIENTS,
            ROUND,
            move || Some(creation(&token)),
            |response| {
                let text = String::from_utf8_lossy(&response.body);
                assert_eq!(response.status, 200, "{text}");
                assert!(text.contains("\"accountLinked\":true"), "{text}");
            },
        );
        self.creations.push(figures.await);
    }

    async fn read(&mut self) {
        for (index, (path, token, least)) in [
            ("/healthz", &self.token, 0),
            ("/api/user/organizations?limit=100", &self.token, 100),
            ("/api/user/organizations", &self.colleague, 10),
            ("/api/user/appinstance", &self.token, 2),
            ("/api/user/appinstance", &self.colleague, 1),
        ]
        .into_iter()
        .enumerate()
        {
            let token = token.clone();
            // One client, because only the latency counts.
            let figures = closed_loop(
                &self.process.address,
                1,
                ROUND / 8,
                move || Some(Request::get(path).authorization(&format!("Bearer {token}"))),
                move |response| {
                    assert_eq!(response.status, 200);
                    if least > 0 {
                        let found: Vec<serde_json::Value> =
                            serde_json::from_slice(&response.body).expect("a list");
                        assert!(found.len() >= least, "{}", found.len());
                    }
                },
            );
            self.lists[index].push(figures.await);
        }
    }
}

impl Subject {
    /// Runs the bare loop, which has a database of its own with the same tables. A service
    /// created them.
    fn bare(&mut self) {
        self.limits.push(bare::commits(&self.bare));
    }

    /// Waits until the service has finished its background work, which would slow the next
    /// measurement.
    fn rest(&self) {
        const WAITING: &str = "SELECT COUNT(*) FROM \
            (SELECT 1 FROM (SELECT 1 FROM mail_outbox \
             WHERE sent_at IS NULL AND dead_at IS NULL LIMIT 1) mail \
             UNION ALL SELECT 1 FROM (SELECT 1 FROM audit_trail \
             WHERE number IS NULL LIMIT 1) event) waiting";
        let began = Instant::now();
        loop {
            let waiting: i64 = match self.database.strip_prefix("sqlite:") {
                Some(path) => {
                    let database = rusqlite::Connection::open(path).expect("the database");
                    let waiting = database.query_row(WAITING, [], |row| row.get(0));
                    waiting.expect("a number")
                }
                None => {
                    let database = postgres::Client::connect(&self.database, postgres::NoTls);
                    let row = database.expect("the database").query_one(WAITING, &[]);
                    row.expect("a number").get(0)
                }
            };
            if waiting == 0 {
                return;
            }
            assert!(began.elapsed() < REST, "mails or events still wait");
            std::thread::sleep(Duration::from_millis(100));
        }
    }
}

fn main() -> ExitCode {
    let directory = tempfile::tempdir().expect("a directory");
    let runtime = load::runtime();
    let sqlite = |name: &str| {
        let path: PathBuf = directory.path().join(name).with_extension("db");
        format!("sqlite:{}", path.display())
    };
    let start = |name: &'static str, database: String, bare: String| {
        let place = directory.path().join(name);
        // Creates the tables for the bare loop.
        let beside = directory.path().join(format!("{name} bare"));
        drop(load::service(&beside, &bare, &[]));
        let address = load::free_port();
        let issuer = format!("http://{address}");
        let settings = [("ACCORD_PUBLIC_URL", issuer.as_str())];
        let process = load::service(&place, &database, &settings);
        let tokens = runtime.block_on(prepare(&place, &database, &issuer));
        let [token, colleague] = tokens;
        Subject {
            name,
            process,
            database,
            bare,
            token,
            colleague,
            creations: Vec::new(),
            limits: Vec::new(),
            lists: Default::default(),
        }
    };
    postgres_cluster::flush_to_disk();
    let [own, bare] = [(); 2].map(|()| postgres_cluster::fresh_database());
    let mut subjects = [
        start("SQLite", sqlite("own"), sqlite("bare")),
        start("PostgreSQL", own.url().to_owned(), bare.url().to_owned()),
    ];
    for subject in &mut subjects {
        settle(&subject.database);
        for _ in 0..LIST_ROUNDS {
            runtime.block_on(subject.read());
        }
    }
    if std::env::args().any(|argument| argument == "--lists") {
        return code(lists(&subjects));
    }
    for round in 0..=ROUNDS {
        for subject in &mut subjects {
            runtime.block_on(subject.round());
            subject.rest();
            subject.bare();
            if round == 0 {
                // The first round warms up, and fills the tables.
                settle(&subject.database);
                settle(&subject.bare);
                subject.creations.clear();
                subject.limits.clear();
            }
        }
        eprintln!("round {round} of {ROUNDS}");
    }
    code(report(&subjects) & lists(&subjects))
}

/// Runs the maintenance that PostgreSQL would start within a minute: statistics, vacuum and
/// checkpoint.
fn settle(database: &str) {
    if database.starts_with("postgres") {
        let database = postgres::Client::connect(database, postgres::NoTls);
        let mut database = database.expect("the database");
        for statement in ["VACUUM ANALYZE", "CHECKPOINT"] {
            database.execute(statement, &[]).expect("upkeep");
        }
    }
}

fn code(met: bool) -> ExitCode {
    match met {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    }
}

/// Prints whether a target was met, and returns it.
fn target(what: &str, met: bool) -> bool {
    println!("{what}: {}\n", if met { "met" } else { "MISSED" });
    met
}

/// Prints and draws the rates of creation. Returns whether they meet the target.
fn report(subjects: &[Subject]) -> bool {
    let mut met = true;
    let heads = ["", "creations/s", "p99 ms", "bare commits/s", "share"];
    let mut lines = vec![heads.map(String::from).to_vec()];
    let mut groups = Vec::new();
    for subject in subjects {
        let own = median(&subject.creations);
        let mut limits = subject.limits.clone();
        limits.sort_by(f64::total_cmp);
        let limit = limits[limits.len() / 2];
        met &= own.rate / limit >= MIN_SHARE;
        lines.push(vec![
            subject.name.to_owned(),
            format!("{:.0}", own.rate),
            format!("{:.1}", own.p99),
            format!("{limit:.0}"),
            format!("{:.2}", own.rate / limit),
        ]);
        let row = |name: &str, value| Row {
            name: name.to_owned(),
            value,
        };
        groups.push((
            format!("Creations a second, {}", subject.name),
            vec![row("Accord", own.rate), row("bare loop", limit)],
        ));
    }
    print!("{}", load::table(&lines));
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/bench-accounts.svg");
    let title = format!("Provisioning, {CLIENTS} clients");
    std::fs::write(&file, load::chart(&title, &groups)).expect("target is writable");
    println!("drawn: target/bench-accounts.svg");
    target(&format!("at least {MIN_SHARE} of the bare loop"), met)
}

/// Prints the latencies of lists. Returns whether all meet the target.
fn lists(subjects: &[Subject]) -> bool {
    let mut met = true;
    let mut lines = vec![["", "p50 ms", "p99 ms"].map(String::from).to_vec()];
    for subject in subjects {
        for (index, figures) in subject.lists.iter().enumerate() {
            let figures = median(figures);
            met &= index == 0 || figures.p99 <= MAX_LIST_MILLIS;
            lines.push(vec![
                format!("{}, {}", subject.name, LISTS[index]),
                format!("{:.2}", figures.p50),
                format!("{:.2}", figures.p99),
            ]);
        }
    }
    print!("{}", load::table(&lines));
    target(&format!("lists within {MAX_LIST_MILLIS} ms at p99"), met)
}
