//! Files of a running service: a database that is deleted, replaced or cannot be written,
//! and who can read the rest.

use std::path::Path;
use std::time::{Duration, Instant};

use crate::harness::{Database, Server};
use crate::identity::client::post;
use crate::inference::client::{Manager, chat};

/// Waits until readiness is what it should be.
async fn ready(server: &Server, status: u16) {
    let deadline = Instant::now() + Duration::from_secs(60);
    while server.get("/readyz").await.status() != status {
        assert!(Instant::now() < deadline, "/readyz is not {status}");
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

async fn device_requests_are(server: &Server, status: u16) {
    let form = [("client_id", "accord-cli")];
    let answer = post(server, "/oauth2/v1/device", &form).await;
    assert_eq!(answer.status, status, "{answer:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_deleted_or_replaced_database_takes_no_more_writes() {
    let server = Server::start(Database::Sqlite).await;
    let file = server.app().config.server.data_dir.join("accord.db");
    let aside = file.with_extension("aside");
    ready(&server, 200).await;
    device_requests_are(&server, 200).await;

    std::fs::rename(&file, &aside).unwrap();
    device_requests_are(&server, 503).await;
    ready(&server, 503).await;
    assert_eq!(server.get("/healthz").await.status(), 200);
    assert!(!file.exists(), "it must not be made anew");

    std::fs::copy(&aside, &file).unwrap();
    device_requests_are(&server, 503).await;
    ready(&server, 503).await;

    // The very file is back.
    std::fs::rename(&aside, &file).unwrap();
    device_requests_are(&server, 200).await;
    ready(&server, 200).await;
    assert_eq!(server.stop().await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_store_that_can_only_be_read_is_not_ready() {
    let server = Server::start(Database::Sqlite).await;
    let file = server.app().config.server.data_dir.join("accord.db");
    ready(&server, 200).await;
    let other = rusqlite::Connection::open(file).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    ready(&server, 503).await;
    other.execute_batch("ROLLBACK").unwrap();
    ready(&server, 200).await;
    drop(other);
    assert_eq!(server.stop().await, Vec::<String>::new());
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn only_the_owner_reads_files_with_usage() {
    use std::os::unix::fs::PermissionsExt;
    let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
    let server = Server::start(Database::Sqlite).await;
    let data = server.app().config.server.data_dir.clone();
    assert_eq!(mode(&data), 0o700);
    let secret = Manager::of(&server).await.new_key().await.one;
    // The service removes a file as soon as the database has its content.
    let locker = rusqlite::Connection::open(data.join("accord.db")).unwrap();
    locker.busy_timeout(Duration::from_secs(60)).unwrap();
    locker.execute_batch("BEGIN IMMEDIATE").unwrap();
    chat(&server, &secret, "accord.echo").await.ok();
    let deadline = Instant::now() + Duration::from_secs(60);
    let saved = || {
        let files = std::fs::read_dir(data.join("usage")).into_iter().flatten();
        let mut paths = files.map(|file| file.unwrap().path());
        paths.find(|path| {
            path.extension()
                .is_some_and(|extension| extension == "json")
        })
    };
    let path = loop {
        if let Some(path) = saved() {
            break path;
        }
        assert!(Instant::now() < deadline, "no file was seen");
        tokio::time::sleep(Duration::from_millis(20)).await;
    };
    assert_eq!(mode(&path), 0o600, "{path:?}");
    locker.execute_batch("ROLLBACK").unwrap();
    assert_eq!(mode(&data.join("usage")), 0o700);
    assert_eq!(server.stop().await, Vec::<String>::new());
}
