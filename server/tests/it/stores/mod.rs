//! Stores that earlier versions of the program wrote, opened by this one.
//!
//! The program of commit 3e17c7e, of November 2026, wrote `sqlite.db` and `postgres.sql` (by
//! `pg_dump --inserts`, without psql's own commands). Both hold the demo, the user
//! eve@south.example with a password, a user that the API created, an API key that has been used,
//! compartments, grants, limits, two agent patterns, and the logins of two users. The JSON files
//! beside them hold what the database does not: the server key, a password, tokens and a secret.
//!
//! These files are never written again. Every later version has to open them.

use std::path::Path;

use accord_server::config::Secret;
use accord_server::store::StoreError;
use chrono::{DateTime, Utc};
use reqwest::{Method, Response};
use serde_json::{Value, json};

use crate::harness::postgres::{self, FreshDatabase};
use crate::harness::{Database, Server, commands};
use crate::serving::Serving;

const SQLITE: &[u8] = include_bytes!("sqlite.db");
const POSTGRES: &str = include_str!("postgres.sql");

/// A store of an earlier version under a running service, and its secrets.
struct OldStore {
    server: Server,
    facts: Value,
    _directory: tempfile::TempDir,
    _database: Option<FreshDatabase>,
}

/// Makes a test on each database of a body that takes an [`OldStore`].
macro_rules! old_stores {
    ($(async fn $name:ident($store:ident: OldStore) $body:block)*) => {$(
        mod $name {
            use super::*;

            async fn body($store: OldStore) $body

            #[test]
            fn sqlite() {
                run(Database::Sqlite, body);
            }

            #[test]
            fn postgres() {
                run(Database::Postgres, body);
            }
        }
    )*};
}

/// Opens the store with this program, shortly after it was written.
async fn open(database: Database) -> OldStore {
    let facts = match database {
        Database::Sqlite => include_str!("sqlite.json"),
        Database::Postgres => include_str!("postgres.json"),
    };
    let facts: Value = serde_json::from_str(facts).unwrap();
    let directory = tempfile::tempdir().unwrap();
    write_private(
        &directory.path().join("server.key"),
        facts["server_key"].as_str().unwrap().as_bytes(),
    );
    let database = match database {
        Database::Sqlite => {
            write_private(&directory.path().join("accord.db"), SQLITE);
            None
        }
        Database::Postgres => Some(tokio::task::spawn_blocking(restore).await.unwrap()),
    };
    let written = DateTime::from_timestamp_millis(facts["made_at"].as_i64().unwrap()).unwrap();
    let shift = written - Utc::now() + chrono::TimeDelta::seconds(10);
    let issuer = facts["issuer"].as_str().unwrap().parse().unwrap();
    let server = Server::start_at(Database::Sqlite, shift, |layer| {
        layer.server.data_dir = Some(directory.path().to_owned());
        layer.server.public_url = Some(issuer);
        let url = database.as_ref().map(|database| database.url().to_owned());
        layer.database.url = url.map(Secret::new);
    })
    .await;
    OldStore {
        server,
        facts,
        _directory: directory,
        _database: database,
    }
}

/// A new database that holds `postgres.sql`.
fn restore() -> FreshDatabase {
    let database = postgres::fresh_database();
    ::postgres::Client::connect(database.url(), ::postgres::NoTls)
        .and_then(|mut client| client.batch_execute(POSTGRES))
        .unwrap();
    database
}

fn write_private(path: &Path, content: &[u8]) {
    std::fs::write(path, content).unwrap();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o600)).unwrap();
    }
}

fn run<Fut>(database: Database, body: fn(OldStore) -> Fut)
where
    Fut: Future<Output = ()> + Send + 'static,
{
    crate::harness::run_with(async || {
        let store = open(database).await;
        let server = store.server.clone();
        body(store).await;
        server
    });
}

