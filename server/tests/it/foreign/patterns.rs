//! Patterns: without a grant, or from another organization, a project does not exist.

use accord_server::accounts::demo::COLLEAGUE;
use accord_server::patterns::accelerators::REACT;
use accord_server::patterns::catalog;
use accord_server::patterns::demo::INSTANCE;
use accord_server::rights::{self, Reference, Resource, RightsError, Verb};
use reqwest::Method;
use serde_json::{Value, json};

use super::{ALL_SCOPES, EVE, add_eve, send};
use crate::harness::{Server, both_databases, commands};

const ID: &str = "ORDER_TRIAGE%7C01.00.0000";

/// Every operation on a project: list, get, create, delete.
fn operations(instance: &str, project: &str) -> [(Method, String, Option<Value>); 4] {
    let base = format!("/ic/api/integration/v1/projects/{project}/ai/patterns");
    let at = |path: &str| format!("{base}{path}?integrationInstance={instance}");
    let new = json!({
        "patternCode": "OTHER", "patternVersion": "1", "projectCode": project, "id": REACT,
    });
    [
        (Method::GET, at(""), None),
        (Method::GET, at(&format!("/{ID}")), None),
        (Method::POST, at("/accelerators/archive"), Some(new)),
        (Method::DELETE, at(&format!("/{ID}")), None),
    ]
}

/// A pattern of the project RETAIL.
async fn new_pattern(server: &Server) {
    let ana = server.token("ana", ALL_SCOPES).await;
    let path = format!(
        "/ic/api/integration/v1/projects/RETAIL/ai/patterns/accelerators/archive?integrationInstance={INSTANCE}"
    );
    let new = json!({
        "patternCode": "ORDER_TRIAGE", "patternVersion": "01.00.0000", "projectCode": "RETAIL",
        "id": REACT,
    });
    let (status, made) = send(server, &ana, Method::POST, &path, Some(&new)).await;
    assert_eq!(status, 200, "{made}");
}

async fn grant(server: &Server, resource: &str, user: &'static str, verb: Verb) {
    let reference: Reference = resource.parse().unwrap();
    let write = server.app().store.write(move |tx| {
        let resource: Resource = reference.resolve(tx)?;
        Ok::<_, RightsError>(rights::grant(tx, &resource, user, verb)?)
    });
    write.await.unwrap();
}

/// The statuses of list, get, create and delete.
async fn statuses(server: &Server, token: &str, project: &str) -> [u16; 4] {
    let mut found = [0; 4];
    for (index, (method, path, body)) in operations(INSTANCE, project).into_iter().enumerate() {
        found[index] = send(server, token, method, &path, body.as_ref()).await.0;
    }
    found
}

