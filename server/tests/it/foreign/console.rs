//! The console: nobody sees or changes the API keys of compartments without a grant.

use accord_server::store::StoreError;

use super::{EVE_EMAIL, add_eve};
use crate::console;
use crate::harness::{both_databases, commands};
use crate::identity::browser::Browser;
use crate::identity::client::{ANA, PASSWORD};
use crate::inference::client::{COMPARTMENT, Manager, accepted};

/// The demo's project RETAIL.
const RETAIL: &str = "9d2f6a34-1c0e-4c57-8e0b-7b6f3a2d1e01";
/// The accelerator ReAct.
const ACCELERATOR: &str = "3f1c2a9e-6d0b-4f6e-9c64-0a4c8c0d7b01";

both_databases! {
    /// `GET /ui/v1/keys` | signed-in users | keys of compartments | cookie; `rights::compartments`, then
    /// `rights::facts`: a grant of `inspect` on each compartment
    ///
    /// `GET /ui/v1/keys/{id}` | signed-in users | a key | cookie; `rights::facts`: a grant of `read` on the
    /// key's compartment
    ///
    /// `GET /ui/v1/keys/{id}/edit` | signed-in users | a key | cookie; `rights::facts`: a grant of `use` on
    /// the key's compartment
    ///
    /// `GET /ui/v1/keys/{id}/renew` | signed-in users | a key | cookie; `rights::facts`: a grant of `manage`
    /// on the key's compartment
    ///
    /// `GET /ui/v1/keys/{id}/revoke` | signed-in users | a key | cookie; `rights::facts`: a grant of
    /// `manage` on the key's compartment
    ///
    /// `GET /ui/v1/keys/{id}/move` | signed-in users | a key | cookie; `rights::facts`: a grant of `manage`
    /// on the key's compartment
    ///
    /// `GET /ui/v1/keys/{id}/delete` | signed-in users | a key | cookie; `rights::facts`: a grant of
    /// `manage` on the key's compartment
    async fn without_a_grant_no_page_shows_a_key(server: Server) {
        add_eve(&server).await;
        let key = Manager::of(&server).await.new_key().await;
        let mut eve = Browser::signed_in(&server, EVE_EMAIL, PASSWORD).await;
        for path in ["/ui/v1/keys".to_owned(), format!("/ui/v1/keys?compartment={COMPARTMENT}")] {
            let page = eve.get(&path).await;
            assert!(!page.body.contains(&key.id) && !page.body.contains("reports"), "{}", page.body);
        }
        for page in ["", "/edit", "/renew?secret=one", "/revoke?secret=one", "/move", "/delete"] {
            let there = eve.get(&format!("/ui/v1/keys/{}{page}", key.id)).await;
            let nowhere = eve.get(&format!("/ui/v1/keys/apikey.local.none{page}")).await;
            assert_eq!(there.status, 404, "{page}");
            assert_eq!(without_id(&there.body), without_id(&nowhere.body), "{page}");
        }
    }

    /// `POST /ui/v1/keys/new` | signed-in users | a compartment | cookie, form token; `rights::facts`: a
    /// grant of `manage` on the compartment
    ///
    /// `POST /ui/v1/keys/{id}/state` | signed-in users | a key | cookie, form token; `rights::facts`: a
    /// grant of `manage` on the key's compartment
    ///
    /// `POST /ui/v1/keys/{id}/renew` | signed-in users | a key | cookie, form token; `rights::facts`: a
    /// grant of `manage` on the key's compartment
    ///
    /// `POST /ui/v1/keys/{id}/edit` | signed-in users | a key | cookie, form token; `rights::facts`: a
    /// grant of `use` on the key's compartment
    ///
    /// `POST /ui/v1/keys/{id}/move` | signed-in users | a key, and the other compartment | cookie, form
    /// token; `rights::facts`: a grant of `manage` on both compartments
    ///
    /// `POST /ui/v1/keys/{id}/delete` | signed-in users | a key | cookie, form token; `rights::facts`: a
    /// grant of `manage` on the key's compartment
    async fn without_a_grant_no_form_changes_a_key(server: Server) {
        add_eve(&server).await;
        let key = Manager::of(&server).await.new_key().await;
        let mut eve = Browser::signed_in(&server, EVE_EMAIL, PASSWORD).await;
        let new = [
            ("once", "once"), ("name", "mine"), ("compartment", COMPARTMENT), ("one", "one"),
        ];
        assert_eq!(eve.submit("/ui/v1/keys/new", &new).await.status, 404);
        for (page, fields) in [
            ("state", vec![("secret", "one"), ("state", "REVOKED")]),
            ("renew", vec![("secret", "one"), ("once", "once")]),
            ("edit", vec![("name", "mine")]),
            ("move", vec![("compartment", "compartment.closed")]),
            ("delete", vec![]),
        ] {
            let there = eve.submit(&format!("/ui/v1/keys/{}/{page}", key.id), &fields).await;
            assert_eq!(there.status, 404, "{page}: {}", there.body);
        }
        assert!(accepted(&server, &key.one).await);
    }
}

