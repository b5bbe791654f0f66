//! Fills a store with rows as the service writes them.
//!
//! Events of the audit trail are recorded and sealed by the service's own functions, because the
//! seals depend on each other. The other rows come from statements that make many of them.

use std::path::Path;
use std::sync::Arc;

use accord_server::accounts::demo::{ADMINISTRATOR, ORGANIZATION};
use accord_server::app::App;
use accord_server::audit::{self, AuditContext};
use accord_server::params;
use accord_server::rights::{self, Resource, Verb};
use accord_server::store::{StoreError, Tx};

use crate::{load, opened, tokens};

/// The compartment whose keys are listed.
pub const COMPARTMENT: &str = "compartment.growth";
/// A compartment has this share of all keys.
const COMPARTMENTS: i64 = 100;
/// The maximum number of rows of one statement.
const AT_ONCE: i64 = 10_000;
/// Thirty days in milliseconds: no row expires while a measurement runs.
const LATER: i64 = 30 * 86_400_000;

/// A row `n` has the number `i`, and `s`: ten digits that are scattered and never repeat, as random
/// identifiers are. `{bytes}` becomes the function that turns a text into bytes.
const NUMBERS: &str = "WITH RECURSIVE numbers (i) AS (SELECT CAST($1 AS BIGINT) \
    UNION ALL SELECT i + 1 FROM numbers WHERE i < $2), \
    n AS (SELECT i, CAST((i * 2654435761) % 4294967296 + 1000000000 AS TEXT) AS s FROM numbers) ";

/// The number of kinds of rows before those of API keys.
const OF_USERS: usize = 5;
/// The statements by what they make, with `$1` to `$2` as the numbers and `$3` as the time.
const ROWS: [(&str, &str); 7] = [
    (
        "users",
        "INSERT INTO hub_users (id, email, email_address, first_name, last_name, language, \
         organization_id, communication_email, created_at, created_by) \
         SELECT s || '-user', s || '@growth.example', s || '@growth.example', 'Mira', 'Lund', 'en', \
         {organization}, s || '@growth.example', $3, '{administrator}' FROM n",
    ),
    (
        "device grants",
        "INSERT INTO device_grants (id, device_mac, user_mac, client_id, scopes, state, origin, \
         created_at, expires_at, interval_seconds) \
         SELECT s || '-grant', {bytes}('device' || s || s || s), {bytes}('user--' || s || s || s), \
         'accord-cli', 'accounts.read', 'pending', '192.0.2.' || CAST(i % 250 AS TEXT), $3, \
         $3 + {later}, 5 FROM n",
    ),
    (
        "approvals",
        "INSERT INTO approvals (id, client_id, user_id, scopes, created_at) \
         SELECT s || '-approval', 'accord-cli', s || '-user', 'accounts.read', $3 FROM n",
    ),
    (
        "access tokens",
        "INSERT INTO access_tokens (jti, approval_id, expires_at) \
         SELECT s || '-token', s || '-approval', $3 + {later} FROM n",
    ),
    (
        "refresh tokens",
        "INSERT INTO refresh_tokens (mac, approval_id, issued_at, expires_at) \
         SELECT {bytes}('refr--' || s || s || s), s || '-approval', $3, $3 + {later} FROM n",
    ),
    (
        "API keys",
        "INSERT INTO inference_keys (id, region, compartment_id, display_name, name_order, \
         freeform_tags, defined_tags, version, created_at, updated_at) \
         SELECT 'apikey.local.' || s, 'local', '{compartment}.' || CAST(i % {compartments} AS TEXT), \
         'key-' || s, {bytes}('key-' || s), '{}', '{}', 1, $3 + i, $3 + i FROM n",
    ),
    (
        "secrets",
        "INSERT INTO inference_secrets (key_id, position, name, public_id, digest, mask, state, \
         created_at, expires_at, activated_at) \
         SELECT 'apikey.local.' || s, p.position, p.name, s || p.name, \
         {bytes}('secr' || s || s || s || p.short), 'sk-' || SUBSTR(s, 1, 3) || '...' || SUBSTR(s, 7, 4), 'ACTIVE', \
         $3, $3 + {later}, $3 FROM n, \
         (SELECT CAST(0 AS BIGINT) AS position, 'one' AS name, '-1' AS short UNION ALL SELECT 1, 'two', '-2') p",
    ),
];

