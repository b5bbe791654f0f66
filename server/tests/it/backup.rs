//! `accord-server backup` beside a service under load, and `restore`.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use accord_server::kernel::files;
use accord_server::params;
use accord_server::store::{StoreError, Tx};

use crate::harness::commands::{fail, json, succeed};
use crate::harness::{Database, Server};
use crate::inference::client::{Manager, accepted};
use crate::serving::{error_of, output};

const PASSPHRASE: &str = "a passphrase for tests";

/// A directory with a passphrase, for a backup.
struct Place {
    directory: tempfile::TempDir,
}

impl Place {
    fn new() -> Place {
        let directory = tempfile::tempdir().unwrap();
        std::fs::write(
            directory.path().join("passphrase"),
            format!("{PASSPHRASE}\n"),
        )
        .unwrap();
        Place { directory }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    fn text(&self, name: &str) -> String {
        self.path(name).to_str().unwrap().to_owned()
    }

    /// Runs `restore` into a new data directory. Returns its standard error if it fails.
    fn restore(&self, passphrase: &str, into: &Path) -> Result<(), String> {
        self.restore_with(passphrase, into, &[])
    }

    /// The same with other options.
    fn restore_with(&self, passphrase: &str, into: &Path, options: &[&str]) -> Result<(), String> {
        let output = Command::new(env!("CARGO_BIN_EXE_accord-server"))
            .current_dir(self.directory.path())
            .args([
                "restore",
                "backup",
                "--passphrase-file",
                passphrase,
                "--data-dir",
            ])
            .arg(into)
            .args(options)
            .output()
            .unwrap();
        match output.status.success() {
            true => Ok(()),
            false => Err(String::from_utf8(output.stderr).unwrap()),
        }
    }
}

async fn backup(server: &Server, place: &Place) -> serde_json::Value {
    let (file, passphrase) = (place.text("backup"), place.text("passphrase"));
    json(server, &["backup", &file, "--passphrase-file", &passphrase]).await
}

/// Creates API keys one after the other until `stop`. Returns the secret of each key, and whether its
/// creation was acknowledged before `marked`.
async fn create_keys(
    server: Server,
    marked: Arc<AtomicBool>,
    stop: Arc<AtomicBool>,
    count: Arc<AtomicUsize>,
) -> Vec<(String, bool)> {
    let manager = Manager::of(&server).await;
    let mut created = Vec::new();
    while !stop.load(Ordering::SeqCst) {
        let key = manager.new_key().await;
        created.push((key.one, !marked.load(Ordering::SeqCst)));
        count.fetch_add(1, Ordering::SeqCst);
    }
    created
}

/// Waits until there are so many more keys.
async fn created_more(count: &AtomicUsize, more: usize) {
    let wanted = count.load(Ordering::SeqCst) + more;
    let deadline = Instant::now() + Duration::from_secs(60);
    while count.load(Ordering::SeqCst) < wanted {
        assert!(Instant::now() < deadline, "no keys are created");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_backup_under_load_has_every_write_that_was_acknowledged_before() {
    let server = Server::start_with(Database::Sqlite, |layer| {
        layer.inference.key_limit = Some(1_000_000);
    })
    .await;
    let place = Place::new();
    let (marked, stop) = (Arc::<AtomicBool>::default(), Arc::<AtomicBool>::default());
    let count = Arc::<AtomicUsize>::default();
    let writers: Vec<_> = (0..4)
        .map(|_| {
            let (marked, stop) = (Arc::clone(&marked), Arc::clone(&stop));
            tokio::spawn(create_keys(
                server.clone(),
                marked,
                stop,
                Arc::clone(&count),
            ))
        })
        .collect();
    created_more(&count, 20).await;
    marked.store(true, Ordering::SeqCst);
    let made = backup(&server, &place).await;
    assert!(made["database_bytes"].as_u64().unwrap() > 100_000, "{made}");
    created_more(&count, 8).await;
    stop.store(true, Ordering::SeqCst);
    let mut before = Vec::new();
    let mut during = 0;
    for created in futures::future::join_all(writers).await {
        for (secret, is_before) in created.unwrap() {
            match is_before {
                true => before.push(secret),
                false => during += 1,
            }
        }
    }
    assert!(
        !before.is_empty() && during > 0,
        "{} before, {during} during",
        before.len()
    );
    // No temporary copy of the database and no incomplete file is left.
    let left = std::fs::read_dir(&server.app().config.server.data_dir).unwrap();
    let names = left.map(|file| file.unwrap().file_name().into_string().unwrap());
    let copies: Vec<_> = names.filter(|name| name.len() > 30).collect();
    assert_eq!(copies, Vec::<String>::new());
    assert_eq!(
        std::fs::read_dir(place.directory.path()).unwrap().count(),
        2
    );
    assert_eq!(server.stop().await, Vec::<String>::new());

    let into = place.path("restored");
    place.restore("passphrase", &into).unwrap();
    let restored = Server::start_with(Database::Sqlite, |layer| {
        layer.server.data_dir = Some(into);
    })
    .await;
    for secret in &before {
        assert!(accepted(&restored, secret).await);
    }
    // The audit trail is valid as well, which only the server key can verify.
    succeed(&restored, &["audit", "verify"]).await;
    assert_eq!(restored.stop().await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_backup_is_unreadable_without_its_passphrase() {
    let server = Server::start(Database::Sqlite).await;
    let place = Place::new();
    backup(&server, &place).await;
    let file = std::fs::read(place.path("backup")).unwrap();
    let key = std::fs::read(server.app().config.server.data_dir.join("server.key")).unwrap();
    for plain in [&key[..], b"SQLite format", b"hub_users", b"keys_bytes"] {
        let plain = plain.trim_ascii();
        assert!(!file.windows(plain.len()).any(|part| part == plain));
    }
    let mode = std::os::unix::fs::PermissionsExt::mode(
        &place.path("backup").metadata().unwrap().permissions(),
    );
    assert_eq!(mode & 0o777, 0o600);

    std::fs::write(place.path("wrong"), "another passphrase\n").unwrap();
    let into = place.path("restored");
    let error = place.restore("wrong", &into).unwrap_err();
    assert!(error.contains("the passphrase is wrong"), "{error}");
    std::fs::write(place.path("short"), "short\n").unwrap();
    let error = place.restore("short", &into).unwrap_err();
    assert!(error.contains("at least 12 characters"), "{error}");
    // A truncated file leaves nothing behind.
    std::fs::write(place.path("backup"), &file[..file.len() - 100]).unwrap();
    let error = place.restore("passphrase", &into).unwrap_err();
    assert!(error.contains("damaged"), "{error}");
    let left = std::fs::read_dir(&into).map_or(0, Iterator::count);
    assert_eq!(left, 0);
    assert_eq!(server.stop().await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn neither_command_replaces_a_file() {
    let server = Server::start(Database::Sqlite).await;
    let place = Place::new();
    backup(&server, &place).await;
    let (file, passphrase) = (place.text("backup"), place.text("passphrase"));
    let made = std::fs::read(&file).unwrap();
    let arguments = ["backup", &file, "--passphrase-file", &passphrase];
    let error = fail(&server, &arguments).await;
    assert!(error.contains("already exists"), "{error}");
    assert_eq!(std::fs::read(&file).unwrap(), made);

    let into = place.path("restored");
    std::fs::create_dir(&into).unwrap();
    // SQLite would apply this log to the database.
    std::fs::write(into.join("accord.db-wal"), "a log").unwrap();
    let error = place.restore("passphrase", &into).unwrap_err();
    assert!(error.contains("accord.db-wal already exists"), "{error}");
    std::fs::remove_file(into.join("accord.db-wal")).unwrap();
    // Another server key, which the audit trail and the hashes of the backup do not have.
    let mut key = files::private()
        .create(true)
        .open(into.join("server.key"))
        .unwrap();
    key.write_all(b"YWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWE=\n")
        .unwrap();
    let error = place.restore("passphrase", &into).unwrap_err();
    assert!(error.contains("does not have the server key"), "{error}");
    assert!(!into.join("accord.db").exists());
    let elsewhere = ["--database-url", "postgres://accord@127.0.0.1:9/none"];
    let error = place.restore_with("passphrase", &into, &elsewhere);
    let error = error.unwrap_err();
    assert!(error.contains("database.url names PostgreSQL"), "{error}");
    std::fs::remove_file(into.join("server.key")).unwrap();
    place.restore("passphrase", &into).unwrap();
    let error = place.restore("passphrase", &into).unwrap_err();
    assert!(error.contains("accord.db already exists"), "{error}");
    assert_eq!(server.stop().await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn on_postgres_a_backup_has_the_keys_and_names_the_command_for_the_database() {
    let server = Server::start(Database::Postgres).await;
    let place = Place::new();
    let (file, passphrase) = (place.text("backup"), place.text("passphrase"));
    let printed = succeed(
        &server,
        &["backup", &file, "--passphrase-file", &passphrase],
    )
    .await;
    assert!(printed.contains("pg_dump"), "{printed}");
    let error = place.restore("passphrase", &place.path("restored"));
    let error = error.unwrap_err();
    assert!(error.contains("has only server keys"), "{error}");

    // The dump has the database, and the backup has its keys.
    let url = server.app().config.database_url().expose().to_owned();
    let dump = place.text("dump");
    let key = Manager::of(&server).await.new_key().await;
    let (program, from) = (crate::harness::postgres::program("pg_dump"), url.clone());
    let dumped = Command::new(program)
        .args(["--format=custom", "--file", &dump, &from])
        .status();
    assert!(dumped.unwrap().success());
    assert_eq!(server.stop().await, Vec::<String>::new());

    let fresh = tokio::task::spawn_blocking(crate::harness::postgres::fresh_database);
    let fresh = fresh.await.unwrap();
    let restored = Command::new(crate::harness::postgres::program("pg_restore"))
        .args([
            "--exit-on-error",
            "--no-owner",
            "--dbname",
            fresh.url(),
            &dump,
        ])
        .status();
    assert!(restored.unwrap().success());
    let into = place.path("restored");
    let output = Command::new(env!("CARGO_BIN_EXE_accord-server"))
        .args(["restore", &file, "--passphrase-file", &passphrase])
        .args(["--database-url", fresh.url(), "--data-dir"])
        .arg(&into)
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    let again = Server::start_with(Database::Sqlite, |layer| {
        layer.server.data_dir = Some(into);
        layer.database.url = Some(accord_server::config::Secret::new(fresh.url().to_owned()));
    })
    .await;
    assert!(accepted(&again, &key.one).await);
    let count = |tx: &mut Tx<'_>| tx.query_integer("SELECT COUNT(*) FROM migrations", params![]);
    let count = again.app().store.read::<_, StoreError, _>(count).await;
    assert!(count.unwrap() > 0);
    assert_eq!(again.stop().await, Vec::<String>::new());
}

#[test]
fn a_missing_backup_is_named_before_its_passphrase_is_read() {
    let directory = tempfile::tempdir().unwrap();
    let error = error_of(&output(directory.path(), &["restore", "missing"]));
    assert!(error.starts_with("error: missing: "), "{error}");
}
