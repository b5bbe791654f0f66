//! The states of a secret, all of them, and what each opens.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde_json::json;

use super::client::{Key, Manager, accepted, item};
use crate::harness::{Server, both_databases};

const STATES: [&str; 5] = ["STANDBY", "ACTIVE", "DEACTIVATED", "REVOKED", "EXPIRED"];
const TARGETS: [&str; 3] = ["ACTIVE", "DEACTIVATED", "REVOKED"];
const LIFE_SECONDS: i64 = 100_000;

/// A key whose secret `two` is in this state; `one` stays active.
async fn key_in(manager: &Manager, state: &str) -> Key {
    let expiry = manager.server.app().clock.now() + chrono::TimeDelta::seconds(LIFE_SECONDS);
    let body = json!({
        "displayName": "states",
        "compartmentId": "compartment.demo",
        "keyDetails": [{"keyName": "one"}, {"keyName": "two", "timeExpiry": expiry}],
    });
    let key = Key::of(&manager.create(&body).await.ok());
    match state {
        "ACTIVE" | "DEACTIVATED" => {
            manager.set_state(&key, "two", "ACTIVE").await.ok();
        }
        _ => {}
    }
    if matches!(state, "DEACTIVATED" | "REVOKED") {
        manager.set_state(&key, "two", state).await.ok();
    }
    key
}

