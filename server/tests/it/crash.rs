//! The program, killed at any moment: what was acknowledged is there, once, its mail
//! is sent once, and the audit trail tells of it once.
//!
//! `ACCORD_CRASH_ROUNDS` says how often; without it, a few times.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use accord_server::accounts::demo::ADMINISTRATOR;
use accord_server::audit;
use accord_server::patterns::accelerators::REACT;
use accord_server::patterns::demo::INSTANCE;
use accord_server::store::Tx;
use reqwest::Client;
use serde_json::{Value, json};

use crate::harness::{Database, Server, http, run_with};
use crate::serving::{Serving, own_address};

const CLIENTS: usize = 4;
const PATTERNS: &str = "/ic/api/integration/v1/projects/RETAIL/ai/patterns";

/// What is asked for: a user with a profile, or a pattern, by this name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    User,
    Pattern,
}

/// Requests and, once they were answered, their answers.
type Asked = Arc<Mutex<BTreeMap<(Kind, String), Option<Vec<u8>>>>>;

fn user(address: &str) -> Value {
    json!({
        "hubUser": {
            "emailAddress": address, "firstName": "Mira", "lastName": "Lund", "language": "en",
            "hubOrganizationId": 3104, "setPassword": true,
        },
        "collabUsers": [{"appInstanceId": 72, "collabOrganizationId": 5202, "projectIds": ["QUAY-7"]}],
    })
}

/// Asks once; nothing when the service is gone before it has answered.
async fn ask(
    http: &Client,
    base: &str,
    token: &str,
    kind: Kind,
    name: &str,
) -> Option<(u16, Vec<u8>)> {
    let request = match kind {
        Kind::User => http
            .post(format!("http://{base}/api/user"))
            .header("idempotency-key", name)
            .json(&user(&format!("{name}@north.example"))),
        Kind::Pattern => http
            .post(format!("http://{base}{PATTERNS}/accelerators/archive"))
            .query(&[("integrationInstance", INSTANCE)])
            .json(&json!({
                "patternCode": name, "patternVersion": "1", "projectCode": "RETAIL", "id": REACT,
            })),
    };
    let answer = request.bearer_auth(token).send().await.ok()?;
    let status = answer.status().as_u16();
    Some((status, answer.bytes().await.ok()?.to_vec()))
}

/// What the service has of this pattern.
async fn pattern(http: &Client, base: &str, token: &str, name: &str) -> Vec<u8> {
    let request = http
        .get(format!("http://{base}{PATTERNS}/{name}%7C1"))
        .query(&[("integrationInstance", INSTANCE)]);
    let answer = request.bearer_auth(token).send().await.unwrap();
    assert_eq!(answer.status(), 200, "{name}");
    answer.bytes().await.unwrap().to_vec()
}

/// Creates users and patterns by turns until the service is gone.
async fn client(base: String, token: String, name: String, asked: Asked) {
    let http = http().build().unwrap();
    for number in 0.. {
        for kind in [Kind::User, Kind::Pattern] {
            let name = format!("{name}-{number}");
            let key = (kind, name.clone());
            asked.lock().unwrap().insert(key.clone(), None);
            match ask(&http, &base, &token, kind, &name).await {
                Some((status, answer)) => {
                    assert_eq!(status, 200, "{name}");
                    asked.lock().unwrap().insert(key, Some(answer));
                }
                None => return,
            }
        }
    }
}

