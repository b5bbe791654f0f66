//! Records are deleted after the configured days.

use accord_server::accounts::demo::ADMINISTRATOR;
use accord_server::area::Area;
use accord_server::identity::throttle;
use accord_server::inference::keys::removal::REMOVED;
use accord_server::kernel::expiry;
use accord_server::params;
use accord_server::retention::delete_old;
use accord_server::store::{StoreError, Tx};
use chrono::TimeDelta;
use serde_json::Value;

use crate::harness::{Database, Server, plan, run_with};
use crate::inference::client::{COMPARTMENT, Manager, Reply};

/// Writes records of this age in days: mails in each state, a link, and usage.
async fn write(server: &Server, days: i64) {
    let at = server.app().clock.now() - TimeDelta::days(days);
    let write = move |tx: &mut Tx<'_>| {
        for (state, sent, dead) in [
            ("sent", Some(at), None),
            ("dead", None, Some(at)),
            ("waiting", None, None),
        ] {
            tx.execute(
                "INSERT INTO mail_outbox (id, kind, user_id, recipient, language, about, created_at, \
                 next_at, attempts, sent_at, dead_at) \
                 VALUES ($1, 'invited', $2, '', 'en', '{}', $3, $4, 0, $5, $6)",
                params![
                    format!("{state}-{days}"),
                    ADMINISTRATOR,
                    at,
                    i64::MAX,
                    sent,
                    dead
                ],
            )?;
        }
        tx.execute(
            "INSERT INTO password_tokens (token_mac, user_id, expires_at) VALUES ($1, $2, $3)",
            params![days.to_be_bytes().as_slice(), ADMINISTRATOR, at],
        )?;
        tx.execute(
            "INSERT INTO inference_usage (key_id, model, day, requests, errors, input_tokens, \
             output_tokens) VALUES ('key', 'model', $1, 1, 0, 1, 1)",
            params![at.format("%Y-%m-%d").to_string()],
        )
    };
    server.write(write).await;
}

/// The identifiers of the mails, and the number of links and of days with usage.
async fn records(server: &Server) -> (Vec<String>, i64, i64) {
    let read = |tx: &mut Tx<'_>| {
        let mails = tx.query("SELECT id FROM mail_outbox ORDER BY id", params![])?;
        let mails = mails
            .iter()
            .map(|row| row.get(0))
            .collect::<Result<_, _>>()?;
        let mut count = |sql| tx.query_integer(sql, params![]);
        let links = count("SELECT COUNT(*) FROM password_tokens")?;
        Ok((mails, links, count("SELECT COUNT(*) FROM inference_usage")?))
    };
    server.read(read).await
}

fn old_records_are_deleted_and_waiting_mail_stays(database: Database) {
    run_with(async || {
        let server = Server::start_with(database, |layer| {
            layer.retention.usage_days = Some(70);
        })
        .await;
        server.first_upkeep().await;
        for days in [1, 31, 71, 91] {
            write(&server, days).await;
        }
        delete_old(&server.app().kernel).await.unwrap();
        let (mails, links, usage) = records(&server).await;
        let kept = ["1", "31", "71"].map(|days| [format!("dead-{days}"), format!("sent-{days}")]);
        let waiting = ["1", "31", "71", "91"].map(|days| format!("waiting-{days}"));
        let mut expected = [kept.concat(), waiting.to_vec()].concat();
        expected.sort();
        assert_eq!(mails, expected);
        assert_eq!((links, usage), (1, 2));
        assert_eq!(delete_old(&server.app().kernel).await.unwrap(), 0);
        server
    });
}

#[test]
fn old_records_are_deleted_and_waiting_mail_stays_on_sqlite() {
    old_records_are_deleted_and_waiting_mail_stays(Database::Sqlite);
}

#[test]
fn old_records_are_deleted_and_waiting_mail_stays_on_postgres() {
    old_records_are_deleted_and_waiting_mail_stays(Database::Postgres);
}

/// The ids of the deleted keys that the service lists.
async fn deleted_keys(manager: &Manager) -> Vec<Value> {
    let query = format!("?compartmentId={COMPARTMENT}&lifecycleState=DELETED");
    let page = manager.get(&query).await.ok();
    let keys = page["items"].as_array().unwrap();
    keys.iter().map(|key| key["id"].clone()).collect()
}

/// The first column of the first row.
async fn number(server: &Server, sql: &'static str) -> i64 {
    let read = move |tx: &mut Tx<'_>| tx.query_integer(sql, params![]);
    let store = &server.app().store;
    store.read::<_, StoreError, _>(read).await.unwrap()
}

