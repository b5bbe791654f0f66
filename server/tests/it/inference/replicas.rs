//! Several services over one database.

use std::time::{Duration, Instant};

use super::client::{Manager, accepted, chat};
use crate::harness::{Database, Server};

/// Another service with the same database and the same key.
async fn beside(server: &Server, region: &str) -> Server {
    let config = server.app().config.clone();
    let url = config.database_url();
    Server::start_with(Database::Sqlite, |layer| {
        layer.server.data_dir = Some(config.server.data_dir.clone());
        layer.server.region = Some(region.into());
        layer.database.url = Some(url);
    })
    .await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_change_reaches_the_other_replica_within_a_second() {
    for database in [Database::Sqlite, Database::Postgres] {
        let here = Server::start(database).await;
        let there = beside(&here, "local").await;
        let manager = Manager::of(&here).await;
        let key = manager.new_key().await;
        for (name, secret, state, open) in [
            ("one", &key.one, None, true),
            ("one", &key.one, Some("DEACTIVATED"), false),
            ("two", &key.two, Some("ACTIVE"), true),
            ("two", &key.two, Some("REVOKED"), false),
        ] {
            if let Some(state) = state {
                manager.set_state(&key, name, state).await.ok();
            }
            assert_eq!(accepted(&here, secret).await, open);
            let since = Instant::now();
            while accepted(&there, secret).await != open {
                assert!(
                    since.elapsed() < Duration::from_secs(1),
                    "{database:?} {state:?}"
                );
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        }
        assert_eq!(there.stop().await, Vec::<String>::new());
        assert_eq!(here.stop().await, Vec::<String>::new());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_works_in_its_own_region_only() {
    let here = Server::start(Database::Sqlite).await;
    let elsewhere = beside(&here, "elsewhere").await;
    let manager = Manager::of(&here).await;
    let key = manager.new_key().await;
    chat(&here, &key.one, "accord.echo").await.ok();
    tokio::time::sleep(Duration::from_millis(600)).await;
    assert!(!accepted(&elsewhere, &key.one).await);
    let other = Manager::of(&elsewhere).await;
    other
        .get(&format!("/{}", key.id))
        .await
        .is(404, "NotAuthorizedOrNotFound");
    let theirs = other.new_key().await;
    assert!(theirs.id.starts_with("apikey.elsewhere."));
    assert!(accepted(&elsewhere, &theirs.one).await);
    assert!(!accepted(&here, &theirs.one).await);
}

/// Does something with each connection on which notices are awaited. How many
/// there were.
async fn listeners(server: &Server, each: &'static str) -> i64 {
    let count = server.app().store.write(move |tx| {
        let sql = format!(
            "SELECT CAST(COUNT({each}) AS BIGINT) FROM pg_stat_activity \
             WHERE query LIKE 'LISTEN %' AND datname = current_database()"
        );
        tx.query(&sql, &[])?[0].get(0)
    });
    let count: Result<i64, accord_server::store::StoreError> = count.await;
    count.unwrap_or_else(|error| panic!("{error}"))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_revocation_reaches_the_other_replica_with_the_channel_cut() {
    let here = Server::start(Database::Postgres).await;
    let there = beside(&here, "local").await;
    let manager = Manager::of(&here).await;
    for channel in [true, false] {
        let key = manager.new_key().await;
        while !accepted(&there, &key.one).await {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        if !channel {
            assert_eq!(listeners(&here, "pg_terminate_backend(pid)").await, 2);
        }
        manager.set_state(&key, "one", "REVOKED").await.ok();
        let since = Instant::now();
        while accepted(&there, &key.one).await {
            assert!(since.elapsed() < Duration::from_secs(1), "{channel}");
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }
    // It is mended by itself.
    let mut notices = there.app().store.notices().unwrap();
    let since = Instant::now();
    while listeners(&here, "pid").await < 2 {
        assert!(since.elapsed() < Duration::from_secs(10));
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    notices.mark_unchanged();
    manager.new_key().await;
    let heard = tokio::time::timeout(Duration::from_secs(10), notices.changed()).await;
    assert!(heard.is_ok());
}
