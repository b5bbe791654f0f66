//! How PostgreSQL finds device requests.

use accord_server::params;
use accord_server::store::Tx;

use crate::harness::{Database, Server, run_with};

#[test]
fn postgres_finds_a_device_request_by_its_user_code() {
    run_with(async || {
        let server = Server::start(Database::Postgres).await;
        // The statements of `identity::grants`, with their constant conditions.
        for statement in [
            "SELECT g.scopes FROM device_grants g JOIN oauth_clients c ON c.id = g.client_id \
             WHERE g.user_mac = '' AND g.state = 'pending' AND g.expires_at > 1 AND c.disabled = 0",
            "UPDATE device_grants SET state = 'denied' \
             WHERE user_mac = '' AND state = 'pending' AND expires_at > 1 \
             AND (SELECT c.disabled FROM oauth_clients c WHERE c.id = client_id) = 0 RETURNING id",
        ] {
            let sql = format!("EXPLAIN (COSTS OFF) {statement}");
            // A plan of a change is made in a transaction that can write.
            let explain = move |tx: &mut Tx<'_>| {
                let lines = tx.query(&sql, params![])?;
                let lines = lines.iter().map(|line| line.get::<String>(0));
                lines.collect::<Result<Vec<_>, _>>()
            };
            let plan = server.write(explain).await.join("\n");
            assert!(plan.contains("Index Cond: (user_mac = "), "{plan}");
        }
        server
    });
}