impl OldStore {
    /// Sends a request with a credential of the old store.
    async fn send(
        &self,
        method: Method,
        path: &str,
        bearer: &str,
        body: Option<Value>,
    ) -> Response {
        let url = format!("http://{}{path}", self.server.address());
        let request = self.server.http().request(method, url).bearer_auth(bearer);
        let request = match body {
            Some(body) => request.json(&body),
            None => request,
        };
        request.send().await.unwrap()
    }

    async fn get(&self, path: &str, bearer: &str) -> Value {
        let response = self.send(Method::GET, path, bearer, None).await;
        let status = response.status();
        let text = response.text().await.unwrap();
        assert_eq!(status, 200, "{path}: {text}");
        serde_json::from_str(&text).unwrap()
    }

    fn text(&self, pointer: &str) -> &str {
        self.facts.pointer(pointer).unwrap().as_str().unwrap()
    }
}

const PATTERNS: &str = "/ic/api/integration/v1/projects/RETAIL/ai/patterns";

old_stores! {
    async fn users_of_an_old_store_keep_their_rights_passwords_and_logins(store: OldStore) {
        let listed = commands::json(&store.server, &["users", "list"]).await;
        let emails: Vec<_> = listed.as_array().unwrap().iter().map(|user| &user["email"]).collect();
        for email in ["ana@north.example", "ben@north.example", "eve@south.example", "mira@north.example"] {
            assert!(emails.contains(&&json!(email)), "{listed}");
        }
        for (name, organizations) in [("ana", json!([3104, 3190])), ("eve", json!([4210]))] {
            let token = store.text(&format!("/{name}/access_token"));
            let found = store.get("/api/user/organizations", token).await;
            let ids: Vec<_> = found.as_array().unwrap().iter().map(|one| one["id"].clone()).collect();
            assert_eq!(json!(ids), organizations, "{found}");
            let form = [
                ("grant_type", "refresh_token"),
                ("client_id", "accord-cli"),
                ("refresh_token", store.text(&format!("/{name}/refresh_token"))),
            ];
            let url = format!("http://{}/oauth2/v1/token", store.server.address());
            let refreshed = store.server.http().post(url).form(&form).send().await.unwrap();
            assert_eq!(refreshed.status(), 200);
        }
        let password = store.text("/eve/password").to_owned();
        let hash = store.server.read(|tx| {
            let sql = "SELECT password_hash FROM hub_users WHERE email = 'eve@south.example'";
            tx.query_opt(sql, &[])?.unwrap().get(0)
        }).await;
        let passwords = &store.server.app().identity.passwords;
        assert!(passwords.verify(&password, hash).await.unwrap());
    }

    async fn keys_of_an_old_store_call_models_and_are_managed_by_the_same_people(store: OldStore) {
        let chat = json!({"model": "accord.echo", "messages": [{"role": "user", "content": "Hello"}]});
        let path = "/20231130/actions/v1/chat/completions";
        let answered = store.send(Method::POST, path, store.text("/key/secret"), Some(chat)).await;
        assert_eq!(answered.status(), 200);
        let key = format!("/20231130/apikeys/{}", store.text("/key/id"));
        let read = store.get(&key, store.text("/ana/access_token")).await;
        assert_eq!((&read["displayName"], &read["keys"][0]["state"]), (&json!("old"), &json!("ACTIVE")));
        let foreign = store.send(Method::GET, &key, store.text("/eve/access_token"), None).await;
        assert_eq!(foreign.status(), 404);
        let own = "/20231130/apikeys?compartmentId=compartment.south";
        assert_eq!(store.get(own, store.text("/eve/access_token")).await["items"], json!([]));
        // The migration has counted the keys.
        let counted = store.server.app().store.read(|tx| {
            let sql = "SELECT keys, (SELECT COUNT(*) FROM inference_keys k WHERE k.compartment_id = c.id \
                AND k.deleted_at IS NULL) FROM inference_compartments c ORDER BY keys DESC";
            let rows = tx.query(sql, &[])?;
            rows.iter().map(|row| Ok((row.get(0)?, row.get(1)?))).collect()
        });
        let counted: Result<Vec<(i64, i64)>, StoreError> = counted.await;
        let counted = counted.unwrap();
        assert!(counted[0].0 > 0);
        assert!(counted.iter().all(|(kept, real)| kept == real), "{counted:?}");
    }

    async fn grants_of_an_old_store_stay_and_those_of_strangers_are_removed(store: OldStore) {
        let listed = commands::json(&store.server, &["grants", "list"]).await;
        let of = |name: &str| {
            let all = listed.as_array().unwrap().iter();
            all.filter(|one| one["principal"] == name).cloned().collect::<Vec<_>>()
        };
        let stranger = "a-service-that-was-never-a-user";
        assert_eq!(of(stranger), [json!({
            "resource": "compartment:compartment.south", "principal": stranger, "email": null, "verb": "inspect",
        })]);
        assert_eq!((of("ana").len(), of("ben").len(), of(store.text("/eve/id")).len()), (2, 2, 1));
        commands::succeed(&store.server, &["grants", "remove", "compartment.south", stranger]).await;
    }

    async fn patterns_of_an_old_store_are_read(store: OldStore) {
        for (instance, project, id, locked) in [
            ("design-eu-1", "RETAIL", "ORDER_TRIAGE|01.00.0000", false),
            ("design-eu-2", "DOCKS", "BERTHS|01.00.0000", true),
        ] {
            let listed = commands::json(&store.server, &["patterns", "list", instance, project]).await;
            assert_eq!(listed[0]["id"], id);
            assert_eq!(listed[0]["locked_by"].is_string(), locked, "{listed}");
        }
        // Until an operator has assigned the owner and set a grant, nobody else sees them.
        let path = format!("{PATTERNS}/ORDER_TRIAGE%7C01.00.0000?integrationInstance=design-eu-1");
        let ana = store.text("/ana/access_token");
        let hidden = async || store.send(Method::GET, &path, ana, None).await.status();
        assert_eq!(hidden().await, 404);
        let text = commands::fail(&store.server, &["grants", "set", "instance:design-eu-1", "ana@north.example", "read"]).await;
        let command = "accord-server design-instances set design-eu-1 --organization ID";
        assert!(text.contains(command), "{text}");
        commands::succeed(&store.server, &["design-instances", "set", "design-eu-1", "--organization", "3104"]).await;
        assert_eq!(hidden().await, 404);
        commands::succeed(&store.server, &["grants", "set", "instance:design-eu-1", "ana@north.example", "read"]).await;
        let read = store.get(&path, store.text("/ana/access_token")).await;
        assert_eq!((&read["code"], &read["createdBy"]), (&json!("ORDER_TRIAGE"), &json!("ana")));
    }

    async fn the_audit_trail_of_an_old_store_is_whole(store: OldStore) {
        commands::succeed(&store.server, &["audit", "verify"]).await;
    }
}

