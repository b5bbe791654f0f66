//! Old events are pruned behind an anchor, and the rest is still verified.

use accord_server::audit::{self, Anchor, Broken, Filter, Head, Verified, VerifyError};
use accord_server::params;
use accord_server::retention::prune_trail;
use accord_server::store::{StoreError, Tx};
use chrono::{DateTime, Utc};

use super::{list, record, tamper, trail};
use crate::harness::commands::{fail, json, succeed};
use crate::harness::{Database, Server, both_databases, run_with};

/// A time after the events of [`record`], and before all others.
fn end() -> DateTime<Utc> {
    DateTime::from_timestamp_millis(2).unwrap()
}

async fn prune(server: &Server) -> Result<u64, VerifyError> {
    audit::prune(&server.app().kernel, end()).await
}

/// Seals and verifies the trail.
async fn verify(server: &Server, kept: Option<Head>) -> Result<Verified, VerifyError> {
    let app = server.app().clone();
    audit::seal_all(&app.kernel).await.unwrap();
    let read = move |tx: &mut Tx<'_>| audit::verify(tx, &app.server_keys, kept.as_ref());
    server.app().store.read(read).await
}

async fn broken(server: &Server) -> Broken {
    match verify(server, None).await {
        Err(VerifyError::Broken(broken)) => broken,
        other => panic!("{other:?}"),
    }
}

/// A trail of five events, of which the first three are pruned. The fifth records this.
async fn pruned_trail(server: &Server) -> Anchor {
    server.first_upkeep().await;
    trail(server).await;
    record(server, "test.four.made", "x").await;
    audit::seal_all(&server.app().kernel).await.unwrap();
    assert_eq!(prune(server).await.unwrap(), 3);
    let verified = verify(server, None).await.unwrap();
    assert_eq!(
        (verified.events(), verified.pruned(), verified.head.number),
        (2, 3, 5)
    );
    verified.anchor.unwrap()
}

