//! The gauges of backlogs and ages in `/metrics`.

use std::time::{Duration, Instant};

use accord_server::config::mail::Security;
use accord_server::params;
use accord_server::store::Tx;
use reqwest::Method;
use serde_json::json;

use crate::harness::{Database, Server, both_databases};
use crate::identity::client::{Device, post};
use crate::inference::client::{Manager, call, chat};
use crate::inference::fake::{Fake, model, serving};

/// The value of a gauge. `None` before its first value.
async fn gauge(server: &Server, name: &str) -> Option<f64> {
    let metrics = server.get("/metrics").await.text().await.unwrap();
    let line = metrics.lines().find_map(|line| line.strip_prefix(name));
    line.map(|value| value.trim().parse().unwrap())
}

/// Waits until the value of a gauge is right.
async fn until(server: &Server, name: &str, is_right: impl Fn(f64) -> bool) {
    let deadline = Instant::now() + Duration::from_secs(60);
    loop {
        let value = gauge(server, name).await;
        if value.is_some_and(&is_right) {
            return;
        }
        assert!(Instant::now() < deadline, "{name} is {value:?}");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

async fn write(server: &Server, sql: &'static str) {
    let statement = move |tx: &mut Tx<'_>| tx.execute(sql, params![]).map(drop);
    server.write(statement).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_version_is_a_label_of_the_build() {
    let server = Server::start(Database::Sqlite).await;
    let name = concat!(
        "accord_build_info{version=\"",
        env!("CARGO_PKG_VERSION"),
        "\"}"
    );
    assert_eq!(gauge(&server, name).await, Some(1.0));
    assert_eq!(server.stop().await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn jobs_that_wait_for_the_writer_are_counted_and_timed() {
    let server = Server::start(Database::Sqlite).await;
    let (jobs, age, busy) = (
        "accord_store_waiting_jobs{queue=\"writes\"}",
        "accord_store_waiting_seconds{queue=\"writes\"}",
        "accord_store_busy_connections{queue=\"writes\"}",
    );
    let file = server.app().config.server.data_dir.join("accord.db");
    let other = rusqlite::Connection::open(file).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let mut waiting = Vec::new();
    for _ in 0..5 {
        let server = server.clone();
        waiting.push(tokio::spawn(async move {
            let form = [("client_id", "accord-cli")];
            post(&server, "/oauth2/v1/device", &form).await.status
        }));
    }
    until(&server, jobs, |value| value >= 2.0).await;
    until(&server, age, |value| value > 0.5).await;
    until(&server, busy, |value| value == 1.0).await;
    other.execute_batch("ROLLBACK").unwrap();
    for answer in waiting {
        answer.await.unwrap();
    }
    until(&server, jobs, |value| value == 0.0).await;
    until(&server, age, |value| value == 0.0).await;
    until(&server, busy, |value| value == 0.0).await;
    assert_eq!(server.stop().await, Vec::<String>::new());
}

/// Creations count the keys of their tenancy, so two at once conflict, and one of them is repeated.
#[tokio::test(flavor = "multi_thread")]
async fn creations_of_keys_are_not_repeated_on_postgresql() {
    let server = Server::start(Database::Postgres).await;
    let repeats = "accord_store_repeated_transactions_total{queue=\"all\"}";
    let manager = Manager::of(&server).await;
    let mut repeated = Vec::new();
    // Work of other kinds may conflict now and then, most on a busy machine.
    while repeated.len() < 10 && repeated.iter().all(|count| *count >= 10.0) {
        let before = gauge(&server, repeats).await.unwrap();
        futures::future::join_all((0..30).map(|_| manager.new_key())).await;
        repeated.push(gauge(&server, repeats).await.unwrap() - before);
    }
    assert!(
        repeated.iter().any(|count| *count < 10.0),
        "{repeated:?} repeats"
    );
    assert_eq!(server.stop().await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn streams_are_counted_while_they_are_open() {
    let fake = Fake::start(async |mut exchange| {
        exchange.begin_stream().await;
        let event = json!({
            "id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m",
            "choices": [{"index": 0, "delta": {"content": "a"}, "finish_reason": null}],
        });
        exchange.piece(&format!("data: {event}\n\n")).await;
        exchange.gone().await;
    })
    .await;
    let server = fake.behind().await;
    let open = "accord_open_streams{gen_ai_operation_name=\"chat\",gen_ai_provider_name=\"acme inc\",\
                gen_ai_request_model=\"acme.chat\",openai_api_type=\"chat_completions\"} ";
    until(&server, open, |value| value == 0.0).await;
    let key = Manager::of(&server).await.new_key().await;
    let begin = async || {
        let body = json!({
            "model": "acme.chat", "stream": true,
            "messages": [{"role": "user", "content": "hello"}],
        });
        let request = call(&server, &key.one, Method::POST, "/chat/completions");
        request.json(&body).send().await.unwrap()
    };
    let first = begin().await;
    let second = begin().await;
    until(&server, open, |value| value == 2.0).await;
    drop(first);
    until(&server, open, |value| value == 1.0).await;
    drop(second);
    until(&server, open, |value| value == 0.0).await;
    // A call without a stream does not count.
    chat(&server, &key.one, "accord.echo").await.ok();
    assert_eq!(gauge(&server, open).await, Some(0.0));
    assert_eq!(server.stop().await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn mails_that_wait_are_counted_and_timed() {
    let server = Server::start_with(Database::Sqlite, |layer| {
        // No mail server listens on this port.
        layer.mail.host = Some("127.0.0.1".into());
        layer.mail.port = Some(9);
        layer.mail.security = Some(Security::None);
        layer.mail.from = Some("Accord of North <accord@north.example>".into());
    })
    .await;
    until(&server, "accord_mails_waiting ", |value| value == 0.0).await;
    let token = server
        .token(
            accord_server::accounts::demo::ADMINISTRATOR,
            "accounts.write",
        )
        .await;
    let account = json!({
        "hubUser": {
            "emailAddress": "mira@north.example", "firstName": "Mira", "lastName": "Lund",
            "language": "en", "hubOrganizationId": 3104, "setPassword": true,
        },
        "collabUsers": [{"appInstanceId": 72, "collabOrganizationId": 5202, "projectIds": ["QUAY-7"]}],
    });
    let request = server
        .http()
        .post(server.url("/api/user"))
        .bearer_auth(token);
    assert_eq!(request.json(&account).send().await.unwrap().status(), 200);
    until(&server, "accord_mails_waiting ", |value| value >= 1.0).await;
    server.advance(600);
    until(&server, "accord_mails_waiting_seconds ", |value| {
        value >= 600.0
    })
    .await;
    write(&server, "UPDATE mail_outbox SET dead_at = 1").await;
    until(&server, "accord_mails_waiting ", |value| value == 0.0).await;
    assert_eq!(server.stop().await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_server_that_is_down_and_the_age_of_the_snapshot_are_visible() {
    // No model server listens on this port.
    let down = model(json!({
        "name": "acme.down", "family": "acme", "created": "2026-01-01T00:00:00Z",
        "url": "http://127.0.0.1:9/v1", "retries": 0,
    }));
    let server = serving(vec![down]).await;
    let open = "accord_upstream_circuit_open{gen_ai_request_model=\"acme.down\",region=\"local\",\
                server_address=\"http://127.0.0.1:9/v1\"} ";
    until(&server, open, |value| value == 0.0).await;
    let key = Manager::of(&server).await.new_key().await;
    for _ in 0..20 {
        let status = chat(&server, &key.one, "acme.down").await.status;
        assert!(status >= 500, "{status}");
    }
    until(&server, open, |value| value == 1.0).await;
    until(&server, "accord_snapshot_age_seconds ", |value| value < 5.0).await;
    assert_eq!(server.stop().await, Vec::<String>::new());
}

both_databases! {
    async fn events_without_a_seal_are_counted_unless_they_are_new(server: Server) {
        let name = "accord_audit_unsealed_events ";
        until(&server, name, |value| value == 0.0).await;
        // The service does not seal an event that it has not recorded. Of these, one is old, one is new,
        // and one claims to be of the future.
        let new = chrono::Utc::now().timestamp_millis() + 30_000;
        let forge = move |tx: &mut Tx<'_>| {
            let sql = "INSERT INTO audit_trail (id, at, actor, action, subject, origin, detail, seal) \
                       VALUES ($1, $2, 'operator:nobody', 'forged', '', '', '', $3)";
            let events = [(0u8, 0), (1, new), (2, i64::MAX)];
            events.into_iter().try_for_each(|(id, at)| {
                tx.execute(sql, params![[id; 16], at, [1u8; 36]]).map(drop)
            })
        };
        server.write(forge).await;
        until(&server, name, |value| value == 2.0).await;
        server.advance(120);
        until(&server, name, |value| value == 3.0).await;
    }

    async fn the_age_of_the_signing_key_follows_the_clock_and_falls_with_a_newer_key(server: Server) {
        let name = "accord_signing_key_age_seconds ";
        Device::ask(&server, "").await;
        server.advance(86_400);
        until(&server, name, |value| value > 80_000.0).await;
        // A new key has the time of the machine, a day before the clock of the service.
        let day = 86_400_000;
        let renew = move |tx: &mut Tx<'_>| tx.execute(
            "UPDATE signing_keys SET created_at = created_at + $1",
            params![day],
        );
        server.write(renew).await;
        until(&server, name, |value| value < 80_000.0).await;
    }
}