both_databases! {
    async fn every_transition_is_as_the_table_says(server: Server) {
        let manager = Manager::of(&server).await;
        let mut cells = Vec::new();
        for from in STATES {
            for to in TARGETS {
                cells.push((from, to, key_in(&manager, from).await));
            }
        }
        // Expired ones first need the time to pass, and the others must not
        // have it pass.
        cells.sort_by_key(|(from, ..)| *from == "EXPIRED");
        let mut time_has_passed = false;
        let mut manager = manager;
        for (from, to, key) in cells {
            if from == "EXPIRED" && !time_has_passed {
                server.advance(LIFE_SECONDS);
                time_has_passed = true;
                manager = Manager::of(&server).await;
            }
            let cell = format!("{from} -> {to}");
            assert_eq!(manager.state(&key, "two").await, from, "{cell}");
            assert_eq!(accepted(&server, &key.two).await, from == "ACTIVE", "{cell}");
            let reply = manager.set_state(&key, "two", to).await;
            let allowed = matches!(
                (from, to),
                (_, "REVOKED")
                    | ("STANDBY" | "ACTIVE" | "DEACTIVATED", "ACTIVE")
                    | ("ACTIVE" | "DEACTIVATED", "DEACTIVATED")
            );
            let after = if allowed { to } else { from };
            match allowed {
                true => assert_eq!(item(&reply.ok(), "two")["state"], after, "{cell}"),
                false => reply.is(409, "IncorrectState"),
            }
            assert_eq!(manager.state(&key, "two").await, after, "{cell}");
            assert_eq!(accepted(&server, &key.two).await, after == "ACTIVE", "{cell}");
            assert!(accepted(&server, &key.one).await, "{cell}");
        }
    }

    async fn a_renewed_secret_has_a_new_value_and_its_old_value_is_dead(server: Server) {
        let manager = Manager::of(&server).await;
        let mut keys = Vec::new();
        for from in STATES {
            keys.push((from, key_in(&manager, from).await));
        }
        server.advance(LIFE_SECONDS);
        let manager = Manager::of(&server).await;
        for (from, key) in keys {
            // Time makes all but the revoked one expired; two are renewed before.
            let reply = manager.renew(&key, "two").await;
            let body = reply.ok();
            let renewed = item(&body, "two");
            // A revoked secret comes back, but only whoever activates it can use it.
            let expected = if from == "REVOKED" { "STANDBY" } else { "ACTIVE" };
            assert_eq!(renewed["state"], expected);
            assert!(renewed.get("timeRevoked").is_none());
            if from == "REVOKED" {
                assert!(!accepted(&server, renewed["key"].as_str().unwrap()).await);
                manager.set_state(&key, "two", "ACTIVE").await.ok();
            }
            assert!(renewed.get("timeDeactivated").is_none());
            assert!(renewed.get("timeLastUsed").is_none());
            let plain = renewed["key"].as_str().unwrap();
            assert_ne!(plain, key.two);
            assert!(accepted(&server, plain).await, "{from}");
            assert!(!accepted(&server, &key.two).await, "{from}");
            assert!(item(&body, "one").get("key").is_none());
        }
    }

    async fn renewing_an_active_secret_cuts_the_old_value_off_at_once(server: Server) {
        let manager = Manager::of(&server).await;
        let key = manager.new_key().await;
        assert!(accepted(&server, &key.one).await);
        let expiry = "2099-08-01T00:00:00Z";
        let body = json!({"details": {"keyName": "one", "timeExpiry": expiry}, "freeformTags": {"a": "b"}});
        let path = format!("/{}/actions/renew", key.id);
        let renewed = manager.post(&path, &body).await.ok();
        assert_eq!(item(&renewed, "one")["timeExpiry"], expiry);
        assert_eq!(renewed["freeformTags"], json!({"a": "b"}));
        assert!(!accepted(&server, &key.one).await);
        assert!(accepted(&server, item(&renewed, "one")["key"].as_str().unwrap()).await);
        let past = json!({"details": {"keyName": "one", "timeExpiry": "2020-01-01T00:00:00Z"}});
        manager.post(&path, &past).await.is(400, "InvalidParameter");
        let unknown = json!({"details": {"keyName": "three"}});
        manager.post(&path, &unknown).await.is(404, "NotAuthorizedOrNotFound");
    }

    async fn a_rotation_that_ends_with_a_revocation_is_repeated_on_the_same_key(server: Server) {
        let manager = Manager::of(&server).await;
        let key = manager.new_key().await;
        let (mut old, mut new) = (("one", key.one.clone()), ("two", key.two.clone()));
        for _ in 0..3 {
            manager.set_state(&key, new.0, "ACTIVE").await.ok();
            assert!(accepted(&server, &old.1).await && accepted(&server, &new.1).await);
            manager.set_state(&key, old.0, "REVOKED").await.ok();
            assert!(!accepted(&server, &old.1).await && accepted(&server, &new.1).await);
            let renewed = manager.renew(&key, old.0).await.ok();
            let value = item(&renewed, old.0)["key"].as_str().unwrap().to_owned();
            assert!(!accepted(&server, &old.1).await, "the revoked value stays dead");
            (old, new) = (new, (old.0, value));
        }
    }

    async fn a_key_with_one_secret_gets_a_second_and_no_third(server: Server) {
        let manager = Manager::of(&server).await;
        let body = json!({
            "displayName": "single", "compartmentId": "compartment.demo", "keyDetails": [{"keyName": "one"}],
        });
        let made = manager.create(&body).await.ok();
        let id = made["id"].as_str().unwrap();
        let path = format!("/{id}/actions/renew");
        let added = manager.post(&path, &json!({"details": {"keyName": "two"}})).await.ok();
        assert_eq!(added["keys"].as_array().unwrap().len(), 2);
        let second = item(&added, "two");
        assert_eq!((&second["state"], second.get("timeActivated")), (&json!("STANDBY"), None));
        let value = second["key"].as_str().unwrap();
        assert!(item(&added, "one").get("key").is_none());
        assert!(!accepted(&server, value).await);
        let activate = json!({"keyName": "two", "state": "ACTIVE"});
        manager.post(&format!("/{id}/actions/setstate"), &activate).await.ok();
        assert!(accepted(&server, value).await);
        let third = manager.post(&path, &json!({"details": {"keyName": "three"}})).await;
        third.is(404, "NotAuthorizedOrNotFound");
        let read = manager.get(&format!("/{id}")).await.ok();
        let names: Vec<_> = read["keys"].as_array().unwrap().iter().map(|one| &one["keyName"]).collect();
        assert_eq!(names, ["one", "two"]);
    }

    async fn the_secrets_of_a_deleted_key_are_revoked(server: Server) {
        let manager = Manager::of(&server).await;
        let key = manager.new_key().await;
        manager.delete(&key.id).await;
        let read = manager.get(&format!("/{}", key.id)).await.ok();
        assert_eq!(read["lifecycleState"], "DELETED");
        for name in ["one", "two"] {
            let secret = item(&read, name);
            assert_eq!((&secret["state"], &secret["timeRevoked"]), (&json!("REVOKED"), &read["timeUpdated"]));
        }
    }

    async fn a_key_without_an_active_secret_is_inactive(server: Server) {
        let manager = Manager::of(&server).await;
        let key = manager.new_key().await;
        let off = manager.set_state(&key, "one", "DEACTIVATED").await.ok();
        assert_eq!(off["lifecycleState"], "INACTIVE");
        assert!(item(&off, "one")["timeDeactivated"].is_string());
        let on = manager.set_state(&key, "two", "ACTIVE").await.ok();
        assert_eq!(on["lifecycleState"], "ACTIVE");
        manager.set_state(&key, "three", "ACTIVE").await.is(404, "NotAuthorizedOrNotFound");
        server.advance(91 * 86_400);
        let manager = Manager::of(&server).await;
        let expired = manager.get(&format!("/{}", key.id)).await.ok();
        assert_eq!(expired["lifecycleState"], "INACTIVE");
    }

    async fn a_rotation_fails_no_request_of_32_clients(server: Server) {
        let manager = Manager::of(&server).await;
        let key = manager.new_key().await;
        let clients = Clients::start(&server, &key.one);
        clients.have_called().await;
        manager.set_state(&key, "two", "ACTIVE").await.ok();
        clients.switch_to(&key.two);
        clients.have_called().await;
        let used = manager.get(&format!("/{}", key.id)).await.ok();
        assert!(item(&used, "two")["timeLastUsed"].is_string());
        // Some have not heard of the switch. Whatever they begin before the
        // revocation is answered may pass, and nothing after it.
        let late = Late::start(&server, &key.one);
        late.have_called().await;
        let asked = Instant::now();
        manager.set_state(&key, "one", "REVOKED").await.ok();
        let answered = Instant::now();
        assert!(!accepted(&server, &key.one).await);
        clients.have_called().await;
        late.have_called().await;
        for (begun, ended, passed) in late.end().await {
            assert!(passed || ended > asked, "refused before the revocation");
            assert!(!passed || begun < answered, "accepted after the revocation");
        }
        clients.end().await;
    }
}

