//! Provisioning beside what the same database commits in a bare loop, and lists
//! in a large directory, in one run.
//!
//! The bare loop inserts the rows that one creation leaves behind (user, profile,
//! invitation, two mails, password link, two events of the audit trail, and the answer
//! under its idempotency key) and commits them, on one connection for SQLite, which takes
//! one writer at a time, and on as many as there are clients for PostgreSQL. Both databases
//! flush every commit to disk. The loop reads nothing and checks nothing, so it is
//! the limit of what a service of one commit a request can do; this service may
//! put several requests into one commit. It also sends the two mails of each creation,
//! as files, as soon as it can, and seals the audit trail: the loop does neither, and runs
//! when that is done.
//!
//! Rounds alternate; the figures are medians. `--lists` measures the lists alone. A
//! bar that is missed makes the run fail.

// Not everything that benchmarks share is needed by each.
#![allow(dead_code, missing_docs)]

mod bare;
#[path = "../load/mod.rs"]
mod load;
#[path = "../../tests/it/harness/postgres.rs"]
mod postgres_cluster;
#[path = "../../tests/it/harness/tokens.rs"]
mod tokens;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use accord_server::accounts::demo::{ADMINISTRATOR, COLLEAGUE};
use accord_server::config::{Config, Layer, Secret};
use accord_server::kernel::{SystemClock, SystemRandom};
use accord_server::params;
use accord_server::store::StoreError;
use confique::Layer as _;
use load::{Figures, Process, Request, Row, closed_loop, median};
use serde_json::json;

const CLIENTS: usize = 16;
const ROUNDS: usize = 3;
const ROUND: Duration = Duration::from_secs(4);
/// Lists are asked for more often, and each time for a shorter while: the slowest of a
/// hundred answers tells of the machine as well.
const LIST_ROUNDS: usize = 9;
const ORGANIZATIONS: i64 = 10_000;
/// The longest that a service may take for what a round leaves it to do.
const REST: Duration = Duration::from_secs(60);
/// The least share of what the bare loop commits.
const MIN_SHARE: f64 = 0.5;
/// The longest that 99 of 100 lists may take, in milliseconds.
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
    /// What takes no time; one page of the administrator's organizations; a colleague's; instances of both.
    lists: [Vec<Figures>; 5],
}

const LISTS: [&str; 5] = [
    "whether it is alive, for comparison",
    "a page of 100 of 10,000 organizations",
    "the 10 organizations of another user",
    "the instances of both",
    "the instances of the other",
];

/// Opens the service's own store beside it, as an operator's command does: fills
/// the directory and makes tokens.
async fn prepare(directory: &Path, database: &str, issuer: &str) -> [String; 2] {
    let mut layer = Layer::empty();
    layer.server.data_dir = Some(directory.to_owned());
    layer.server.public_url = Some(issuer.parse().expect("an address"));
    layer.database.url = Some(Secret::new(database.to_owned()));
    let config = Config::from_layers(layer).expect("a configuration");
    let app = accord_server::app::App::open(config, Arc::new(SystemClock), Arc::new(SystemRandom))
        .await
        .expect("the store");
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
        tokens::token(&app, ADMINISTRATOR, scopes).await,
        tokens::token(&app, COLLEAGUE, scopes).await,
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
    Request {
        path: "/api/user".into(),
        content_type: Some("application/json"),
        authorization: Some(format!("Bearer {token}")),
        idempotency_key: Some(format!("import-2026-11-21-row-{number}")),
        body: body.to_string().into(),
    }
}

fn list(path: &str, token: &str) -> Request {
    Request {
        path: path.into(),
        content_type: None,
        authorization: Some(format!("Bearer {token}")),
        idempotency_key: None,
        body: bytes::Bytes::new(),
    }
}

impl Subject {
    async fn round(&mut self) {
        let token = self.token.clone();
        let figures = closed_loop(
            &self.process.address,
            CLIENTS,
            ROUND,
            move || Some(creation(&token)),
            |answer| {
                let text = String::from_utf8_lossy(&answer.body);
                assert_eq!(answer.status, 200, "{text}");
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
            // One client: what is asked is how long an answer takes.
            let figures = closed_loop(
                &self.process.address,
                1,
                ROUND / 8,
                move || Some(list(path, &token)),
                move |answer| {
                    assert_eq!(answer.status, 200);
                    if least > 0 {
                        let found: Vec<serde_json::Value> =
                            serde_json::from_slice(&answer.body).expect("a list");
                        assert!(found.len() >= least, "{}", found.len());
                    }
                },
            );
            self.lists[index].push(figures.await);
        }
    }
}

impl Subject {
    /// The bare loop has a database of its own with the same tables and the same
    /// directory, which a service has made and left.
    fn bare(&mut self) {
        self.limits.push(bare::commits(&self.bare));
    }

    /// Waits until the service has nothing left to do: it would be done at the cost of
    /// whoever is measured next.
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
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime");
    let sqlite = |name: &str| {
        let path: PathBuf = directory.path().join(name).with_extension("db");
        format!("sqlite:{}", path.display())
    };
    let start = |name: &'static str, database: String, bare: String| {
        let place = directory.path().join(name);
        // Leaves the tables behind for the bare loop.
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
    let mut subjects = [
        start("SQLite", sqlite("own"), sqlite("bare")),
        start(
            "PostgreSQL",
            postgres_cluster::fresh_database(),
            postgres_cluster::fresh_database(),
        ),
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
                // The first warms everybody up, and the tables are empty no more.
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

/// What PostgreSQL does by itself within a minute, done before anything is measured: it
/// counts rows, cleans up behind them, and takes them to the disk.
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

/// Says whether what is asked was reached.
fn asked(what: &str, met: bool) -> bool {
    println!("{what}: {}\n", if met { "met" } else { "MISSED" });
    met
}

/// Prints and draws how fast users are created; whether that is what is asked.
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
    asked(&format!("at least {MIN_SHARE} of the bare loop"), met)
}

/// Prints how long lists take; whether none takes longer than is asked.
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
    asked(&format!("lists within {MAX_LIST_MILLIS} ms at p99"), met)
}
