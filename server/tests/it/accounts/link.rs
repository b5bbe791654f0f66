//! Profiles for accounts that are there already.

use serde_json::{Value, json};

use super::{body_of, count, link, profile, refusal, with, without};
use crate::harness::both_databases;

both_databases! {
    async fn a_profile_is_linked_to_an_account_that_is_there(server: Server) {
        let request = json!({
            "hubUser": {"emailAddress": "BEN@north.example"},
            "collabUsers": with(profile(), json!({"userName": "ben", "projectIds": ["QUAY-7"]})),
        });
        let linked = body_of(link(&server, &request).await, 200).await;
        assert_eq!(linked["hubUser"], json!({
            "firstName": "Ben", "lastName": "Holm", "displayName": "Ben Holm",
            "emailAddress": "ben@north.example", "organizationId": 3104,
            "emailForCommunication": "ben@north.example",
        }));
        let entry = &linked["collabUser"][0];
        assert!(entry["userId"].is_string());
        assert_eq!(without(entry.clone(), "userId"), json!({
            "accountLinked": true, "appInstanceId": 72, "collabOrganizationId": 5202,
            "userName": "ben", "location": "Bergen, Vestland, Norway", "region": "eu-central",
            "projectIds": ["QUAY-7"], "hasLinkedAccounts": false,
            "communicationEmail": "mira@lund.example",
        }));
        let text = refusal(link(&server, &request).await, 400, "invalid_request").await;
        assert_eq!(text, "The account already has a profile in collab organization 5202.");
    }

    async fn identifiers_of_a_link_may_be_numbers_or_digits(server: Server) {
        let ask = |instance: Value, organization: Value| json!({
            "hubUser": {"emailAddress": "ben@north.example"},
            "collabUsers": with(profile(), json!({
                "appInstanceId": instance, "collabOrganizationId": organization,
            })),
        });
        for (instance, organization) in [
            (json!("seventy"), json!("5202")), (json!(""), json!("5202")),
            (json!("-72"), json!("5202")), (json!("72.0"), json!("5202")),
            (json!("72"), json!(true)), (json!("72"), json!(null)),
            (json!(72.5), json!("5202")), (json!("7".repeat(20)), json!("5202")),
        ] {
            refusal(link(&server, &ask(instance, organization)).await, 400, "invalid_request").await;
        }
        let beyond = ask(json!("9".repeat(19)), json!("5202"));
        let text = refusal(link(&server, &beyond).await, 400, "invalid_request").await;
        assert_eq!(text, "collabUsers.appInstanceId must be at most 9223372036854775807.");
        let greatest = ask(json!(i64::MAX.to_string()), json!("5202"));
        let text = refusal(link(&server, &greatest).await, 400, "invalid_request").await;
        assert_eq!(text, "Application instance 9223372036854775807 does not exist.");
        let linked = body_of(link(&server, &ask(json!(72), json!(5202))).await, 200).await;
        assert_eq!(linked["collabUser"][0]["appInstanceId"], json!(72));
        let linked = body_of(link(&server, &ask(json!("0071"), json!("5201"))).await, 200).await;
        assert_eq!(linked["collabUser"][0]["collabOrganizationId"], json!(5201));
    }

    async fn a_link_that_cannot_be_made_says_why(server: Server) {
        let ask = |email: &str, changes| json!({
            "hubUser": {"emailAddress": email}, "collabUsers": with(profile(), changes),
        });
        let refused = link(&server, &ask("nobody@north.example", json!({}))).await;
        let text = refusal(refused, 400, "invalid_request").await;
        assert_eq!(text, "Hub user nobody@north.example does not exist.");
        let taken = json!({"appInstanceId": "71", "collabOrganizationId": "5201", "userName": "anorth"});
        let text = refusal(link(&server, &ask("ben@north.example", taken)).await, 400, "invalid_request").await;
        assert_eq!(text, "The user name anorth is taken in collab organization 5201.");
        let closed = json!({"appInstanceId": "79", "collabOrganizationId": "5290"});
        let refused = link(&server, &ask("ben@north.example", closed)).await;
        let text = refusal(refused, 500, "failed_to_process_request").await;
        assert_eq!(text, "Unable to create collab profile: application instance 79 is closed.");
        for change in [
            json!({"communicationEmail": "nowhere"}), json!({"language": ""}),
            json!({"userName": ""}), json!({"projectIds": [1]}),
        ] {
            let refused = link(&server, &ask("ben@north.example", change)).await;
            refusal(refused, 400, "invalid_request").await;
        }
        assert_eq!(count(&server, "collab_profiles").await, 1);
    }
}
