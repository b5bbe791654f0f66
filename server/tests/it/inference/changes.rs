//! The keys that a service reads after a change.

use accord_server::inference::keys::rows::announce_change;
use accord_server::params;
use accord_server::store::StoreError;

use super::client::{Manager, accepted};
use crate::harness::both_databases;

both_databases! {
    async fn a_change_of_one_key_does_not_read_the_others(server: Server) {
        let manager = Manager::of(&server).await;
        let (changed, other) = (manager.new_key().await, manager.new_key().await);
        for key in [&changed, &other] {
            assert!(accepted(&server, &key.one).await);
        }
        // The service is not notified of this change.
        let id = other.id.clone();
        let written = server.app().store.write(move |tx| {
            let sql = "UPDATE inference_secrets SET state = 'REVOKED', revoked_at = 1 WHERE key_id = $1";
            tx.execute(sql, params![&id])
        });
        written.await.unwrap_or_else(|error: StoreError| panic!("{error}"));
        manager.set_state(&changed, "one", "DEACTIVATED").await.ok();
        assert!(!accepted(&server, &changed.one).await);
        assert!(accepted(&server, &other.one).await, "the other key was read");
        let created = manager.new_key().await;
        assert!(accepted(&server, &created.one).await);
        manager.delete(&created.id).await;
        assert!(!accepted(&server, &created.one).await);
        manager.set_state(&changed, "one", "ACTIVE").await.ok();
        assert!(accepted(&server, &changed.one).await);
        assert!(accepted(&server, &other.one).await, "the other key was read");
        // A change of policies, and any change by an earlier version of the program.
        let written = server.app().store.write(announce_change);
        written.await.unwrap_or_else(|error: StoreError| panic!("{error}"));
        server.app().inference.admission.invalidate();
        assert!(!accepted(&server, &other.one).await);
        assert!(accepted(&server, &changed.one).await);
    }
}
