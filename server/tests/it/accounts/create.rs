//! Accounts that are created, with their profiles and their mail.

use accord_server::mail::outbox::{self, About};
use serde_json::json;

use super::{body_of, count, create, mira, refusal, user_id, with, without};
use crate::harness::both_databases;

both_databases! {
    async fn an_account_is_created_with_its_profiles(server: Server) {
        let request = json!({
            "hubUser": with(mira(), json!({
                "middleName": "Elin", "emailForCommunication": "mira@lund.example",
            })),
            "collabUsers": [
                {"appInstanceId": 71, "collabOrganizationId": 5201, "userName": "mlund",
                 "projectIds": ["HARBOUR-2", "LOCK-1", "HARBOUR-2"]},
                {"appInstanceId": 72, "collabOrganizationId": 5202},
            ],
        });
        let created = body_of(create(&server, &request).await, 200).await;
        assert_eq!(created["hubUser"], json!({
            "firstName": "Mira", "middleName": "Elin", "lastName": "Lund",
            "emailAddress": "Mira.Lund@north.example",
            "displayName": "Mira Elin Lund",
            "organizationId": 3104,
            "emailForCommunication": "mira@lund.example",
        }));
        let [first, second] = created["collabUser"].as_array().unwrap().as_slice() else {
            panic!("{created}");
        };
        assert!(first["userId"].is_string());
        assert_ne!(first["userId"], second["userId"]);
        assert_eq!(without(first.clone(), "userId"), json!({
            "accountLinked": true, "appInstanceId": 71, "collabOrganizationId": 5201,
            "userName": "mlund", "location": "Bergen, Vestland, Norway", "region": "eu-north",
            "projectIds": ["HARBOUR-2", "LOCK-1"], "hasLinkedAccounts": true,
            "communicationEmail": "mira@lund.example",
        }));
        assert_eq!(without(second.clone(), "userId"), json!({
            "accountLinked": true, "appInstanceId": 72, "collabOrganizationId": 5202,
            "userName": "Mira.Lund@north.example", "location": "Bergen, Vestland, Norway",
            "region": "eu-central", "projectIds": [], "hasLinkedAccounts": false,
            "communicationEmail": "mira@lund.example",
        }));
    }

    async fn the_middle_name_and_the_address_for_mail_have_defaults(server: Server) {
        let created = body_of(create(&server, &json!({"hubUser": mira()})).await, 200).await;
        assert_eq!(created, json!({
            "hubUser": {
                "firstName": "Mira", "lastName": "Lund", "displayName": "Mira Lund",
                "emailAddress": "Mira.Lund@north.example", "organizationId": 3104,
                "emailForCommunication": "Mira.Lund@north.example",
            },
            "collabUser": [],
        }));
    }

    async fn a_failed_profile_is_reported_in_its_entry_and_undoes_nothing(server: Server) {
        let request = json!({"hubUser": mira(), "collabUsers": [
            {"appInstanceId": 71, "collabOrganizationId": 5201, "userName": "ANorth"},
            {"appInstanceId": 79, "collabOrganizationId": 5290},
            {"appInstanceId": 72, "collabOrganizationId": 5202, "projectIds": ["QUAY-7", "MOON", "MOON"]},
            {"appInstanceId": 72, "collabOrganizationId": 5202},
        ]});
        let created = body_of(create(&server, &request).await, 200).await;
        let entries = created["collabUser"].as_array().unwrap();
        let told: Vec<_> = entries
            .iter()
            .map(|entry| (entry["accountLinked"].as_bool().unwrap(), entry["errorDescription"].as_str().unwrap()))
            .collect();
        assert_eq!(told, [
            (false, "The user name ANorth is taken in collab organization 5201."),
            (false, "Application instance 79 is closed."),
            (true, "Not invited to unknown projects: MOON."),
            (false, "The account already has a profile in collab organization 5202."),
        ]);
        for entry in entries {
            assert_eq!(entry["userId"].is_string(), entry["accountLinked"] == true, "{entry}");
        }
        assert_eq!(entries[0]["projectIds"], json!([]));
        assert_eq!(entries[2]["projectIds"], json!(["QUAY-7"]));
        assert_eq!(count(&server, "hub_users").await, 3);
        assert_eq!(count(&server, "collab_profiles").await, 2);
    }

    async fn a_username_that_differs_only_in_case_is_rejected_and_creates_nothing(server: Server) {
        body_of(create(&server, &json!({"hubUser": mira()})).await, 200).await;
        let again = json!({
            "hubUser": with(mira(), json!({
                "emailAddress": "mira.lund@NORTH.example", "setPassword": true,
            })),
            "collabUsers": [{"appInstanceId": 72, "collabOrganizationId": 5202}],
        });
        let text = refusal(create(&server, &again).await, 400, "invalid_request").await;
        assert_eq!(text, "mira.lund@NORTH.example is already a hub username.");
        assert_eq!(count(&server, "hub_users").await, 3);
        assert_eq!(count(&server, "collab_profiles").await, 1);
        assert_eq!(count(&server, "mail_outbox").await, 0);
    }

    async fn one_of_many_concurrent_creations_of_the_same_account_succeeds(server: Server) {
        let request = json!({"hubUser": mira()});
        let attempts = (0..8).map(|_| create(&server, &request));
        let answers = futures::future::join_all(attempts).await;
        let created = answers.iter().filter(|answer| answer.status() == 200).count();
        let refused = answers.iter().filter(|answer| answer.status() == 400).count();
        assert_eq!((created, refused), (1, 7));
        assert_eq!(count(&server, "hub_users").await, 3);
    }

    async fn five_hundred_profiles_fit_in_one_call(server: Server) {
        let entry = json!({"appInstanceId": 72, "collabOrganizationId": 5202});
        let request = |number| json!({"hubUser": mira(), "collabUsers": vec![entry.clone(); number]});
        let text = refusal(create(&server, &request(501)).await, 400, "invalid_request").await;
        assert!(text.starts_with("collabUsers "), "{text}");
        let created = body_of(create(&server, &request(500)).await, 200).await;
        let entries = created["collabUser"].as_array().unwrap();
        assert_eq!(entries.len(), 500);
        assert_eq!(entries.iter().filter(|entry| entry["accountLinked"] == true).count(), 1);
    }

    async fn an_account_in_a_closed_organization_is_rejected_with_the_reason(server: Server) {
        let request = json!({"hubUser": with(mira(), json!({"hubOrganizationId": 3190, "setPassword": true}))});
        let text = refusal(create(&server, &request).await, 500, "failed_to_process_request").await;
        assert_eq!(text, "Unable to create user account: organization 3190 is closed.");
        assert_eq!(count(&server, "hub_users").await, 2);
        assert_eq!(count(&server, "mail_outbox").await, 0);
    }

    async fn members_that_the_document_does_not_name_are_ignored(server: Server) {
        let request = json!({"hubUser": with(mira(), json!({"shoeSize": 43})), "extra": [null]});
        body_of(create(&server, &request).await, 200).await;
    }

    async fn a_blank_name_or_one_with_control_characters_is_rejected(server: Server) {
        for field in ["firstName", "middleName", "lastName"] {
            for bad in [" ", "   ", "a\u{9b}31m", "a\u{200b}b", "\u{202e}a", "a\u{2066}", "a\nb", "a\u{2028}"] {
                let request = json!({"hubUser": with(mira(), json!({field: bad}))});
                let text = refusal(create(&server, &request).await, 400, "invalid_request").await;
                assert!(text.contains(field), "{text}");
            }
        }
        let request = json!({"hubUser": with(mira(), json!({"firstName": " Ana Mar\u{ed}a ", "lastName": "\u{645}\u{6cc}\u{200c}\u{631}"}))});
        body_of(create(&server, &request).await, 200).await;
    }

    async fn only_an_account_with_set_password_gets_mail(server: Server) {
        let request = json!({"hubUser": with(mira(), json!({
            "setPassword": true, "emailForCommunication": "mira@lund.example",
        }))});
        body_of(create(&server, &request).await, 200).await;
        // Without setPassword there is no mail, not even of projects.
        let piet = with(mira(), json!({"emailAddress": "piet@north.example"}));
        let request = json!({"hubUser": piet, "collabUsers": [
            {"appInstanceId": 72, "collabOrganizationId": 5202, "projectIds": ["QUAY-7"]},
        ]});
        let created = body_of(create(&server, &request).await, 200).await;
        assert_eq!(created["collabUser"][0]["projectIds"], json!(["QUAY-7"]));
        let mails = server.read(|tx| outbox::list(tx, None, 10)).await.readable;
        let of = |address: &str| mails.iter().find(|mail| mail.recipient == address).unwrap();
        assert_eq!(mails.len(), 1);
        let mail = of("mira@lund.example");
        assert_eq!(mail.language, "en-GB");
        assert_eq!(mail.about, About::SetPassword { organization: "North Works".into() });
        assert_eq!(mail.user_id, user_id(&server, "mira.lund@north.example").await);
        assert_eq!(count(&server, "password_tokens").await, 1);
    }
}
