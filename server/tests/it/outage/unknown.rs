//! Writes during whose commit the database failed: the service does not know whether they were made.

use crate::harness::{Database, Server};

use super::caller::Caller;

/// Lets PostgreSQL end the connection of each transaction that changes a user, profile or pattern,
/// while it commits; or no longer.
async fn break_commits(server: &Server, breaks: bool) {
    const FUNCTION: &str = "CREATE OR REPLACE FUNCTION end_connection() RETURNS trigger \
        LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END $$;";
    let url = server.app().config.database_url().expose().to_owned();
    let change = move || {
        let mut client = postgres::Client::connect(&url, postgres::NoTls).unwrap();
        client.batch_execute(FUNCTION).unwrap();
        for table in ["hub_users", "collab_profiles", "agent_patterns"] {
            let change = match breaks {
                true => format!(
                    "CREATE CONSTRAINT TRIGGER breaks AFTER INSERT OR DELETE ON {table} \
                     DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION end_connection()"
                ),
                false => format!("DROP TRIGGER breaks ON {table}"),
            };
            client.batch_execute(&change).unwrap();
        }
    };
    tokio::task::spawn_blocking(change).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn only_a_write_that_is_safe_to_repeat_is_unavailable_if_its_outcome_is_unknown() {
    let server = Server::start(Database::Postgres).await;
    let caller = Caller::of(&server).await;
    assert_eq!(caller.create_user("ada", None).await.status, 200);
    assert_eq!(caller.create_pattern("OLD").await.status, 200);
    break_commits(&server, true).await;
    caller.create_user("mira", Some("a")).await.is_unavailable();
    caller.link_profile("ada", Some("b")).await.is_unavailable();
    caller.delete_pattern("OLD").await.is_unavailable();
    caller.create_user("mira", None).await.is_unknown();
    caller.link_profile("ada", None).await.is_unknown();
    caller.create_pattern("NEW").await.is_unknown();
    break_commits(&server, false).await;
    for reply in [
        caller.create_user("mira", Some("a")).await,
        caller.link_profile("ada", Some("b")).await,
        caller.delete_pattern("OLD").await,
        caller.create_pattern("NEW").await,
    ] {
        assert_eq!(reply.status, 200, "{reply:?}");
    }
    assert_eq!(server.stop().await, Vec::<String>::new());
}
