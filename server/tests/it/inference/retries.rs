//! Retry tokens: the same call twice does its work once.

use reqwest::Method;
use serde_json::{Value, json};

use accord_server::accounts::demo::{ADMINISTRATOR, COLLEAGUE};
use accord_server::inference::demo::CLOSED_COMPARTMENT;
use accord_server::rights::{self, Resource, Verb};
use accord_server::store::StoreError;

use super::client::{BOTH_SCOPES, COMPARTMENT, Key, Manager, Reply, accepted, item, two_secrets};
use crate::harness::both_databases;

async fn post(manager: &Manager, path: &str, token: &str, body: &Value) -> Reply {
    let request = manager.request(Method::POST, path).json(body);
    Reply::of(request.header("accord-retry-token", token)).await
}

both_databases! {
    async fn a_repeated_create_answers_the_same_secrets_and_makes_one_key(server: Server) {
        let manager = Manager::of(&server).await;
        let body = two_secrets("reports", COMPARTMENT);
        let first = post(&manager, "", "token-1", &body).await;
        // What has changed since does not show.
        let key = Key::of(&first.body);
        manager.set_state(&key, "two", "ACTIVE").await.ok();
        let again = post(&manager, "", "token-1", &body).await;
        assert_eq!(first.header("etag"), again.header("etag"));
        assert_eq!(first.ok(), again.ok());
        let list = manager.get("?compartmentId=compartment.demo").await.ok();
        assert_eq!(list["items"].as_array().unwrap().len(), 1);
        let other = Key::of(&post(&manager, "", "token-2", &body).await.ok());
        assert_ne!(other.id, key.id);
    }

    async fn the_retry_token_has_two_names(server: Server) {
        let manager = Manager::of(&server).await;
        let body = two_secrets("reports", COMPARTMENT);
        let create = |headers: &[(&'static str, &str)]| {
            let request = manager.request(Method::POST, "").json(&body);
            Reply::of(headers.iter().fold(request, |request, (name, value)| request.header(*name, *value)))
        };
        let first = create(&[("idempotency-key", "token")]).await.ok();
        for again in [
            &[("accord-retry-token", "token")][..],
            &[("accord-retry-token", "token"), ("idempotency-key", "token")],
        ] {
            assert_eq!(create(again).await.ok(), first);
        }
        create(&[("accord-retry-token", "token"), ("idempotency-key", "other")]).await
            .is(400, "InvalidParameter");
    }

    async fn at_the_same_time_two_with_one_token_make_one_key(server: Server) {
        let manager = Manager::of(&server).await;
        let body = two_secrets("reports", COMPARTMENT);
        let replies = futures::future::join_all((0..6).map(|_| post(&manager, "", "t", &body))).await;
        let bodies: Vec<_> = replies.into_iter().map(Reply::ok).collect();
        assert!(bodies.iter().all(|body| *body == bodies[0]));
        let list = manager.get("?compartmentId=compartment.demo").await.ok();
        assert_eq!(list["items"].as_array().unwrap().len(), 1);
    }

    async fn a_token_belongs_to_its_request_and_to_its_caller(server: Server) {
        let manager = Manager::of(&server).await;
        let body = two_secrets("reports", COMPARTMENT);
        let key = Key::of(&post(&manager, "", "token", &body).await.ok());
        let other = two_secrets("others", COMPARTMENT);
        post(&manager, "", "token", &other).await.is(409, "InvalidatedRetryToken");
        let state = json!({"keyName": "one", "state": "ACTIVE"});
        let path = format!("/{}/actions/setstate", key.id);
        post(&manager, &path, "token", &state).await.is(409, "InvalidatedRetryToken");

        let write = server.app().store.write(|tx| {
            rights::grant(tx, &Resource::Compartment(COMPARTMENT.into()), COLLEAGUE, Verb::Manage)
        });
        let written: Result<(), StoreError> = write.await;
        written.unwrap();
        let colleague = Manager::named(&server, COLLEAGUE, BOTH_SCOPES).await;
        let theirs = Key::of(&post(&colleague, "", "token", &body).await.ok());
        assert_ne!(theirs.id, key.id);
    }

    async fn a_token_is_repeated_only_to_who_still_has_access(server: Server) {
        let manager = Manager::of(&server).await;
        let create = two_secrets("reports", COMPARTMENT);
        let key = Key::of(&post(&manager, "", "create", &create).await.ok());
        let renew = (format!("/{}/actions/renew", key.id), json!({"details": {"keyName": "two"}}));
        let state = (format!("/{}/actions/setstate", key.id), json!({"keyName": "two", "state": "ACTIVE"}));
        post(&manager, &renew.0, "renew", &renew.1).await.ok();
        post(&manager, &state.0, "state", &state.1).await.ok();
        let verb = async |verb: Option<Verb>| {
            let write = server.app().store.write(move |tx| {
                let compartment = Resource::Compartment(COMPARTMENT.into());
                match verb {
                    Some(verb) => rights::grant(tx, &compartment, ADMINISTRATOR, verb),
                    None => rights::remove(tx, &compartment, ADMINISTRATOR).map(drop),
                }
            });
            let written: Result<(), StoreError> = write.await;
            written.unwrap();
        };
        for lost in [None, Some(Verb::Use)] {
            verb(lost).await;
            post(&manager, "", "create", &create).await.is(404, "NotAuthorizedOrNotFound");
            post(&manager, &renew.0, "renew", &renew.1).await.is(404, "NotAuthorizedOrNotFound");
            post(&manager, &state.0, "state", &state.1).await.is(404, "NotAuthorizedOrNotFound");
        }
        verb(Some(Verb::Manage)).await;
        post(&manager, &state.0, "state", &state.1).await.ok();
        // The key goes where its creator may nothing.
        let moved = json!({"compartmentId": CLOSED_COMPARTMENT});
        let path = format!("/{}/actions/changeCompartment", key.id);
        assert_eq!(manager.post(&path, &moved).await.status, 204);
        let write = server.app().store.write(|tx| {
            rights::remove(tx, &Resource::Compartment(CLOSED_COMPARTMENT.into()), ADMINISTRATOR)
        });
        let removed: Result<bool, StoreError> = write.await;
        assert!(removed.unwrap());
        let repeated = post(&manager, "", "create", &create).await;
        assert_ne!(repeated.status, 200, "{repeated:?}");
    }

    async fn a_token_is_spent_when_its_work_is_undone_and_forgotten_after_a_day(server: Server) {
        let manager = Manager::of(&server).await;
        let body = two_secrets("reports", COMPARTMENT);
        let key = Key::of(&post(&manager, "", "token", &body).await.ok());
        manager.delete(&key.id).await;
        post(&manager, "", "token", &body).await.is(409, "InvalidatedRetryToken");
        server.advance(24 * 3600 - 60);
        let manager = Manager::of(&server).await;
        post(&manager, "", "token", &body).await.is(409, "InvalidatedRetryToken");
        server.advance(61);
        let again = Key::of(&post(&manager, "", "token", &body).await.ok());
        assert_ne!(again.id, key.id);
    }

    async fn a_repeated_renew_answers_the_same_secret_until_the_next_renew(server: Server) {
        let manager = Manager::of(&server).await;
        let key = manager.new_key().await;
        let path = format!("/{}/actions/renew", key.id);
        let body = json!({"details": {"keyName": "one"}});
        let first = post(&manager, &path, "token", &body).await.ok();
        let again = post(&manager, &path, "token", &body).await.ok();
        assert_eq!(first, again);
        assert!(accepted(&server, item(&again, "one")["key"].as_str().unwrap()).await);
        manager.renew(&key, "one").await.ok();
        post(&manager, &path, "token", &body).await.is(409, "InvalidatedRetryToken");
    }

    async fn a_repeated_change_is_done_once(server: Server) {
        let manager = Manager::of(&server).await;
        let key = manager.new_key().await;
        let path = format!("/{}/actions/setstate", key.id);
        let body = json!({"keyName": "two", "state": "ACTIVE"});
        let first = post(&manager, &path, "activate", &body).await.ok();
        manager.set_state(&key, "two", "DEACTIVATED").await.ok();
        assert_eq!(post(&manager, &path, "activate", &body).await.ok(), first);
        assert_eq!(manager.state(&key, "two").await, "DEACTIVATED");

        let path = format!("/{}/actions/changeCompartment", key.id);
        let body = json!({"compartmentId": CLOSED_COMPARTMENT});
        for _ in 0..2 {
            assert_eq!(post(&manager, &path, "move", &body).await.status, 204);
        }
    }

    async fn what_is_kept_for_a_repetition_shows_no_secret(server: Server) {
        let manager = Manager::of(&server).await;
        let body = two_secrets("reports", COMPARTMENT);
        let key = Key::of(&post(&manager, "", "token", &body).await.ok());
        let read = server.app().store.read(|tx| {
            let rows = tx.query("SELECT sealed FROM inference_retries", &[])?;
            rows.iter().map(|row| row.get::<Vec<u8>>(0)).collect::<Result<Vec<_>, _>>()
        });
        let rows: Result<Vec<Vec<u8>>, StoreError> = read.await;
        let rows = rows.unwrap();
        assert_eq!(rows.len(), 1);
        let holds = |needle: &str| rows[0].windows(needle.len()).any(|w| w == needle.as_bytes());
        for needle in [&key.one, &key.two, &key.id, "keyName", ADMINISTRATOR] {
            assert!(!holds(needle), "{needle}");
        }
    }
}
