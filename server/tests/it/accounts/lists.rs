//! What a user administers and can access.

use accord_server::accounts::administrators;
use accord_server::accounts::demo::{ADMINISTRATOR, COLLEAGUE};
use accord_server::accounts::directory;
use accord_server::params;
use serde_json::json;

use super::{INSTANCES, ORGANIZATIONS, body_of, create, mira, refusal, user_id};
use crate::harness::both_databases;

both_databases! {
    async fn the_lists_follow_the_users_rights(server: Server) {
        let list = async |user: &str, path: &str| {
            let token = server.token(user, "accounts.read").await;
            let request = server.http().get(server.url(path)).bearer_auth(token);
            body_of(request.send().await.unwrap(), 200).await
        };
        assert_eq!(list(ADMINISTRATOR, ORGANIZATIONS).await, json!([
            {"id": 3104, "name": "North Works Ltd", "tradingName": "North Works"},
            {"id": 3190, "name": "North Archive Ltd", "tradingName": "North Archive"},
        ]));
        let instances = list(ADMINISTRATOR, INSTANCES).await;
        assert_eq!(instances[0], json!({
            "id": 71, "name": "Collab North", "region": "eu-north",
            "baseUrl": "https://north.collab.example/login",
        }));
        let ids: Vec<_> = instances.as_array().unwrap().iter().map(|one| &one["id"]).collect();
        assert_eq!(ids, [71, 72, 79]);
        assert_eq!(list(COLLEAGUE, ORGANIZATIONS).await, json!([]));
        assert_eq!(list(COLLEAGUE, INSTANCES).await, json!([]));

        let request = json!({"hubUser": mira(),
            "collabUsers": [{"appInstanceId": 72, "collabOrganizationId": 5202}]});
        body_of(create(&server, &request).await, 200).await;
        let mira = user_id(&server, "mira.lund@north.example").await;
        assert_eq!(list(&mira, ORGANIZATIONS).await, json!([]));
        assert_eq!(list(&mira, INSTANCES).await[0]["id"], 72);
        assert_eq!(list(&mira, INSTANCES).await.as_array().unwrap().len(), 1);
    }

    async fn profiles_are_offered_only_in_open_instances_and_organizations(server: Server) {
        let offered = async || {
            let places = server.write(|tx| directory::workplaces(tx, ADMINISTRATOR)).await;
            places.iter().map(|place| place.id).collect::<Vec<_>>()
        };
        assert_eq!(offered().await, [5201, 5202]);
        let close = "UPDATE hub_organizations SET closed = 1 WHERE id = 3104";
        server.write(move |tx| tx.execute(close, &[])).await;
        assert_eq!(offered().await, Vec::<i64>::new());
    }

    async fn a_request_context_is_taken_in_any_form_and_ignored(server: Server) {
        let token = server.token(ADMINISTRATOR, "accounts.read").await;
        for path in [ORGANIZATIONS, INSTANCES] {
            let plain = server.http().get(server.url(path)).bearer_auth(&token).send().await.unwrap();
            let expected = body_of(plain, 200).await;
            for (content_type, body) in [
                (None, ""), (Some("application/json"), ""), (Some("application/json"), "{}"),
                (None, "{}"), (Some("application/json"), r#"{"a":[1]}"#),
                (Some("application/json"), "[1]"), (Some("application/json"), "{broken"),
                (Some("text/plain"), "hello"), (Some("nonsense"), "\u{1}"),
            ] {
                let mut request = server.http().get(server.url(path)).bearer_auth(&token).body(body);
                if let Some(content_type) = content_type {
                    request = request.header("content-type", content_type);
                }
                let response = request.send().await.unwrap();
                assert_eq!(body_of(response, 200).await, expected, "{content_type:?} {body}");
            }
        }
    }

    async fn a_walk_by_pages_goes_on_behind_an_identifier_of_19_digits(server: Server) {
        let ids = [i64::MIN + 1, i64::MAX - 1, i64::MAX];
        server.write(move |tx| {
            for id in ids {
                tx.execute(
                    "INSERT INTO hub_organizations (id, name, trading_name, city, state, country, closed) \
                     VALUES ($1, 'x', 'x', 'x', 'x', 'x', 0)",
                    params![id],
                )?;
                administrators::add(tx, id, COLLEAGUE)?;
                tx.execute(
                    "INSERT INTO application_instances (id, name, region, base_url, closed) \
                     VALUES ($1, 'x', 'x', 'https://x.example', 0)",
                    params![id],
                )?;
                tx.execute(
                    "INSERT INTO collab_organizations \
                     (id, application_instance_id, hub_organization_id, name) VALUES ($1, $1, $1, 'x')",
                    params![id],
                )?;
            }
            Ok(())
        }).await;
        let token = server.token(COLLEAGUE, "accounts.read").await;
        for path in [ORGANIZATIONS, INSTANCES] {
            let mut page: Option<String> = None;
            for id in ids {
                let mut query = vec![("limit", "1".to_owned())];
                query.extend(page.map(|page| ("page", page)));
                let request = server.http().get(server.url(path)).bearer_auth(&token);
                let answer = request.query(&query).send().await.unwrap();
                let next = answer.headers().get("accord-next-page");
                page = next.map(|page| page.to_str().unwrap().to_owned());
                assert_eq!(body_of(answer, 200).await[0]["id"], id, "{path}");
            }
            assert_eq!(page, None, "{path}");
            let beyond = [("page", "fwAAAAAAAAAA")];
            let request = server.http().get(server.url(path)).bearer_auth(&token).query(&beyond);
            refusal(request.send().await.unwrap(), 400, "invalid_request").await;
        }
    }

    async fn a_walk_by_pages_sees_each_organization_once(server: Server) {
        let token = server.token(ADMINISTRATOR, "accounts.read").await;
        let ask = async |path: &str, query: &[(&str, &str)]| {
            let request = server.http().get(server.url(path)).bearer_auth(&token).query(query);
            request.send().await.unwrap()
        };
        let ids = async |path: &str| {
            let mut seen = Vec::new();
            let mut next: Option<String> = None;
            loop {
                let mut query = vec![("limit", "1")];
                if let Some(page) = &next {
                    query.push(("page", page));
                }
                let answer = ask(path, &query).await;
                let after = answer.headers().get("accord-next-page");
                next = after.map(|page| page.to_str().unwrap().to_owned());
                let page = body_of(answer, 200).await;
                seen.extend(page.as_array().unwrap().iter().map(|one| one["id"].as_i64().unwrap()));
                if next.is_none() {
                    return seen;
                }
            }
        };
        assert_eq!(ids(ORGANIZATIONS).await, [3104, 3190]);
        assert_eq!(ids(INSTANCES).await, [71, 72, 79]);
        for (name, value) in [("limit", "0"), ("limit", "1001"), ("limit", "x"), ("page", "x"), ("page", "")] {
            let refused = ask(ORGANIZATIONS, &[(name, value)]).await;
            let text = refusal(refused, 400, "invalid_request").await;
            assert!(text.contains(name), "{text}");
        }
    }
}
