//! Locks of usage rows: revocations do not wait for them, and replicas take them in the
//! same order.

use std::time::{Duration, Instant};

use accord_server::inference::admission::ledger::Ledger;
use accord_server::inference::admission::usage::{Counts, Line};
use tokio_postgres::{Client, NoTls};

use super::client::{Manager, accepted, chat};
use super::replicas::beside_with;
use crate::harness::{Database, Server};

/// A client of the service's database, beside the service.
async fn client(server: &Server) -> Client {
    let url = server.app().config.database_url().expose().to_owned();
    let (client, connection) = tokio_postgres::connect(&url, NoTls).await.unwrap();
    tokio::spawn(connection);
    client
}

/// Waits until somebody waits for a lock.
async fn somebody_waits(client: &Client) {
    let waiting = "SELECT 1 FROM pg_stat_activity \
                   WHERE datname = current_database() AND wait_event_type = 'Lock'";
    let since = Instant::now();
    while client.query(waiting, &[]).await.unwrap().is_empty() {
        assert!(since.elapsed() < Duration::from_secs(60), "nobody waits");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_revocation_reaches_a_replica_whose_usage_cannot_be_written() {
    let here = Server::start(Database::Postgres).await;
    let there = beside_with(&here, "local", |layer| {
        layer.database.statement_seconds = Some(120);
    })
    .await;
    let manager = Manager::of(&here).await;
    let key = manager.new_key().await;
    let (locker, watcher) = (client(&here).await, client(&here).await);
    let lock = "BEGIN; LOCK TABLE inference_usage IN EXCLUSIVE MODE";
    locker.batch_execute(lock).await.unwrap();
    let since = Instant::now();
    while chat(&there, &key.one, "accord.echo").await.status != 200 {
        assert!(
            since.elapsed() < Duration::from_secs(60),
            "the key is unknown"
        );
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    somebody_waits(&watcher).await;
    manager.set_state(&key, "one", "REVOKED").await.ok();
    let since = Instant::now();
    while accepted(&there, &key.one).await {
        // The statement that waits for the lock is canceled after two minutes.
        assert!(since.elapsed() < Duration::from_secs(60), "not revoked");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    somebody_waits(&watcher).await;
    locker.batch_execute("ROLLBACK").await.unwrap();
    assert_eq!(there.stop().await, Vec::<String>::new());
    assert_eq!(here.stop().await, Vec::<String>::new());
}

/// Two replicas that write the same rows cannot wait for each other's locks.
#[tokio::test(flavor = "multi_thread")]
async fn usage_rows_are_locked_in_order() {
    let server = Server::start(Database::Postgres).await;
    let app = server.app();
    let (store, now) = (app.store.clone(), app.clock.now());
    let directory = tempfile::tempdir().unwrap();
    let ledger = Ledger::new(directory.path().join("usage"));
    let add = |number: u32| {
        let line = Line {
            key_id: format!("k{number:02}"),
            model: "m".into(),
            day: now.date_naive(),
        };
        let counts = Counts {
            requests: 1,
            ..Counts::default()
        };
        ledger.add(&line, counts);
    };
    (0..20).for_each(add);
    ledger.write(&store, now, &[], &[]).await.unwrap();
    let (locker, watcher) = (client(&server).await, client(&server).await);
    // Somebody has the last row, and the ledger counts in the opposite order.
    let last = "BEGIN; SELECT FROM inference_usage WHERE key_id = 'k19' FOR UPDATE";
    locker.batch_execute(last).await.unwrap();
    (0..20).rev().for_each(add);
    let (written, ()) = tokio::join!(ledger.write(&store, now, &[], &[]), async {
        somebody_waits(&watcher).await;
        let free = "SELECT key_id FROM inference_usage WHERE key_id LIKE 'k%' \
                    FOR UPDATE SKIP LOCKED";
        let free = watcher.query(free, &[]).await.unwrap();
        let free: Vec<String> = free.iter().map(|row| row.get(0)).collect();
        locker.batch_execute("ROLLBACK").await.unwrap();
        assert_eq!(free, Vec::<String>::new(), "locked after the last row");
    });
    written.unwrap();
}
