//! The audit trail: it tells what happened, and notices when it was touched.

use accord_server::audit::{self, Actor, AuditContext, Broken, Entry, Filter, Head, VerifyError};
use accord_server::params;
use accord_server::store::{StoreError, Tx};

use crate::harness::{Server, both_databases};

mod pruning;

async fn record(server: &Server, action: &'static str, subject: &str) {
    let app = server.app().clone();
    let subject = subject.to_owned();
    server
        .write(move |tx| -> Result<(), StoreError> {
            AuditContext::of_operator(&app.server_keys, "root", 1).record(tx, action, &subject, "")
        })
        .await;
}

/// Of everything that was told before.
async fn verify(server: &Server, kept: Option<Head>) -> Result<Head, VerifyError> {
    let app = server.app().clone();
    audit::seal_all(&app.kernel).await.unwrap();
    let read = move |tx: &mut Tx<'_>| audit::verify(tx, &app.server_keys, kept.as_ref());
    let verified = server.app().store.read(read).await?;
    assert_eq!(verified.unsealed, 0);
    Ok(verified.head)
}

async fn list(server: &Server, filter: Filter) -> Vec<Entry> {
    let read = move |tx: &mut Tx<'_>| audit::list(tx, &filter, 10);
    server.read(read).await
}

/// Tells of two things in one transaction, which then does this to the trail.
async fn record_two_and(server: &Server, sql: &'static str) {
    let app = server.app().clone();
    let write = move |tx: &mut Tx<'_>| -> Result<(), StoreError> {
        for action in ["test.first.made", "test.second.made"] {
            AuditContext::new(&app.server_keys, Actor::Service, "console", 1)
                .record(tx, action, "x", "")?;
        }
        tx.execute(sql, &[]).map(drop)
    };
    server.write(write).await;
}

async fn broken(server: &Server, kept: Option<Head>) -> Broken {
    match verify(server, kept).await {
        Err(VerifyError::Broken(broken)) => broken,
        other => panic!("{other:?}"),
    }
}

async fn tamper(server: &Server, sql: &'static str) {
    server
        .write(move |tx| -> Result<(), StoreError> { tx.execute(sql, &[]).map(drop) })
        .await;
}

async fn trail(server: &Server) -> Head {
    for action in ["test.one.made", "test.two.made", "test.three.made"] {
        record(server, action, "a thing\0").await;
    }
    verify(server, None).await.unwrap()
}

