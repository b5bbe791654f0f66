//! Requests that are repeated, on purpose or not.

use accord_server::accounts::administrators;
use accord_server::accounts::demo::{ADMINISTRATOR, COLLEAGUE};
use accord_server::audit;
use accord_server::store::StoreError;
use reqwest::{Method, Response};
use serde_json::{Value, json};

use super::{USER, body_of, count, link as link_without_key, mira, profile, refusal, with};
use crate::harness::{Database, Server, both_databases, run_with};

async fn send(server: &Server, method: Method, key: &str, body: &Value) -> Response {
    send_as(server, ADMINISTRATOR, method, key, body).await
}

async fn send_as(server: &Server, user: &str, method: Method, key: &str, body: &Value) -> Response {
    let token = server.token(user, "accounts.write").await;
    let request = server
        .http()
        .request(method, server.url(USER))
        .bearer_auth(token);
    request
        .header("idempotency-key", key)
        .json(body)
        .send()
        .await
        .unwrap()
}

fn account() -> Value {
    json!({
        "hubUser": with(mira(), json!({"setPassword": true})),
        "collabUsers": [{"appInstanceId": 71, "collabOrganizationId": 5201, "projectIds": ["LOCK-1"]}],
    })
}

both_databases! {
    async fn a_repeated_request_gets_the_same_bytes_and_does_nothing_more(server: Server) {
        let first = send(&server, Method::POST, "k-1", &account()).await;
        assert_eq!(first.status(), 200);
        let first = first.bytes().await.unwrap();
        server.advance(6 * 86_400);
        for _ in 0..2 {
            let again = send(&server, Method::POST, "k-1", &account()).await;
            assert_eq!(again.status(), 200);
            assert_eq!(again.bytes().await.unwrap(), first);
        }
        assert_eq!(count(&server, "hub_users").await, 3);
        assert_eq!(count(&server, "mail_outbox").await, 2);

        let link = json!({
            "hubUser": {"emailAddress": "ben@north.example"}, "collabUsers": profile(),
        });
        let first = send(&server, Method::PATCH, "k-2", &link).await.bytes().await.unwrap();
        let again = send(&server, Method::PATCH, "k-2", &link).await;
        assert_eq!(again.status(), 200);
        assert_eq!(again.bytes().await.unwrap(), first);
        // Without a key it is another request, and the profile is there.
        refusal(link_without_key(&server, &link).await, 400, "invalid_request").await;
    }

    async fn a_key_with_another_request_is_refused_and_is_each_users_own(server: Server) {
        body_of(send(&server, Method::POST, "k-1", &account()).await, 200).await;
        let other = json!({"hubUser": with(mira(), json!({"emailAddress": "piet@north.example"}))});
        let text = refusal(send(&server, Method::POST, "k-1", &other).await, 400, "invalid_request").await;
        assert_eq!(text, "The Idempotency-Key was used for another request.");
        let link = json!({
            "hubUser": {"emailAddress": "ben@north.example"}, "collabUsers": profile(),
        });
        refusal(send(&server, Method::PATCH, "k-1", &link).await, 400, "invalid_request").await;
        assert_eq!(count(&server, "hub_users").await, 3);
        // Both names of the key are one; two values are a contradiction.
        let token = server.token(ADMINISTRATOR, "accounts.write").await;
        let named = async |first: &str, second: &str| {
            let request = server.http().post(server.url(USER)).bearer_auth(&token);
            let request = request.header("idempotency-key", first).header("accord-retry-token", second);
            request.json(&account()).send().await.unwrap()
        };
        body_of(named("k-1", "k-1").await, 200).await;
        let text = refusal(named("k-1", "k-2").await, 400, "invalid_request").await;
        assert_eq!(text, "Idempotency-Key and accord-retry-token have different values.");
        let request = server.http().post(server.url(USER)).bearer_auth(&token);
        let again = request.header("accord-retry-token", "k-1").json(&account()).send().await.unwrap();
        body_of(again, 200).await;
        assert_eq!(count(&server, "hub_users").await, 3);
        // Ben learns nothing of what Ana was answered.
        let refused = send_as(&server, COLLEAGUE, Method::POST, "k-1", &account()).await;
        refusal(refused, 401, "access_denied").await;
        for key in ["a b", "\u{e9}", &"k".repeat(256)] {
            let token = server.token(ADMINISTRATOR, "accounts.write").await;
            let request = server.http().post(server.url(USER)).bearer_auth(token);
            let answer = request.header("idempotency-key", key.as_bytes()).json(&other).send().await;
            refusal(answer.unwrap(), 400, "invalid_request").await;
        }
    }

    async fn a_response_is_repeated_only_to_who_still_administers_all_of_it(server: Server) {
        // South Yards is another organization.
        let administer = async |organization: i64, is_so: bool| {
            let write = server.app().store.write(move |tx| match is_so {
                true => administrators::add(tx, organization, ADMINISTRATOR),
                false => administrators::remove(tx, organization, ADMINISTRATOR),
            });
            let changed: Result<bool, StoreError> = write.await;
            assert!(changed.unwrap());
        };
        administer(4210, true).await;
        let south = json!({"appInstanceId": 71, "collabOrganizationId": 5310});
        let create = json!({"hubUser": mira(), "collabUsers": [south]});
        let south = with(profile(), json!({"appInstanceId": 71, "collabOrganizationId": 5310}));
        let link = json!({"hubUser": {"emailAddress": "ben@north.example"}, "collabUsers": south});
        let all = [(Method::POST, "k-1", &create), (Method::PATCH, "k-2", &link)];
        let mut first = Vec::new();
        for (method, key, body) in &all {
            first.push(body_of(send(&server, method.clone(), key, body).await, 200).await);
        }
        // The organization of the account, that of the collab organization, and all.
        for lost in [&[3104][..], &[4210], &[3104, 3190, 4210]] {
            for organization in lost {
                administer(*organization, false).await;
            }
            for (method, key, body) in &all {
                let refused = send(&server, method.clone(), key, body).await;
                refusal(refused, 401, "access_denied").await;
            }
            for organization in lost {
                administer(*organization, true).await;
            }
            for ((method, key, body), first) in all.iter().zip(&first) {
                let again = send(&server, method.clone(), key, body).await;
                assert_eq!(&body_of(again, 200).await, first);
            }
        }
    }

    async fn of_requests_that_race_with_one_key_one_creates_and_all_get_its_answer(server: Server) {
        let request = account();
        let attempts = (0..8).map(|_| send(&server, Method::POST, "k-1", &request));
        let mut bodies = Vec::new();
        for answer in futures::future::join_all(attempts).await {
            assert_eq!(answer.status(), 200);
            bodies.push(answer.bytes().await.unwrap());
        }
        bodies.dedup();
        assert_eq!(bodies.len(), 1);
        assert_eq!(count(&server, "hub_users").await, 3);
        assert_eq!(count(&server, "mail_outbox").await, 2);
    }

    async fn what_was_refused_is_tried_again_and_what_is_old_is_forgotten(server: Server) {
        let closed = json!({"hubUser": with(mira(), json!({"hubOrganizationId": 3190}))});
        refusal(send(&server, Method::POST, "k-1", &closed).await, 500, "failed_to_process_request").await;
        body_of(send(&server, Method::POST, "k-1", &account()).await, 200).await;
        server.advance(7 * 86_400);
        let text = refusal(send(&server, Method::POST, "k-1", &account()).await, 400, "invalid_request").await;
        assert!(text.ends_with("is already a hub username."), "{text}");
    }
}

