//! The key as a resource: create, read, change, move, delete.

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::{Value, json};

use accord_server::accounts::demo::{ADMINISTRATOR, COLLEAGUE};
use accord_server::inference::demo::CLOSED_COMPARTMENT;
use accord_server::inference::operator::put_compartment;
use accord_server::rights::{self, Resource, Verb};
use accord_server::store::StoreError;

use super::client::{
    BOTH_SCOPES, COMPARTMENT, Key, Manager, Reply, accepted, chat, item, two_secrets,
};
use crate::harness::{Database, Server, both_databases};

fn time(value: &Value) -> DateTime<Utc> {
    value.as_str().unwrap().parse().unwrap()
}

/// A compartment that the administrator manages.
async fn new_compartment(server: &Server, id: &'static str, quota: Option<i64>) {
    let write = server.app().store.write(move |tx| {
        put_compartment(tx, id, None, quota, DateTime::UNIX_EPOCH)?;
        rights::grant(
            tx,
            &Resource::Compartment(id.into()),
            ADMINISTRATOR,
            Verb::Manage,
        )
    });
    let written: Result<(), StoreError> = write.await;
    written.unwrap();
}

both_databases! {
    async fn a_new_key_shows_its_secrets_once_the_first_active_the_second_standby(server: Server) {
        let manager = Manager::of(&server).await;
        let reply = manager.create(&two_secrets("reports", COMPARTMENT)).await;
        assert_eq!(reply.header("etag"), Some("\"1\""));
        let body = reply.ok();
        let id = body["id"].as_str().unwrap();
        assert!(id.starts_with("apikey.local."), "{id}");
        assert_eq!(body["lifecycleState"], "ACTIVE");
        assert_eq!(body["timeCreated"], body["timeUpdated"]);
        assert_eq!(item(&body, "one")["state"], "ACTIVE");
        assert_eq!(item(&body, "two")["state"], "STANDBY");
        for name in ["one", "two"] {
            let item = item(&body, name);
            let plain = item["key"].as_str().unwrap();
            assert_eq!(plain.len(), 65);
            assert!(plain.starts_with("sk-"));
            let mask = format!("{}...{}", &plain[..6], &plain[61..]);
            assert_eq!(item["keyMask"], *mask);
            let life = time(&item["timeExpiry"]) - time(&item["timeCreated"]);
            assert_eq!(life, TimeDelta::days(90));
        }
        assert_eq!(item(&body, "one")["timeActivated"], body["timeCreated"]);
        assert!(item(&body, "two").get("timeActivated").is_none());

        let mut shown_again = body.clone();
        for item in shown_again["keys"].as_array_mut().unwrap() {
            item.as_object_mut().unwrap().remove("key");
        }
        let read = manager.get(&format!("/{id}")).await;
        assert_eq!(read.header("etag"), Some("\"1\""));
        assert_eq!(read.ok(), shown_again);
        let list = manager.get("?compartmentId=compartment.demo").await.ok();
        assert_eq!(list, json!({"items": [shown_again]}));
    }

    async fn a_change_makes_a_new_version_and_no_change_does_not(server: Server) {
        let manager = Manager::of(&server).await;
        let key = manager.new_key().await;
        let change = json!({
            "displayName": "weekly",
            "description": "every Monday",
            "freeformTags": {"team": "reports"},
            "definedTags": {"cost": {"centre": 42}},
        });
        let reply = manager.put(&key.id, &change).await;
        assert_eq!(reply.header("etag"), Some("\"2\""));
        let body = reply.ok();
        for member in ["displayName", "description", "freeformTags", "definedTags"] {
            assert_eq!(body[member], change[member]);
        }
        for same in [&change, &json!({})] {
            let reply = manager.put(&key.id, same).await;
            assert_eq!(reply.header("etag"), Some("\"2\""));
            assert_eq!(reply.ok(), body);
        }
        let tagged = json!({"keyName": "two", "state": "STANDBY"});
        manager.post(&format!("/{}/actions/setstate", key.id), &tagged).await
            .is(400, "InvalidParameter");
        let reply = manager.set_state(&key, "one", "ACTIVE").await;
        assert_eq!(reply.header("etag"), Some("\"2\""));
    }

    async fn no_cache_stores_a_response_with_secrets(server: Server) {
        let manager = Manager::of(&server).await;
        let created = manager.create(&two_secrets("reports", COMPARTMENT)).await;
        let key = Key::of(&created.clone().ok());
        for reply in [created, manager.renew(&key, "one").await] {
            assert_eq!(reply.header("cache-control"), Some("no-store"));
            assert_eq!(reply.header("pragma"), Some("no-cache"));
        }
    }

    async fn if_match_keeps_a_change_from_what_the_caller_has_not_seen(server: Server) {
        let manager = Manager::of(&server).await;
        let key = manager.new_key().await;
        let paths = [
            (reqwest::Method::PUT, String::new(), json!({"displayName": "x"})),
            (reqwest::Method::POST, "/actions/setstate".into(),
                json!({"keyName": "two", "state": "ACTIVE"})),
            (reqwest::Method::POST, "/actions/renew".into(),
                json!({"details": {"keyName": "one"}})),
            (reqwest::Method::POST, "/actions/changeCompartment".into(),
                json!({"compartmentId": CLOSED_COMPARTMENT})),
            (reqwest::Method::DELETE, String::new(), Value::Null),
        ];
        let before = manager.get(&format!("/{}", key.id)).await;
        for (method, path, body) in &paths {
            for stale in ["\"7\"", "W/\"1\"", "1"] {
                let request = manager
                    .request(method.clone(), &format!("/{}{path}", key.id))
                    .header("if-match", stale);
                let request = if body.is_null() { request } else { request.json(body) };
                Reply::of(request).await.is(412, "NoEtagMatch");
            }
        }
        let after = manager.get(&format!("/{}", key.id)).await;
        assert_eq!(before.body, after.body);
        for (version, (method, path, body)) in (1..).zip(&paths) {
            let tag = match version {
                2 => "*".to_owned(),
                _ => format!("\"{version}\""),
            };
            let request = manager
                .request(method.clone(), &format!("/{}{path}", key.id))
                .header("if-match", tag);
            let request = if body.is_null() { request } else { request.json(body) };
            let status = Reply::of(request).await.status;
            assert!(matches!(status, 200 | 204), "{method} {path}: {status}");
        }
    }

    async fn a_deleted_key_can_be_read_and_opens_nothing(server: Server) {
        let manager = Manager::of(&server).await;
        let key = manager.new_key().await;
        assert!(accepted(&server, &key.one).await);
        let reply = manager.delete(&key.id).await;
        assert_eq!((reply.status, &reply.body), (204, &Value::Null));
        assert!(!accepted(&server, &key.one).await);
        let read = manager.get(&format!("/{}", key.id)).await.ok();
        assert_eq!(read["lifecycleState"], "DELETED");
        manager.delete(&key.id).await.is(404, "NotAuthorizedOrNotFound");
        manager.put(&key.id, &json!({"displayName": "x"})).await.is(409, "IncorrectState");
        manager.set_state(&key, "one", "ACTIVE").await.is(409, "IncorrectState");
        manager.renew(&key, "one").await.is(409, "IncorrectState");
        let to = json!({"compartmentId": CLOSED_COMPARTMENT});
        manager.post(&format!("/{}/actions/changeCompartment", key.id), &to).await
            .is(409, "IncorrectState");
    }

    async fn a_key_moves_with_the_verb_in_both_compartments(server: Server) {
        let manager = Manager::of(&server).await;
        let key = manager.new_key().await;
        let path = format!("/{}/actions/changeCompartment", key.id);
        let to = |id: &str| json!({"compartmentId": id});
        manager.post(&path, &to("compartment.unknown")).await.is(404, "NotAuthorizedOrNotFound");
        manager.post(&path, &to(COMPARTMENT)).await
            .is(409, "NotAuthorizedOrResourceAlreadyExists");
        new_compartment(&server, "compartment.full", Some(0)).await;
        manager.post(&path, &to("compartment.full")).await.is(400, "QuotaExceeded");
        assert!(accepted(&server, &key.one).await);

        assert_eq!(manager.post(&path, &to(CLOSED_COMPARTMENT)).await.status, 204);
        let read = manager.get(&format!("/{}", key.id)).await.ok();
        assert_eq!(read["compartmentId"], CLOSED_COMPARTMENT);
        let refused = chat(&server, &key.one, "accord.echo").await;
        refused.is_inference(403, "invalid_request_error", "insufficient_permissions");
    }

    async fn verbs_allow_what_they_name_and_hide_the_rest(server: Server) {
        let manager = Manager::of(&server).await;
        let key = manager.new_key().await;
        let hidden = |reply: Reply| reply.is(404, "NotAuthorizedOrNotFound");
        for (verb, lists, reads, updates) in [
            (None, false, false, false),
            (Some(Verb::Inspect), true, false, false),
            (Some(Verb::Read), true, true, false),
            (Some(Verb::Use), true, true, true),
        ] {
            let id = "compartment.verbs";
            if verb.is_none() {
                new_compartment(&server, id, None).await;
                let path = format!("/{}/actions/changeCompartment", key.id);
                let moved = manager.post(&path, &json!({"compartmentId": id})).await;
                assert_eq!(moved.status, 204);
            }
            if let Some(verb) = verb {
                server.write(move |tx| rights::grant(tx, &Resource::Compartment(id.into()), COLLEAGUE, verb)).await;
            }
            let colleague = Manager::named(&server, COLLEAGUE, BOTH_SCOPES).await;
            let outcomes = [
                (lists, colleague.get(&format!("?compartmentId={id}")).await),
                (reads, colleague.get(&format!("/{}", key.id)).await),
                (updates, colleague.put(&key.id, &json!({"displayName": "y"})).await),
                (false, colleague.set_state(&key, "one", "REVOKED").await),
                (false, colleague.renew(&key, "one").await),
                (false, colleague.delete(&key.id).await),
                (false, colleague.create(&two_secrets("x", id)).await),
            ];
            for (allowed, reply) in outcomes {
                match allowed {
                    true => assert_eq!(reply.status, 200, "{verb:?}: {reply:?}"),
                    false => hidden(reply),
                }
            }
        }
    }

    async fn what_a_new_key_may_not_be_is_refused_whole(server: Server) {
        let manager = Manager::of(&server).await;
        let changed = |change: &dyn Fn(&mut Value)| {
            let mut body = two_secrets("reports", COMPARTMENT);
            change(&mut body);
            body
        };
        let invalid: Vec<Value> = vec![
            changed(&|body| body["displayName"] = json!("1st")),
            changed(&|body| body["displayName"] = json!("")),
            changed(&|body| body["displayName"] = json!("a".repeat(256))),
            changed(&|body| body["displayName"] = json!("a b")),
            changed(&|body| body["displayName"] = json!(7)),
            changed(&|body| body["keyDetails"] = json!([])),
            changed(&|body| body["keyDetails"] = json!([{"keyName": "a"}, {"keyName": "b"}, {"keyName": "c"}])),
            changed(&|body| body["keyDetails"] = json!([{"keyName": "a"}, {"keyName": "a"}])),
            changed(&|body| body["keyDetails"][0]["timeExpiry"] = json!("2020-01-01T00:00:00Z")),
            changed(&|body| body["keyDetails"][0]["timeExpiry"] = json!("tomorrow")),
            changed(&|body| body["description"] = json!("a".repeat(401))),
            changed(&|body| body["description"] = json!("a\u{0}b")),
            changed(&|body| body["freeformTags"] = json!({"a": 1})),
            changed(&|body| body["freeformTags"] = json!({"a".repeat(101): "b"})),
            changed(&|body| body["freeformTags"] = json!({"": "b"})),
            changed(&|body| body["definedTags"] = json!({"a".repeat(101): {}})),
            changed(&|body| body["definedTags"] = json!({"a": {"b".repeat(101): 1}})),
            changed(&|body| body["definedTags"] = json!({"a": (0..65).map(|n| (n.to_string(), n)).collect::<std::collections::BTreeMap<_, _>>()})),
        ];
        for body in invalid {
            let reply = manager.create(&body).await;
            assert_eq!(reply.body["code"], "InvalidParameter", "{body}: {reply:?}");
            reply.is(400, "InvalidParameter");
        }
        for member in ["displayName", "compartmentId", "keyDetails"] {
            let mut body = two_secrets("reports", COMPARTMENT);
            body.as_object_mut().unwrap().remove(member);
            manager.create(&body).await.is(400, "MissingParameter");
        }
        manager.create(&two_secrets("x", "compartment.unknown")).await
            .is(404, "NotAuthorizedOrNotFound");
        let list = manager.get("?compartmentId=compartment.demo").await.ok();
        assert_eq!(list, json!({"items": []}));

        let longest = "_".to_owned() + &"a-".repeat(127);
        let mut body = two_secrets(&longest, COMPARTMENT);
        body["freeformTags"] = json!({"ä".repeat(100): "b".repeat(256)});
        body["definedTags"] = json!({"a".repeat(100): {"b".repeat(100): [1]}});
        assert_eq!(manager.create(&body).await.ok()["displayName"], *longest);
    }

    async fn a_compartment_holds_as_many_keys_as_its_quota(server: Server) {
        let manager = Manager::of(&server).await;
        new_compartment(&server, "compartment.small", Some(2)).await;
        let body = two_secrets("x", "compartment.small");
        let first = Key::of(&manager.create(&body).await.ok());
        manager.create(&body).await.ok();
        manager.create(&body).await.is(400, "QuotaExceeded");
        assert_eq!(manager.delete(&first.id).await.status, 204);
        manager.create(&body).await.ok();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_limit_holds_against_many_at_once() {
    for database in [Database::Sqlite, Database::Postgres] {
        let server = Server::start_with(database, |layer| {
            layer.inference.key_limit = Some(5);
            layer.inference.second_secret_active = Some(true);
        })
        .await;
        let manager = Manager::of(&server).await;
        let body = two_secrets("x", COMPARTMENT);
        let replies = futures::future::join_all((0..12).map(|_| manager.create(&body))).await;
        let (created, refused): (Vec<_>, Vec<_>) =
            replies.into_iter().partition(|reply| reply.status == 200);
        assert_eq!(created.len(), 5, "{database:?}");
        for reply in refused {
            reply.is(400, "LimitExceeded");
            let message = "The tenancy has reached the limit api-key-count of 5. Delete a key or ask the operator for more.";
            assert_eq!(reply.body["message"], message);
        }
        // A setting lets both secrets begin active.
        assert_eq!(item(&created[0].body, "two")["state"], "ACTIVE");
        // A deleted key leaves its place.
        let key = Key::of(&created[0].body);
        assert_eq!(manager.delete(&key.id).await.status, 204);
        manager.create(&body).await.ok();
        assert_eq!(server.stop().await, Vec::<String>::new());
    }
}