both_databases! {
    async fn an_empty_trail_is_whole(server: Server) {
        assert_eq!(verify(&server, None).await.unwrap().number, 0);
    }

    async fn events_are_listed_as_they_were_told(server: Server) {
        trail(&server).await;
        let filter = Filter { action: Some("test.t".into()), ..Filter::default() };
        let entries = list(&server, filter).await;
        let actions: Vec<_> = entries.iter().map(|entry| entry.action.as_str()).collect();
        assert_eq!(actions, ["test.two.made", "test.three.made"]);
        assert_eq!(entries[0].actor, "operator:root");
        assert_eq!(entries[0].subject, "a thing\u{fffd}");
    }

    async fn events_of_many_at_once_stand_in_one_chain(server: Server) {
        let recorded = (0..8).map(|_| record(&server, "test.thing.made", "x"));
        futures::future::join_all(recorded).await;
        assert_eq!(verify(&server, None).await.unwrap().number, 8);
    }

    async fn an_event_that_was_changed_is_noticed(server: Server) {
        trail(&server).await;
        tamper(&server, "UPDATE audit_trail SET actor = 'nobody' WHERE number = 2").await;
        assert_eq!(broken(&server, None).await, Broken::Changed(2));
    }

    async fn an_event_that_was_removed_is_noticed(server: Server) {
        trail(&server).await;
        tamper(&server, "DELETE FROM audit_trail WHERE number = 2").await;
        assert_eq!(broken(&server, None).await, Broken::Missing(2));
        tamper(&server, "UPDATE audit_trail SET number = 2 WHERE number = 3").await;
        assert_eq!(broken(&server, None).await, Broken::Changed(2));
    }

    async fn an_event_that_is_changed_before_it_has_its_place_never_gets_one(server: Server) {
        record_two_and(&server, "UPDATE audit_trail SET actor = 'nobody' WHERE action LIKE '%first%'")
            .await;
        let forged = Broken::Forged { action: "test.first.made".into(), subject: "x".into() };
        assert_eq!(broken(&server, None).await, forged);
        // The others go on without it.
        let listed = list(&server, Filter::default()).await;
        let numbers: Vec<_> = listed.iter().map(|entry| (entry.action.as_str(), entry.number)).collect();
        assert_eq!(numbers, [("test.second.made", Some(1)), ("test.first.made", None)]);
    }

    async fn an_event_that_is_told_again_by_another_is_noticed(server: Server) {
        record_two_and(
            &server,
            "INSERT INTO audit_trail (id, at, actor, action, subject, origin, detail, seal) \
             SELECT SUBSTR(seal, 1, 16), at, actor, action, subject, origin, detail, seal FROM audit_trail \
             WHERE action LIKE '%first%'",
        )
        .await;
        let forged = Broken::Forged { action: "test.first.made".into(), subject: "x".into() };
        assert_eq!(broken(&server, None).await, forged);
    }

    async fn events_of_one_transaction_keep_their_order(server: Server) {
        record_two_and(&server, "UPDATE audit_trail SET at = at").await;
        record(&server, "test.third.made", "x").await;
        verify(&server, None).await.unwrap();
        let listed = list(&server, Filter::default()).await;
        let numbers: Vec<_> = listed.iter().map(|entry| (entry.action.as_str(), entry.number)).collect();
        let expected = [
            ("test.first.made", Some(1)), ("test.second.made", Some(2)), ("test.third.made", Some(3)),
        ];
        assert_eq!(numbers, expected);
    }

    async fn events_that_several_seal_at_once_stand_in_one_chain(server: Server) {
        let recorded = (0..40).map(|_| record(&server, "test.thing.made", "x"));
        let recorded = futures::future::join_all(recorded);
        let sealed = (0..6).map(|_| audit::seal_all(&server.app().kernel));
        let (_, sealed) = futures::future::join(recorded, futures::future::join_all(sealed)).await;
        sealed.into_iter().for_each(|sealed| sealed.unwrap());
        assert_eq!(verify(&server, None).await.unwrap().number, 40);
    }

    async fn a_trail_that_was_cut_off_is_noticed_by_who_kept_its_end(server: Server) {
        let kept = trail(&server).await;
        tamper(&server, "DELETE FROM audit_trail WHERE number = 3").await;
        assert_eq!(verify(&server, None).await.unwrap().number, 2);
        assert_eq!(broken(&server, Some(kept.clone())).await, Broken::Shortened(kept.clone()));
        // Another in its place does not help.
        record(&server, "test.other.made", "x").await;
        assert_eq!(broken(&server, Some(kept.clone())).await, Broken::Shortened(kept));
    }

    async fn a_trail_goes_on_from_where_it_ended(server: Server) {
        let kept = trail(&server).await;
        record(&server, "test.other.made", "x").await;
        assert_eq!(verify(&server, Some(kept)).await.unwrap().number, 4);
    }

    async fn a_seal_of_another_key_is_worth_nothing(server: Server) {
        trail(&server).await;
        let app = server.app().clone();
        server.write(move |tx| -> Result<(), StoreError> {
            let row = tx.query_opt("SELECT seal FROM audit_trail WHERE number = 1", &[])?.unwrap();
            let seal: Vec<u8> = row.get(0)?;
            let forged = app.server_keys.mac("not audit", &seal);
            tx.execute("UPDATE audit_trail SET seal = $1 WHERE number = 1", params![forged])?;
            Ok(())
        }).await;
        assert_eq!(broken(&server, None).await, Broken::Changed(1));
    }
}
