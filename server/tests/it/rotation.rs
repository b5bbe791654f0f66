//! The server key is replaced while everything goes on.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use accord_server::app::App;
use accord_server::area::Area;
use accord_server::audit::{self, AuditContext};
use accord_server::config::{Config, Layer};
use accord_server::identity::demo;
use accord_server::kernel::keyring::{self, replicas};
use accord_server::kernel::{SystemClock, SystemRandom};
use accord_server::store::{StoreError, Tx};
use confique::Layer as _;
use reqwest::Method;
use serde_json::{Value, json};
use tokio::sync::oneshot;

use crate::harness::commands::{fail, json, run, succeed};
use crate::harness::{Database, Server, both_databases};
use crate::identity::browser::Browser;
use crate::identity::client::{ANA, Device, PASSWORD, WEB, post, post_as, tokens};
use crate::inference::client::{COMPARTMENT, Key, Manager, Reply, accepted, two_secrets};

/// On a busy machine things take their time.
const TIMEOUT: Duration = Duration::from_secs(60);

/// Waits until something is so.
macro_rules! until {
    ($what:literal, $is_so:expr) => {
        let since = Instant::now();
        while !$is_so {
            assert!(since.elapsed() < TIMEOUT, $what);
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    };
}

async fn list(server: &Server) -> Vec<Value> {
    let listed = json(server, &["server-keys", "list"]).await;
    listed.as_array().unwrap().clone()
}

/// What is listed of a key.
async fn line(server: &Server, key: &str) -> Value {
    let lines = list(server).await;
    let found = lines.into_iter().find(|line| line["key"] == key);
    found.unwrap_or_else(|| panic!("{key} is not listed"))
}

/// The name of the current key.
fn current(server: &Server) -> String {
    server.app().server_keys.ring().current().to_string()
}

async fn add(server: &Server) -> String {
    let added = json(server, &["server-keys", "add"]).await;
    added["key"].as_str().unwrap().to_owned()
}

/// Adds a key, and promotes it when so many replicas hold it.
async fn replace(server: &Server, replicas: usize) -> (String, String) {
    let old = current(server);
    let new = add(server).await;
    until!(
        "every replica holds the new key",
        line(server, &new).await["held_by"] == replicas
    );
    succeed(server, &["server-keys", "promote", &new]).await;
    until!(
        "every replica uses the new key",
        line(server, &new).await["used_by"] == replicas
    );
    assert_eq!(line(server, &old).await["state"], "old");
    (old, new)
}

/// A chat at a replica's own address.
async fn chat(server: &Server, secret: &str) -> Reply {
    let address = server.address();
    let url = format!("http://{address}/20231130/actions/v1/chat/completions");
    let body = json!({"model": "accord.echo", "messages": [{"role": "user", "content": "Hello"}]});
    Reply::of(server.http().post(url).bearer_auth(secret).json(&body)).await
}

/// Calls with a secret, now here, now there, until told to stop. How many calls
/// there were; each must have succeeded.
async fn keep_calling(servers: [Server; 2], secret: String, stop: Arc<AtomicBool>) -> usize {
    let mut calls = 0;
    while !stop.load(Ordering::Relaxed) {
        let reply = chat(&servers[calls % 2], &secret).await;
        assert_eq!(reply.status, 200, "call {calls}: {reply:?}");
        calls += 1;
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    calls
}

fn needs(line: &Value, kind: &str) -> bool {
    let needs = line["needed_by"].as_array().unwrap();
    needs.iter().any(|need| need["kind"] == kind)
}

/// Creates a key; the second time, the same.
async fn create_once(manager: &Manager) -> Value {
    let request = manager.request(Method::POST, "");
    let request = request.header("accord-retry-token", "once");
    Reply::of(request.json(&two_secrets("once", COMPARTMENT)))
        .await
        .ok()
}

both_databases! {
    async fn a_server_key_is_replaced_while_clients_call_and_no_call_fails(server: Server) {
        let there = server.replica().await;
        let manager = Manager::of(&server).await;
        let stop = Arc::new(AtomicBool::new(false));
        let mut calling = Vec::new();
        for _ in 0..4 {
            let key = manager.new_key().await;
            manager.set_state(&key, "two", "ACTIVE").await.ok();
            for secret in [key.one, key.two] {
                // Replicas learn of new secrets within a second.
                until!("it is known there", chat(&there, &secret).await.status == 200);
                let servers = [server.clone(), there.clone()];
                calling.push(tokio::spawn(keep_calling(servers, secret, Arc::clone(&stop))));
            }
        }
        let (old, new) = replace(&server, 2).await;
        // What is made from here on is known everywhere.
        let key = manager.new_key().await;
        until!("a new secret is known there", chat(&there, &key.one).await.status == 200);

        // Used secrets are hashed anew, and nothing else is left in the end.
        until!("used secrets are hashed anew", !needs(&line(&server, &old).await, "secrets of API keys"));
        let refused = fail(&server, &["server-keys", "retire", &old]).await;
        assert!(refused.contains("1 client secrets"), "{refused}");
        let unknown = [("token", "unknown")];
        let asked = post_as(&server, WEB, "/oauth2/v1/introspect", &unknown).await;
        assert_eq!(asked.status, 200, "{asked:?}");
        succeed(&server, &["server-keys", "retire", &old]).await;
        until!("both know that it is retired", [&server, &there].iter().all(|server| server.app().server_keys.ring().keys()[0].is_retired));
        let before = line(&server, &new).await;
        assert_eq!((&before["state"], &before["is_here"]), (&"current".into(), &true.into()));

        // Tokens are signed with the key that was encrypted anew.
        tokens(&server, "").await;
        stop.store(true, Ordering::Relaxed);
        for calls in futures::future::join_all(calling).await {
            assert!(calls.unwrap() > 10);
        }
        let file = std::fs::read_to_string(server.app().config.server.data_dir.join("server.key"));
        assert!(file.unwrap().starts_with("retired "));

        let events = json(&server, &["audit", "list", "--action", "server.key."]).await;
        for (action, key) in [("added", &new), ("promoted", &new), ("retired", &old)] {
            let action = format!("server.key.{action}");
            let is_it = |one: &Value| one["action"] == action && one["subject"] == *key;
            assert!(events.as_array().unwrap().iter().any(is_it), "{action}: {events}");
        }
        // The trail holds seals of both keys.
        audit::seal_all(&server.app().kernel).await.unwrap();
        let app = Arc::clone(server.app());
        let verify = move |tx: &mut Tx<'_>| audit::verify(tx, &app.server_keys, None);
        server.app().store.read(verify).await.unwrap();
        assert_eq!(there.stop().await, Vec::<String>::new());
        drop(there);
        let again = server.replica().await;
        assert_eq!(chat(&again, &key.one).await.status, 200);
        assert_eq!(again.stop().await, Vec::<String>::new());
    }

    async fn a_secret_that_needs_a_retired_key_is_refused_by_all(server: Server) {
        let there = server.replica().await;
        let key = Manager::of(&server).await.new_key().await;
        assert!(accepted(&server, &key.one).await);
        let (old, _) = replace(&server, 2).await;
        let refused = fail(&server, &["server-keys", "retire", &old]).await;
        assert!(refused.contains("secrets of API keys"), "{refused}");
        succeed(&server, &["server-keys", "retire", &old, "--force"]).await;
        // The one that was used may have been hashed anew; this one was not.
        for server in [&server, &there] {
            until!("it is refused", chat(server, &key.two).await.status == 401);
        }
        // As if the command had been killed before it marked the key.
        let path = server.app().config.server.data_dir.join("server.key");
        let marked = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, marked.replace("retired ", "")).unwrap();
        let again = fail(&server, &["server-keys", "retire", &old]).await;
        assert!(again.contains("retired already"), "{again}");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), marked);
        assert_eq!(there.stop().await, Vec::<String>::new());
    }

    async fn a_replica_whose_clock_is_ahead_does_not_remove_the_others(server: Server) {
        let there = server.replica().await;
        there.advance(600);
        replicas::announce(&there.app().kernel).await.unwrap();
        let now = server.app().clock.now().timestamp_millis();
        let running = server.read(move |tx| replicas::list(tx, now)).await;
        assert_eq!(running.len(), 2, "{running:?}");
        assert_eq!(there.stop().await, Vec::<String>::new());
    }

    async fn no_key_is_added_whose_event_cannot_be_recorded(server: Server) {
        let path = server.app().config.server.data_dir.join("server.key");
        let before = std::fs::read_to_string(&path).unwrap();
        server.write(|tx| tx.execute("ALTER TABLE audit_trail RENAME TO hidden", &[])).await;
        fail(&server, &["server-keys", "add"]).await;
        assert_eq!(std::fs::read_to_string(&path).unwrap(), before);
        server.write(|tx| tx.execute("ALTER TABLE hidden RENAME TO audit_trail", &[])).await;
        let new = add(&server).await;
        assert_ne!(std::fs::read_to_string(&path).unwrap(), before);
        let events = json(&server, &["audit", "list", "--action", "server.key.added"]).await;
        let subjects = events.as_array().unwrap().iter().map(|event| event["subject"].clone());
        assert_eq!(subjects.collect::<Vec<_>>(), [new]);
    }

    async fn what_people_and_devices_have_outlives_its_server_key(server: Server) {
        let mut browser = Browser::signed_in(&server, ANA, PASSWORD).await;
        let device = Device::ask(&server, "").await;
        let granted = tokens(&server, "offline_access").await;
        let manager = Manager::of(&server).await;
        let created = create_once(&manager).await;
        replace(&server, 1).await;
        assert_eq!(create_once(&manager).await, created);
        // The code was hashed before; the session, its form and the poll find it.
        let page = browser.decide(&device.user_code, "approve").await;
        assert!(page.body.contains("Device approved"), "{}", page.body);
        assert_eq!(device.poll(&server).await.status, 200);
        let form = [
            ("grant_type", "refresh_token"),
            ("client_id", demo::PUBLIC),
            ("refresh_token", granted.text("refresh_token")),
        ];
        let refreshed = post(&server, "/oauth2/v1/token", &form).await;
        assert_eq!(refreshed.status, 200, "{refreshed:?}");
        // Its reuse is noticed once a lost response can no longer be the reason, whichever key it is hashed with.
        server.advance(31);
        assert_eq!(post(&server, "/oauth2/v1/token", &form).await.error(), (400, "invalid_grant"));
        let lines = list(&server).await;
        let left = lines.iter().find(|line| line["state"] == "old").unwrap();
        for kind in ["sessions", "refresh tokens", "retry tokens"] {
            assert!(needs(left, kind), "{kind}: {left}");
        }
    }
}