/// A call: when it began, when it ended, whether it was accepted.
type Call = (Instant, Instant, bool);

/// Clients that keep to one secret and write down what becomes of it.
struct Late {
    calls: Arc<Mutex<Vec<Call>>>,
    stop: Arc<AtomicBool>,
    tasks: Vec<tokio::task::JoinHandle<()>>,
}

impl Late {
    const CLIENTS: usize = 4;

    fn start(server: &Server, secret: &str) -> Late {
        let (calls, stop) = (
            Arc::<Mutex<Vec<Call>>>::default(),
            Arc::<AtomicBool>::default(),
        );
        let tasks = (0..Self::CLIENTS).map(|_| {
            let (server, secret) = (server.clone(), secret.to_owned());
            let (calls, stop) = (calls.clone(), stop.clone());
            tokio::spawn(async move {
                while !stop.load(Ordering::Relaxed) {
                    let begun = Instant::now();
                    let passed = accepted(&server, &secret).await;
                    calls.lock().unwrap().push((begun, Instant::now(), passed));
                }
            })
        });
        let tasks = tasks.collect();
        Late { calls, stop, tasks }
    }

    /// Waits until they have begun and ended some calls since now.
    async fn have_called(&self) {
        let count = || self.calls.lock().unwrap().len();
        let before = count();
        while count() < before + 3 * Self::CLIENTS {
            assert!(self.tasks.iter().all(|task| !task.is_finished()));
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    async fn end(self) -> Vec<Call> {
        self.stop.store(true, Ordering::Relaxed);
        for task in self.tasks {
            task.await.unwrap();
        }
        std::mem::take(&mut *self.calls.lock().unwrap())
    }
}

/// Clients that call without a pause, and let no call fail.
struct Clients {
    secret: Arc<Mutex<String>>,
    calls: Vec<Arc<AtomicUsize>>,
    stop: Arc<AtomicBool>,
    tasks: Vec<tokio::task::JoinHandle<()>>,
}

impl Clients {
    fn start(server: &Server, secret: &str) -> Clients {
        let secret = Arc::new(Mutex::new(secret.to_owned()));
        let stop = Arc::new(AtomicBool::new(false));
        let calls: Vec<Arc<AtomicUsize>> = (0..32).map(|_| Arc::default()).collect();
        let tasks = calls.iter().map(|calls| {
            let (server, secret) = (server.clone(), secret.clone());
            let (stop, calls) = (stop.clone(), calls.clone());
            tokio::spawn(async move {
                while !stop.load(Ordering::Relaxed) {
                    let secret = secret.lock().unwrap().clone();
                    assert!(accepted(&server, &secret).await);
                    calls.fetch_add(1, Ordering::Relaxed);
                }
            })
        });
        let tasks = tasks.collect();
        Clients {
            secret,
            calls,
            stop,
            tasks,
        }
    }

    fn switch_to(&self, secret: &str) {
        *self.secret.lock().unwrap() = secret.to_owned();
    }

    /// Waits until each has begun and ended a call since now.
    async fn have_called(&self) {
        for calls in &self.calls {
            let before = calls.load(Ordering::Relaxed);
            while calls.load(Ordering::Relaxed) < before + 2 {
                assert!(self.tasks.iter().all(|task| !task.is_finished()));
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        }
    }

    async fn end(self) {
        self.stop.store(true, Ordering::Relaxed);
        for task in self.tasks {
            task.await.unwrap();
        }
    }
}
