//! The limit of keys in a tenancy.

use accord_server::accounts::demo::ADMINISTRATOR;
use accord_server::inference::keys::{KeyError, key_quota};
use accord_server::inference::operator;
use accord_server::store::{StoreError, Tx};

use super::client::{COMPARTMENT, Manager, Reply, two_secrets};
use crate::harness::commands::{fail, json, succeed};
use crate::harness::{Database, Server, both_databases, plan};

/// Sends this many concurrent creations to two replicas. Returns the number of created keys.
async fn create(manager: &Manager, there: &Server, count: usize) -> usize {
    let body = two_secrets("x", COMPARTMENT);
    let requests = (0..count).map(|index| {
        let server = if index % 2 == 0 {
            &manager.server
        } else {
            there
        };
        let url = format!("http://{}/20231130/apikeys", server.address());
        Reply::of(
            server
                .http()
                .post(url)
                .bearer_auth(&manager.token)
                .json(&body),
        )
    });
    let mut created = 0;
    for reply in futures::future::join_all(requests).await {
        match reply.status {
            200 => created += 1,
            _ => reply.is(400, "LimitExceeded"),
        }
    }
    created
}

both_databases! {
    async fn every_replica_applies_a_raised_limit_of_a_tenancy(server: Server) {
        let there = server.replica().await;
        let manager = Manager::of(&server).await;
        let set = "limits api-key-count set main 3";
        let at = |command: &'static str| command.split(' ').collect::<Vec<_>>();
        let before = json(&server, &at("limits api-key-count show main")).await;
        assert_eq!((&before["limit"], &before["set_by"]), (&100.into(), &"configuration".into()));
        succeed(&server, &at(set)).await;
        // Concurrent creations at both replicas never exceed the limit.
        assert_eq!(create(&manager, &there, 8).await, 3);
        succeed(&server, &at("limits api-key-count set main 5")).await;
        assert_eq!(create(&manager, &there, 8).await, 2);

        // Another tenancy has its own limit, and a moved key counts there.
        succeed(&server, &at("compartments set compartment.acme --tenancy acme")).await;
        let grant = format!("grants set compartment.acme {ADMINISTRATOR} manage");
        succeed(&server, &grant.split(' ').collect::<Vec<_>>()).await;
        succeed(&server, &at("limits api-key-count set acme 1")).await;
        let key = manager.new_key_in("compartment.acme").await;
        let body = two_secrets("x", "compartment.acme");
        let refused = manager.create(&body).await;
        refused.is(400, "LimitExceeded");
        let message = refused.body["message"].as_str().unwrap();
        assert!(message.starts_with("The tenancy has reached the limit api-key-count of 1."));
        let to_main = serde_json::json!({"compartmentId": COMPARTMENT});
        let path = format!("/{}/actions/changeCompartment", key.id);
        manager.post(&path, &to_main).await.is(400, "LimitExceeded");
        let listed = json(&server, &at("limits api-key-count list")).await;
        let expected = serde_json::json!([
            {"tenancy": "acme", "keys": 1, "limit": 1, "set_by": "operator"},
            {"tenancy": "main", "keys": 5, "limit": 5, "set_by": "operator"},
        ]);
        assert_eq!(listed, expected);

        succeed(&server, &at("limits api-key-count clear main")).await;
        assert_eq!(manager.post(&path, &to_main).await.status, 204);
        let mistyped = fail(&server, &at("limits api-key-count set mian 9")).await;
        assert!(mistyped.contains("no compartment is in a tenancy mian"), "{mistyped}");
        let events = succeed(&server, &at("audit list --action inference.tenancy")).await;
        assert!(events.contains("at most 5 keys") && events.contains("inference.tenancy.unlimited"), "{events}");
        assert_eq!(there.stop().await, Vec::<String>::new());
    }
}

