//! Accounts: nobody creates anything in an organization that they do not administer.

use reqwest::Method;
use serde_json::json;

use super::{ALL_SCOPES, EVE, EVE_EMAIL, add_eve, send};
use crate::harness::both_databases;

fn user(organization: i64) -> serde_json::Value {
    json!({
        "emailAddress": "new@north.example", "firstName": "New", "lastName": "User",
        "language": "en", "hubOrganizationId": organization, "setPassword": true,
    })
}

both_databases! {
    /// `createUser` | administrators with `accounts.write` | the organization of the account, and
    /// those of the collab organizations | `accounts::provisioning` looks each of them up together
    /// with the caller's administrator rights, also before the response to an earlier request with
    /// the same `Idempotency-Key` is repeated
    async fn an_administrator_of_another_organization_creates_no_user(server: Server) {
        add_eve(&server).await;
        let eve = server.token(EVE, ALL_SCOPES).await;
        let ours = json!([{"appInstanceId": 72, "collabOrganizationId": 5202}]);
        for body in [
            json!({"hubUser": user(3104)}),
            json!({"hubUser": user(4210), "collabUsers": ours}),
        ] {
            let (status, answer) = send(&server, &eve, Method::POST, "/api/user", Some(&body)).await;
            assert_eq!((status, &answer["error"]), (401, &json!("access_denied")), "{answer}");
        }
        let (status, answer) =
            send(&server, &eve, Method::POST, "/api/user", Some(&json!({"hubUser": user(4210)}))).await;
        assert_eq!(status, 200, "{answer}");
    }

    /// `linkCollabProfile` | administrators with `accounts.write` | the organization of the account,
    /// and that of the collab organization | `accounts::provisioning`, as for `createUser`
    async fn an_administrator_of_another_organization_links_no_profile(server: Server) {
        add_eve(&server).await;
        let eve = server.token(EVE, ALL_SCOPES).await;
        let profile = |instance: &str, organization: &str| json!({
            "appInstanceId": instance, "collabOrganizationId": organization,
            "communicationEmail": EVE_EMAIL, "language": "en",
        });
        for (email, profile) in [
            ("ben@north.example", profile("71", "5310")),
            (EVE_EMAIL, profile("72", "5202")),
        ] {
            let body = json!({"hubUser": {"emailAddress": email}, "collabUsers": profile});
            let (status, answer) = send(&server, &eve, Method::PATCH, "/api/user", Some(&body)).await;
            assert_eq!((status, &answer["error"]), (401, &json!("access_denied")), "{answer}");
        }
    }

    /// `listOrganizations` | users with `accounts.read` | the organizations that the caller
    /// administers | the query starts from the caller's administrator rights
    ///
    /// `listApplicationInstances` | users with `accounts.read` | the instances in which the caller has
    /// a profile or administers a collab organization | the query starts from the caller's profiles
    /// and administrator rights
    async fn an_administrator_sees_no_organization_and_no_instance_of_others(server: Server) {
        add_eve(&server).await;
        let eve = server.token(EVE, ALL_SCOPES).await;
        let ids = |answer: &serde_json::Value| -> Vec<i64> {
            let all = answer.as_array().unwrap().iter();
            all.map(|one| one["id"].as_i64().unwrap()).collect()
        };
        let (_, organizations) = send(&server, &eve, Method::GET, "/api/user/organizations", None).await;
        assert_eq!(ids(&organizations), [4210]);
        let (_, instances) = send(&server, &eve, Method::GET, "/api/user/appinstance", None).await;
        assert_eq!(ids(&instances), [71]);
    }
}
