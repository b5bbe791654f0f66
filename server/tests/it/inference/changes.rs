//! The keys that a service reads after a change.

use accord_server::inference::admission::snapshot::{CHANGED_KEYS, secrets_of_key};
use accord_server::inference::keys::rows::announce_change;
use accord_server::params;
use accord_server::store::{StoreError, Tx};

use super::client::{Manager, accepted};
use crate::harness::{Database, Server, both_databases, plan, run_with};

/// Adds copies of a key and its secrets, with ids before all others. Nobody knows their secrets.
/// `bytes` turns the text `{}` into bytes.
fn add_copies(tx: &mut Tx<'_>, id: &str, bytes: &str, copies: i64) -> Result<(), StoreError> {
    let numbers = "WITH RECURSIVE n (i) AS \
        (SELECT CAST(1000000001 AS BIGINT) UNION ALL SELECT i + 1 FROM n WHERE i < 1000000000 + $2)";
    let number = "CAST(i AS TEXT)";
    let keys = format!(
        "INSERT INTO inference_keys (id, region, compartment_id, display_name, name_order, \
         freeform_tags, defined_tags, version, created_at, updated_at) {numbers} \
         SELECT 'apikey.local.0000' || {number}, region, compartment_id, display_name, name_order, \
         freeform_tags, defined_tags, version, created_at, updated_at \
         FROM inference_keys, n WHERE id = $1"
    );
    let digest = format!("'the digest of the secret ' || position || {number}");
    let secrets = format!(
        "INSERT INTO inference_secrets (key_id, position, name, public_id, digest, mask, state, \
         created_at, expires_at, activated_at) {numbers} \
         SELECT 'apikey.local.0000' || {number}, position, name, public_id || {number}, {}, mask, \
         state, created_at, expires_at, activated_at FROM inference_secrets, n WHERE key_id = $1",
        bytes.replace("{}", &digest)
    );
    tx.execute(&keys, params![id, copies])?;
    tx.execute(&secrets, params![id, copies])?;
    announce_change(tx)
}

both_databases! {
    async fn all_keys_are_read_though_they_are_several_pages(server: Server) {
        let manager = Manager::of(&server).await;
        let keys = [manager.new_key().await, manager.new_key().await];
        for key in &keys {
            manager.set_state(key, "two", "ACTIVE").await.ok();
        }
        let bytes = match server.app().kernel.config.database_url().expose().starts_with("sqlite") {
            true => "CAST({} AS BLOB)",
            false => "convert_to({}, 'UTF8')",
        };
        for copies in [5_000, 7_499] {
            let id = keys[0].id.clone();
            server.write(move |tx| {
                tx.execute("DELETE FROM inference_secrets WHERE key_id LIKE '%.0000%'", &[])?;
                tx.execute("DELETE FROM inference_keys WHERE id LIKE '%.0000%'", &[])?;
                add_copies(tx, &id, bytes, copies)
            }).await;
            server.app().inference.admission.invalidate();
            for key in &keys {
                assert!(accepted(&server, &key.one).await, "{copies}");
                assert!(accepted(&server, &key.two).await, "{copies}");
            }
        }
    }

    async fn a_change_of_one_key_does_not_read_the_others(server: Server) {
        let manager = Manager::of(&server).await;
        let (changed, other) = (manager.new_key().await, manager.new_key().await);
        for key in [&changed, &other] {
            assert!(accepted(&server, &key.one).await);
        }
        // The service is not notified of this change.
        let id = other.id.clone();
        server.write(move |tx| {
            let sql = "UPDATE inference_secrets SET state = 'REVOKED', revoked_at = 1 WHERE key_id = $1";
            tx.execute(sql, params![&id])
        }).await;
        manager.set_state(&changed, "one", "DEACTIVATED").await.ok();
        assert!(!accepted(&server, &changed.one).await);
        assert!(accepted(&server, &other.one).await, "the other key was read");
        let created = manager.new_key().await;
        assert!(accepted(&server, &created.one).await);
        manager.delete(&created.id).await;
        assert!(!accepted(&server, &created.one).await);
        manager.set_state(&changed, "one", "ACTIVE").await.ok();
        assert!(accepted(&server, &changed.one).await);
        assert!(accepted(&server, &other.one).await, "the other key was read");
        // A change of policies, and any change by an earlier version of the program.
        server.write(announce_change).await;
        server.app().inference.admission.invalidate();
        assert!(!accepted(&server, &other.one).await);
        assert!(accepted(&server, &changed.one).await);
    }
}

#[test]
fn a_change_of_a_key_does_not_read_all_secrets() {
    run_with(async || {
        let server = Server::start(Database::Sqlite).await;
        for statement in [CHANGED_KEYS, &secrets_of_key()] {
            assert_eq!(plan::scans(&server, statement).await, [""; 0]);
        }
        server
    });
}

/// PostgreSQL plans a statement before it knows its values, so a join with the changed keys reads all
/// secrets.
#[tokio::test(flavor = "multi_thread")]
async fn a_change_of_a_key_reads_its_own_secrets_on_postgres() {
    let server = Server::start(Database::Postgres).await;
    let fill = |tx: &mut Tx<'_>| {
        tx.execute(
            "INSERT INTO inference_keys (id, region, compartment_id, display_name, name_order, \
             freeform_tags, defined_tags, version, created_at, updated_at) \
             SELECT 'apikey.' || n, 'local', 'compartment.demo', 'key', 'key', '{}', '{}', 1, n, n \
             FROM generate_series(1, 20000) AS n",
            &[],
        )?;
        tx.execute(
            "INSERT INTO inference_secrets (key_id, position, name, public_id, digest, mask, state, \
             created_at, expires_at) SELECT 'apikey.' || n, 0, 'one', 'p' || n, \
             convert_to('d' || n, 'UTF8'), 'm', 'REVOKED', 1, 2 FROM generate_series(1, 20000) AS n",
            &[],
        )?;
        tx.execute(
            "UPDATE inference_keys SET changed = 1 WHERE id = 'apikey.7'",
            &[],
        )?;
        Ok::<_, StoreError>(())
    };
    server.write(fill).await;
    let read = |tx: &mut Tx<'_>| {
        plan::counting(tx, "'inference_keys', 'inference_secrets'", |tx| {
            let keys = tx.query(CHANGED_KEYS, params![0])?;
            let secrets = tx.query(&secrets_of_key(), params!["apikey.7"])?;
            Ok::<_, StoreError>((keys.len(), secrets.len()))
        })
    };
    let (found, rows) = server.read(read).await;
    assert_eq!(found, (1, 1));
    assert!(rows < 20, "{rows} rows");
    assert_eq!(server.stop().await, Vec::<String>::new());
}
