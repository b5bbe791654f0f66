//! The store's own promises, on both databases.

use accord_server::params;
use accord_server::store::{Constraint, PoolOptions, Store, StoreError, Tx, missing_migrations};

use crate::harness::postgres::fresh_database_with_tls;
use crate::harness::{Database, Server, both_databases};

fn set(tx: &mut Tx<'_>, name: &str, value: &str) -> Result<(), StoreError> {
    tx.execute(
        "INSERT INTO meta (value, name) VALUES ($2, $1) \
         ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        params![name, value],
    )?;
    Ok(())
}

async fn get(store: &Store, name: &'static str) -> Option<String> {
    let read = store.read(move |tx| {
        let row = tx.query_opt("SELECT value FROM meta WHERE name = $1", params![name])?;
        row.map(|row| row.get(0)).transpose()
    });
    read.await
        .unwrap_or_else(|error: StoreError| panic!("{error}"))
}

fn is_duplicate(error: &StoreError) -> bool {
    matches!(
        error,
        StoreError::Constraint {
            kind: Constraint::Unique,
            ..
        }
    )
}

both_databases! {
    async fn what_is_written_is_read(server: Server) {
        let store = &server.app().store;
        store.write(|tx| set(tx, "a", "1")).await.unwrap();
        assert_eq!(get(store, "a").await.as_deref(), Some("1"));
        assert_eq!(get(store, "b").await, None);
    }

    async fn bytes_nulls_and_numbers_come_back_as_they_were(server: Server) {
        let store = &server.app().store;
        let row = store.write(|tx| {
            tx.execute("CREATE TABLE t (n BIGINT, o BIGINT, s TEXT)", &[])?;
            tx.execute(
                "INSERT INTO t (n, o, s) VALUES ($1, $2, $3)",
                params![i64::MIN, None::<i64>, "ü€😀"],
            )?;
            tx.query_opt("SELECT n, o, s, COUNT(*), CAST(SUM(n) AS BIGINT) FROM t GROUP BY n, o, s", &[])
        });
        let row = row.await.unwrap_or_else(|error: StoreError| panic!("{error}")).unwrap();
        assert_eq!(row.get::<i64>(0).unwrap(), i64::MIN);
        assert_eq!(row.get::<Option<i64>>(1).unwrap(), None);
        assert_eq!(row.get::<String>(2).unwrap(), "ü€😀");
        assert_eq!(row.get::<i64>(3).unwrap(), 1);
        assert_eq!(row.get::<i64>(4).unwrap(), i64::MIN);
    }

    async fn a_transaction_that_returns_an_error_leaves_nothing(server: Server) {
        let store = &server.app().store;
        let result: Result<(), StoreError> = store.write(|tx| {
            set(tx, "a", "1")?;
            Err(StoreError::Closed)
        }).await;
        assert!(matches!(result, Err(StoreError::Closed)));
        assert_eq!(get(store, "a").await, None);
    }

    async fn a_transaction_that_panics_leaves_nothing_and_harms_nobody(server: Server) {
        let store = &server.app().store;
        let result: Result<(), StoreError> = store.write(|tx| {
            set(tx, "a", "1")?;
            panic!("on purpose")
        }).await;
        assert!(matches!(result, Err(StoreError::Panicked)));
        assert_eq!(get(store, "a").await, None);
        store.write(|tx| set(tx, "b", "1")).await.unwrap();
    }

    async fn a_statement_that_fails_dooms_its_transaction(server: Server) {
        let store = &server.app().store;
        let result: Result<(), StoreError> = store.write(|tx| {
            set(tx, "a", "1")?;
            let duplicate = tx.execute("INSERT INTO meta (name, value) VALUES ('a', '2')", &[]);
            assert!(is_duplicate(&duplicate.unwrap_err()));
            assert!(matches!(set(tx, "b", "1"), Err(StoreError::Aborted)));
            Ok(())
        }).await;
        assert!(matches!(result, Err(StoreError::Aborted)));
        assert_eq!(get(store, "a").await, None);
    }

    async fn a_reader_cannot_write(server: Server) {
        let store = &server.app().store;
        let result = store.read(|tx| set(tx, "a", "1")).await;
        assert!(matches!(result, Err(StoreError::Statement(_))), "{result:?}");
    }

    async fn read_one_runs_one_statement_and_changes_nothing(server: Server) {
        let store = &server.app().store;
        store.write(|tx| set(tx, "a", "1")).await.unwrap();
        let one = |tx: &mut Tx<'_>| tx.query("SELECT value FROM meta WHERE name = 'a'", &[]);
        let rows: Result<_, StoreError> = store.read_one(one).await;
        assert_eq!(rows.unwrap()[0].get::<String>(0).unwrap(), "1");
        let two: Result<_, StoreError> = store.read_one(move |tx| {
            one(tx)?;
            one(tx)
        }).await;
        let message = two.unwrap_err().to_string();
        assert!(message.contains("read_one runs only one statement"), "{message}");
        let written: Result<(), StoreError> = store.read_one(|tx| set(tx, "a", "2")).await;
        assert!(written.is_err());
        let added: Result<(), StoreError> = store.read_one(|tx| {
            tx.add("DELETE FROM meta WHERE name = 'a'", &[])
        }).await;
        assert!(added.is_err());
        assert_eq!(get(store, "a").await.as_deref(), Some("1"));
    }

    async fn a_read_sees_one_state_throughout(server: Server) {
        let store = server.app().store.clone();
        store.write(|tx| set(tx, "a", "1")).await.unwrap();
        let (in_read, other) = (store.clone(), tokio::runtime::Handle::current());
        let (before, after) = store.read(move |tx| {
            let mut value = || tx.query("SELECT value FROM meta WHERE name = 'a'", &[]);
            let before = value()?;
            other.block_on(in_read.write(|tx| set(tx, "a", "2")))?;
            Ok::<_, StoreError>((before, value()?))
        }).await.unwrap();
        assert_eq!(before, after);
        assert_eq!(get(&store, "a").await.as_deref(), Some("2"));
    }

    async fn concurrent_transactions_happen_one_after_the_other(server: Server) {
        let store = &server.app().store;
        store.write(|tx| set(tx, "count", "0")).await.unwrap();
        let increments = (0..40).map(|_| store.write(|tx| {
            let row = tx.query_opt("SELECT value FROM meta WHERE name = 'count'", &[])?;
            let count: i64 = row.unwrap().get::<String>(0)?.parse().unwrap();
            set(tx, "count", &(count + 1).to_string())
        }));
        for result in futures::future::join_all(increments).await {
            result.unwrap();
        }
        assert_eq!(get(store, "count").await.as_deref(), Some("40"));
    }

    async fn concurrent_writers_of_one_row_lose_nothing_at_a_snapshot(server: Server) {
        let store = &server.app().store;
        store.write(|tx| set(tx, "count", "0")).await.unwrap();
        let increments = (0..40).map(|_| store.write_snapshot(|tx| {
            let row = tx.query_opt("SELECT value FROM meta WHERE name = 'count'", &[])?;
            let count: i64 = row.unwrap().get::<String>(0)?.parse().unwrap();
            tx.add("UPDATE meta SET value = $1 WHERE name = 'count'", params![(count + 1).to_string()])
        }));
        for result in futures::future::join_all(increments).await {
            result.unwrap_or_else(|error: StoreError| panic!("{error}"));
        }
        assert_eq!(get(store, "count").await.as_deref(), Some("40"));
    }

    async fn of_those_that_write_one_key_at_a_snapshot_one_does(server: Server) {
        let store = &server.app().store;
        let writers = (0..16).map(|number| store.write_snapshot(move |tx| {
            let known = tx.query_opt("SELECT value FROM meta WHERE name = 'key'", &[])?;
            if known.is_some() {
                return Ok(0);
            }
            let value = params![number.to_string()].to_vec();
            tx.execute(
                "INSERT INTO meta (name, value) VALUES ('key', $1) ON CONFLICT (name) DO NOTHING",
                &value,
            )
        }));
        let written = futures::future::join_all(writers).await.into_iter();
        let written: u64 = written.map(|one: Result<_, StoreError>| one.unwrap()).sum();
        assert_eq!(written, 1);
    }

    async fn what_is_added_happens_in_its_order(server: Server) {
        let store = &server.app().store;
        let seen = store.write(|tx| {
            // More than are sent at once.
            for number in 0..100_i64 {
                tx.add(
                    "INSERT INTO meta (name, value) VALUES ($1, $2)",
                    params![format!("n{number}"), number.to_string()],
                )?;
            }
            tx.add("UPDATE meta SET value = 'last' WHERE name = 'n99'", &[])?;
            let seen = tx.query("SELECT value FROM meta WHERE name LIKE 'n%'", &[])?.len();
            tx.add("DELETE FROM meta WHERE name = 'n0'", &[])?;
            Ok::<_, StoreError>(seen)
        }).await.unwrap();
        assert_eq!(seen, 100);
        assert_eq!(get(store, "n0").await, None);
        assert_eq!(get(store, "n1").await.as_deref(), Some("1"));
        assert_eq!(get(store, "n99").await.as_deref(), Some("last"));
    }

    async fn what_is_added_and_fails_takes_all_of_its_transaction_with_it(server: Server) {
        let store = &server.app().store;
        store.write(|tx| set(tx, "a", "1")).await.unwrap();
        for write in [false, true] {
            let add = |tx: &mut Tx<'_>| {
                tx.add("INSERT INTO meta (name, value) VALUES ('b', '1')", &[])?;
                tx.add("INSERT INTO meta (name, value) VALUES ('a', '2')", &[])?;
                for number in 0..40_i64 {
                    let name = params![format!("n{number}")].to_vec();
                    tx.add("INSERT INTO meta (name, value) VALUES ($1, '1')", &name)?;
                }
                tx.add("INSERT INTO meta (name, value) VALUES ('c', '1')", &[])
            };
            let result: Result<(), StoreError> = match write {
                true => store.write(add).await,
                false => store.write_snapshot(add).await,
            };
            assert!(is_duplicate(&result.unwrap_err()));
            for name in ["b", "c", "n0"] {
                assert_eq!(get(store, name).await, None);
            }
            store.write(|tx| set(tx, "a", "1")).await.unwrap();
        }
    }

    async fn sequences_count_without_gaps_under_contention(server: Server) {
        let store = &server.app().store;
        let ids = (0..20).map(|_| store.write(|tx| tx.next_id("test")));
        let mut ids: Vec<i64> = futures::future::join_all(ids).await
            .into_iter().map(|id: Result<_, StoreError>| id.unwrap()).collect();
        ids.sort();
        assert_eq!(ids, (1..=20).collect::<Vec<_>>());
    }

    async fn what_postgresql_cannot_hold_is_refused_by_both(server: Server) {
        let result = server.app().store.write(|tx| set(tx, "a", "x\0y")).await;
        assert!(matches!(result, Err(StoreError::Nul)), "{result:?}");
    }

    async fn a_wrong_number_of_parameters_is_an_error_on_both(server: Server) {
        let store = &server.app().store;
        let result = store.read(|tx| tx.query("SELECT $1", params!["a", "b"])).await;
        assert!(matches!(result, Err(StoreError::Statement(_))), "{result:?}");
    }

    async fn a_store_is_opened_twice_without_migrating_twice(server: Server) {
        let url = server.app().config.database_url();
        let opened = (0..4).map(|_| Store::open(url.expose()));
        for store in futures::future::join_all(opened).await {
            store.unwrap().ping().await.unwrap();
        }
    }

    async fn tokens_are_found_by_their_approval_through_an_index(server: Server) {
        let is_sqlite = server.app().config.database_url().expose().starts_with("sqlite:");
        let all = match is_sqlite {
            true => "SELECT name FROM sqlite_master WHERE type = 'index'",
            false => "SELECT CAST(indexname AS TEXT) FROM pg_indexes",
        };
        let read = server.app().store.read(move |tx| {
            let rows = tx.query(all, &[])?;
            rows.iter().map(|row| row.get::<String>(0)).collect::<Result<Vec<_>, _>>()
        });
        let names: Result<Vec<String>, StoreError> = read.await;
        let names = names.unwrap();
        for name in ["access_tokens_by_approval", "refresh_tokens_by_approval"] {
            assert!(names.iter().any(|one| one == name), "{name}: {names:?}");
        }
    }

    async fn a_migration_that_was_changed_is_named(server: Server) {
        let store = &server.app().store;
        store.write(|tx| tx.execute("UPDATE migrations SET checksum = 'x' WHERE version = 1", &[]))
            .await.unwrap_or_else(|error: StoreError| panic!("{error}"));
        let Err(error) = Store::open(server.app().config.database_url().expose()).await else {
            panic!("opened");
        };
        assert!(error.to_string().starts_with("migration 0001_core: "), "{error}");
    }

    async fn a_database_of_a_newer_version_is_not_opened(server: Server) {
        server.write(|tx| {
            let later = "INSERT INTO migrations (version, name, checksum) VALUES (9999, '9999_later', 'x')";
            tx.execute(later, &[])
        }).await;
        let url = server.app().config.database_url();
        let opened = Store::open(url.expose()).await.map(drop);
        let planned = missing_migrations(url.expose(), &PoolOptions::default()).await.map(drop);
        for refused in [opened, planned] {
            let error = refused.unwrap_err().to_string();
            assert!(error.contains("9999_later") && error.contains("a newer version"), "{error}");
        }
    }
}

