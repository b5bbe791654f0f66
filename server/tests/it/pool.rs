//! The pool of connections to PostgreSQL: its options, and the transactions that run again.

use std::time::{Duration, Instant};

use accord_server::identity::sweep;
use accord_server::store::{MigrationMode, PoolOptions, Store, StoreError, Tx};

use crate::harness::postgres::{FreshDatabase, fresh_database};
use crate::harness::{Database, Server};

/// A store with some options, over a database of its own.
async fn open(options: PoolOptions) -> (Store, FreshDatabase) {
    let database = tokio::task::spawn_blocking(fresh_database).await.unwrap();
    let store = Store::open_with(database.url(), &options, MigrationMode::Apply);
    (store.await.unwrap(), database)
}

/// The first value of a statement.
async fn ask(store: &Store, sql: &'static str) -> Result<String, StoreError> {
    store
        .read_one(move |tx| tx.query_opt(sql, &[])?.expect("a row").get(0))
        .await
}

#[tokio::test(flavor = "multi_thread")]
async fn the_configured_options_reach_the_sessions() {
    let server = Server::start_with(Database::Postgres, |layer| {
        layer.database.statement_seconds = Some(7);
        layer.database.connections = Some(2);
    })
    .await;
    let store = &server.app().store;
    assert_eq!(ask(store, "SHOW statement_timeout").await.unwrap(), "7s");
    let sessions = "SELECT CAST(COUNT(*) AS TEXT) FROM pg_stat_activity \
                    WHERE datname = current_database() AND application_name = 'accord'";
    let many = (0..20).map(|_| ask(store, sessions));
    for sessions in futures::future::join_all(many).await {
        // Two for transactions, and one for notices.
        assert!(["2", "3"].contains(&sessions.unwrap().as_str()));
    }
    assert_eq!(server.stop().await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_statement_ends_at_its_timeout_and_its_connection_stays() {
    let options = PoolOptions {
        connections: 1,
        statement: Duration::from_secs(1),
        ..PoolOptions::default()
    };
    let (store, _database) = open(options).await;
    let process = "SELECT CAST(pg_backend_pid() AS TEXT)";
    let before = ask(&store, process).await.unwrap();
    let since = Instant::now();
    let error = ask(&store, "SELECT 'late' FROM pg_sleep(30)").await;
    let error = error.unwrap_err();
    assert!(since.elapsed() < Duration::from_secs(20), "{since:?}");
    assert!(error.is_temporary(), "{error}");
    assert!(error.to_string().contains("statement timeout"), "{error}");
    assert_eq!(ask(&store, process).await.unwrap(), before);
}

/// Whether the server still has this process for a connection.
async fn is_connected(watcher: &Store, process: i64) -> bool {
    let connections = watcher.read_one(move |tx| {
        let sql = "SELECT COUNT(*) FROM pg_stat_activity WHERE CAST(pid AS BIGINT) = $1";
        tx.query_integer(sql, &[process.into()])
    });
    let connections: Result<i64, StoreError> = connections.await;
    connections.unwrap() > 0
}

#[tokio::test(flavor = "multi_thread")]
async fn a_connection_that_the_server_has_closed_for_idleness_is_replaced() {
    let database = tokio::task::spawn_blocking(fresh_database).await.unwrap();
    let url = format!("{}?options=-c%20idle_session_timeout%3D500", database.url());
    let options = PoolOptions {
        connections: 1,
        ..PoolOptions::default()
    };
    let store = Store::open_with(&url, &options, MigrationMode::Apply);
    let store = store.await.unwrap();
    let process = "SELECT CAST(pg_backend_pid() AS TEXT)";
    let before = ask(&store, process).await.unwrap();
    let watcher = Store::open(database.url()).await.unwrap();
    let since = Instant::now();
    while is_connected(&watcher, before.parse().unwrap()).await {
        assert!(since.elapsed() < Duration::from_secs(60), "never closed");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    // Its process leaves the list a moment before its socket is closed.
    tokio::time::sleep(Duration::from_millis(500)).await;
    assert_ne!(ask(&store, process).await.unwrap(), before);
}

#[tokio::test(flavor = "multi_thread")]
async fn other_work_goes_on_while_a_transaction_waits_for_its_repetition() {
    let options = PoolOptions {
        connections: 1,
        ..PoolOptions::default()
    };
    let (store, _database) = open(options).await;
    // Conflicts on every run, until the store gives up.
    let conflict = |tx: &mut Tx<'_>| {
        let sql = "DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = 'serialization_failure'; END $$";
        tx.execute(sql, &[])
    };
    let repeats = || store.loads()[0].1.repeats;
    // A busy machine may be slow now and then.
    for _ in 0..5 {
        let (since, before, conflicting) = (Instant::now(), repeats(), store.clone());
        let write = tokio::spawn(async move { conflicting.write(conflict).await });
        while repeats() < before + 3 && !write.is_finished() {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        let mut reads = 0;
        while reads < 20 && !write.is_finished() {
            store.ping().await.unwrap();
            reads += 1;
        }
        let has_waited = write.is_finished();
        let outcome: Result<u64, StoreError> = write.await.unwrap();
        assert!(matches!(outcome, Err(StoreError::Conflict)), "{outcome:?}");
        // Not before ten seconds of repetitions.
        assert!(since.elapsed() > Duration::from_secs(9));
        if !has_waited {
            return;
        }
    }
    panic!("20 reads waited for the other transaction");
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_stores_one_has_a_lock_until_its_transaction_ends() {
    let (first, database) = open(PoolOptions::default()).await;
    let second = Store::open(database.url()).await.unwrap();
    let try_lock = async |name: &'static str| {
        let tried = second.write(move |tx| tx.try_lock(name));
        tried
            .await
            .unwrap_or_else(|error: StoreError| panic!("{error}"))
    };
    let lock = Lock::take(&first, "a").await;
    assert!(!try_lock("a").await);
    assert!(try_lock("b").await, "another name is another lock");
    lock.release().await;
    assert!(try_lock("a").await);
}

/// A lock of a store, in a transaction that waits.
struct Lock {
    release: std::sync::mpsc::Sender<()>,
    transaction: tokio::task::JoinHandle<Result<(), StoreError>>,
}

impl Lock {
    async fn take(store: &Store, name: &'static str) -> Lock {
        let (release, released) = std::sync::mpsc::channel();
        let (taken, is_taken) = tokio::sync::mpsc::unbounded_channel();
        let released = std::sync::Mutex::new(released);
        let (store, mut is_taken) = (store.clone(), is_taken);
        let transaction = tokio::spawn(async move {
            let hold = move |tx: &mut Tx<'_>| {
                assert!(tx.try_lock(name)?, "{name} is taken");
                let _ = taken.send(());
                let _ = released.lock().unwrap().recv();
                Ok(())
            };
            store.write(hold).await
        });
        is_taken.recv().await.expect("the lock");
        Lock {
            release,
            transaction,
        }
    }

    async fn release(self) {
        drop(self.release);
        self.transaction.await.unwrap().unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_replica_leaves_expired_rows_to_the_one_that_deletes_them_and_takes_over() {
    let server = Server::start(Database::Postgres).await;
    let app = server.app();
    let other = Store::open(app.config.database_url().expose())
        .await
        .unwrap();
    let expired = |tx: &mut Tx<'_>| {
        tx.execute(
            "INSERT INTO oauth_assertions (client_id, jti, expires_at) VALUES ('someone', 'one', 1)",
            &[],
        )
    };
    server.first_upkeep().await;
    let metrics = server.get("/metrics").await.text().await.unwrap();
    for line in [
        "accord_upkeep_rows_total{task=\"usage\"} ",
        "accord_upkeep_duration_seconds_count{task=\"retention\"} ",
    ] {
        assert!(metrics.contains(line), "{line} is missing:\n{metrics}");
    }
    let lock = Lock::take(&other, "identity_expiry").await;
    let written: Result<u64, StoreError> = app.store.write(expired).await;
    written.unwrap();
    assert_eq!(sweep(&app.identity).await.unwrap(), 0);
    lock.release().await;
    assert_eq!(sweep(&app.identity).await.unwrap(), 1);
    assert_eq!(server.stop().await, Vec::<String>::new());
}
