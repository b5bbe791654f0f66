//! The bare loop: the rows of one creation, and a commit.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use super::{CLIENTS, ROUND};

/// Commits a second in a database that has the service's tables.
pub fn commits(database: &str) -> f64 {
    match database.strip_prefix("sqlite:") {
        Some(path) => sqlite(path),
        None => on_postgres(database),
    }
}

/// What a creation is answered.
const ANSWER: &str = r#"{"collabUser":[{"accountLinked":true,"appInstanceId":72,"collabOrganizationId":5202,"communicationEmail":"user-0@north.example","hasLinkedAccounts":false,"location":"Bergen, Vestland, Norway","projectIds":["QUAY-7"],"region":"eu-central","userId":"2b7c5c3e-6f0e-4a53-9c3e-9f1d3b1f4c5a","userName":"user-0@north.example"}],"hubUser":{"displayName":"Mira Lund","emailAddress":"user-0@north.example","emailForCommunication":"user-0@north.example","firstName":"Mira","lastName":"Lund","organizationId":3104}}"#;

/// 32 bytes that look like chance, of a row and of what they are in it.
fn mac(number: u64, kind: u64) -> Vec<u8> {
    use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
    let part = |part: u64| {
        let hash = BuildHasherDefault::<DefaultHasher>::default().hash_one((number, kind, part));
        hash.to_be_bytes()
    };
    [part(0), part(1), part(2), part(3)].concat()
}

fn uuid(number: u64, kind: u64) -> String {
    let bytes = mac(number, kind);
    let bytes = bytes[..16].try_into().expect("16 bytes");
    uuid::Uuid::from_bytes(bytes).to_string()
}

