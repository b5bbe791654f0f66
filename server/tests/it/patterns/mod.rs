//! Agent patterns over HTTP, in the demo's projects.

use accord_server::accounts::demo::ADMINISTRATOR;
use accord_server::patterns::accelerators::{PLAN_AND_EXECUTE, REACT};
use accord_server::patterns::demo::INSTANCE;
use reqwest::{Method, RequestBuilder, Response};
use serde_json::{Value, json};

use crate::accounts::{body_of, with};
use crate::harness::{Server, both_databases, on_sqlite};

mod changes;
mod measures;
mod packages;
mod walks;

const PATTERNS: &str = "/ic/api/integration/v1/projects/RETAIL/ai/patterns";
const PLAIN: &str = "application/json;charset=utf-8";
const SINGULAR: &str = "application/vnd.accord.model+json;type=singular";
const COLLECTION: &str = "application/vnd.accord.model+json;type=collection";

/// A request of the demo's administrator to a path below the project's patterns.
async fn request(server: &Server, method: Method, path: &str) -> RequestBuilder {
    let token = server
        .shared_token(ADMINISTRATOR, "patterns.read patterns.write")
        .await;
    let url = server.url(&format!("{PATTERNS}{path}"));
    let request = server.http().request(method, url).bearer_auth(token);
    request.query(&[("integrationInstance", INSTANCE)])
}

async fn send(server: &Server, method: Method, path: &str) -> Response {
    request(server, method, path).await.send().await.unwrap()
}

async fn create(server: &Server, body: &Value) -> Response {
    let request = request(server, Method::POST, "/accelerators/archive").await;
    request.json(body).send().await.unwrap()
}

/// Takes an error apart, and holds it to the document's form.
async fn problem(response: Response, status: u16, code: &str) -> Value {
    assert_eq!(response.headers()["content-type"], "application/json");
    let challenge = response.headers().get("www-authenticate").is_some();
    assert_eq!(challenge, status == 401 || status == 403);
    let body = body_of(response, status).await;
    assert_eq!(body["errorCode"], code, "{body}");
    assert_eq!(body["status"], status);
    let kind = body["type"].as_str().unwrap();
    assert!(kind.starts_with("urn:accord:problem:"), "{body}");
    body
}

fn triage() -> Value {
    json!({
        "patternCode": "ORDER_TRIAGE",
        "patternVersion": "01.00.0000",
        "projectCode": "RETAIL",
        "id": REACT,
    })
}

fn without(mut value: Value, names: &[&str]) -> Value {
    for name in names {
        value.as_object_mut().unwrap().remove(*name).unwrap();
    }
    value
}

/// The names of a page, in its order.
fn names(page: &Value) -> Vec<&str> {
    let items = page["items"].as_array().unwrap();
    items
        .iter()
        .map(|item| item["name"].as_str().unwrap())
        .collect()
}

