//! What the audit trail says of keys.

use accord_server::accounts::demo::ADMINISTRATOR;
use accord_server::audit::{self, Filter};
use accord_server::inference::demo::CLOSED_COMPARTMENT;
use accord_server::store::Tx;
use serde_json::json;

use super::client::Manager;
use crate::harness::{Server, both_databases};

/// Actions on a key and their details, in order.
async fn trail(server: &Server, key_id: &str) -> Vec<(String, String)> {
    let filter = Filter {
        action: Some("inference.".into()),
        actor: Some(format!("user:{ADMINISTRATOR}")),
        subject: Some(key_id.to_owned()),
    };
    let read = move |tx: &mut Tx<'_>| audit::list(tx, &filter, 100);
    let entries = server.read(read).await;
    assert!(entries.iter().all(|entry| entry.origin == "127.0.0.1"));
    let told = |entry: audit::Entry| (entry.action, entry.detail);
    entries.into_iter().map(told).collect()
}

both_databases! {
    async fn every_change_of_a_key_is_told_once_and_what_changes_nothing_is_not(server: Server) {
        let manager = Manager::of(&server).await;
        let key = manager.new_key().await;
        manager.put(&key.id, &json!({"displayName": "weekly"})).await.ok();
        manager.put(&key.id, &json!({"displayName": "weekly"})).await.ok();
        for state in ["ACTIVE", "ACTIVE", "DEACTIVATED", "REVOKED"] {
            manager.set_state(&key, "two", state).await.ok();
        }
        manager.set_state(&key, "two", "ACTIVE").await.is(409, "IncorrectState");
        let renewed = manager.renew(&key, "one").await.ok();
        let to = json!({"compartmentId": CLOSED_COMPARTMENT});
        let path = format!("/{}/actions/changeCompartment", key.id);
        assert_eq!(manager.post(&path, &to).await.status, 204);
        assert_eq!(manager.delete(&key.id).await.status, 204);
        let expected = [
            ("inference.key.created", "in compartment.demo"),
            ("inference.key.changed", ""),
            ("inference.secret.activated", "two"),
            ("inference.secret.deactivated", "two"),
            ("inference.secret.revoked", "two"),
            ("inference.secret.renewed", "one"),
            ("inference.key.moved", "from compartment.demo to compartment.closed"),
            ("inference.key.deleted", ""),
        ];
        let told = trail(&server, &key.id).await;
        let told: Vec<_> = told.iter().map(|(action, detail)| (&**action, &**detail)).collect();
        assert_eq!(told, expected);
        let all = format!("{told:?}");
        let plain = renewed["keys"][0]["key"].as_str().unwrap();
        assert!([&key.one, &key.two, plain].iter().all(|secret| !all.contains(*secret)));
    }

    async fn a_repeated_call_is_told_once(server: Server) {
        let manager = Manager::of(&server).await;
        let key = manager.new_key().await;
        let path = format!("/{}/actions/renew", key.id);
        for _ in 0..2 {
            let request = manager.request(reqwest::Method::POST, &path);
            let request = request.header("accord-retry-token", "again");
            let body = json!({"details": {"keyName": "one"}});
            assert_eq!(request.json(&body).send().await.unwrap().status(), 200);
        }
        let told = trail(&server, &key.id).await;
        assert_eq!(told.len(), 2, "{told:?}");
    }
}