both_databases! {
    async fn old_events_are_pruned_and_the_rest_is_verified(server: Server) {
        let anchor = pruned_trail(&server).await;
        assert_eq!((anchor.head.number, anchor.at), (3, 1));
        let entries = list(&server, Filter::default()).await;
        let found: Vec<_> = entries
            .iter()
            .map(|entry| (entry.number, entry.action.as_str(), entry.actor.as_str(), entry.subject.as_str()))
            .collect();
        assert_eq!(found, [
            (Some(4), "test.four.made", "operator:root", "x"),
            (Some(5), "audit.events.pruned", "service", "1-3"),
        ]);
        assert_eq!(entries[1].detail, "before 1970-01-01T00:00:00Z");
        // The next time, the chain begins at the anchor.
        record(&server, "test.six.made", "x").await;
        verify(&server, None).await.unwrap();
        assert_eq!(prune(&server).await.unwrap(), 1);
        let verified = verify(&server, None).await.unwrap();
        assert_eq!((verified.events(), verified.pruned()), (3, 4));
        assert_eq!(prune(&server).await.unwrap(), 0);
    }

    async fn more_events_than_one_transaction_deletes_are_pruned(server: Server) {
        server.first_upkeep().await;
        let app = server.app().clone();
        let write = move |tx: &mut Tx<'_>| {
            (0..2500).try_for_each(|_| {
                audit::AuditContext::of_operator(&app.server_keys, "root", 1).record(tx, "test.thing.made", "x", "")
            })
        };
        server.write(write).await;
        verify(&server, None).await.unwrap();
        let pruned = i64::try_from(prune(&server).await.unwrap()).unwrap();
        // The newest event with a seal stays. The service may have sealed the record of an earlier
        // transaction meanwhile: it is the newest one then.
        assert!([2499, 2500].contains(&pruned), "{pruned}");
        let verified = verify(&server, None).await.unwrap();
        // Each transaction has recorded itself.
        assert_eq!((verified.pruned(), verified.pruned() + verified.events()), (pruned, 2503));
    }

    async fn events_without_a_seal_and_the_newest_with_one_stay(server: Server) {
        record(&server, "test.one.made", "x").await;
        // The service may have sealed it meanwhile: it is the newest one then.
        assert_eq!(prune(&server).await.unwrap(), 0);
        assert_eq!(verify(&server, None).await.unwrap().head.number, 1);
        assert_eq!(prune(&server).await.unwrap(), 0);
        assert_eq!(verify(&server, None).await.unwrap().anchor, None);
    }

    async fn several_replicas_that_prune_at_once_prune_each_event_once(server: Server) {
        let recorded = (0..20).map(|_| record(&server, "test.thing.made", "x"));
        futures::future::join_all(recorded).await;
        verify(&server, None).await.unwrap();
        let (one, two, recorded) = tokio::join!(prune(&server), prune(&server), record(&server, "test.other.made", "x"));
        let () = recorded;
        let pruned = one.unwrap() + two.unwrap();
        let verified = verify(&server, None).await.unwrap();
        assert_eq!(verified.pruned().unsigned_abs(), pruned);
        assert!(pruned >= 19, "{pruned}");
    }

    async fn a_changed_anchor_is_noticed(server: Server) {
        pruned_trail(&server).await;
        for change in [
            "UPDATE audit_anchor SET at = 0",
            "UPDATE audit_anchor SET number = 4, seal = (SELECT seal FROM audit_trail WHERE number = 4)",
        ] {
            tamper(&server, "CREATE TABLE saved AS SELECT * FROM audit_anchor").await;
            tamper(&server, change).await;
            assert_eq!(broken(&server).await, Broken::Anchor, "{change}");
            // Nothing more is deleted on its word.
            assert!(matches!(prune(&server).await, Err(VerifyError::Broken(Broken::Anchor))));
            tamper(&server, "DELETE FROM audit_anchor").await;
            tamper(&server, "INSERT INTO audit_anchor SELECT * FROM saved").await;
            tamper(&server, "DROP TABLE saved").await;
            verify(&server, None).await.unwrap();
        }
    }

    async fn an_anchor_that_was_made_from_a_seal_is_noticed(server: Server) {
        trail(&server).await;
        tamper(
            &server,
            "INSERT INTO audit_anchor (id, number, at, seal, mac) \
             SELECT 1, number, at, seal, seal FROM audit_trail WHERE number = 2",
        )
        .await;
        tamper(&server, "DELETE FROM audit_trail WHERE number <= 2").await;
        assert_eq!(broken(&server).await, Broken::Anchor);
    }

    async fn a_removed_anchor_is_noticed(server: Server) {
        pruned_trail(&server).await;
        tamper(&server, "DELETE FROM audit_anchor").await;
        assert_eq!(broken(&server).await, Broken::Missing(1));
        assert!(matches!(prune(&server).await, Err(VerifyError::Broken(Broken::Missing(1)))));
    }

    async fn an_earlier_anchor_put_back_is_noticed(server: Server) {
        pruned_trail(&server).await;
        tamper(&server, "CREATE TABLE saved AS SELECT * FROM audit_anchor").await;
        record(&server, "test.six.made", "x").await;
        verify(&server, None).await.unwrap();
        assert_eq!(prune(&server).await.unwrap(), 1);
        tamper(&server, "DELETE FROM audit_anchor").await;
        tamper(&server, "INSERT INTO audit_anchor SELECT * FROM saved").await;
        assert_eq!(broken(&server).await, Broken::Missing(4));
        tamper(&server, "DROP TABLE saved").await;
    }

    async fn events_missing_behind_the_anchor_are_noticed(server: Server) {
        pruned_trail(&server).await;
        tamper(&server, "DELETE FROM audit_trail WHERE number = 4").await;
        assert_eq!(broken(&server).await, Broken::Missing(4));
        tamper(&server, "DELETE FROM audit_trail").await;
        assert_eq!(broken(&server).await, Broken::Missing(4));
        // New events do not hide it.
        record(&server, "test.other.made", "x").await;
        assert_eq!(broken(&server).await, Broken::Changed(1));
    }

    async fn a_beginning_that_was_deleted_without_an_anchor_is_noticed(server: Server) {
        trail(&server).await;
        tamper(&server, "DELETE FROM audit_trail WHERE number <= 1").await;
        assert_eq!(broken(&server).await, Broken::Missing(1));
        assert!(matches!(prune(&server).await, Err(VerifyError::Broken(Broken::Missing(1)))));
    }

    async fn a_pruned_event_that_is_added_again_is_noticed(server: Server) {
        pruned_trail(&server).await;
        tamper(
            &server,
            "INSERT INTO audit_trail (id, number, at, actor, action, subject, origin, detail, seal) \
             SELECT mac, 2, 1, 'nobody', '', '', '', '', mac FROM audit_anchor",
        )
        .await;
        assert_eq!(broken(&server).await, Broken::Changed(2));
    }

    async fn changed_events_are_not_pruned(server: Server) {
        trail(&server).await;
        tamper(&server, "UPDATE audit_trail SET actor = 'nobody' WHERE number = 2").await;
        assert!(matches!(prune(&server).await, Err(VerifyError::Broken(Broken::Changed(2)))));
        assert_eq!(list(&server, Filter::default()).await.len(), 3);
        assert_eq!(broken(&server).await, Broken::Changed(2));
    }

    async fn a_kept_end_of_the_trail_is_compared_unless_it_was_pruned(server: Server) {
        let anchor = pruned_trail(&server).await;
        let next = Head { number: 2, seal: vec![1; 36] };
        let refused = verify(&server, Some(next.clone())).await.unwrap_err();
        assert!(matches!(&refused, VerifyError::Pruned { kept, pruned: 3 } if *kept == next), "{refused:?}");
        verify(&server, Some(anchor.head.clone())).await.unwrap();
        let other = Head { number: 3, seal: vec![1; 36] };
        let refused = verify(&server, Some(other)).await.unwrap_err();
        assert!(matches!(refused, VerifyError::Broken(Broken::Shortened(_))), "{refused:?}");
        // An operator reads how many events are gone.
        let verified = json(&server, &["audit", "verify"]).await;
        assert_eq!(verified["pruned"], 3);
        assert_eq!(verified["pruned_until"], 1);
        let head = verified["head"].as_str().unwrap();
        let printed = succeed(&server, &["audit", "verify", "--kept", head]).await;
        assert!(printed.contains(" 3 before them were pruned, the last of 1970-01-01"), "{printed}");
        let complaint = fail(&server, &["audit", "verify", "--kept", &next.to_string()]).await;
        assert!(complaint.contains("event 2 was pruned, as were all events up to 3"), "{complaint}");
    }

    async fn the_anchor_of_a_retired_key_is_renewed_and_never_accepted(server: Server) {
        pruned_trail(&server).await;
        tamper(&server, "CREATE TABLE saved AS SELECT * FROM audit_anchor").await;
        let old = server.app().server_keys.ring().current().to_string();
        let added = json(&server, &["keyring", "add"]).await;
        let new = added["key"].as_str().unwrap();
        succeed(&server, &["keyring", "promote", new, "--force"]).await;
        let keys = &server.app().server_keys;
        wait_until(|| keys.ring().current().to_string() == new).await;
        let lines = json(&server, &["keyring", "list"]).await;
        let old_line = lines.as_array().unwrap().iter().find(|line| line["state"] == "old").unwrap();
        assert!(old_line["needed_by"].to_string().contains("anchors of the audit trail"), "{lines}");
        succeed(&server, &["keyring", "retire", &old, "--force"]).await;
        wait_until(|| keys.ring().keys()[0].is_retired).await;
        assert_eq!(verify(&server, None).await.unwrap().pruned(), 3);
        tamper(&server, "DELETE FROM audit_anchor").await;
        tamper(&server, "INSERT INTO audit_anchor SELECT * FROM saved").await;
        assert_eq!(broken(&server).await, Broken::Anchor);
        tamper(&server, "DROP TABLE saved").await;
    }
}

