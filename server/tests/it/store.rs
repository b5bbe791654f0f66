//! The store's own promises.

use accord_server::params;
use accord_server::store::{Store, StoreError};

async fn fresh() -> (Store, tempfile::TempDir) {
    let directory = tempfile::tempdir().unwrap();
    let url = match std::env::var("PGURL") {
        Ok(url) => url,
        Err(_) => format!("sqlite:{}", directory.path().join("accord.db").display()),
    };
    (Store::open(&url).await.unwrap(), directory)
}

#[tokio::test]
async fn what_is_written_is_read() {
    let (store, _directory) = fresh().await;
    let id = store
        .write(|tx| {
            let id = tx.next_id("test")?;
            tx.execute(
                "INSERT INTO meta (value, name) VALUES ($2, $1) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
                params!["name", "value"],
            )?;
            Ok::<_, StoreError>(id)
        })
        .await
        .unwrap();
    assert!(id >= 1);
    let value: String = store
        .read(|tx| {
            let row = tx.query_opt("SELECT value FROM meta WHERE name = $1", params!["name"])?;
            row.unwrap().get(0)
        })
        .await
        .unwrap_or_else(|error: StoreError| panic!("{error}"));
    assert_eq!(value, "value");
}
