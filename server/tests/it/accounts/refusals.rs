//! Requests that are refused, and change nothing.

use accord_server::accounts::demo::{ADMINISTRATOR, COLLEAGUE};
use reqwest::Method;
use serde_json::json;

use super::{
    INSTANCES, ORGANIZATIONS, USER, body_of, count, create, link, mira, profile, refusal, with,
    without,
};
use crate::harness::both_databases;

both_databases! {
    async fn every_missing_field_is_named_at_once(server: Server) {
        let text = refusal(create(&server, &json!({"hubUser": {}})).await, 400, "invalid_request").await;
        assert_eq!(
            text,
            "One or more required fields are missing: hubUser.emailAddress, hubUser.firstName, \
             hubUser.lastName, hubUser.language, hubUser.hubOrganizationId, hubUser.setPassword."
        );
        for name in mira().as_object().unwrap().keys() {
            let request = json!({"hubUser": without(mira(), name)});
            let text = refusal(create(&server, &request).await, 400, "invalid_request").await;
            assert_eq!(text, format!("One or more required fields are missing: hubUser.{name}."));
        }
        for name in profile().as_object().unwrap().keys() {
            let request = json!({
                "hubUser": {"emailAddress": "ben@north.example"},
                "collabUsers": without(profile(), name),
            });
            let text = refusal(link(&server, &request).await, 400, "invalid_request").await;
            assert_eq!(text, format!("One or more required fields are missing: collabUsers.{name}."));
        }
        let text = refusal(link(&server, &json!({})).await, 400, "invalid_request").await;
        assert_eq!(text, "One or more required fields are missing: hubUser, collabUsers.");
        let text = refusal(link(&server, &json!({"hubUser": {}, "collabUsers": profile()})).await, 400, "invalid_request").await;
        assert_eq!(text, "One or more required fields are missing: hubUser.emailAddress.");
    }

    async fn nothing_to_create_is_refused(server: Server) {
        for request in [
            json!({}),
            json!({"collabUsers": []}),
            json!({"collabUsers": [{"appInstanceId": 71, "collabOrganizationId": 5201}]}),
        ] {
            let text = refusal(create(&server, &request).await, 400, "invalid_request").await;
            assert_eq!(text, "One or more required fields are missing: hubUser.");
        }
    }

    async fn every_constraint_holds_at_its_bound(server: Server) {
        let long = |length: usize| "x".repeat(length);
        let cases = [
            ("emailAddress", json!("no-address"), "hubUser.emailAddress"),
            ("emailAddress", json!("a b@north.example"), "hubUser.emailAddress"),
            ("emailAddress", json!(7), "hubUser.emailAddress"),
            ("emailAddress", json!(format!("{}@n.example", long(300))), "hubUser.emailAddress"),
            ("emailForCommunication", json!("@"), "hubUser.emailForCommunication"),
            ("firstName", json!(""), "hubUser.firstName"),
            ("firstName", json!(long(256)), "hubUser.firstName"),
            ("firstName", json!("a\u{0}b"), "hubUser.firstName"),
            ("firstName", json!(null), "hubUser.firstName"),
            // An optional member is left out; `null` is a value of the wrong type.
            ("middleName", json!(null), "hubUser.middleName"),
            ("emailForCommunication", json!(null), "hubUser.emailForCommunication"),
            ("middleName", json!(""), "hubUser.middleName"),
            ("middleName", json!(long(256)), "hubUser.middleName"),
            ("lastName", json!(""), "hubUser.lastName"),
            ("lastName", json!("line\nend"), "hubUser.lastName"),
            ("lastName", json!(long(256)), "hubUser.lastName"),
            ("language", json!("e"), "hubUser.language"),
            ("language", json!("en--GB"), "hubUser.language"),
            ("language", json!("en-"), "hubUser.language"),
            ("language", json!(format!("en{}", "-abcdefg".repeat(5))), "hubUser.language"),
            ("hubOrganizationId", json!("3104"), "hubUser.hubOrganizationId"),
            ("hubOrganizationId", json!(3104.5), "hubUser.hubOrganizationId"),
            ("hubOrganizationId", json!(9223372036854775808u64), "hubUser.hubOrganizationId"),
            ("setPassword", json!("true"), "hubUser.setPassword"),
        ];
        for (field, value, place) in cases {
            let request = json!({"hubUser": with(mira(), json!({field: value}))});
            let text = refusal(create(&server, &request).await, 400, "invalid_request").await;
            assert!(text.starts_with(place), "{field}: {text}");
        }
        let entry = json!({"appInstanceId": 71, "collabOrganizationId": 5201});
        let cases = [
            (without(entry.clone(), "appInstanceId"), "appInstanceId"),
            (without(entry.clone(), "collabOrganizationId"), "collabOrganizationId"),
            (with(entry.clone(), json!({"appInstanceId": "71"})), "appInstanceId"),
            (with(entry.clone(), json!({"userName": ""})), "userName"),
            (with(entry.clone(), json!({"userName": long(256)})), "userName"),
            (with(entry.clone(), json!({"userName": "a\u{0}"})), "userName"),
            (with(entry.clone(), json!({"projectIds": "HARBOUR-2"})), "projectIds"),
            (with(entry.clone(), json!({"projectIds": null})), "projectIds"),
            (with(entry.clone(), json!({"projectIds": [""]})), "projectIds[0]"),
            (with(entry.clone(), json!({"projectIds": [long(101)]})), "projectIds[0]"),
            (with(entry.clone(), json!({"projectIds": vec!["P"; 501]})), "projectIds"),
        ];
        for (entry, place) in cases {
            let request = json!({"hubUser": mira(), "collabUsers": [entry]});
            let text = refusal(create(&server, &request).await, 400, "invalid_request").await;
            assert!(text.contains(&format!("collabUsers[0].{place}")), "{text}");
        }
        assert_eq!(count(&server, "hub_users").await, 2);

        let largest = json!({
            "hubUser": with(mira(), json!({
                "firstName": long(255), "middleName": long(255), "lastName": "ß".repeat(255),
                "language": format!("en{}-a", "-abcdefg".repeat(3)),
            })),
            "collabUsers": [with(entry, json!({
                "userName": long(255), "projectIds": vec![long(100); 500],
            }))],
        });
        let created = body_of(create(&server, &largest).await, 200).await;
        assert_eq!(created["collabUser"][0]["accountLinked"], true);
    }

    async fn what_does_not_exist_is_named(server: Server) {
        let entry = |instance, organization| json!({
            "hubUser": mira(),
            "collabUsers": [{"appInstanceId": instance, "collabOrganizationId": organization}],
        });
        for (request, expected) in [
            (json!({"hubUser": with(mira(), json!({"hubOrganizationId": 9999}))}),
             "Hub organization 9999 does not exist."),
            (entry(1, 5201), "Application instance 1 does not exist."),
            (entry(71, 1), "Application instance 71 has no collab organization 1."),
            (entry(71, 5202), "Application instance 71 has no collab organization 5202."),
        ] {
            let text = refusal(create(&server, &request).await, 400, "invalid_request").await;
            assert_eq!(text, expected);
        }
        assert_eq!(count(&server, "hub_users").await, 2);
    }

    async fn a_foreign_organization_is_not_to_be_provisioned(server: Server) {
        for request in [
            json!({"hubUser": with(mira(), json!({"hubOrganizationId": 4210}))}),
            json!({"hubUser": mira(),
                   "collabUsers": [{"appInstanceId": 71, "collabOrganizationId": 5310}]}),
        ] {
            let text = refusal(create(&server, &request).await, 401, "access_denied").await;
            assert_eq!(text, "You do not have privileges to perform this action.");
        }
        let request = json!({
            "hubUser": {"emailAddress": "ben@north.example"},
            "collabUsers": with(profile(), json!({"appInstanceId": 71, "collabOrganizationId": 5310})),
        });
        refusal(link(&server, &request).await, 401, "access_denied").await;
        assert_eq!(count(&server, "hub_users").await, 2);
    }

    async fn who_administers_nothing_learns_nothing(server: Server) {
        let token = server.token(COLLEAGUE, "accounts.write").await;
        for organization in [3104, 4210, 9999] {
            let request = json!({"hubUser": with(mira(), json!({"hubOrganizationId": organization}))});
            let response = server.http().post(server.url(USER)).bearer_auth(&token)
                .json(&request).send().await.unwrap();
            refusal(response, 401, "access_denied").await;
        }
        for email in ["ben@north.example", "nobody@north.example"] {
            let request = json!({"hubUser": {"emailAddress": email}, "collabUsers": profile()});
            let response = server.http().patch(server.url(USER)).bearer_auth(&token)
                .json(&request).send().await.unwrap();
            refusal(response, 401, "access_denied").await;
        }
    }

    async fn without_a_good_token_nothing_is_answered(server: Server) {
        let good = server.token(ADMINISTRATOR, "accounts.read accounts.write").await;
        let mut tampered = good.clone();
        let at = good.len() - 9;
        tampered.replace_range(at..=at, if &good[at..=at] == "A" { "B" } else { "A" });
        let mut parts = good.split('.');
        let (header, claims) = (parts.next().unwrap(), parts.next().unwrap());
        let unsigned = format!("{header}.{claims}.");
        for (method, path) in [
            (Method::POST, USER), (Method::PATCH, USER),
            (Method::GET, ORGANIZATIONS), (Method::GET, INSTANCES),
        ] {
            let request = || server.http().request(method.clone(), server.url(path)).body("{");
            let bare = request().send().await.unwrap();
            assert_eq!(bare.headers()["www-authenticate"], r#"Bearer realm="accord""#);
            refusal(bare, 401, "invalid_token").await;
            refusal(request().basic_auth("ana", Some("x")).send().await.unwrap(), 401, "invalid_token").await;
            for bad in ["x", &tampered, &unsigned] {
                let refused = request().bearer_auth(bad).send().await.unwrap();
                let challenge = refused.headers()["www-authenticate"].to_str().unwrap().to_owned();
                assert!(challenge.contains(r#"error="invalid_token""#), "{challenge}");
                refusal(refused, 401, "invalid_token").await;
            }
        }
        server.advance(3601);
        let late = server.http().get(server.url(INSTANCES)).bearer_auth(&good).send().await.unwrap();
        refusal(late, 401, "invalid_token").await;
    }

    async fn a_token_without_the_scope_is_a_401_that_names_it(server: Server) {
        let reader = server.token(ADMINISTRATOR, "accounts.read").await;
        let writer = server.token(ADMINISTRATOR, "accounts.write").await;
        let other = server.token(ADMINISTRATOR, "patterns.read patterns.write").await;
        for (token, method, path, scope) in [
            (&reader, Method::POST, USER, "accounts.write"),
            (&reader, Method::PATCH, USER, "accounts.write"),
            (&writer, Method::GET, ORGANIZATIONS, "accounts.read"),
            (&other, Method::GET, INSTANCES, "accounts.read"),
        ] {
            let request = server.http().request(method, server.url(path)).bearer_auth(token);
            let refused = request.json(&json!({"hubUser": mira()})).send().await.unwrap();
            let challenge = refused.headers()["www-authenticate"].to_str().unwrap().to_owned();
            assert!(challenge.contains(&format!(r#"error="insufficient_scope", scope="{scope}""#)), "{challenge}");
            let text = refusal(refused, 401, "access_denied").await;
            assert!(text.starts_with("You do not have privileges"), "{text}");
        }
        assert_eq!(count(&server, "hub_users").await, 2);
    }

    async fn a_body_that_cannot_be_read_is_a_400(server: Server) {
        let token = server.token(ADMINISTRATOR, "accounts.write").await;
        let whole = serde_json::to_vec(&json!({"hubUser": mira()})).unwrap();
        let deep = format!(r#"{{"hubUser":{}1{}}}"#, "[".repeat(10_000), "]".repeat(10_000));
        let large = format!(r#"{{"hubUser":"{}"}}"#, "x".repeat(20 << 20));
        for method in [Method::POST, Method::PATCH] {
            for (content_type, body) in [
                (Some("application/json"), Vec::new()),
                (None, Vec::new()),
                (Some("text/plain"), whole.clone()),
                (Some("application/x-www-form-urlencoded"), b"hubUser=1".to_vec()),
                (Some("application/json"), b"{\"hubUser\":".to_vec()),
                (Some("application/json"), b"\xff\xfe".to_vec()),
                (Some("application/json"), b"null".to_vec()),
                (Some("application/json"), b"[]".to_vec()),
                (Some("application/json"), deep.clone().into_bytes()),
                (Some("application/json"), large.clone().into_bytes()),
            ] {
                let size = body.len();
                let mut request = server.http().request(method.clone(), server.url(USER))
                    .bearer_auth(&token).body(body);
                if let Some(content_type) = content_type {
                    request = request.header("content-type", content_type);
                }
                match request.send().await {
                    Ok(response) => drop(refusal(response, 400, "invalid_request").await),
                    // The service answers before it has read everything, and closes.
                    Err(error) => assert!(size > 1 << 20, "{error}"),
                }
            }
        }
        assert_eq!(count(&server, "hub_users").await, 2);
    }

    async fn another_method_is_405_with_allow(server: Server) {
        for (path, methods, allow) in [
            (USER, vec![Method::GET, Method::PUT, Method::DELETE], "POST, PATCH"),
            (ORGANIZATIONS, vec![Method::POST, Method::PATCH, Method::DELETE], "GET, HEAD"),
            (INSTANCES, vec![Method::POST, Method::PUT], "GET, HEAD"),
        ] {
            for method in methods {
                let refused = server.http().request(method, server.url(path)).send().await.unwrap();
                assert_eq!(refused.headers()["allow"], allow);
                refusal(refused, 405, "invalid_request").await;
            }
        }
    }
}