async fn wait_until(is_so: impl Fn() -> bool) {
    for _ in 0..600 {
        if is_so() {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    }
    panic!("not within a minute");
}

fn events_go_after_the_configured_days(database: Database) {
    run_with(async move || {
        let server = Server::start_with(database, |layer| {
            layer.retention.audit_days = Some(30);
        })
        .await;
        let now = server.app().clock.now();
        for days in [90, 32, 29, 0] {
            let (app, at) = (server.app().clone(), now - chrono::TimeDelta::days(days));
            let write = move |tx: &mut Tx<'_>| {
                let context = audit::AuditContext::of_operator(
                    &app.server_keys,
                    "root",
                    at.timestamp_millis(),
                );
                context.record(tx, "test.thing.made", &days.to_string(), "")
            };
            server.write(write).await;
            audit::seal_all(&server.app().kernel).await.unwrap();
        }
        // At its start, the service may have pruned the first events already.
        assert!(prune_trail(&server.app().kernel).await.unwrap() <= 2);
        let filter = Filter {
            action: Some("test.".into()),
            ..Filter::default()
        };
        let entries = list(&server, filter).await;
        let left: Vec<_> = entries.iter().map(|entry| entry.subject.as_str()).collect();
        assert_eq!(left, ["29", "0"]);
        let verified = verify(&server, None).await.unwrap();
        let at = verified.anchor.unwrap().at;
        assert_eq!(at, (now - chrono::TimeDelta::days(32)).timestamp_millis());
        server
    });
}

#[test]
fn events_go_after_the_configured_days_on_sqlite() {
    events_go_after_the_configured_days(Database::Sqlite);
}

#[test]
fn events_go_after_the_configured_days_on_postgres() {
    events_go_after_the_configured_days(Database::Postgres);
}

#[test]
fn events_stay_without_configured_days() {
    run_with(async || {
        let server = Server::start(Database::Sqlite).await;
        trail(&server).await;
        assert_eq!(prune_trail(&server.app().kernel).await.unwrap(), 0);
        let count = server.app().store.read_one(|tx: &mut Tx<'_>| {
            tx.query_integer("SELECT COUNT(*) FROM audit_anchor", params![])
        });
        assert_eq!(
            count
                .await
                .unwrap_or_else(|error: StoreError| panic!("{error}")),
            0
        );
        server
    });
}
