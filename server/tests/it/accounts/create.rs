//! Accounts that are created, with their profiles and their mail.

use accord_server::accounts::mail::{self, PasswordLink};
use accord_server::identity::password_tokens;
use accord_server::params;
use accord_server::store::StoreError;
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

    async fn without_a_middle_name_and_an_address_for_mail_the_rest_stands_in(server: Server) {
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

    async fn a_profile_that_fails_is_told_in_its_entry_and_undoes_nothing(server: Server) {
        let request = json!({"hubUser": mira(), "collabUsers": [
            {"appInstanceId": 71, "collabOrganizationId": 5201, "userName": "ANorth"},
            {"appInstanceId": 79, "collabOrganizationId": 5290},
            {"appInstanceId": 72, "collabOrganizationId": 5202, "projectIds": ["QUAY-7", "MOON"]},
            {"appInstanceId": 72, "collabOrganizationId": 5202},
        ]});
        let created = body_of(create(&server, &request).await, 200).await;
        let entries = created["collabUser"].as_array().unwrap();
        let told: Vec<_> = entries
            .iter()
            .map(|entry| (entry["accountLinked"].as_bool().unwrap(), entry["errorDescription"].as_str().unwrap()))
            .collect();
        assert_eq!(told, [
            (false, "The user name ANorth is taken in collab organization 5201"),
            (false, "Application instance 79 is closed"),
            (true, "Not invited to projects that do not exist: MOON"),
            (false, "The account already has a profile in collab organization 5202"),
        ]);
        for entry in entries {
            assert_eq!(entry["userId"].is_string(), entry["accountLinked"] == true, "{entry}");
        }
        assert_eq!(entries[0]["projectIds"], json!([]));
        assert_eq!(entries[2]["projectIds"], json!(["QUAY-7"]));
        assert_eq!(count(&server, "hub_users").await, 3);
        assert_eq!(count(&server, "collab_profiles").await, 2);
    }

    async fn a_username_is_taken_in_any_case_and_nothing_is_created_then(server: Server) {
        body_of(create(&server, &json!({"hubUser": mira()})).await, 200).await;
        let again = json!({
            "hubUser": with(mira(), json!({
                "emailAddress": "mira.lund@NORTH.example", "setPassword": true,
            })),
            "collabUsers": [{"appInstanceId": 72, "collabOrganizationId": 5202}],
        });
        let text = refusal(create(&server, &again).await, 400, "invalid_request").await;
        assert_eq!(text, "mira.lund@NORTH.example is already a hub username");
        assert_eq!(count(&server, "hub_users").await, 3);
        assert_eq!(count(&server, "collab_profiles").await, 1);
        assert_eq!(count(&server, "mail_outbox").await, 0);
    }

    async fn one_of_many_that_create_the_same_account_at_once_does(server: Server) {
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

    async fn a_closed_organization_is_why_an_account_cannot_be_created(server: Server) {
        let request = json!({"hubUser": with(mira(), json!({"hubOrganizationId": 3190, "setPassword": true}))});
        let text = refusal(create(&server, &request).await, 500, "failed_to_process_request").await;
        assert_eq!(text, "Unable to create user account: organization 3190 is closed");
        assert_eq!(count(&server, "hub_users").await, 2);
        assert_eq!(count(&server, "mail_outbox").await, 0);
    }

    async fn members_that_the_document_does_not_name_are_ignored(server: Server) {
        let request = json!({"hubUser": with(mira(), json!({"shoeSize": 43})), "extra": [null]});
        body_of(create(&server, &request).await, 200).await;
    }

    async fn a_password_is_set_through_a_mail_with_a_link(server: Server) {
        let request = json!({"hubUser": with(mira(), json!({
            "setPassword": true, "emailForCommunication": "mira@lund.example",
        }))});
        body_of(create(&server, &request).await, 200).await;
        let sent = server.app().store.read(|tx| mail::unsent(tx, 10)).await;
        let [mail] = <[_; 1]>::try_from(sent.unwrap_or_else(|error: StoreError| panic!("{error}"))).unwrap();
        assert_eq!((mail.recipient.as_str(), mail.language.as_str()), ("mira@lund.example", "en-GB"));
        assert_eq!(mail.user_id, user_id(&server, "mira.lund@north.example").await);

        let link = PasswordLink::new(&server.app().pepper, &mail.id);
        let mac = password_tokens::mac(&server.app().pepper, link.token());
        let (owner, expires): (String, i64) = server.app().store.read(move |tx| {
            let row = tx.query_opt(
                "SELECT user_id, expires_at FROM password_tokens WHERE token_mac = $1 AND used_at IS NULL",
                params![mac],
            )?.unwrap();
            Ok::<_, StoreError>((row.get(0)?, row.get(1)?))
        }).await.unwrap();
        assert_eq!(owner, mail.user_id);
        let lifetime = expires - mail.created_at.timestamp_millis();
        assert_eq!(lifetime, mail::LINK_LIFETIME.num_milliseconds());

        let now = server.app().clock.now();
        let id = mail.id.clone();
        let marked = server.app().store.write(move |tx| mail::mark_sent(tx, &id, now)).await;
        assert!(marked.unwrap_or_else(|error: StoreError| panic!("{error}")));
        let sent = server.app().store.read(|tx| mail::unsent(tx, 10)).await;
        assert_eq!(sent.unwrap_or_else(|error: StoreError| panic!("{error}")), []);
    }
}
