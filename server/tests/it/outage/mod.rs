//! Accounts and patterns while the database is away: callers learn that they may repeat a request,
//! and when.

mod caller;
mod client;
mod unknown;

use std::time::Duration;

use crate::harness::{Database, Server};
use crate::identity::browser::Browser;
use crate::identity::client::{ANA, PASSWORD};
use crate::inference::outage::let_in;
use caller::Caller;

#[tokio::test(flavor = "multi_thread")]
async fn accounts_and_patterns_answer_an_outage_with_503_in_their_own_form() {
    let server = Server::start(Database::Postgres).await;
    let caller = Caller::of(&server).await;
    let mut browser = Browser::signed_in(&server, ANA, PASSWORD).await;
    caller.recovery().await;
    let_in(&server, false).await;
    // At first the service still knows the token, and the operations meet the outage. Later it
    // cannot verify the token.
    for _ in 0..2 {
        let (reads, writes) = tokio::join!(caller.reads(), caller.writes());
        for reply in reads.iter().chain(&writes) {
            reply.is_unavailable();
        }
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
    for page in ["/ui/v1/users", "/ui/v1/patterns"] {
        assert_eq!(browser.get(page).await.status, 503, "{page}");
    }
    let_in(&server, true).await;
    caller.recovery().await;
    for operation in [
        "listOrganizations",
        "createUser",
        "getPattern",
        "deletePattern",
    ] {
        assert!(caller.counted(operation, 503).await >= 2, "{operation}");
        assert_eq!(caller.counted(operation, 500).await, 0, "{operation}");
    }
    // The harness compares each response with its document.
    assert_eq!(server.stop().await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn writes_that_a_file_cannot_take_may_be_repeated() {
    let server = Server::start(Database::Sqlite).await;
    let caller = Caller::of(&server).await;
    let file = server.app().config.server.data_dir.join("accord.db");
    let aside = file.with_extension("aside");
    std::fs::rename(&file, &aside).unwrap();
    for reply in caller.writes().await {
        reply.is_unavailable();
    }
    for reply in caller.reads().await {
        assert!(reply.status < 500, "{reply:?}");
    }
    std::fs::rename(&aside, &file).unwrap();
    assert_eq!(caller.create_pattern("OUTAGE").await.status, 200);
    assert_eq!(caller.create_user("mira", None).await.status, 200);
    assert_eq!(server.stop().await, Vec::<String>::new());
}