/// Creates a store with the demo catalog and `rows` rows of each kind. Returns a token of the
/// administrator with these scopes.
pub async fn filled_store(
    directory: &Path,
    database: &str,
    (issuer, settings): (&str, &[(&str, &str)]),
    rows: i64,
    scopes: &str,
) -> String {
    drop(load::service(directory, database, settings));
    let app = opened::open(directory, database, issuer).await;
    fill(&app, rows, database.starts_with("sqlite")).await;
    tokens::token_of(&app, issuer, ADMINISTRATOR, scopes).await
}

/// Creates the compartments, and `rows` rows of each kind.
pub async fn fill(app: &Arc<App>, rows: i64, is_sqlite: bool) {
    create_compartments(app).await;
    for kind in ROWS {
        insert(app, kind, rows, is_sqlite).await;
    }
    record_events(app, rows).await;
}

/// Creates the compartments, and `rows` API keys with two secrets each.
pub async fn fill_keys(app: &Arc<App>, rows: i64, is_sqlite: bool) {
    create_compartments(app).await;
    for kind in ROWS.into_iter().skip(OF_USERS) {
        insert(app, kind, rows, is_sqlite).await;
    }
}

async fn create_compartments(app: &Arc<App>) {
    let now = app.clock.now();
    let compartments = move |tx: &mut Tx<'_>| {
        for number in 0..COMPARTMENTS {
            tx.execute(
                "INSERT INTO inference_compartments (id, tenancy, created_at) VALUES ($1, $2, $3)",
                params![format!("{COMPARTMENT}.{number}"), "tenancy.growth", now],
            )?;
        }
        let first = Resource::Compartment(format!("{COMPARTMENT}.0"));
        rights::grant(tx, &first, ADMINISTRATOR, Verb::Manage)
    };
    write(app, compartments).await;
}

async fn insert(app: &Arc<App>, (name, sql): (&str, &str), rows: i64, is_sqlite: bool) {
    let now = app.clock.now();
    let sql = NUMBERS.to_owned() + sql;
    let sql = sql
        .replace("{organization}", &ORGANIZATION.to_string())
        .replace("{administrator}", ADMINISTRATOR)
        .replace("{compartments}", &COMPARTMENTS.to_string())
        .replace("{compartment}", COMPARTMENT)
        .replace("{later}", &LATER.to_string());
    let sql = with_bytes(&sql, is_sqlite);
    for from in (1..=rows).step_by(usize::try_from(AT_ONCE).unwrap_or(1)) {
        let (sql, to) = (sql.clone(), rows.min(from + AT_ONCE - 1));
        write(app, move |tx| {
            tx.execute(&sql, params![from, to, now]).map(drop)
        })
        .await;
    }
    eprintln!("filled {rows} {name}");
}

async fn record_events(app: &Arc<App>, rows: i64) {
    let now = app.clock.now();
    for from in (0..rows).step_by(usize::try_from(AT_ONCE).unwrap_or(1)) {
        let recorder = Arc::clone(app);
        write(app, move |tx| {
            let at = now.timestamp_millis();
            let context = AuditContext::of_operator(&recorder.server_keys, "growth", at);
            (from..rows.min(from + AT_ONCE)).try_for_each(|number| {
                context.record(tx, "growth.row.made", &number.to_string(), "")
            })
        })
        .await;
        audit::seal_all(&app.kernel).await.expect("sealed events");
    }
    eprintln!("filled {rows} events of the audit trail");
}

/// Replaces `{bytes}(text)` by the conversion of the database.
fn with_bytes(sql: &str, is_sqlite: bool) -> String {
    let mut parts = sql.split("{bytes}(");
    let mut result = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (text, rest) = part.split_once(')').expect("an end");
        result += &match is_sqlite {
            true => format!("CAST({text} AS BLOB)"),
            false => format!("convert_to({text}, 'UTF8')"),
        };
        result += rest;
    }
    result
}

async fn write(
    app: &Arc<App>,
    closure: impl Fn(&mut Tx<'_>) -> Result<(), StoreError> + Send + 'static,
) {
    let written = app.store.write(closure).await;
    written.unwrap_or_else(|error| panic!("{error}"));
}
