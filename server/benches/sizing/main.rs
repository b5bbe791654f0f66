//! What each operation costs PostgreSQL: round trips, transactions, statements and written rows.
//!
//! A proxy between the service and the database counts. Each operation runs `--calls` times, one call
//! after another. What the service does by itself is measured first, and subtracted. Figures do not
//! depend on the machine, so `--write` puts them into `server/deploy/SIZING.md`.

// No benchmark uses all of the shared code.
#![allow(dead_code, missing_docs)]

mod counter;
#[path = "../growth/fill.rs"]
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

use std::fmt::Write as _;
use std::path::Path;
use std::time::{Duration, Instant};

use clap::Parser;
use counter::{Counts, Proxy};
use operations::SCOPES;

/// The time in which the service's own work is measured.
const IDLE: Duration = Duration::from_secs(20);

#[derive(Parser)]
struct Arguments {
    /// The number of calls of each operation
    #[arg(long, default_value_t = 200)]
    calls: u64,
    /// Write the table of server/deploy/SIZING.md
    #[arg(long)]
    write: bool,
    /// Cargo passes this.
    #[arg(long, hide = true)]
    bench: bool,
}

fn main() {
    let arguments = Arguments::parse();
    let directory = tempfile::tempdir().expect("a directory");
    let runtime = load::runtime();
    let (database, _) = postgres_cluster::fresh_database_with_tls();
    let url = url::Url::parse(database.url()).expect("an address");
    let proxy = Proxy::start(url.port().expect("a port"));
    let proxied = format!(
        "postgres://accord@{}{}?sslmode=disable",
        proxy.address,
        url.path()
    );
    let (service, token) = runtime.block_on(start(directory.path(), &proxied));
    let measured = runtime.block_on(measure(&proxy, &service.address, &token, arguments.calls));
    let table = table(&measured);
    print!("{table}");
    if arguments.write {
        load::write_table("server/deploy/SIZING.md", "operations", &table);
    }
}

/// Starts the service on a store with a few rows of each kind.
async fn start(directory: &Path, database: &str) -> (load::Process, String) {
    let issuer = format!("http://{}", load::free_port());
    let settings = [
        ("ACCORD_API_KEY_COUNT", "4000000"),
        ("ACCORD_PUBLIC_URL", issuer.as_str()),
        // All requests come from one client and one address.
        ("ACCORD_DEVICE_REQUESTS_PER_CLIENT", "60000"),
        ("ACCORD_DEVICE_REQUESTS_PER_ADDRESS", "60000"),
    ];
    let of_service = (issuer.as_str(), &settings[..]);
    let token = fill::filled_store(directory, database, of_service, 100, SCOPES).await;
    (load::service(directory, database, &settings), token)
}

/// The counts of one call of each operation.
async fn measure(
    proxy: &Proxy,
    address: &str,
    token: &str,
    calls: u64,
) -> Vec<(&'static str, Counts)> {
    let mut measured = Vec::new();
    // The first calls prepare statements and fill caches.
    for operation in operations::all(token) {
        operation.count(address, 5).await;
    }
    let before = proxy.counts();
    tokio::time::sleep(IDLE).await;
    let idle = proxy.counts().with(before, |after, before| after - before);
    for operation in operations::all(token) {
        let name = operation.name;
        settle(proxy, idle).await;
        let (before, began) = (proxy.counts(), Instant::now());
        let done = operation.count(address, calls).await;
        let share = began.elapsed().as_secs_f64() / IDLE.as_secs_f64();
        let growth = proxy.counts().with(before, |after, before| after - before);
        let done = f64::from(u32::try_from(done).unwrap_or(u32::MAX));
        let of_one = growth.with(idle, |all, idle| (all - idle * share).max(0.0) / done);
        eprintln!("{name}: {of_one:?}");
        measured.push((name, of_one));
    }
    measured
}

/// Waits until the service has done what the last operation left, such as mail.
async fn settle(proxy: &Proxy, idle: Counts) {
    for _ in 0..60 {
        let before = proxy.counts();
        tokio::time::sleep(Duration::from_secs(1)).await;
        let growth = proxy.counts().with(before, |after, before| after - before);
        if growth.written <= 2.0 + 2.0 * idle.written / IDLE.as_secs_f64() {
            return;
        }
    }
}

fn table(measured: &[(&'static str, Counts)]) -> String {
    let mut table = String::from(
        "| operation | transactions | round trips | statements | rows written |\n\
         |---|---|---|---|---|\n",
    );
    for (name, counts) in measured {
        // Writing to a String cannot fail.
        let _ = writeln!(
            table,
            "| {name} | {:.0} | {:.0} | {:.0} | {:.0} |",
            counts.transactions, counts.round_trips, counts.statements, counts.written
        );
    }
    table
}