both_databases! {
    async fn a_pattern_is_made_from_an_accelerator_and_read_again(server: Server) {
        let created = body_of(create(&server, &triage()).await, 200).await;
        let moment = created["created"].as_str().unwrap();
        chrono::DateTime::parse_from_rfc3339(moment).unwrap();
        for date in ["createdDate", "lastUpdated", "updatedDate"] {
            assert_eq!(created[date], moment);
        }
        let rest = without(created.clone(), &[
            "created", "createdDate", "lastUpdated", "updatedDate", "description", "guidelines",
        ]);
        assert_eq!(rest, json!({
            "id": "ORDER_TRIAGE|01.00.0000",
            "code": "ORDER_TRIAGE",
            "version": "01.00.0000",
            "name": "ReAct",
            "projectId": "9d2f6a34-1c0e-4c57-8e0b-7b6f3a2d1e01",
            "status": "CONFIGURED",
            "recipeSource": "System",
            "maxIteration": 10,
            "usageCount": 0,
            "lockedFlag": false,
            "createdBy": ADMINISTRATOR,
            "lastUpdatedBy": ADMINISTRATOR,
            "updateBy": ADMINISTRATOR,
            "patternRoles": [],
            "dependencies": {
                "integrations": [{
                    "code": "REACT_CORE", "name": "ReAct core", "status": "ACTIVATED",
                    "type": "APPLICATION", "version": "01.00.0000",
                }],
                "project": {"code": "RETAIL", "name": "Retail", "version": "01.00.0000"},
            },
            "links": [{
                "rel": "self",
                "href": format!("{PATTERNS}/ORDER_TRIAGE%7C01.00.0000?integrationInstance={INSTANCE}"),
            }],
        }));
        for path in ["/ORDER_TRIAGE%7C01.00.0000", "/ORDER_TRIAGE%7c01.00.0000", "/ORDER_TRIAGE|01.00.0000"] {
            assert_eq!(body_of(send(&server, Method::GET, path).await, 200).await, created);
        }
        let link = created["links"][0]["href"].as_str().unwrap();
        let token = server.token(ADMINISTRATOR, "patterns.read").await;
        let followed = server.http().get(server.url(link)).bearer_auth(token).send().await.unwrap();
        assert_eq!(body_of(followed, 200).await, created);
    }

    async fn what_a_request_names_itself_goes_over_the_accelerator(server: Server) {
        let own = json!({
            "name": "Order triage", "description": "Sorts orders.", "guidelines": "Ask once.",
            "maxIteration": 4,
        });
        // All that only the service sets, with values of any type.
        let read_only = json!({
            "code": "OTHER", "version": "x", "projectId": 7, "status": "ACTIVATED", "recipeSource": 3,
            "usageCount": 9, "lockedFlag": true, "lockedBy": "eve", "lockedDate": "now", "created": [],
            "createdBy": "eve", "createdDate": {}, "lastUpdated": 1.5, "lastUpdatedBy": "eve",
            "updateBy": "eve", "updatedDate": false, "patternRoles": ["x"], "dependencies": null,
            "links": [{"rel": "self", "href": "https://x.example"}],
        });
        let plain = with(triage(), json!({"patternVersion": "02"}));
        let plain = body_of(create(&server, &with(plain, own.clone())).await, 200).await;
        let created = body_of(create(&server, &with(with(triage(), own.clone()), read_only)).await, 200).await;
        let members = |pattern: &Value| pattern.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
        assert_eq!(members(&created), members(&plain));
        for name in ["projectId", "recipeSource", "lockedFlag", "createdBy", "lastUpdatedBy", "updateBy", "dependencies"] {
            assert_eq!(created.get(name), plain.get(name), "{name}");
        }
        for (name, value) in own.as_object().unwrap() {
            assert_eq!(&created[name], value);
        }
        assert_eq!(created["status"], "CONFIGURED");
        assert_eq!(created["usageCount"], 0);
        assert_eq!(created["lockedFlag"], false);
        assert_eq!(created["createdBy"], ADMINISTRATOR);
        assert_eq!(created["id"], "ORDER_TRIAGE|01.00.0000");
    }

    async fn a_project_is_named_by_its_identifier_or_its_code(server: Server) {
        let created = body_of(create(&server, &triage()).await, 200).await;
        let token = server.token(ADMINISTRATOR, "patterns.read").await;
        let by_id = PATTERNS.replace("RETAIL", "9d2f6a34-1c0e-4c57-8e0b-7b6f3a2d1e01");
        let url = server.url(&format!("{by_id}/ORDER_TRIAGE%7C01.00.0000?integrationInstance={INSTANCE}"));
        let found = server.http().get(url).bearer_auth(token).send().await.unwrap();
        assert_eq!(body_of(found, 200).await, created);
    }

    async fn one_code_has_many_versions_but_each_once(server: Server) {
        body_of(create(&server, &triage()).await, 200).await;
        let refused = problem(create(&server, &triage()).await, 409, "PATTERN-409").await;
        assert_eq!(refused["detail"], "Project RETAIL already has the agent pattern ORDER_TRIAGE|01.00.0000.");
        for version in ["1", "01.00.0001", "01.00"] {
            let next = with(triage(), json!({"patternVersion": version}));
            body_of(create(&server, &next).await, 200).await;
        }
        let other = with(triage(), json!({"projectCode": "SUPPLY"}));
        let request = request(&server, Method::POST, "/../../../SUPPLY/ai/patterns/accelerators/archive");
        body_of(request.await.json(&other).send().await.unwrap(), 200).await;
    }

    async fn one_of_many_that_create_the_same_pattern_at_once_does(server: Server) {
        let body = triage();
        let answers = futures::future::join_all((0..8).map(|_| create(&server, &body))).await;
        let created = answers.iter().filter(|answer| answer.status() == 200).count();
        let refused = answers.iter().filter(|answer| answer.status() == 409).count();
        assert_eq!((created, refused), (1, 7));
    }

    async fn a_deleted_pattern_is_gone_and_its_name_is_free(server: Server) {
        body_of(create(&server, &triage()).await, 200).await;
        let path = "/ORDER_TRIAGE%7C01.00.0000";
        let deleted = send(&server, Method::DELETE, path).await;
        assert_eq!(deleted.status(), 200);
        assert!(deleted.headers().get("content-type").is_none());
        assert_eq!(deleted.bytes().await.unwrap(), "");
        problem(send(&server, Method::DELETE, path).await, 404, "PATTERN-404").await;
        problem(send(&server, Method::GET, path).await, 404, "PATTERN-404").await;
        body_of(create(&server, &triage()).await, 200).await;
    }

    async fn what_does_not_exist_is_404_and_named(server: Server) {
        let token = server.token(ADMINISTRATOR, "patterns.read patterns.write").await;
        let ask = async |method: Method, project: &str, path: &str, instance: &str| {
            let url = format!("/ic/api/integration/v1/projects/{project}/ai/patterns{path}?integrationInstance={instance}");
            let request = server.http().request(method, server.url(&url)).bearer_auth(&token);
            request.json(&triage()).send().await.unwrap()
        };
        let archive = "/accelerators/archive";
        for (method, path) in [
            (Method::GET, "/A%7C1"), (Method::DELETE, "/A%7C1"), (Method::GET, ""), (Method::POST, archive),
        ] {
            for instance in ["elsewhere", "%00", "design-eu-1%27--"] {
                let refused = ask(method.clone(), "RETAIL", path, instance).await;
                problem(refused, 404, "INSTANCE-404").await;
            }
            for project in ["NOWHERE", "%00", "RETAIL%27--", "retail", "RETAIL%2F"] {
                let refused = ask(method.clone(), project, path, INSTANCE).await;
                problem(refused, 404, "PROJECT-404").await;
            }
        }
        for id in [
            "ORDER_TRIAGE%7C01.00.0000", "ORDER_TRIAGE", "%7C", "A%7C", "%7C1", "A%7C1%7C1", "A%00%7C1",
            "accelerators", "A%7C1.x",
        ] {
            for method in [Method::GET, Method::DELETE] {
                let refused = ask(method, "RETAIL", &format!("/{id}"), INSTANCE).await;
                problem(refused, 404, "PATTERN-404").await;
            }
        }
        let stranger = with(triage(), json!({"id": uuid::Uuid::nil()}));
        let refused = problem(create(&server, &stranger).await, 404, "ACCELERATOR-404").await;
        assert_eq!(refused["detail"], format!("Accelerator {} does not exist.", uuid::Uuid::nil()));
    }

    async fn every_constraint_of_a_new_pattern_holds_at_its_bound(server: Server) {
        let long = |length: usize| "9".repeat(length);
        for (changes, place) in [
            (json!({"patternCode": ""}), "/patternCode"),
            (json!({"patternCode": "A|B"}), "/patternCode"),
            (json!({"patternCode": "A B"}), "/patternCode"),
            (json!({"patternCode": "Ä"}), "/patternCode"),
            (json!({"patternCode": long(101)}), "/patternCode"),
            (json!({"patternCode": "A\n"}), "/patternCode"),
            (json!({"patternCode": 7}), "/patternCode"),
            (json!({"patternVersion": ""}), "/patternVersion"),
            (json!({"patternVersion": "v1"}), "/patternVersion"),
            (json!({"patternVersion": "1."}), "/patternVersion"),
            (json!({"patternVersion": "1..2"}), "/patternVersion"),
            (json!({"patternVersion": "-1"}), "/patternVersion"),
            (json!({"patternVersion": "١"}), "/patternVersion"),
            (json!({"patternVersion": long(51)}), "/patternVersion"),
            (json!({"patternVersion": 1.0}), "/patternVersion"),
            (json!({"projectCode": ""}), "/projectCode"),
            (json!({"projectCode": null}), "/projectCode"),
            (json!({"id": "ReAct"}), "/id"),
            (json!({"id": ""}), "/id"),
            (json!({"name": ""}), "/name"),
            (json!({"name": null}), "/name"),
            (json!({"maxIteration": null}), "/maxIteration"),
            (json!({"name": "a\u{0}b"}), "/name"),
            (json!({"description": "\u{0}"}), "/description"),
            (json!({"guidelines": 1}), "/guidelines"),
            (json!({"guidelines": "\u{0}"}), "/guidelines"),
            (json!({"maxIteration": 0}), "/maxIteration"),
            (json!({"maxIteration": 2147483648u32}), "/maxIteration"),
            (json!({"maxIteration": 1.5}), "/maxIteration"),
            (json!({"maxIteration": "4"}), "/maxIteration"),
        ] {
            let refused = create(&server, &with(triage(), changes.clone())).await;
            let refused = problem(refused, 400, "REQUEST-400").await;
            for detail in refused["errorDetails"].as_array().unwrap() {
                assert_eq!((&detail["errorPath"], &detail["location"]), (&json!(place), &json!("body")), "{changes}");
            }
        }
        let nothing = problem(create(&server, &json!({})).await, 400, "REQUEST-400").await;
        let places: Vec<_> = nothing["errorDetails"].as_array().unwrap().iter()
            .map(|detail| detail["errorPath"].as_str().unwrap()).collect();
        assert_eq!(places, ["/patternCode", "/patternVersion", "/projectCode", "/id"]);

        let largest = with(triage(), json!({
            "patternCode": long(100), "patternVersion": long(50), "maxIteration": i32::MAX,
            "id": REACT.to_string().to_uppercase(), "description": "", "guidelines": "two\nlines",
        }));
        let created = body_of(create(&server, &largest).await, 200).await;
        let path = format!("/{}%7C{}", long(100), long(50));
        assert_eq!(body_of(send(&server, Method::GET, &path).await, 200).await, created);
        let smallest = with(triage(), json!({"patternCode": "-", "patternVersion": "0", "maxIteration": 1}));
        body_of(create(&server, &smallest).await, 200).await;
    }

    async fn a_list_is_ordered_and_paged(server: Server) {
        for (name, version) in [("delta", "1"), ("Alpha", "2"), ("charlie", "3"), ("alpha", "1"), ("Ökonom", "4")] {
            let body = with(triage(), json!({"patternVersion": version, "patternCode": "P", "name": name}));
            let body = if name == "alpha" { with(body, json!({"patternCode": "Q"})) } else { body };
            body_of(create(&server, &body).await, 200).await;
            server.advance(1);
        }
        let list = async |query: &str| {
            let request = request(&server, Method::GET, &format!("?{query}")).await;
            body_of(request.send().await.unwrap(), 200).await
        };
        let all = list("").await;
        assert_eq!(names(&all), ["Alpha", "alpha", "charlie", "delta", "Ökonom"]);
        assert_eq!(without(all, &["items"]), json!({
            "hasMore": false, "limit": 100, "projectId": "9d2f6a34-1c0e-4c57-8e0b-7b6f3a2d1e01", "totalResults": 5,
        }));
        assert_eq!(names(&list("orderBy=name").await), ["Alpha", "alpha", "charlie", "delta", "Ökonom"]);
        assert_eq!(names(&list("orderBy=time").await), ["Ökonom", "alpha", "charlie", "Alpha", "delta"]);
        let first = list("limit=2").await;
        assert_eq!((names(&first), &first["hasMore"], &first["limit"], &first["totalResults"]),
            (vec!["Alpha", "alpha"], &json!(true), &json!(2), &json!(5)));
        let last = list("limit=2&offset=4").await;
        assert_eq!((names(&last), &last["hasMore"]), (vec!["Ökonom"], &json!(false)));
        let exact = list("limit=2&offset=3").await;
        assert_eq!((names(&exact), &exact["hasMore"]), (vec!["delta", "Ökonom"], &json!(false)));
        let beyond = list("offset=1000000&limit=500").await;
        assert_eq!((names(&beyond), &beyond["hasMore"], &beyond["totalResults"]), (vec![], &json!(false), &json!(5)));
    }

    async fn a_filter_keeps_the_names_that_contain_it(server: Server) {
        for (version, name) in [("1", "Order triage"), ("2", "100%_ORDER"), ("3", "Returns"), ("4", "ÖL / oil")] {
            body_of(create(&server, &with(triage(), json!({"patternVersion": version, "name": name}))).await, 200).await;
        }
        let list = async |filter: &str| {
            let request = request(&server, Method::GET, "").await.query(&[("q", filter)]);
            request.send().await.unwrap()
        };
        for (filter, expected) in [
            ("{name: /order/}", vec!["100%_ORDER", "Order triage"]),
            ("{name:/ORDER/}", vec!["100%_ORDER", "Order triage"]),
            ("{ name : /r t/ }", vec!["Order triage"]),
            ("{name: /%/}", vec!["100%_ORDER"]),
            ("{name: /_/}", vec!["100%_ORDER"]),
            ("{name: /öl/}", vec!["ÖL / oil"]),
            ("{name: / / /}", vec!["ÖL / oil"]),
            ("{name: /!/}", vec![]),
            ("{name: /'; DROP TABLE agent_patterns; --/}", vec![]),
        ] {
            let page = body_of(list(filter).await, 200).await;
            assert_eq!(names(&page), expected, "{filter}");
            assert_eq!(page["totalResults"], expected.len());
        }
        let long = format!("{{name: /{}/}}", "x".repeat(300));
        for filter in ["", "order", "{name: order}", "{code: /x/}", "{name: //}", "{name: /\0/}", &long] {
            let refused = problem(list(filter).await, 400, "REQUEST-400").await;
            assert_eq!(refused["errorDetails"][0]["errorPath"], "/q", "{filter}");
        }
    }

    async fn without_a_good_token_nothing_is_answered(server: Server) {
        let good = server.token(ADMINISTRATOR, "patterns.read patterns.write").await;
        let all = [
            (Method::GET, "/A%7C1", "patterns.read"), (Method::GET, "", "patterns.read"),
            (Method::DELETE, "/A%7C1", "patterns.write"),
            (Method::POST, "/accelerators/archive", "patterns.write"),
        ];
        let reader = server.token(ADMINISTRATOR, "patterns.read apikeys.read").await;
        let writer = server.token(ADMINISTRATOR, "patterns.write").await;
        for (method, path, scope) in &all {
            // No service instance, and no body: neither is looked at first.
            let request = || server.http().request(method.clone(), server.url(&format!("{PATTERNS}{path}")));
            let bare = request().send().await.unwrap();
            assert_eq!(bare.headers()["www-authenticate"], r#"Bearer realm="accord""#);
            problem(bare, 401, "TOKEN-401").await;
            for bad in ["x".to_owned(), format!("{good}x"), good.replace('.', "..")] {
                problem(request().bearer_auth(bad).send().await.unwrap(), 401, "TOKEN-401").await;
            }
            let other = if *scope == "patterns.read" { &writer } else { &reader };
            let refused = request().bearer_auth(other).send().await.unwrap();
            let challenge = refused.headers()["www-authenticate"].to_str().unwrap().to_owned();
            assert!(challenge.contains(&format!(r#"error="insufficient_scope", scope="{scope}""#)), "{challenge}");
            problem(refused, 403, "SCOPE-403").await;
        }
        server.advance(3601);
        for (method, path, _) in all {
            let request = server.http().request(method, server.url(&format!("{PATTERNS}{path}")));
            problem(request.bearer_auth(&good).send().await.unwrap(), 401, "TOKEN-401").await;
        }
    }

    async fn each_accelerator_gives_its_own_recipe(server: Server) {
        let planner = with(triage(), json!({"id": PLAN_AND_EXECUTE}));
        let created = body_of(create(&server, &planner).await, 200).await;
        assert_eq!(created["name"], "Plan and Execute");
        assert_eq!(created["dependencies"]["integrations"][0]["code"], "PLAN_EXECUTE_CORE");
    }
}

on_sqlite! {
    async fn the_media_type_follows_accept(server: Server) {
        body_of(create(&server, &triage()).await, 200).await;
        let path = "/ORDER_TRIAGE%7C01.00.0000";
        for (accept, expected) in [
            (None, PLAIN),
            (Some("*/*"), PLAIN),
            (Some("application/*"), PLAIN),
            (Some("application/json"), PLAIN),
            (Some("application/json; charset=utf-8"), PLAIN),
            (Some("application/vnd.accord.model+json;type=singular"), SINGULAR),
            (Some("application/vnd.accord.model+json"), SINGULAR),
            (Some("application/json;q=0.5, application/vnd.accord.model+json;type=singular"), SINGULAR),
            (Some("text/html, */*;q=0.1"), PLAIN),
        ] {
            let mut request = request(&server, Method::GET, path).await;
            if let Some(accept) = accept {
                request = request.header("accept", accept);
            }
            let response = request.send().await.unwrap();
            assert_eq!(response.headers()["content-type"], expected, "{accept:?}");
            assert_eq!(body_of(response, 200).await["code"], "ORDER_TRIAGE");
        }
        let list = request(&server, Method::GET, "").await.header("accept", COLLECTION).send().await.unwrap();
        assert_eq!(list.headers()["content-type"], COLLECTION);
        assert_eq!(body_of(list, 200).await["totalResults"], 1);

        let next = with(triage(), json!({"patternVersion": "2"}));
        for (method, path) in [
            (Method::GET, path), (Method::GET, ""), (Method::POST, "/accelerators/archive"),
        ] {
            let request = request(&server, method, path).await.header("accept", "text/html");
            let refused = request.json(&next).send().await.unwrap();
            let body = problem(refused, 406, "REQUEST-406").await;
            assert!(body["detail"].as_str().unwrap().contains(PLAIN), "{body}");
        }
        problem(send(&server, Method::GET, "/ORDER_TRIAGE%7C2").await, 404, "PATTERN-404").await;
    }

    async fn errors_are_problem_json_where_accept_prefers_it(server: Server) {
        const PROBLEM: &str = "application/problem+json";
        let both = format!("{PROBLEM}, application/json;q=0.9");
        for (method, path, accept, status, expected) in [
            (Method::GET, "/A%7C1", both.as_str(), 404, PROBLEM),
            (Method::GET, "?limit=0", both.as_str(), 400, PROBLEM),
            (Method::PUT, "/A%7C1", PROBLEM, 405, PROBLEM),
            (Method::DELETE, "/A%7C1", PROBLEM, 404, PROBLEM),
            (Method::GET, "/A%7C1", "application/json, application/problem+json;q=0.5", 404, "application/json"),
            (Method::GET, "/A%7C1", "*/*", 404, "application/json"),
            // No form of the pattern is acceptable.
            (Method::GET, "/A%7C1", PROBLEM, 406, PROBLEM),
        ] {
            let request = request(&server, method, path).await.header("accept", accept);
            let refused = request.send().await.unwrap();
            assert_eq!(refused.headers()["content-type"], expected, "{path} {accept}");
            let body = body_of(refused, status).await;
            assert!(body["type"].as_str().unwrap().starts_with("urn:accord:problem:"), "{body}");
        }
    }

    async fn path_and_body_name_the_same_project(server: Server) {
        for code in ["SUPPLY", "NOWHERE", "retail", "9d2f6a34-1c0e-4c57-8e0b-7b6f3a2d1e01"] {
            let body = with(triage(), json!({"projectCode": code}));
            let refused = problem(create(&server, &body).await, 400, "REQUEST-400").await;
            assert_eq!(refused["errorDetails"][0]["errorPath"], "/projectCode");
        }
    }

    async fn the_service_instance_has_to_be_named(server: Server) {
        let token = server.token(ADMINISTRATOR, "patterns.read patterns.write").await;
        for (method, path) in [
            (Method::GET, "/A%7C1"), (Method::DELETE, "/A%7C1"), (Method::GET, ""),
            (Method::POST, "/accelerators/archive"),
        ] {
            for query in ["", "?integrationInstance", "?integrationInstance=", "?integrationinstance=design-eu-1"] {
                let url = server.url(&format!("{PATTERNS}{path}{query}"));
                let request = server.http().request(method.clone(), url).bearer_auth(&token);
                let refused = problem(request.json(&triage()).send().await.unwrap(), 400, "REQUEST-400").await;
                let detail = &refused["errorDetails"][0];
                assert_eq!((&detail["errorPath"], &detail["location"]), (&json!("/integrationInstance"), &json!("query")), "{refused}");
            }
        }
    }

    async fn the_parameters_of_a_list_are_checked(server: Server) {
        for (query, place) in [
            ("limit=0", "/limit"), ("limit=1001", "/limit"), ("limit=ten", "/limit"), ("limit=", "/limit"),
            ("limit=1.5", "/limit"), ("offset=-1", "/offset"), ("offset=1000001", "/offset"),
            ("orderBy=size", "/orderBy"), ("orderBy=NAME", "/orderBy"), ("limit=1&limit=2", "/limit"),
        ] {
            let refused = send(&server, Method::GET, &format!("?{query}")).await;
            let refused = problem(refused, 400, "REQUEST-400").await;
            assert_eq!(refused["errorDetails"][0]["errorPath"], place, "{query}");
            assert_eq!(refused["errorDetails"][0]["location"], "query");
        }
        let refused = send(&server, Method::GET, "?limit=0&offset=-1&orderBy=x").await;
        let refused = problem(refused, 400, "REQUEST-400").await;
        assert_eq!(refused["errorDetails"].as_array().unwrap().len(), 3);
    }

    async fn a_body_that_cannot_be_read_is_told_by_its_status(server: Server) {
        let whole = triage().to_string();
        let deep = format!(r#"{{"name":{}1{}}}"#, "[".repeat(10_000), "]".repeat(10_000));
        let large = format!(r#"{{"name":"{}"}}"#, "x".repeat(20 << 20));
        for (content_type, body, status) in [
            ("application/json", "", 400),
            ("application/json", "{", 400),
            ("application/json", "null", 400),
            ("application/json", "[]", 400),
            ("application/json", deep.as_str(), 400),
            ("text/plain", whole.as_str(), 415),
            ("application/xml", "<a/>", 415),
            ("application/x-www-form-urlencoded", "id=1", 415),
            ("application/json", large.as_str(), 413),
        ] {
            let request = request(&server, Method::POST, "/accelerators/archive").await
                .header("content-type", content_type).body(body.to_owned());
            match request.send().await {
                Ok(response) => drop(problem(response, status, &format!("REQUEST-{status}")).await),
                // The service answers before it has read everything, and closes.
                Err(error) => assert_eq!(status, 413, "{error}"),
            }
        }
        let json = request(&server, Method::POST, "/accelerators/archive").await
            .header("content-type", "application/json; charset=UTF-8").body(whole);
        body_of(json.send().await.unwrap(), 200).await;
    }

    async fn another_method_is_405_with_allow(server: Server) {
        for (path, methods, allow) in [
            ("", vec![Method::POST, Method::DELETE, Method::PUT], "GET, HEAD"),
            ("/A%7C1", vec![Method::POST, Method::PUT, Method::PATCH], "GET, HEAD, DELETE"),
            ("/accelerators/archive", vec![Method::GET, Method::DELETE], "POST"),
        ] {
            for method in methods {
                let refused = send(&server, method, path).await;
                assert_eq!(refused.headers()["allow"], allow);
                problem(refused, 405, "REQUEST-405").await;
            }
        }
    }
}