both_databases! {
    /// `GET /ui/v1/usage` | signed-in users | usage of a compartment's keys | cookie; `rights::facts`: a
    /// grant of `inspect` on the compartment
    ///
    /// `GET /ui/v1/usage.csv` | signed-in users | usage of a compartment's keys | cookie; `rights::facts`:
    /// a grant of `inspect` on the compartment
    async fn without_a_grant_no_page_shows_usage(server: Server) {
        add_eve(&server).await;
        let key = Manager::of(&server).await.new_key().await;
        assert!(accepted(&server, &key.one).await);
        let mut eve = Browser::signed_in(&server, EVE_EMAIL, PASSWORD).await;
        let page = eve.get("/ui/v1/usage").await;
        assert!(!page.body.contains("reports") && !page.body.contains(COMPARTMENT), "{}", page.body);
        for page in ["usage", "usage.csv"] {
            let there = eve.get(&format!("/ui/v1/{page}?compartment={COMPARTMENT}")).await;
            let nowhere = eve.get(&format!("/ui/v1/{page}?compartment=compartment.none")).await;
            assert_eq!((there.status, &there.body), (404, &nowhere.body));
        }
    }
}

both_databases! {
    /// `GET /ui/v1/patterns` | signed-in users | patterns of a project | cookie; `rights::projects`, then
    /// `patterns::catalog::project_for` with `inspect`
    ///
    /// `GET /ui/v1/patterns/{id}` | signed-in users | a pattern | cookie; `rights::projects`, then
    /// `patterns::catalog::project_for` with `read`
    ///
    /// `GET /ui/v1/patterns/new` | signed-in users | a form, and an accelerator of the catalog | cookie;
    /// `rights::projects`: a grant on some project
    ///
    /// `POST /ui/v1/patterns/new` | signed-in users | a project | cookie, form token; `rights::projects`, then
    /// `patterns::catalog::project_for` with `use`
    ///
    /// `GET /ui/v1/patterns/accelerators` | signed-in users | the catalog of accelerators | cookie;
    /// `rights::projects`: a grant on some project
    ///
    /// `GET /ui/v1/patterns/accelerators/{id}` | signed-in users | an accelerator of the catalog | cookie;
    /// `rights::projects`: a grant on some project
    async fn without_a_grant_no_page_shows_or_creates_a_pattern(server: Server) {
        add_eve(&server).await;
        let new = |project| [
            ("accelerator", ACCELERATOR), ("project", project), ("code", "TRIAGE"), ("version", "1"), ("name", "Hers"),
        ];
        let mut ana = Browser::signed_in(&server, ANA, PASSWORD).await;
        assert_eq!(ana.submit("/ui/v1/patterns/new", &new(RETAIL)).await.status, 303);
        // A grant of an operator has no effect for a user of another organization.
        let grant = "INSERT INTO grants (kind, resource, principal, verb) VALUES ('instance', 'design-eu-1', 'eve', 'manage')";
        let written = server.app().store.write(move |tx| tx.execute(grant, &[])).await;
        assert_eq!(written.unwrap_or_else(|error: StoreError| panic!("{error}")), 1);
        let mut eve = Browser::signed_in(&server, EVE_EMAIL, PASSWORD).await;
        for path in ["/ui/v1/patterns", "/ui/v1/patterns/accelerators"] {
            let page = eve.get(path).await;
            assert!(!page.body.contains("RETAIL") && !page.body.contains("ReAct"), "{}", page.body);
        }
        for path in ["/ui/v1/patterns/TRIAGE%7C1?project=", "/ui/v1/patterns?project="] {
            let there = eve.get(&format!("{path}{RETAIL}")).await;
            let nowhere = eve.get(&format!("{path}none")).await;
            assert_eq!((there.status, &there.body), (404, &nowhere.body), "{path}");
        }
        let accelerators = ["accelerators/", "new?accelerator="].map(|path| format!("/ui/v1/patterns/{path}{ACCELERATOR}"));
        for path in &accelerators {
            assert_eq!(eve.get(path).await.status, 404, "{path}");
        }
        for project in [RETAIL, "none"] {
            assert_eq!(eve.submit("/ui/v1/patterns/new", &new(project)).await.status, 404);
        }
    }

    /// `GET /ui/v1/users` | signed-in users | users of the organizations that they administer | cookie; the
    /// queries are by the administrators of an organization
    ///
    /// `GET /ui/v1/users/new` | administrators | a form with their organizations and collab organizations |
    /// cookie; the queries are by the administrators of an organization
    ///
    /// `POST /ui/v1/users/new` | administrators | an organization, and its collab organizations | cookie, form
    /// token; `accounts::provisioning`, as for `createUser`
    ///
    /// `GET /ui/v1/users/import` | administrators | a form | cookie; `hub_administrators`
    ///
    /// `POST /ui/v1/users/import` | administrators | the organization of each row | cookie, form token;
    /// `accounts::provisioning`, as for `createUser`
    async fn an_administrator_sees_and_creates_nobody_of_another_organization(server: Server) {
        add_eve(&server).await;
        let mut eve = Browser::signed_in(&server, EVE_EMAIL, PASSWORD).await;
        for path in ["/ui/v1/users", "/ui/v1/users/new"] {
            let page = eve.get(path).await;
            assert_eq!(page.status, 200);
            for foreign in [ANA, "North Works", "3104"] {
                assert!(!page.body.contains(foreign), "{foreign}: {}", page.body);
            }
        }
        assert_eq!(eve.get("/ui/v1/users?organization=3104").await.status, 404);
        let new = |organization, workplace| [
            ("once", "once"), ("email", "new@north.example"), ("first_name", "New"), ("last_name", "User"),
            ("language", "en"), ("organization", organization), ("workplace", workplace), ("mail", "yes"),
        ];
        for fields in [new("3104", ""), new("4210", "71:5201")] {
            let page = eve.submit("/ui/v1/users/new", &fields).await;
            assert_eq!(page.status, 403, "{}", page.body);
        }
        let rows = "emailAddress,firstName,lastName,language,hubOrganizationId\nnew@north.example,New,User,en,3104\n";
        assert_eq!(eve.get("/ui/v1/users/import").await.status, 200);
        let page = eve.submit("/ui/v1/users/import", &[("rows", rows)]).await;
        assert!(page.body.contains("<strong>1</strong> failed"), "{}", page.body);
        assert_eq!(crate::accounts::count(&server, "hub_users").await, 3);
    }
}