/// The rows that one creation leaves behind, as a bare program inserts them.
fn rows(number: u64) -> Vec<(&'static str, Vec<Cell>)> {
    use Cell::{Bytes, Int, Text};
    // As random as those of the service: neighbours in time are none in an index.
    let id = |kind: u64| Text(uuid(number, kind));
    let address = || Text(format!("user-{number}@north.example"));
    let text = |text: &str| Text(text.to_owned());
    let event = |offset: u64| {
        let count = number * 2 + offset;
        vec![
            Bytes(u128::from(count).to_be_bytes().to_vec()),
            Int(count as i64),
            Int(1),
            text("user:ana"),
            text("accounts.user.created"),
            id(0),
            text("127.0.0.1"),
            text("organization 3104"),
            Bytes(vec![7; 32]),
        ]
    };
    let mail = |number: u64, kind: &str, about: &str| {
        vec![
            id(number),
            text(kind),
            id(0),
            address(),
            text("en"),
            text(about),
            Int(1),
            Int(1),
            Int(0),
        ]
    };
    const EVENT: &str = "INSERT INTO audit_trail (id, number, at, actor, action, subject, \
                         origin, detail, seal) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)";
    const MAIL: &str = "INSERT INTO mail_outbox (id, kind, user_id, recipient, language, about, \
                        created_at, next_at, attempts) \
                        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)";
    vec![
        (
            "INSERT INTO hub_users (id, email, email_address, first_name, last_name, language, \
             organization_id, communication_email, created_at, created_by) \
             VALUES ($1, $2, $2, $3, $4, $5, $6, $2, $7, $8)",
            vec![
                id(0),
                address(),
                text("Mira"),
                text("Lund"),
                text("en"),
                Int(3104),
                Int(1),
                text("ana"),
            ],
        ),
        (
            "INSERT INTO collab_profiles (id, hub_user_id, collab_organization_id, user_name, \
             user_name_key, communication_email, language, created_at, created_by) \
             VALUES ($1, $2, $3, $4, $4, $4, $5, $6, $7)",
            vec![
                id(1),
                id(0),
                Int(5202),
                address(),
                text("en"),
                Int(1),
                text("ana"),
            ],
        ),
        (
            "INSERT INTO collab_invitations (profile_id, position, project_id) \
             VALUES ($1, $2, $3)",
            vec![id(1), Int(0), text("QUAY-7")],
        ),
        (
            MAIL,
            mail(2, "set-password", r#"{"organization":"North Works"}"#),
        ),
        (
            MAIL,
            mail(
                3,
                "invited",
                r#"{"organization":"North Works","address":"https://central.collab.example/login","projects":[{"id":"QUAY-7","name":"Quay 7"}]}"#,
            ),
        ),
        (
            "INSERT INTO password_tokens (token_mac, user_id, expires_at) VALUES ($1, $2, $3)",
            vec![Bytes(mac(number, 6)), id(0), Int(1)],
        ),
        (EVENT, event(0)),
        (EVENT, event(1)),
        (
            "INSERT INTO idempotency_keys (key_mac, request_mac, answer, created_at) \
             VALUES ($1, $2, $3, $4)",
            vec![
                Bytes(mac(number, 4)),
                Bytes(mac(number, 5)),
                Text(ANSWER.replace("user-0", &format!("user-{number}"))),
                Int(1),
            ],
        ),
    ]
}

enum Cell {
    Int(i64),
    Text(String),
    Bytes(Vec<u8>),
}

/// Numbers of rows that no service gives.
static BARE: AtomicU64 = AtomicU64::new(1 << 32);

fn sqlite(path: &str) -> f64 {
    let mut database = rusqlite::Connection::open(path).expect("the database");
    database
        .pragma_update(None, "journal_mode", "wal")
        .expect("a log");
    database
        .pragma_update(None, "synchronous", "full")
        .expect("durable commits");
    database
        .busy_timeout(Duration::from_secs(10))
        .expect("a timeout");
    let began = Instant::now();
    let mut done = 0_u32;
    while began.elapsed() < ROUND {
        let transaction = database
            .transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)
            .expect("a transaction");
        for (sql, cells) in rows(BARE.fetch_add(1, Ordering::Relaxed)) {
            let cells = cells.iter().map(|cell| match cell {
                Cell::Int(number) => rusqlite::types::Value::Integer(*number),
                Cell::Text(text) => rusqlite::types::Value::Text(text.clone()),
                Cell::Bytes(bytes) => rusqlite::types::Value::Blob(bytes.clone()),
            });
            transaction
                .prepare_cached(sql)
                .and_then(|mut statement| statement.execute(rusqlite::params_from_iter(cells)))
                .expect("a row");
        }
        transaction.commit().expect("a commit");
        done += 1;
    }
    f64::from(done) / began.elapsed().as_secs_f64()
}

fn on_postgres(url: &str) -> f64 {
    let began = Instant::now();
    let one = || {
        let mut database = postgres::Client::connect(url, postgres::NoTls).expect("the database");
        let statements: Vec<_> = rows(0)
            .iter()
            .map(|(sql, _)| database.prepare(sql).expect("a statement"))
            .collect();
        let mut done = 0_u32;
        while began.elapsed() < ROUND {
            let mut transaction = database.transaction().expect("a transaction");
            let number = BARE.fetch_add(1, Ordering::Relaxed);
            for (statement, (_, cells)) in statements.iter().zip(rows(number)) {
                let cells: Vec<&(dyn postgres::types::ToSql + Sync)> = cells
                    .iter()
                    .map(|cell| match cell {
                        Cell::Int(number) => number as &(dyn postgres::types::ToSql + Sync),
                        Cell::Text(text) => text,
                        Cell::Bytes(bytes) => bytes,
                    })
                    .collect();
                transaction.execute(statement, &cells).expect("a row");
            }
            transaction.commit().expect("a commit");
            done += 1;
        }
        done
    };
    let done: u32 = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..CLIENTS).map(|_| scope.spawn(one)).collect();
        let done = threads.into_iter().map(|thread| thread.join());
        done.map(|done| done.expect("rows")).sum()
    });
    f64::from(done) / began.elapsed().as_secs_f64()
}
