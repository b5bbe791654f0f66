//! The pages of grants, for operators.

use accord_server::store::StoreError;

use super::signed_in;
use crate::foreign::{EVE_EMAIL, add_eve};
use crate::harness::{both_databases, commands};
use crate::identity::browser::{Browser, Page};
use crate::identity::client::PASSWORD;

const LIST: &str = "/ui/v1/operations/grants";
const REMOVE: &str = "/ui/v1/operations/grants/remove";
const BEN: &str = "ben@north.example";

/// Sets a grant by the form.
async fn set(browser: &mut Browser, resource: &str, user: &str, verb: &str) -> Page {
    browser.get(LIST).await;
    let fields = [("resource", resource), ("user", user), ("verb", verb)];
    browser.submit(LIST, &fields).await
}

both_databases! {
    async fn a_grant_that_is_set_and_removed_applies_at_once_and_is_in_the_trail(server: Server) {
        let mut browser = signed_in(&server).await;
        let mut ben = Browser::signed_in(&server, BEN, PASSWORD).await;
        assert!(!ben.get("/ui/v1/keys").await.body.contains("Create an API key"));
        let page = set(&mut browser, "compartment.demo", "Ben@North.example", "manage").await;
        let location = "/ui/v1/operations/grants?resource=compartment%3Acompartment.demo&done=set";
        assert_eq!((page.status, page.header("location")), (303, location), "{}", page.body);
        let page = browser.get(location).await;
        for part in ["The grant is set.", "Grants on <bdi>compartment:compartment.demo</bdi>", "<td>manage</td>",
            "Remove<span class=\"hidden\"> the grant of ben@north.example on compartment:compartment.demo"] {
            assert!(page.body.contains(part), "{part}: {}", page.body);
        }
        assert!(!page.body.contains("<bdi>compartment:compartment.closed</bdi>"), "{}", page.body);
        assert!(ben.get("/ui/v1/keys").await.body.contains("Create an API key"));

        for (status, part) in [(303, ""), (404, "Already removed")] {
            let fields = [("resource", "compartment:compartment.demo"), ("user", "ben")];
            let page = browser.submit(REMOVE, &fields).await;
            assert_eq!(page.status, status);
            assert!(page.body.contains(part), "{}", page.body);
        }
        let page = ben.get("/ui/v1/keys").await;
        assert!(!page.body.contains("compartment.demo") && page.body.contains("compartment.closed"), "{}", page.body);
        let trail = commands::json(&server, &["audit", "list", "--action", "inference.grant."]).await;
        let told = trail.as_array().unwrap().iter().map(|one| {
            assert_eq!((&one["actor"], &one["subject"]), (&"user:ana".into(), &"compartment:compartment.demo".into()));
            format!("{} {}", one["action"].as_str().unwrap(), one["detail"].as_str().unwrap())
        });
        assert_eq!(told.collect::<Vec<_>>(), ["inference.grant.set ben: manage", "inference.grant.removed ben"]);
    }

    async fn a_grant_without_an_effect_is_a_message_and_is_not_set(server: Server) {
        add_eve(&server).await;
        let mut browser = signed_in(&server).await;
        let before = commands::json(&server, &["grants", "list"]).await;
        for (resource, user, problem) in [
            ("compartment.none", BEN, "There is no compartment compartment.none."),
            ("instance:none", BEN, "There is no service instance none."),
            ("project:design-eu-1/NONE", BEN, "There is no project design-eu-1/NONE."),
            ("compartment.demo", "nobody@north.example", "No user has this email address or id."),
            ("instance:design-eu-1", EVE_EMAIL, "a grant has no effect"),
        ] {
            let page = set(&mut browser, resource, user, "read").await;
            assert!(page.status == 400 && page.body.contains(problem), "{resource}: {}", page.body);
            assert_eq!((page.field("resource"), page.field("user")), (Some(resource), Some(user)));
        }
        assert_eq!(set(&mut browser, "compartment.demo", BEN, "none").await.status, 400);
        assert_eq!(commands::json(&server, &["grants", "list"]).await, before);
        // A grant of an earlier version, of a principal that is not a user.
        let old = "INSERT INTO grants (kind, resource, principal, verb) VALUES ('compartment', 'compartment.demo', 'old', 'read')";
        let written = server.app().store.write(move |tx| tx.execute(old, &[])).await;
        assert_eq!(written.unwrap_or_else(|error: StoreError| panic!("{error}")), 1);
        let page = browser.get(LIST).await;
        assert!(page.body.contains("<bdi>old</bdi> <span class=\"hint\">not a user</span>"), "{}", page.body);
        let fields = [("resource", "compartment:compartment.demo"), ("user", "old")];
        assert_eq!(browser.submit(REMOVE, &fields).await.status, 303);
        let page = browser.get(&format!("{LIST}?resource=compartment%3Anone")).await;
        assert!(page.body.contains("No grants on this resource."), "{}", page.body);
    }
}
