//! `accord-server migrate`, and a service that does not migrate on its own.

use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use accord_server::app::App;
use accord_server::config::{Config, Layer, Secret};
use accord_server::kernel::{SystemClock, SystemRandom};
use accord_server::store::{PoolOptions, Store, missing_migrations};
use confique::Layer as _;
use serde_json::Value;

use crate::harness::{Database, postgres};

/// Opens a database without the right to migrate.
async fn open(directory: &Path, url: &str) -> Result<(), String> {
    let mut layer = Layer::empty();
    layer.server.data_dir = Some(directory.to_owned());
    layer.database.url = Some(Secret::new(url.to_owned()));
    layer.database.migrate = Some(false);
    let config = Config::from_layers(layer).unwrap();
    let opened = App::open(config, Arc::new(SystemClock), Arc::new(SystemRandom)).await;
    opened.map(drop).map_err(|error| error.to_string())
}

/// Runs `migrate`, and returns the names of migrations in its output.
fn migrate(directory: &Path, url: &str, mode: &str) -> Vec<String> {
    let output = Command::new(env!("CARGO_BIN_EXE_accord-server"))
        .args([
            "migrate",
            mode,
            "--json",
            "--database-url",
            url,
            "--data-dir",
        ])
        .arg(directory)
        .env("ACCORD_DATABASE_MIGRATE", "false")
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    let printed: Value = serde_json::from_slice(&output.stdout).unwrap();
    let names = printed.as_object().unwrap().values().next().unwrap();
    serde_json::from_value(names.clone()).unwrap()
}

async fn migrations_are_applied_only_on_request(database: Database) {
    let directory = tempfile::tempdir().unwrap();
    let data = directory.path().join("data");
    let server = match database {
        Database::Sqlite => None,
        Database::Postgres => {
            let fresh = tokio::task::spawn_blocking(postgres::fresh_database);
            Some(fresh.await.unwrap())
        }
    };
    let file = data.join("accord.db");
    let url = match &server {
        Some(server) => server.url().to_owned(),
        None => format!("sqlite:{}", file.display()),
    };

    let error = open(&data, &url).await.unwrap_err();
    assert!(
        error.contains("0001_core") && error.contains("migrate --apply"),
        "{error}"
    );
    let planned = migrate(&data, &url, "--plan");
    assert!(
        planned.len() > 5 && planned[0] == "0001_core",
        "{planned:?}"
    );
    assert!(!file.exists(), "the plan has created a database");

    assert_eq!(migrate(&data, &url, "--apply"), planned);
    assert_eq!(migrate(&data, &url, "--plan"), Vec::<String>::new());
    open(&data, &url).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn migrations_are_applied_only_on_request_on_sqlite() {
    migrations_are_applied_only_on_request(Database::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn migrations_are_applied_only_on_request_on_postgres() {
    migrations_are_applied_only_on_request(Database::Postgres).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn replicas_that_start_together_migrate_a_new_database_once() {
    let fresh = tokio::task::spawn_blocking(postgres::fresh_database).await;
    let database = fresh.unwrap();
    let opened = (0..4).map(|_| Store::open(database.url()));
    for store in futures::future::join_all(opened).await {
        store.unwrap().ping().await.unwrap();
    }
    let missing = missing_migrations(database.url(), &PoolOptions::default()).await;
    assert_eq!(missing.unwrap(), [""; 0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lost_database_is_not_replaced_by_migrations() {
    let directory = tempfile::tempdir().unwrap();
    let data = directory.path().join("data");
    let file = data.join("accord.db");
    let url = format!("sqlite:{}", file.display());
    open(&data, &url).await.unwrap_err();
    migrate(&data, &url, "--apply");
    open(&data, &url).await.unwrap();
    std::fs::remove_file(&file).unwrap();

    let arguments = ["migrate", "--apply", "--database-url", &url, "--data-dir"];
    let output = Command::new(env!("CARGO_BIN_EXE_accord-server"))
        .args(arguments)
        .arg(&data)
        .output()
        .unwrap();
    assert!(!output.status.success(), "{output:?}");
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(
        complaint.contains("is missing, but there was one"),
        "{complaint}"
    );
    assert!(!file.exists(), "the command has created a database");
}
