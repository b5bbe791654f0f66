//! Accounts and patterns while the database is away: their documents have no 503.

use std::time::{Duration, Instant};

use accord_server::accounts::demo::ADMINISTRATOR;
use serde_json::{Value, json};

use crate::harness::{Database, Server};
use crate::inference::outage::let_in;

const PATTERNS: &str = "/ic/api/integration/v1/projects/RETAIL/ai/patterns";
const SCOPES: &str = "accounts.read accounts.write patterns.read patterns.write";

/// The status and the body of each operation that needs nothing but the store.
async fn replies(server: &Server, token: &str) -> Vec<(u16, Value)> {
    let url = |path: &str| format!("http://{}{path}", server.address());
    let instance = "integrationInstance=design-eu-1";
    let user = json!({
        "hubUser": {
            "emailAddress": "mira.lund@north.example", "firstName": "Mira", "lastName": "Lund",
            "language": "en", "hubOrganizationId": 3104, "setPassword": true,
        },
        "collabUsers": [],
    });
    let requests = [
        server.http().get(url("/api/user/organizations")),
        server.http().get(url("/api/user/appinstance")),
        server.http().get(url(&format!("{PATTERNS}?{instance}"))),
        server
            .http()
            .delete(url(&format!("{PATTERNS}/NONE%7C01.00.0000?{instance}"))),
        server
            .http()
            .post(url("/api/user"))
            .header("idempotency-key", "outage")
            .json(&user),
    ];
    let mut replies = Vec::new();
    for request in requests {
        let response = request.bearer_auth(token).send().await.unwrap();
        let status = response.status().as_u16();
        replies.push((status, response.json().await.unwrap()));
    }
    replies
}

#[tokio::test(flavor = "multi_thread")]
async fn accounts_and_patterns_answer_an_outage_with_500_in_their_own_form() {
    let server = Server::start(Database::Postgres).await;
    let token = server.token(ADMINISTRATOR, SCOPES).await;
    let ready = [200, 200, 200, 404];
    let before = replies(&server, &token).await;
    let statuses: Vec<_> = before.iter().map(|(status, _)| *status).collect();
    assert_eq!(statuses[..4], ready, "{before:?}");
    let_in(&server, false).await;
    let away = replies(&server, &token).await;
    for (status, body) in &away[2..4] {
        assert_eq!(
            (*status, &body["errorCode"]),
            (500, &json!("SERVER-500")),
            "{body}"
        );
    }
    for (status, body) in [&away[0], &away[1], &away[4]] {
        let code = json!("failed_to_process_request");
        assert_eq!((*status, &body["error"]), (500, &code), "{body}");
    }
    let_in(&server, true).await;
    let since = Instant::now();
    loop {
        let again = replies(&server, &token).await;
        let statuses: Vec<_> = again.iter().map(|(status, _)| *status).collect();
        if statuses[..4] == ready {
            break;
        }
        assert!(since.elapsed() < Duration::from_secs(30), "no recovery");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    // The harness compares each response with its document.
    assert_eq!(server.stop().await, Vec::<String>::new());
}