/// A replica with a key file of its own.
async fn with_own_file(server: &Server, directory: &Path) -> Server {
    let config = server.app().config.clone();
    let directory = directory.to_owned();
    Server::start_with(Database::Sqlite, move |layer| {
        layer.server.data_dir = Some(directory);
        layer.database.url = Some(config.database_url());
        layer.server.identity_url = Some(server.area(Area::Identity).parse().unwrap());
    })
    .await
}

/// Why a replica with this directory does not start.
async fn refusal(server: &Server, directory: &Path) -> String {
    let mut layer = Layer::empty();
    layer.server.data_dir = Some(directory.to_owned());
    layer.database.url = Some(server.app().config.database_url());
    let config = Config::from_layers(layer).unwrap();
    let opened = App::open(config, Arc::new(SystemClock), Arc::new(SystemRandom)).await;
    opened.err().expect("it must not start").to_string()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_is_not_promoted_before_every_replica_holds_it() {
    for database in [Database::Sqlite, Database::Postgres] {
        let here = Server::start(database).await;
        let own = tempfile::tempdir().unwrap();
        let (first, copy) = (
            here.app().config.server.data_dir.join("server.key"),
            own.path().join("server.key"),
        );
        // Copies with the permissions.
        std::fs::copy(&first, &copy).unwrap();
        let there = with_own_file(&here, own.path()).await;
        let old = current(&here);
        let new = add(&here).await;
        until!("here it is held", line(&here, &new).await["held_by"] == 1);
        let refused = fail(&here, &["server-keys", "promote", &new]).await;
        assert!(
            refused.contains("1 of 2 running replicas do not have it behind the current key yet"),
            "{refused}"
        );
        assert_eq!(
            (current(&here), current(&there)),
            (old.clone(), old.clone())
        );

        let before = std::fs::read_to_string(&copy).unwrap();
        let ordered = std::fs::read_to_string(&first).unwrap();
        let reversed: Vec<_> = ordered.lines().rev().collect();
        std::fs::write(&copy, reversed.join("\n")).unwrap();
        until!("both hold it", line(&here, &new).await["held_by"] == 2);
        let refused = fail(&here, &["server-keys", "promote", &new]).await;
        assert!(
            refused.contains("1 of 2 running replicas do not have it behind the current key yet"),
            "{refused}"
        );
        std::fs::copy(&first, &copy).unwrap();
        // A replica announces its keys after it has read them.
        until!(
            "it follows the order",
            run(&here, &["server-keys", "promote", &new]).await.0
        );
        until!(
            "both use it",
            current(&here) == new && current(&there) == new
        );
        let key: Key = Manager::of(&here).await.new_key().await;
        until!(
            "a new secret is known there",
            chat(&there, &key.one).await.status == 200
        );

        // One that loses a key is not ready, and does not start again.
        std::fs::write(&copy, before).unwrap();
        let ready = format!("http://{}/readyz", there.address());
        until!(
            "it is not ready",
            there.http().get(&ready).send().await.unwrap().status() == 503
        );
        assert_eq!(chat(&there, &key.one).await.status, 200);
        let refusal = refusal(&here, own.path()).await;
        assert!(refusal.contains(&format!("server key {new}")), "{refusal}");
        std::fs::write(&copy, reversed.join("\n")).unwrap();
        let refusal = self::refusal(&here, own.path()).await;
        let expected = format!("Put {new} behind {old}");
        assert!(refusal.ends_with(&expected), "{refusal}");
        assert_eq!(there.stop().await, Vec::<String>::new());
        assert_eq!(here.stop().await, Vec::<String>::new());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_replica_without_the_current_key_leaves_the_audit_trail_to_the_others() {
    for database in [Database::Sqlite, Database::Postgres] {
        let here = Server::start(database).await;
        let own = tempfile::tempdir().unwrap();
        let first = here.app().config.server.data_dir.join("server.key");
        // Copies with the permissions.
        std::fs::copy(&first, own.path().join("server.key")).unwrap();
        let there = with_own_file(&here, own.path()).await;
        let (old, new) = (current(&here), add(&here).await);
        succeed(&here, &["server-keys", "promote", &new, "--force"]).await;
        until!("it is used here", current(&here) == new);
        for server in [&here, &there, &here, &there] {
            let app = Arc::clone(server.app());
            let record = move |tx: &mut Tx<'_>| -> Result<(), StoreError> {
                let trail = AuditContext::of_operator(&app.server_keys, "root", 1);
                trail.record(tx, "test.thing.made", "x", "")
            };
            server.app().store.write(record).await.unwrap();
            audit::seal_all(&server.app().kernel).await.unwrap();
        }
        assert_eq!(current(&there), old);
        audit::seal_all(&here.app().kernel).await.unwrap();
        let app = Arc::clone(here.app());
        let verify = move |tx: &mut Tx<'_>| audit::verify(tx, &app.server_keys, None);
        let verified = here.app().store.read(verify).await.unwrap();
        assert_eq!(verified.unsealed, 0);
        assert_eq!(there.stop().await, Vec::<String>::new());
        assert_eq!(here.stop().await, Vec::<String>::new());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_replica_that_stops_ends_its_announcements_and_leaves() {
    for database in [Database::Sqlite, Database::Postgres] {
        let server = Server::start(database).await;
        let (stop, stopped) = oneshot::channel();
        let announcing = tokio::spawn(keyring::run(Arc::clone(&server.app().kernel), stopped));
        drop(stop);
        let ended = tokio::time::timeout(TIMEOUT, announcing).await;
        ended.expect("the task ends").unwrap();
        assert_eq!(server.stop().await, Vec::<String>::new());
        let now = server.app().clock.now().timestamp_millis();
        let list = move |tx: &mut Tx<'_>| replicas::list(tx, now);
        let running = server.app().store.read(list).await.unwrap();
        assert!(running.is_empty(), "{running:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn keys_in_the_configuration_are_replaced_by_restarting() {
    use accord_server::config::Secret;
    use base64::Engine as _;
    let key = |byte: u8| base64::engine::general_purpose::STANDARD.encode([byte; 32]);
    let one = Server::start_with(Database::Sqlite, |layer| {
        layer.server.key = Some(Secret::new(key(1)));
    })
    .await;
    let url = one.app().config.database_url();
    let issuer = one.area(Area::Identity).to_owned();
    let beside = async |keys: String| {
        Server::start_with(Database::Sqlite, |layer| {
            layer.server.key = Some(Secret::new(keys));
            layer.database.url = Some(url.clone());
            layer.server.identity_url = Some(issuer.parse().unwrap());
        })
        .await
    };
    let (old, made) = (current(&one), Manager::of(&one).await.new_key().await);
    let two = beside(format!("{},{}", key(1), key(2))).await;
    assert_eq!(current(&two), old);
    let new = two.app().server_keys.ring().keys()[1].name();
    let write = move |tx: &mut Tx<'_>| accord_server::rotation::promote(tx, new, false, 0);
    // The one that runs on does not have it.
    let refused = two.app().store.write(write).await.unwrap_err().to_string();
    assert!(refused.contains("1 of 2 running replicas"), "{refused}");
    assert_eq!(one.stop().await, Vec::<String>::new());
    let now = two.app().clock.now().timestamp_millis();
    let write = move |tx: &mut Tx<'_>| accord_server::rotation::promote(tx, new, false, now);
    two.app().store.write(write).await.unwrap();
    until!("it follows", current(&two) == new.to_string());
    assert_eq!(chat(&two, &made.one).await.status, 200);
    assert_eq!(two.stop().await, Vec::<String>::new());
}
