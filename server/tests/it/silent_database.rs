//! A database to which packets are lost: connections stay open, and nothing arrives.

use std::time::{Duration, Instant};

use accord_server::store::Store;
use url::Url;

use crate::harness::postgres::fresh_database_with_tls;

#[path = "../../../client/examples/cluster/path.rs"]
mod path;

#[tokio::test(flavor = "multi_thread")]
async fn a_job_does_not_wait_for_lost_packets_for_minutes() {
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