/// The log of the program that opens an old store.
fn log_of_start() -> String {
    let directory = tempfile::tempdir().unwrap();
    let facts: Value = serde_json::from_str(include_str!("sqlite.json")).unwrap();
    let key = facts["server_key"].as_str().unwrap();
    std::fs::create_dir(directory.path().join("data")).unwrap();
    write_private(&directory.path().join("data/server.key"), key.as_bytes());
    write_private(&directory.path().join("data/accord.db"), SQLITE);
    Serving::start_on("127.0.0.1:0", directory.path(), &[]).log()
}

#[test]
fn the_log_names_each_migration_of_an_old_store() {
    let log = log_of_start();
    for name in ["0041_owners_and_grants", "0047_key_counts"] {
        let is_named = |line: &str| line.contains("migrating the database") && line.contains(name);
        assert!(log.lines().any(is_named), "{name}: {log}");
    }
}

#[test]
fn at_start_the_service_names_instances_without_an_owner_and_the_command_that_assigns_one() {
    let log = log_of_start();
    for instance in ["design-eu-1", "design-eu-2"] {
        let warning = format!(
            "service instance {instance} has no owner, so only operators see its projects; assign one \
             with: accord-server design-instances set {instance} --organization ID"
        );
        assert!(log.contains(&warning), "{log}");
    }
}