#[test]
fn a_request_is_known_again_by_another_replica_and_after_a_restart() {
    for database in [Database::Sqlite, Database::Postgres] {
        run_with(async move || {
            let shared = tempfile::tempdir().unwrap();
            let path = shared.path().to_owned();
            let key = {
                use base64::Engine as _;
                base64::engine::general_purpose::STANDARD.encode([7; 32])
            };
            let mut url = None;
            let mut start = async || {
                let (path, key) = (path.clone(), key.clone());
                let known = url.clone();
                Server::start_with(database, |layer| {
                    layer.server.key = Some(accord_server::config::Secret::new(key));
                    layer.server.identity_url = Some("http://id.example".parse().unwrap());
                    match (&known, database) {
                        (Some(_), _) => layer.database.url.clone_from(&known),
                        (None, Database::Postgres) => {}
                        (None, Database::Sqlite) => {
                            let url = format!("sqlite:{}", path.join("accord.db").display());
                            layer.database.url = Some(accord_server::config::Secret::new(url));
                        }
                    }
                    url.clone_from(&layer.database.url);
                })
                .await
            };
            let first = start().await;
            let answer = send(&first, Method::POST, "k-1", &account())
                .await
                .bytes()
                .await
                .unwrap();
            let replica = start().await;
            let again = send(&replica, Method::POST, "k-1", &account()).await;
            assert_eq!(again.bytes().await.unwrap(), answer);
            for server in [&first, &replica] {
                assert_eq!(server.stop().await, Vec::<String>::new());
            }
            let restarted = start().await;
            let again = send(&restarted, Method::POST, "k-1", &account()).await;
            assert_eq!(again.bytes().await.unwrap(), answer);
            assert_eq!(count(&restarted, "hub_users").await, 3);
            restarted
        });
    }
}

both_databases! {
    async fn the_audit_trail_tells_of_each_change_once(server: Server) {
        let before = count(&server, "audit_trail").await;
        for _ in 0..2 {
            body_of(send(&server, Method::POST, "k-1", &account()).await, 200).await;
        }
        let refused = json!({"hubUser": with(mira(), json!({"hubOrganizationId": 3190}))});
        send(&server, Method::POST, "k-2", &refused).await;
        assert_eq!(count(&server, "audit_trail").await, before + 2);
        let events = server.read(|tx| audit::list(tx, &audit::Filter::default(), 10)).await;
        let ours = |action: &str| events.iter().filter(|event| event.action == action).count();
        assert_eq!((ours("accounts.user.created"), ours("accounts.profile.created")), (1, 1));
    }
}