both_databases! {
    /// `listPatterns` | users of the owning organization with `patterns.read` | a project |
    /// `rights::facts`: a grant of `inspect` on the project or its instance
    ///
    /// `getPattern` | users of the owning organization with `patterns.read` | a project |
    /// `rights::facts`: a grant of `read` on the project or its instance
    ///
    /// `createPatternFromAccelerator` | users of the owning organization with `patterns.write` | a
    /// project | `rights::facts`: a grant of `use` on the project or its instance
    ///
    /// `deletePattern` | users of the owning organization with `patterns.write` | a project |
    /// `rights::facts`: a grant of `manage` on the project or its instance
    async fn a_user_of_another_organization_reaches_no_pattern(server: Server) {
        add_eve(&server).await;
        new_pattern(&server).await;
        let eve = server.token(EVE, ALL_SCOPES).await;
        // A grant would not help her: it counts for users of the owner only.
        for is_granted in [false, true] {
            if is_granted {
                grant(&server, &format!("instance:{INSTANCE}"), EVE, Verb::Manage).await;
                grant(&server, &format!("project:{INSTANCE}/RETAIL"), EVE, Verb::Manage).await;
            }
            let nowhere = operations("design-none-1", "RETAIL");
            for ((method, path, body), (_, other, _)) in operations(INSTANCE, "RETAIL").into_iter().zip(nowhere) {
                let found = send(&server, &eve, method.clone(), &path, body.as_ref()).await;
                assert_eq!(found.0, 404, "{method} {path}: {}", found.1);
                let missing = send(&server, &eve, method, &other, body.as_ref()).await;
                let named = missing.1.to_string().replace("design-none-1", INSTANCE);
                assert_eq!(found.1.to_string(), named);
            }
        }
        // As an administrator of the owner she uses them.
        let added = commands::succeed(&server, &["administrators", "add", "Eve@South.example", "3104"]).await;
        assert_eq!(added, "eve@south.example administers 3104.\n");
        assert_eq!(statuses(&server, &eve, "RETAIL").await, [200; 4]);
    }

    async fn each_verb_opens_what_it_says_and_those_before_it(server: Server) {
        let ben = server.token(COLLEAGUE, ALL_SCOPES).await;
        commands::succeed(&server, &["grants", "remove", &format!("instance:{INSTANCE}"), COLLEAGUE]).await;
        new_pattern(&server).await;
        assert_eq!(statuses(&server, &ben, "RETAIL").await, [404; 4]);
        for (verb, expected) in [
            (Verb::Inspect, [200, 404, 404, 404]),
            (Verb::Read, [200, 200, 404, 404]),
            (Verb::Use, [200, 200, 200, 404]),
            (Verb::Manage, [200, 200, 409, 200]),
        ] {
            grant(&server, &format!("project:{INSTANCE}/RETAIL"), COLLEAGUE, verb).await;
            assert_eq!(statuses(&server, &ben, "RETAIL").await, expected, "{verb:?}");
            // Another project of the same instance is as one that does not exist.
            let [other, none] = ["SUPPLY", "NOWHERE"].map(|project| operations(INSTANCE, project));
            for ((method, path, body), (_, missing, _)) in other.into_iter().zip(none) {
                let found = send(&server, &ben, method.clone(), &path, body.as_ref()).await;
                let missing = send(&server, &ben, method, &missing, body.as_ref()).await;
                assert_eq!((found.0, found.1["errorCode"].as_str()), (404, Some("PROJECT-404")));
                assert_eq!(found.1.to_string(), missing.1.to_string().replace("NOWHERE", "SUPPLY"));
            }
        }
    }

    async fn grants_take_addresses_and_refuse_whom_and_what_there_is_not(server: Server) {
        add_eve(&server).await;
        let project = format!("project:{INSTANCE}/RETAIL");
        let instance = format!("instance:{INSTANCE}");
        for (arguments, expected) in [
            (["set", project.as_str(), "nobody@north.example", "read"], "there is no user nobody@north.example; `accord-server users list`"),
            (["set", "compartment.demo", "nobody", "read"], "there is no user nobody"),
            (["set", project.as_str(), "eve@south.example", "read"], "belongs to organization 4210"),
            (["set", "project:design-eu-1/NOWHERE", "ana", "read"], "there is no project design-eu-1/NOWHERE"),
            (["set", "instance:design-none-1", "ana", "read"], "there is no service instance design-none-1"),
        ] {
            let text = commands::fail(&server, &[&["grants"], arguments.as_slice()].concat()).await;
            assert!(text.contains(expected), "{text}");
        }
        let text = commands::succeed(&server, &["grants", "set", &project, "BEN@north.example", "manage"]).await;
        assert_eq!(text, format!("ben@north.example may manage in {project}.\n"));
        let listed = commands::json(&server, &["grants", "list"]).await;
        let row = json!({"resource": project, "principal": "ben", "email": "ben@north.example", "verb": "manage"});
        assert!(listed.as_array().unwrap().contains(&row), "{listed}");
        let explained = commands::json(&server, &["grants", "explain", &project, "ben"]).await;
        assert_eq!(explained["verb"], "manage");
        assert_eq!(explained["reasons"].as_array().unwrap().len(), 3, "{explained}");
        let text = commands::succeed(&server, &["grants", "explain", &project, EVE]).await;
        assert!(text.starts_with("eve@south.example may do nothing in project:"), "{text}");
        assert!(text.contains("organization 3104 owns service instance"), "{text}");
        let text = commands::succeed(&server, &["grants", "explain", "compartment.demo", "ben"]).await;
        assert!(text.starts_with("ben@north.example may read in compartment:compartment.demo."), "{text}");
        commands::succeed(&server, &["grants", "remove", &project, "ben@north.example"]).await;
        let text = commands::fail(&server, &["grants", "remove", &project, "ben"]).await;
        assert!(text.contains("has no grant on"), "{text}");
        let events = commands::succeed(&server, &["audit", "list"]).await;
        assert!(events.contains("patterns.grant.set") && events.contains("patterns.grant.removed"), "{events}");
        let explained = commands::json(&server, &["grants", "explain", &instance, "ben"]).await;
        assert_eq!(explained["verb"], "read");
    }

    async fn a_new_owner_takes_the_patterns_from_users_of_the_former(server: Server) {
        new_pattern(&server).await;
        let ana = server.token("ana", ALL_SCOPES).await;
        assert_eq!(statuses(&server, &ana, "RETAIL").await[0], 200);
        commands::succeed(&server, &["design-instances", "set", INSTANCE, "--organization", "4210"]).await;
        assert_eq!(statuses(&server, &ana, "RETAIL").await, [404; 4]);
        let listed = commands::json(&server, &["design-instances", "list"]).await;
        assert_eq!(listed, json!([{"name": INSTANCE, "organization": 4210, "projects": 2}]));
        for (arguments, expected) in [
            (["set", INSTANCE, "--organization", "1"], "there is no hub organization 1"),
            (["set", "design-none-1", "--organization", "3104"], "there is no service instance design-none-1"),
        ] {
            let text = commands::fail(&server, &[&["design-instances"], arguments.as_slice()].concat()).await;
            assert!(text.contains(expected), "{text}");
        }
        let owned = server.read(catalog::instances).await;
        assert_eq!(owned[0].organization, Some(4210));
    }
}