fn deleted_keys_are_removed_and_usage_stays_accountable(database: Database) {
    run_with(async || {
        let server = Server::start(database).await;
        let kernel = &server.app().kernel;
        let manager = Manager::of(&server).await;
        let (used, unused) = (manager.new_key().await, manager.new_key().await);
        let present = manager.new_key().await;
        let today = server.app().clock.now().format("%Y-%m-%d").to_string();
        let (id, day) = (used.id.clone(), today.clone());
        let write = move |tx: &mut Tx<'_>| {
            tx.execute(
                "INSERT INTO inference_usage (key_id, model, day, requests, errors, input_tokens, \
                 output_tokens) VALUES ($1, 'model', $2, 1, 0, 1, 1)",
                params![id.clone(), day.clone()],
            )
        };
        let store = &server.app().store;
        store.write::<_, StoreError, _>(write).await.unwrap();
        for key in [&used, &unused] {
            assert_eq!(manager.delete(&key.id).await.status, 204);
        }
        server.first_upkeep().await;
        server.advance(89 * 86_400);
        assert_eq!(delete_old(kernel).await.unwrap(), 0);
        let manager = Manager::of(&server).await;
        assert_eq!(deleted_keys(&manager).await.len(), 2);

        server.advance(2 * 86_400);
        let manager = Manager::of(&server).await;
        let of_all_keys = "SELECT count - keyed FROM inference_changes";
        let changes = number(&server, of_all_keys).await;
        let secrets = number(&server, "SELECT COUNT(*) FROM inference_secrets").await;
        assert_eq!(delete_old(kernel).await.unwrap(), 1);
        assert_eq!(deleted_keys(&manager).await, [used.id.as_str()]);
        assert_eq!(manager.get(&format!("/{}", unused.id)).await.status, 404);
        assert_eq!(manager.get(&format!("/{}", present.id)).await.status, 200);
        let rest = number(&server, "SELECT COUNT(*) FROM inference_secrets").await;
        assert_eq!(rest, secrets - 2);
        // Replicas read all keys again: one that missed the deletion finds no changed key.
        assert_eq!(number(&server, of_all_keys).await, changes + 1);
        let usage = format!(
            "{}/20231130/usage?compartmentId={COMPARTMENT}&firstDay={today}",
            server.area(Area::Inference)
        );
        let usage = server.http().get(usage).bearer_auth(&manager.token);
        let usage = Reply::of(usage).await.ok();
        assert_eq!(usage["items"][0]["apiKeyId"], used.id.as_str(), "{usage}");

        // The key goes with its usage.
        let delete = |tx: &mut Tx<'_>| tx.execute("DELETE FROM inference_usage", params![]);
        store.write::<_, StoreError, _>(delete).await.unwrap();
        assert_eq!(delete_old(kernel).await.unwrap(), 1);
        assert_eq!(deleted_keys(&manager).await, [""; 0]);
        server
    });
}

#[test]
fn deleted_keys_are_removed_and_usage_stays_accountable_on_sqlite() {
    deleted_keys_are_removed_and_usage_stays_accountable(Database::Sqlite);
}

#[test]
fn deleted_keys_are_removed_and_usage_stays_accountable_on_postgres() {
    deleted_keys_are_removed_and_usage_stays_accountable(Database::Postgres);
}

#[test]
fn deleted_keys_stay_if_no_days_are_configured() {
    run_with(async || {
        let server = Server::start_with(Database::Sqlite, |layer| {
            layer.retention.deleted_keys_days = Some(0);
        })
        .await;
        let manager = Manager::of(&server).await;
        let key = manager.new_key().await;
        assert_eq!(manager.delete(&key.id).await.status, 204);
        server.advance(1000 * 86_400);
        delete_old(&server.app().kernel).await.unwrap();
        let manager = Manager::of(&server).await;
        assert_eq!(deleted_keys(&manager).await, [key.id.as_str()]);
        server
    });
}

/// The tables whose rows expire and stay, and those of the signing keys, which are few.
const KEPT: [&str; 2] = ["inference_secrets", "signing_keys"];

#[test]
fn no_deletion_by_age_reads_a_whole_table() {
    run_with(async || {
        let server = Server::start(Database::Sqlite).await;
        let tables = |tx: &mut Tx<'_>| {
            let sql = "SELECT m.name FROM sqlite_master m, pragma_table_info(m.name) c \
                 WHERE m.type = 'table' AND c.name = 'expires_at'";
            let tables = tx.query(sql, params![])?;
            tables.iter().map(|row| row.get(0)).collect()
        };
        let tables: Vec<String> = server.read(tables).await;
        assert!(tables.len() > 8, "{tables:?}");
        let expiring = tables
            .iter()
            .filter(|table| !KEPT.contains(&table.as_str()));
        let mut statements: Vec<_> = expiring
            .map(|table| expiry::statement(table, "rowid", "expires_at"))
            .collect();
        statements.extend([
            expiry::statement("idempotency_keys", "rowid", "created_at"),
            expiry::statement("inference_retries", "rowid", "created_at"),
            expiry::statement("inference_usage", "rowid", "day"),
            expiry::statement("mail_outbox", "rowid", "created_at"),
            expiry::statement("device_quotas", "rowid", "full_at"),
            throttle::SWEEP.to_owned(),
            format!("DELETE FROM inference_keys WHERE id IN ({REMOVED})"),
            format!("DELETE FROM inference_secrets WHERE key_id IN ({REMOVED})"),
        ]);
        for statement in statements {
            let scans = plan::scans(&server, &statement).await;
            assert_eq!(scans, [""; 0], "{statement}");
        }
        server
    });
}
