//! A database to which packets are lost: connections stay open, and nothing arrives.

use std::time::{Duration, Instant};

use accord_server::store::{MigrationMode, PoolOptions, Store};
use url::Url;

use crate::harness::postgres::{FreshDatabase, fresh_database_with_tls};
use crate::serving::Serving;

#[path = "../../../client/examples/cluster/path.rs"]
mod path;

/// A fresh database, a path to it that can lose packets, and its address by this path.
async fn database_behind_path() -> (FreshDatabase, path::NetworkPath, String) {
    let database = tokio::task::spawn_blocking(fresh_database_with_tls);
    let (database, _) = database.await.unwrap();
    let url: Url = database.url().parse().unwrap();
    let to = format!("127.0.0.1:{}", url.port().unwrap());
    let path = path::NetworkPath::start(to.parse().unwrap()).await.unwrap();
    let through = format!(
        "postgres://accord@{}{}?sslmode=disable",
        path.address,
        url.path()
    );
    (database, path, through)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_job_does_not_wait_for_lost_packets_for_minutes() {
    let (_database, path, through) = database_behind_path().await;
    let store = Store::open(&through).await.unwrap();
    store.ping().await.unwrap();
    path.pause();
    let waited = tokio::time::timeout(Duration::from_secs(60), store.ping()).await;
    let error = waited.expect("an end").unwrap_err();
    assert!(error.is_temporary(), "{error}");
    path.resume();
    let since = Instant::now();
    while store.ping().await.is_err() {
        assert!(since.elapsed() < Duration::from_secs(60), "no recovery");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_primary_that_swallows_everything_costs_seconds() {
    let (_database, path, through) = database_behind_path().await;
    let options = PoolOptions {
        connections: 2,
        connect: Duration::from_secs(1),
        statement: Duration::from_secs(1),
        ..PoolOptions::default()
    };
    let store = Store::open_with(&through, &options, MigrationMode::Apply);
    let store = store.await.unwrap();
    path.pause();
    let since = Instant::now();
    // With two connections, the runs of all of them would take many minutes.
    let calls = (0..400).map(|_| store.ping());
    for call in futures::future::join_all(calls).await {
        let error = call.expect_err("nothing arrives");
        assert!(error.is_temporary(), "{error}");
    }
    // Ten seconds of repetitions, and the last of them.
    assert!(since.elapsed() < Duration::from_secs(60), "{since:?}");
    path.resume();
    let since = Instant::now();
    store.ping().await.unwrap();
    assert!(since.elapsed() < Duration::from_secs(60), "{since:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_service_whose_database_is_silent_still_stops_in_seconds() {
    let (_database, path, through) = database_behind_path().await;
    let directory = tempfile::tempdir().unwrap();
    let file = "[server]\ndrain_seconds = 1\n";
    std::fs::write(directory.path().join("accord.toml"), file).unwrap();
    let serving = Serving::start(directory.path(), &["--database-url", &through]);
    path.pause();
    let since = Instant::now();
    let log = serving.log();
    // That the last steps did not wait for the database, the log shows below.
    assert!(since.elapsed() < Duration::from_secs(60), "{since:?}");
    for step in ["leaving the replicas", "seals of the audit trail"] {
        let cut = |line: &str| line.contains("stopped before the end") && line.contains(step);
        assert!(log.lines().any(cut), "{step}: {log}");
    }
}
