//! What `/metrics` says of provisioning and of mail.

use std::time::Duration;

use accord_server::accounts::demo::ADMINISTRATOR;
use reqwest::Method;
use serde_json::{Value, json};

use super::{INSTANCES, ORGANIZATIONS, USER, ask, body_of, create, link, mira, profile, with};
use crate::harness::{Server, both_databases};

/// How long mail may take that is only to be written into a file.
const TIMEOUT: Duration = Duration::from_secs(60);

async fn figures(server: &Server) -> String {
    server.get("/metrics").await.text().await.unwrap()
}

async fn create_with_key(server: &Server, body: &Value) -> u16 {
    let token = server.token(ADMINISTRATOR, "accounts.write").await;
    let request = server.http().post(server.url(USER)).bearer_auth(token);
    let request = request.header("idempotency-key", "row-1").json(body);
    request.send().await.unwrap().status().as_u16()
}

both_databases! {
    async fn what_was_provisioned_and_sent_is_counted(server: Server) {
        let body = json!({
            "hubUser": with(mira(), json!({"setPassword": true})),
            "collabUsers": [
                {"appInstanceId": 71, "collabOrganizationId": 5201, "projectIds": ["LOCK-1"]},
                {"appInstanceId": 79, "collabOrganizationId": 5290},
            ],
        });
        assert_eq!(create_with_key(&server, &body).await, 200);
        assert_eq!(create_with_key(&server, &body).await, 200);
        let ben = json!({
            "hubUser": {"emailAddress": "ben@north.example"}, "collabUsers": profile(),
        });
        body_of(link(&server, &ben).await, 200).await;
        // Refused: the account exists.
        body_of(create(&server, &body).await, 400).await;
        for list in [ORGANIZATIONS, INSTANCES] {
            body_of(ask(&server, Method::GET, list, &json!({})).await, 200).await;
        }
        let began = std::time::Instant::now();
        let mails = [
            "accord_mails_total{kind=\"set-password\",outcome=\"sent\"} 1",
            "accord_mails_total{kind=\"invited\",outcome=\"sent\"} 1",
        ];
        let mut told = figures(&server).await;
        while !mails.iter().all(|line| told.contains(line)) {
            assert!(began.elapsed() < TIMEOUT, "{told}");
            tokio::time::sleep(Duration::from_millis(100)).await;
            told = figures(&server).await;
        }
        for line in [
            "accord_accounts_provisioned_total{kind=\"user\"} 1",
            "accord_accounts_provisioned_total{kind=\"profile\"} 2",
            "accord_accounts_provisioned_total{kind=\"profile-failed\"} 1",
            "accord_accounts_provisioned_total{kind=\"replay\"} 1",
        ] {
            assert!(told.contains(line), "{line} is missing:\n{told}");
        }
        for (operation, status, number) in [
            ("createUser", 200, 2),
            ("createUser", 400, 1),
            ("linkCollabProfile", 200, 1),
            ("listOrganizations", 200, 1),
            ("listApplicationInstances", 200, 1),
        ] {
            assert_counted(&told, operation, status, number);
        }
    }
}

/// Holds the metrics to so many answers of an operation with this status.
pub fn assert_counted(figures: &str, operation: &str, status: u16, number: u64) {
    let (operation, status) = (
        format!("operation=\"{operation}\""),
        format!("status=\"{status}\""),
    );
    let end = format!(" {number}");
    let found = figures.lines().any(|line| {
        line.starts_with("accord_requests_total{")
            && line.contains(&operation)
            && line.contains(&status)
            && line.ends_with(&end)
    });
    assert!(found, "{operation} {status}{end} is missing:\n{figures}");
}