both_databases! {
    async fn a_compartment_has_an_id_and_setting_it_shows_its_tenancy(server: Server) {
        for id in ["", " ", "\t"] {
            let complaint = fail(&server, &["compartments", "set", id]).await;
            assert!(complaint.contains("expected an id"), "{complaint}");
        }
        let set = ["compartments", "set", "compartment.acme"];
        let with = |more: &[&'static str]| [&set[..], more].concat();
        let main = json(&server, &set).await;
        assert_eq!(main, serde_json::json!({"id": set[2], "tenancy": "main", "key_quota": null}));
        let acme = json(&server, &with(&["--tenancy", "acme"])).await;
        assert_eq!(acme["tenancy"], "acme");
        // Without a tenancy, the compartment stays in its own.
        let stays = json(&server, &with(&["--key-quota", "5"])).await;
        assert_eq!((&stays["tenancy"], &stays["key_quota"]), (&"acme".into(), &5.into()));
        let listed = json(&server, &["compartments", "list"]).await;
        let mut ids = listed.as_array().unwrap().iter().map(|row| row["id"].as_str().unwrap());
        assert!(ids.all(|id| !id.trim().is_empty()), "{listed}");
    }
}

/// Counts the rows of keys and compartments that a check of the limit reads on PostgreSQL.
async fn rows_read(server: &Server, tenancy: &'static str) -> (bool, i64) {
    let check = move |tx: &mut Tx<'_>| {
        let tables = "'inference_keys', 'inference_compartments'";
        plan::counting(tx, tables, |tx| {
            match key_quota::check_limit(tx, tenancy, 100) {
                Ok(()) => Ok(true),
                Err(KeyError::LimitExceeded(100)) => Ok(false),
                Err(other) => Err(other),
            }
        })
    };
    let read = server.app().store.read(check).await;
    read.unwrap_or_else(|error: KeyError| panic!("{error}"))
}

const COMPARTMENTS: &str = "INSERT INTO inference_compartments (id, tenancy, created_at) \
     VALUES ('full', 'full', 0), ('empty', 'empty', 0)";

/// Adds 10,000 keys.
fn add_keys(tx: &mut Tx<'_>, compartment: &str, deleted_at: &str) -> Result<u64, StoreError> {
    tx.execute(
        &format!(
            "INSERT INTO inference_keys (id, region, compartment_id, display_name, \
             name_order, freeform_tags, defined_tags, version, created_at, updated_at, \
             deleted_at) WITH RECURSIVE numbers (n) AS \
             (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 10000) \
             SELECT 'apikey.{compartment}.{deleted_at}.' || n, 'local', '{compartment}', 'key', \
             (SELECT name_order FROM inference_keys LIMIT 1), '{{}}', '{{}}', 1, n, n, {deleted_at} \
             FROM numbers"
        ),
        &[],
    )
}

#[tokio::test(flavor = "multi_thread")]
async fn a_creation_does_not_read_the_keys_of_its_tenancy() {
    let server = Server::start(Database::Postgres).await;
    let manager = Manager::of(&server).await;
    manager.new_key().await;
    let fill = |tx: &mut Tx<'_>| {
        tx.execute(COMPARTMENTS, &[])?;
        // Live and deleted keys in the full tenancy, and only deleted ones in the empty one.
        add_keys(tx, "full", "NULL")?;
        add_keys(tx, "full", "1")?;
        add_keys(tx, "empty", "1")?;
        // Soon after such a change, autovacuum does this.
        for table in ["inference_keys", "inference_compartments"] {
            tx.execute(&format!("ANALYZE {table}"), &[])?;
        }
        Ok::<_, StoreError>(())
    };
    server.write(fill).await;
    for (tenancy, expected) in [("full", false), ("empty", true)] {
        let (is_free, rows) = rows_read(&server, tenancy).await;
        assert_eq!(is_free, expected, "{tenancy}");
        assert!(rows <= 10, "{tenancy}: {rows} rows");
    }
    assert_eq!(server.stop().await, Vec::<String>::new());
}

both_databases! {
    async fn the_number_of_keys_is_right_after_every_change(server: Server) {
        let manager = Manager::of(&server).await;
        manager.new_key().await;
        let counts = || server.app().store.read(operator::compartments);
        let counts = || async {
            let all = counts().await.unwrap();
            let of = |id: &str| all.iter().find(|one| one.id == id).map(|one| one.keys);
            [of("full"), of("empty"), of(COMPARTMENT)].map(Option::unwrap_or_default)
        };
        let changes: [(&str, [i64; 3]); 6] = [
            (COMPARTMENTS, [0, 0, 1]),
            ("", [10_000, 0, 1]),
            ("UPDATE inference_keys SET compartment_id = 'empty' WHERE created_at <= 10", [9990, 10, 1]),
            ("UPDATE inference_keys SET deleted_at = 5 WHERE created_at <= 20", [9980, 0, 1]),
            ("UPDATE inference_keys SET deleted_at = NULL WHERE created_at <= 5", [9980, 5, 1]),
            ("DELETE FROM inference_keys WHERE created_at <= 10000", [0, 0, 1]),
        ];
        for (sql, expected) in changes {
            let change = move |tx: &mut Tx<'_>| match sql {
                "" => add_keys(tx, "full", "NULL"),
                sql => tx.execute(sql, &[]),
            };
            server.write(change).await;
            assert_eq!(counts().await, expected, "{sql}");
        }
        let key = manager.new_key().await;
        assert_eq!(counts().await, [0, 0, 2]);
        assert_eq!(manager.delete(&key.id).await.status, 204);
        assert_eq!(counts().await, [0, 0, 1]);
    }
}
