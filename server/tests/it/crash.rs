//! The program, killed at any moment: what was acknowledged is there, once.
//!
//! `ACCORD_CRASH_ROUNDS` says how often; without it, a few times.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use accord_server::accounts::demo::ADMINISTRATOR;
use accord_server::store::StoreError;
use serde_json::{Value, json};

use crate::harness::{Database, Server, run_with};
use crate::process::Serving;

const CLIENTS: usize = 4;

/// A request and, once it was answered, its answer.
type Asked = Arc<Mutex<BTreeMap<String, Option<Vec<u8>>>>>;

fn user(address: &str) -> Value {
    json!({
        "hubUser": {
            "emailAddress": address, "firstName": "Mira", "lastName": "Lund", "language": "en",
            "hubOrganizationId": 3104, "setPassword": true,
        },
        "collabUsers": [{"appInstanceId": 72, "collabOrganizationId": 5202, "projectIds": ["QUAY-7"]}],
    })
}

async fn ask(base: &str, token: &str, address: &str) -> Option<Vec<u8>> {
    let answer = reqwest::Client::new()
        .post(format!("http://{base}/api/user"))
        .bearer_auth(token)
        .header("idempotency-key", address)
        .json(&user(address))
        .send()
        .await
        .ok()?;
    assert_eq!(answer.status(), 200, "{address}");
    Some(answer.bytes().await.ok()?.to_vec())
}

/// Creates users one after the other until the service is gone.
async fn client(base: String, token: String, name: String, asked: Asked) {
    for number in 0.. {
        let address = format!("{name}-{number}@north.example");
        asked.lock().unwrap().insert(address.clone(), None);
        match ask(&base, &token, &address).await {
            Some(answer) => asked.lock().unwrap().insert(address, Some(answer)),
            None => return,
        };
    }
}

async fn numbers(server: &Server, sql: &'static str) -> Vec<(String, i64)> {
    let rows = server.app().store.read(move |tx| {
        let rows = tx.query(sql, &[])?;
        rows.iter()
            .map(|row| Ok((row.get(0)?, row.get(1)?)))
            .collect()
    });
    rows.await
        .unwrap_or_else(|error: StoreError| panic!("{error}"))
}

async fn killed_again_and_again(database: Database) -> Server {
    let rounds = std::env::var("ACCORD_CRASH_ROUNDS").ok();
    let rounds: u32 = rounds.map_or(4, |rounds| rounds.parse().unwrap());
    let directory = tempfile::tempdir().unwrap();
    // The same address each time: it is what tokens name as their issuer.
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = free.local_addr().unwrap().to_string();
    drop(free);
    let url = format!("http://{address}");
    // Knows the database from beside, and makes tokens that the program takes.
    let server = Server::start_with(database, |layer| {
        layer.server.data_dir = Some(directory.path().join("data"));
        layer.server.public_url = Some(url.parse().unwrap());
    })
    .await;
    let token = server.token(ADMINISTRATOR, "accounts.write").await;
    let database_url = server.app().config.database_url().expose().to_owned();
    let start = || {
        let path = directory.path().to_owned();
        let (address, url, database_url) = (address.clone(), url.clone(), database_url.clone());
        tokio::task::spawn_blocking(move || {
            let arguments = ["--public-url", &url, "--database-url", &database_url];
            Serving::start_on(&address, &path, &arguments)
        })
    };
    let asked = Asked::default();
    for round in 0..rounds {
        let mut serving = start().await.unwrap();
        let clients: Vec<_> = (0..CLIENTS)
            .map(|number| {
                let name = format!("user-{round}-{number}");
                let (base, token) = (serving.address.clone(), token.clone());
                tokio::spawn(client(base, token, name, Arc::clone(&asked)))
            })
            .collect();
        let random = server.app().random.bytes::<1>()[0];
        tokio::time::sleep(Duration::from_millis(150 + 4 * u64::from(random))).await;
        serving.signal("KILL");
        serving.wait();
        for client in clients {
            client.await.unwrap();
        }
    }
    let serving = start().await.unwrap();
    let asked = std::mem::take(&mut *asked.lock().unwrap());
    let acknowledged = asked.values().flatten().count();
    assert!(acknowledged > 0, "nothing was acknowledged");
    for (address, answer) in &asked {
        // Whoever does not know what became of a request sends it again.
        let again = ask(&serving.address, &token, address).await.unwrap();
        if let Some(answer) = answer {
            assert_eq!(&again, answer, "{address}");
        }
    }
    let ours = "u.email LIKE 'user-%' GROUP BY u.email";
    let users = format!("SELECT u.email, COUNT(*) FROM hub_users u WHERE {ours}");
    let profiles = format!(
        "SELECT u.email, COUNT(*) FROM hub_users u \
         JOIN collab_profiles p ON p.hub_user_id = u.id WHERE {ours}"
    );
    let mails = format!(
        "SELECT u.email, COUNT(*) FROM hub_users u \
         JOIN mail_outbox m ON m.user_id = u.id WHERE {ours}"
    );
    for (sql, each) in [(users, 1), (profiles, 1), (mails, 2)] {
        let found = numbers(&server, sql.leak()).await;
        assert_eq!(found.len(), asked.len());
        assert!(found.iter().all(|(_, number)| *number == each), "{found:?}");
    }
    println!(
        "{rounds} rounds, {} requests, {acknowledged} acknowledged",
        asked.len()
    );
    server
}

#[test]
fn what_was_acknowledged_is_there_once_on_sqlite() {
    run_with(|| killed_again_and_again(Database::Sqlite));
}

#[test]
fn what_was_acknowledged_is_there_once_on_postgres() {
    run_with(|| killed_again_and_again(Database::Postgres));
}
