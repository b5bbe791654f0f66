//! The service behind PgBouncer.

use std::net::{SocketAddr, TcpStream};
use std::os::unix::fs::PermissionsExt as _;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use accord_server::config::Secret;
use accord_server::store::{PoolOptions, Store, missing_migrations};
use url::Url;

use crate::harness::commands::succeed;
use crate::harness::postgres::{FreshDatabase, as_another_user, fresh_database_with_tls};
use crate::harness::{Database, Server, run_with};
use crate::inference::client::{Manager, chat};
use crate::serving::free_address;

/// A running PgBouncer with a database behind it. It ends with the test.
struct PgBouncer {
    process: Child,
    address: SocketAddr,
    database: FreshDatabase,
    _directory: tempfile::TempDir,
}

impl PgBouncer {
    /// Starts PgBouncer with a `pool_mode` and other settings.
    fn start(mode: &str, settings: &str) -> Self {
        let (database, _) = fresh_database_with_tls();
        let url: Url = database.url().parse().unwrap();
        let address = free_address();
        let directory = tempfile::tempdir().unwrap();
        // PgBouncer does not run as root.
        let readable = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(directory.path(), readable).unwrap();
        let file = directory.path().join("pgbouncer.ini");
        let configuration = format!(
            "[databases]\n* = host=127.0.0.1 port={} user=accord\n\
             [pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = {}\nunix_socket_dir =\n\
             auth_type = any\npool_mode = {mode}\n{settings}\n",
            url.port().unwrap(),
            address.port(),
        );
        std::fs::write(&file, configuration).unwrap();
        let path = "/usr/sbin:/sbin:/usr/local/bin:/usr/bin:/bin";
        let mut command = Command::new("pgbouncer");
        command.arg("--quiet").arg(&file).env("PATH", path);
        command.stdin(Stdio::null()).stderr(Stdio::null());
        as_another_user(&mut command).unwrap();
        let mut process = command.spawn().expect(
            "pgbouncer is needed; on Debian: apt-get install pgbouncer, or cargo xtask test",
        );
        let since = Instant::now();
        while TcpStream::connect(address).is_err() {
            let ended = process.try_wait().unwrap();
            assert!(ended.is_none(), "pgbouncer ended: {ended:?}");
            assert!(since.elapsed() < Duration::from_secs(60));
            std::thread::sleep(Duration::from_millis(10));
        }
        PgBouncer {
            process,
            address,
            database,
            _directory: directory,
        }
    }

    /// The address of the database through PgBouncer.
    fn url(&self) -> String {
        let url: Url = self.database.url().parse().unwrap();
        format!("postgres://accord@{}{}", self.address, url.path())
    }
}

impl Drop for PgBouncer {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Starts PgBouncer on a thread that may block.
async fn start(mode: &'static str, settings: &'static str) -> PgBouncer {
    let started = tokio::task::spawn_blocking(move || PgBouncer::start(mode, settings));
    started.await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn pooled_transactions_are_refused_with_the_reason_and_nothing_is_changed() {
    for settings in ["", "default_pool_size = 1", "server_round_robin = 1"] {
        let pool = start("transaction", settings).await;
        let url = pool.url();
        let opened = tokio::time::timeout(Duration::from_secs(60), Store::open(&url));
        let refused = opened.await.expect("no wait").err().expect("a refusal");
        let refused = refused.to_string();
        assert!(
            refused.contains("set pool_mode = session"),
            "{settings}: {refused}"
        );
        let refused = missing_migrations(&url, &PoolOptions::default())
            .await
            .unwrap_err();
        assert!(refused.to_string().contains("settings (SET)"), "{refused}");
        // Others use the same connections.
        let setting = tokio::task::spawn_blocking(move || {
            let mut client = ::postgres::Client::connect(&url, ::postgres::NoTls).unwrap();
            let messages = client
                .simple_query("SHOW default_transaction_read_only")
                .unwrap();
            messages.iter().find_map(|message| match message {
                ::postgres::SimpleQueryMessage::Row(row) => row.get(0).map(str::to_owned),
                _ => None,
            })
        });
        assert_eq!(setting.await.unwrap().as_deref(), Some("off"));
    }
}

#[test]
fn pooled_sessions_serve_calls_commands_and_notices() {
    run_with(async || {
        let pool = start("session", "").await;
        let url = pool.url();
        let server = Server::start_with(Database::Sqlite, |layer| {
            layer.database.url = Some(Secret::new(url));
        })
        .await;
        let key = Manager::of(&server).await.new_key().await;
        chat(&server, &key.one, "accord.echo").await.ok();
        succeed(&server, &["audit", "verify"]).await;
        let mut notices = server.app().store.notices().unwrap();
        notices.mark_unchanged();
        let notify = |tx: &mut accord_server::store::Tx<'_>| tx.notify();
        server.write(notify).await;
        let changed = tokio::time::timeout(Duration::from_secs(60), notices.changed()).await;
        changed.expect("a notice").unwrap();
        assert_eq!(server.stop().await, Vec::<String>::new());
        drop(pool);
        server
    });
}