#[tokio::test]
async fn a_connection_to_postgresql_is_encrypted_and_its_certificate_checked() {
    let made = tokio::task::spawn_blocking(fresh_database_with_tls).await;
    let (database, certificate) = made.unwrap();
    let url = database.url();
    let trusted = format!(
        "{url}?sslmode=verify-full&sslrootcert={}",
        certificate.display()
    );
    let store = Store::open(&trusted).await.unwrap();
    let encrypted = store
        .read(|tx| {
            let row = tx.query_opt(
                "SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()",
                &[],
            )?;
            row.unwrap().get::<bool>(0)
        })
        .await
        .unwrap_or_else(|error: StoreError| panic!("{error}"));
    assert!(encrypted);
    // Nobody vouches for it, or it is somebody else's.
    let elsewhere = trusted.replace("@localhost:", "@127.0.0.1:");
    for refused in [format!("{url}?sslmode=require"), elsewhere] {
        let error = Store::open(&refused).await.map(drop).unwrap_err();
        assert!(error.to_string().contains("certificate"), "{error}");
    }
}

#[tokio::test]
async fn an_address_that_is_none_is_refused_without_repeating_it() {
    let Err(error) = Store::open("mysql://user:secret@host/db").await else {
        panic!("opened");
    };
    assert!(!error.to_string().contains("secret"), "{error}");
}