/// Waits until every mail was sent; there are as many files.
async fn each_mail_is_sent_once(server: &Server, directory: &std::path::Path) {
    let deadline = std::time::Instant::now() + Duration::from_secs(600);
    loop {
        // What a process had taken when it was killed is taken again by another.
        server.advance(600);
        let unsent = "SELECT id, 1 FROM mail_outbox WHERE sent_at IS NULL";
        if numbers(server, unsent).await.is_empty() {
            break;
        }
        assert!(std::time::Instant::now() < deadline, "mail is not sent");
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
    let files = std::fs::read_dir(directory.join("data/mail")).unwrap();
    let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
    let mut files: Vec<String> = names.filter(|name| name.ends_with(".eml")).collect();
    let mails = numbers(server, "SELECT id, 1 FROM mail_outbox").await;
    let mut mails: Vec<_> = mails.iter().map(|(id, _)| format!("{id}.eml")).collect();
    files.sort();
    mails.sort();
    assert_eq!(files, mails);
}

/// What was not sealed when a process was killed is sealed by another.
async fn audit_is_whole(server: &Server) {
    let app = Arc::clone(server.app());
    audit::seal_all(&app.kernel).await.unwrap();
    let store = app.store.clone();
    let read = move |tx: &mut Tx<'_>| audit::verify(tx, &app.server_keys, None);
    let verified = store.read(read).await.unwrap();
    assert_eq!(verified.unsealed, 0);
    let events = numbers(server, "SELECT 'events', COUNT(*) FROM audit_trail").await;
    assert_eq!(events, [("events".to_owned(), verified.head.number)]);
}

async fn numbers(server: &Server, sql: &'static str) -> Vec<(String, i64)> {
    server
        .read(move |tx| {
            let rows = tx.query(sql, &[])?;
            rows.iter()
                .map(|row| Ok((row.get(0)?, row.get(1)?)))
                .collect()
        })
        .await
}

async fn killed_again_and_again(database: Database) -> Server {
    let rounds = std::env::var("ACCORD_CRASH_ROUNDS").ok();
    let rounds: u32 = rounds.map_or(4, |rounds| rounds.parse().unwrap());
    let directory = tempfile::tempdir().unwrap();
    // The same address each time: it is what tokens name as their issuer.
    let address = own_address().to_string();
    let url = format!("http://{address}");
    // Knows the database from beside, and makes tokens that the program takes.
    let server = Server::start_with(database, |layer| {
        layer.server.data_dir = Some(directory.path().join("data"));
        layer.server.public_url = Some(url.parse().unwrap());
    })
    .await;
    let scopes = "accounts.write patterns.read patterns.write";
    let token = server.token(ADMINISTRATOR, scopes).await;
    let database_url = server.app().config.database_url().expose().to_owned();
    let start = || {
        let path = directory.path().to_owned();
        let (address, url, database_url) = (address.clone(), url.clone(), database_url.clone());
        tokio::task::spawn_blocking(move || {
            // Nobody reads what it logs.
            let quiet = ["--log", "error"];
            let own = ["--public-url", &url, "--database-url", &database_url];
            let arguments = [&quiet[..], &own].concat();
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
        // A busy machine takes longer to acknowledge the first of all.
        let deadline = std::time::Instant::now() + Duration::from_secs(60);
        while asked.lock().unwrap().values().flatten().next().is_none()
            && std::time::Instant::now() < deadline
        {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
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
    for ((kind, name), answer) in &asked {
        // Whoever does not know what became of a request sends it again.
        let (http, base) = (server.http(), &serving.address);
        let again = ask(http, base, &token, *kind, name).await.unwrap();
        match (kind, answer) {
            (Kind::User, Some(answer)) => assert_eq!(again, (200, answer.clone()), "{name}"),
            (Kind::User, None) => assert_eq!(again.0, 200, "{name}"),
            (Kind::Pattern, Some(answer)) => {
                assert_eq!(again.0, 409, "{name}");
                let kept = pattern(http, base, &token, name).await;
                assert_eq!(&kept, answer, "{name}");
            }
            (Kind::Pattern, None) => assert!([200, 409].contains(&again.0), "{name}"),
        }
    }
    let of = |kind| asked.keys().filter(|(one, _)| *one == kind).count();
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
    let patterns = "SELECT code, COUNT(*) FROM agent_patterns GROUP BY code".to_owned();
    let events = "SELECT subject, COUNT(*) FROM audit_trail \
                  WHERE action = 'accounts.user.created' GROUP BY subject"
        .to_owned();
    for (sql, kind, each) in [
        (users, Kind::User, 1),
        (profiles, Kind::User, 1),
        (mails, Kind::User, 2),
        (events, Kind::User, 1),
        (patterns, Kind::Pattern, 1),
    ] {
        let found = numbers(&server, sql.leak()).await;
        assert_eq!(found.len(), of(kind));
        assert!(found.iter().all(|(_, number)| *number == each), "{found:?}");
    }
    each_mail_is_sent_once(&server, directory.path()).await;
    audit_is_whole(&server).await;
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
