//! Policies that are too large, or fail when they are evaluated.

use accord_server::inference::admission::policies::statement::{self, Statement};
use accord_server::inference::admission::usage::Line;
use accord_server::inference::keys::rows::announce_change;
use accord_server::store::StoreError;

use super::client::{Manager, Reply, call, chat};
use crate::harness::{Server, both_databases};

/// Writes a policy as if a command had accepted it.
async fn insert(server: &Server, id: &str, text: String) {
    let statement = Statement {
        id: id.into(),
        text,
    };
    let now = server.app().clock.now();
    let written = server.app().store.write(move |tx| {
        statement::insert(tx, &statement, now)?;
        announce_change(tx)
    });
    let outcome: Result<(), StoreError> = written.await;
    outcome.unwrap();
    server.app().inference.admission.invalidate();
}

const OVERFLOW: &str = "(principal, action, resource) when { 9223372036854775807 + 1 == 2 };";

both_databases! {
    async fn a_policy_that_fails_denies_what_it_is_about_and_nothing_else(server: Server) {
        let key = Manager::of(&server).await.new_key().await;
        let deep = format!("{}true{}", "(".repeat(5_000), ")".repeat(5_000));
        insert(&server, "p.deep", format!("permit (principal, action, resource) when {{ {deep} }};")).await;
        insert(&server, "p.overflow", format!("permit {OVERFLOW}")).await;
        chat(&server, &key.one, "accord.echo").await.ok();
        let about = "forbid (principal, action, resource == Model::\"meta.echo\")";
        let condition = "when { 9223372036854775807 + 1 == 2 };";
        insert(&server, "p.meta", format!("{about} {condition}")).await;
        chat(&server, &key.one, "accord.echo").await.ok();
        let denied = chat(&server, &key.one, "meta.echo").await;
        denied.is_inference(403, "invalid_request_error", "policy_failed");
        let metrics = server.http().get(server.url("/metrics")).send().await.unwrap();
        let metrics = metrics.text().await.unwrap();
        assert!(metrics.contains("accord_policy_failures_total 1\n"), "{metrics}");
        // What cannot be read and may forbid denies everything, and says so.
        insert(&server, "p.forbid", format!("forbid (principal, action, resource) when {{ {deep} }};")).await;
        let denied = chat(&server, &key.one, "accord.echo").await;
        denied.is_inference(403, "invalid_request_error", "policy_failed");
        let models = Reply::of(call(&server, &key.one, reqwest::Method::GET, "/models")).await.ok();
        assert_eq!(models["data"], serde_json::json!([]));
    }

    async fn a_row_that_cannot_be_written_stops_no_other(server: Server) {
        let key = Manager::of(&server).await.new_key().await;
        chat(&server, &key.one, "accord.echo").await.ok();
        let app = server.app();
        let day = app.clock.now().date_naive();
        let ledger = &app.inference.admission.ledger;
        let bad = Line { key_id: "a\0b".into(), model: "m".into(), day };
        let counts = accord_server::inference::admission::usage::Counts {
            requests: 1,
            ..Default::default()
        };
        ledger.add(&bad, counts);
        let written = ledger.write(&app.store, app.clock.now(), &[], &[]).await;
        written.expect("the other rows are written");
        assert!(ledger.is_empty());
        let lines = app.store.read(move |tx| accord_server::inference::admission::usage::read(tx, day));
        let lines: Result<_, StoreError> = lines.await;
        let lines = lines.unwrap();
        assert!(lines.iter().any(|(line, counts)| line.key_id == key.id && counts.requests == 1), "{lines:?}");
    }
}