#[tokio::test]
async fn a_database_that_is_not_there_is_named() {
    let Err(error) = Store::open("postgres://nobody@127.0.0.1:9/none").await else {
        panic!("opened");
    };
    assert!(matches!(error, StoreError::Unavailable(_)), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn statements_of_long_ago_do_not_stay_prepared() {
    let server = Server::start(Database::Postgres).await;
    let prepared = server.app().store.read(|tx| {
        // As many texts as a caller can make, and one that is used again and again.
        for number in 0..600 {
            tx.query(&format!("SELECT {number}"), &[])?;
            tx.query("SELECT 'often'", &[])?;
        }
        let often =
            "SELECT COUNT(*), COUNT(*) FILTER (WHERE statement = $1) FROM pg_prepared_statements";
        let row = tx
            .query_opt(often, params!["SELECT 'often'"])?
            .expect("one row");
        Ok((row.get::<i64>(0)?, row.get::<i64>(1)?))
    });
    let prepared: Result<_, StoreError> = prepared.await;
    let (all, often) = prepared.unwrap();
    // One more may be on its way out.
    assert!((200..=257).contains(&all), "{all}");
    assert_eq!(often, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_transaction_runs_again_when_postgres_has_no_memory_for_its_locks() {
    let server = Server::start(Database::Postgres).await;
    let store = &server.app().store;
    let create = |tx: &mut Tx<'_>| tx.execute("CREATE SEQUENCE attempts", &[]).map(drop);
    let created: Result<(), StoreError> = store.write(create).await;
    created.unwrap();
    let raise = "DO $$ BEGIN IF nextval('attempts') < 3 THEN \
        RAISE EXCEPTION SQLSTATE '53200'; END IF; END $$";
    let written = store.write(move |tx| tx.execute(raise, &[]).map(drop));
    let written: Result<(), StoreError> = written.await;
    written.unwrap();
    let attempts = store.read(|tx| {
        let row = tx.query_opt("SELECT last_value FROM attempts", &[])?;
        row.expect("one row").get::<i64>(0)
    });
    let attempts: Result<i64, StoreError> = attempts.await;
    assert_eq!(attempts.unwrap(), 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_postgres_without_resources_or_disk_space_is_unavailable() {
    let server = Server::start(Database::Postgres).await;
    let store = &server.app().store;
    for code in ["53000", "53100"] {
        let raise = format!("DO $$ BEGIN RAISE EXCEPTION SQLSTATE '{code}'; END $$");
        let failed = store.write(move |tx| tx.execute(&raise, &[]).map(drop));
        let error: StoreError = failed.await.unwrap_err();
        assert!(matches!(error, StoreError::Unavailable(_)), "{error}");
        assert!(error.to_string().contains(code), "{error}");
        assert!(get(store, "a").await.is_none());
    }
}