both_databases! {
    /// `GET /ui/v1/operations` | operators | figures of the service, unsent mails, the audit trail | cookie;
    /// `accounts::operators`
    ///
    /// `POST /ui/v1/operations/verify` | operators | a verification of the audit trail | cookie, form token;
    /// `accounts::operators`
    ///
    /// `GET /ui/v1/operations/policies` | operators | all policies | cookie; `accounts::operators`
    ///
    /// `POST /ui/v1/operations/policies` | operators | the decision of the policies about a key | cookie, form
    /// token; `accounts::operators`
    ///
    /// `GET /ui/v1/operations/policies/new` | operators | a form with the compartments and models | cookie;
    /// `accounts::operators`
    ///
    /// `POST /ui/v1/operations/policies/new` | operators | all policies | cookie, form token;
    /// `accounts::operators`
    ///
    /// `GET /ui/v1/operations/policy` | operators | a policy | cookie; `accounts::operators`
    ///
    /// `POST /ui/v1/operations/policy/delete` | operators | a policy | cookie, form token;
    /// `accounts::operators`
    ///
    /// `GET /ui/v1/operations/clients` | operators | all clients | cookie; `accounts::operators`
    ///
    /// `GET /ui/v1/operations/clients/new` | operators | a form | cookie; `accounts::operators`
    ///
    /// `POST /ui/v1/operations/clients/new` | operators | all clients | cookie, form token;
    /// `accounts::operators`
    ///
    /// `GET /ui/v1/operations/client` | operators | a client | cookie; `accounts::operators`
    ///
    /// `POST /ui/v1/operations/client` | operators | a client | cookie, form token; `accounts::operators`
    ///
    /// `GET /ui/v1/operations/grants` | operators | all grants | cookie; `accounts::operators`
    ///
    /// `POST /ui/v1/operations/grants` | operators | a resource and a user | cookie, form token;
    /// `accounts::operators`
    ///
    /// `POST /ui/v1/operations/grants/remove` | operators | a grant | cookie, form token;
    /// `accounts::operators`
    ///
    /// `GET /ui/v1/operations/users` | operators | all users | cookie; `accounts::operators`
    ///
    /// `POST /ui/v1/operations/users` | operators | a user and an organization | cookie, form token;
    /// `accounts::operators`
    ///
    /// `POST /ui/v1/operations/users/state` | operators | a user | cookie, form token;
    /// `accounts::operators`
    async fn operations_do_not_exist_for_users_who_are_not_operators(server: Server) {
        add_eve(&server).await;
        let mut eve = Browser::signed_in(&server, EVE_EMAIL, PASSWORD).await;
        let nowhere = eve.get("/ui/v1/keys/apikey.local.none").await;
        let (mut before, clients) = (Vec::new(), console::clients(&server).await);
        for list in LISTS {
            before.push(commands::json(&server, &[list, "list"]).await);
        }
        for path in ["", "/policies", "/policies/new", "/policy?id=policy.demo", "/clients", "/clients/new",
            "/client?id=accord-cli", "/grants", "/users"] {
            let there = eve.get(&format!("/ui/v1/operations{path}")).await;
            assert_eq!((there.status, &there.body), (404, &nowhere.body), "{path}");
        }
        for (path, fields) in [
            ("/verify", vec![("kept", "")]),
            ("/policies", vec![("key", "apikey.local.none"), ("model", "accord.echo"), ("action", "chat")]),
            ("/policies/new", vec![("id", "hers"), ("model", "accord.echo")]),
            ("/policy/delete", vec![("id", "policy.demo")]),
            ("/clients/new", vec![("id", "hers"), ("name", "Hers"), ("kind", "public"), ("accounts_reader", "yes")]),
            ("/client", vec![("id", "accord-cli"), ("action", "disable")]),
            ("/grants", vec![("resource", "compartment.demo"), ("user", EVE_EMAIL), ("verb", "manage")]),
            ("/grants/remove", vec![("resource", "compartment.demo"), ("user", "ben")]),
            ("/users", vec![("user", EVE_EMAIL), ("organization", "3104"), ("action", "add")]),
            ("/users/state", vec![("user", "ben@north.example"), ("action", "disable")]),
        ] {
            let there = eve.submit(&format!("/ui/v1/operations{path}"), &fields).await;
            assert_eq!((there.status, &there.body), (404, &nowhere.body), "{path}");
        }
        assert_eq!(console::clients(&server).await, clients);
        for (list, before) in LISTS.iter().zip(before) {
            assert_eq!(commands::json(&server, &[list, "list"]).await, before);
        }
        let page = eve.get("/ui/v1/keys").await;
        assert!(!page.body.contains("/ui/v1/operations"), "{}", page.body);
    }
}

/// The commands that list what operators change in the console.
const LISTS: [&str; 4] = ["policy", "grants", "administrators", "users"];

/// A page without the values that differ each time.
fn without_id(body: &str) -> String {
    body.replace("apikey.local.none", "")
}
