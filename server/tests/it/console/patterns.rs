//! The pages of agent patterns and accelerators.

use accord_server::patterns::accelerators::REACT;

use super::signed_in;
use crate::harness::{Server, both_databases, commands};
use crate::identity::browser::{Browser, Page};
use crate::identity::client::PASSWORD;

const BEN: &str = "ben@north.example";
/// The demo's project RETAIL.
const RETAIL: &str = "9d2f6a34-1c0e-4c57-8e0b-7b6f3a2d1e01";

/// Fills the form for a new pattern and sends it.
async fn create(browser: &mut Browser, changes: &[(&str, &str)]) -> Page {
    let accelerator = REACT.to_string();
    let page = browser
        .get(&format!("/ui/v1/patterns/new?accelerator={accelerator}"))
        .await;
    assert_eq!(page.status, 200, "{}", page.body);
    let mut fields = vec![
        ("accelerator", accelerator.as_str()),
        ("project", RETAIL),
        ("code", "ORDER_TRIAGE"),
        ("version", "01.00.0000"),
        ("name", ""),
        ("description", ""),
        ("guidelines", ""),
        ("iterations", ""),
    ];
    for (name, value) in changes {
        fields.retain(|(one, _)| one != name);
        fields.push((name, value));
    }
    browser.submit("/ui/v1/patterns/new", &fields).await
}

async fn ben(server: &Server) -> Browser {
    Browser::signed_in(server, BEN, PASSWORD).await
}

both_databases! {
    async fn a_pattern_is_created_from_an_accelerator_and_shows_its_dependencies(server: Server) {
        let mut browser = signed_in(&server).await;
        let page = browser.get("/ui/v1/patterns").await;
        for part in ["RETAIL in design-eu-1", "SUPPLY in design-eu-1", "The project has no patterns yet.", "Create a pattern"] {
            assert!(page.body.contains(part), "{part}: {}", page.body);
        }
        let page = browser.get("/ui/v1/patterns/accelerators").await;
        let address = format!("/ui/v1/patterns/accelerators/{REACT}");
        assert!(page.body.contains(&address), "{}", page.body);
        let page = browser.get(&address).await;
        for part in ["<h1><bdi>ReAct</bdi></h1>", "REACT_CORE", "<svg class=\"drawing\"", "Guidelines"] {
            assert!(page.body.contains(part), "{part}: {}", page.body);
        }

        let page = create(&mut browser, &[("name", "Order <b>triage</b>"), ("iterations", "4")]).await;
        assert_eq!(page.status, 303, "{}", page.body);
        let address = page.header("location").to_owned();
        assert!(address.starts_with("/ui/v1/patterns/ORDER_TRIAGE%7C01.00.0000?project="), "{address}");
        let page = browser.get(&address).await;
        for part in [
            "The pattern is created.", "Order &#60;b&#62;triage&#60;/b&#62;", "<title>Retail: Project 01.00.0000</title>",
            "<title>ReAct core: APPLICATION 01.00.0000</title>", "<td><code>REACT_CORE</code></td>", "<dd>4</dd>",
            "by <bdi>ana</bdi>",
        ] {
            assert!(page.body.contains(part), "{part}: {}", page.body);
        }
        let page = browser.get(&format!("/ui/v1/patterns?project={RETAIL}&name=TRIAGE")).await;
        assert!(page.body.contains("1 pattern in") && page.body.contains("ORDER_TRIAGE%7C01.00.0000"), "{}", page.body);
        for name in ["nothing", "x".repeat(60_000).as_str()] {
            let page = browser.get(&format!("/ui/v1/patterns?project={RETAIL}&name={name}")).await;
            assert!(page.body.contains("No name contains this text."), "{}", page.body);
        }
        let listed = commands::json(&server, &["audit", "list", "--action", "patterns."]).await;
        let entry = &listed[0];
        assert_eq!((entry["actor"].as_str(), entry["subject"].as_str()), (Some("user:ana"), Some("RETAIL/ORDER_TRIAGE|01.00.0000")));
    }

    async fn a_wrong_value_of_a_pattern_is_a_message_at_its_field_with_the_words_of_the_document(server: Server) {
        let mut browser = signed_in(&server).await;
        let long = "x".repeat(4_001);
        for (field, value, problem) in [
            ("code", "", "The code must not be empty."),
            ("code", "a b", "The code must match the pattern"),
            ("version", "v1", "The version must match the pattern"),
            ("description", &long, "The description must have at most 4000 characters"),
            ("iterations", "0", "The number must be at least 1"),
            ("iterations", "many", "The number must be an integer"),
        ] {
            let page = create(&mut browser, &[(field, value)]).await;
            assert_eq!(page.status, 400, "{field}");
            assert!(page.body.contains(problem), "{field}={value}: {}", page.body);
            assert!(page.body.contains("aria-invalid=\"true\""));
        }
        assert_eq!(create(&mut browser, &[]).await.status, 303);
        let page = create(&mut browser, &[]).await;
        assert_eq!(page.status, 409);
        assert!(page.body.contains("The project has this pattern already."), "{}", page.body);
    }

    async fn a_pattern_takes_texts_of_the_maximum_length_in_every_script(server: Server) {
        let mut browser = signed_in(&server).await;
        let (description, guidelines) = ("\u{6587}".repeat(4_000), "\u{6587}".repeat(20_000));
        let page = create(&mut browser, &[("description", &description), ("guidelines", &guidelines)]).await;
        assert_eq!(page.status, 303, "{}", page.body);
        let page = browser.get(page.header("location")).await;
        assert!(page.body.contains(&guidelines));
    }

    async fn a_long_list_of_patterns_has_pages(server: Server) {
        let mut browser = signed_in(&server).await;
        assert_eq!(create(&mut browser, &[]).await.status, 303);
        let copy = "INSERT INTO agent_patterns (project_id, code, version, accelerator_id, name, name_key, sort_key, \
            description, guidelines, status, recipe_source, max_iteration, usage_count, revision, created_at, created_by, \
            updated_at, updated_by, roles, integrations) SELECT project_id, $1, version, accelerator_id, $1, $1, $2, \
            description, guidelines, status, recipe_source, max_iteration, usage_count, revision, created_at, created_by, \
            updated_at, updated_by, roles, integrations FROM agent_patterns WHERE code = 'ORDER_TRIAGE'";
        server.write(move |tx| {
            for number in 10..70 {
                let code = format!("c{number}");
                let key = [code.as_bytes(), code.as_bytes(), b"01.00.0000"].join(&0);
                tx.execute(copy, accord_server::params![&code, key])?;
            }
            Ok(())
        }).await;
        let page = browser.get("/ui/v1/patterns").await;
        assert!(page.body.contains("61 patterns in") && page.body.contains(">c59<"), "{}", page.body);
        let (_, rest) = page.body.split_once("href=\"/ui/v1/patterns?project=").expect("a next page");
        let next = rest.split('"').next().unwrap().replace("&#38;", "&").replace("&amp;", "&");
        let page = browser.get(&format!("/ui/v1/patterns?project={next}")).await;
        assert!(page.body.contains(">c60<") && page.body.contains(">ReAct<"), "{}", page.body);
        assert!(!page.body.contains(">c59<") && !page.body.contains("More patterns"), "{}", page.body);
    }

    async fn a_grant_decides_what_a_user_may_do_with_patterns(server: Server) {
        let mut ana = signed_in(&server).await;
        assert_eq!(create(&mut ana, &[]).await.status, 303);
        // Ben may read the projects of the instance.
        let mut browser = ben(&server).await;
        let path = format!("/ui/v1/patterns/ORDER_TRIAGE%7C01.00.0000?project={RETAIL}");
        assert_eq!(browser.get(&path).await.status, 200);
        let page = browser.get("/ui/v1/patterns").await;
        assert!(page.body.contains("Browse accelerators") && !page.body.contains("Create a pattern"), "{}", page.body);
        let page = browser.get(&format!("/ui/v1/patterns/new?accelerator={REACT}")).await;
        assert!(page.body.contains("You may not create patterns in any project"), "{}", page.body);
        assert_eq!(create(&mut browser, &[("code", "OTHER")]).await.status, 404);
        commands::succeed(&server, &["grants", "set", "instance:design-eu-1", BEN, "inspect"]).await;
        assert_eq!(browser.get(&path).await.status, 404);
        let page = browser.get("/ui/v1/patterns").await;
        assert!(page.body.contains("ORDER_TRIAGE") && !page.body.contains("%7C"), "{}", page.body);
        commands::succeed(&server, &["grants", "remove", "instance:design-eu-1", BEN]).await;
        let page = browser.get("/ui/v1/patterns").await;
        assert!(page.body.contains("you have no grant on one"), "{}", page.body);
        assert_eq!(browser.get(&format!("/ui/v1/patterns?project={RETAIL}")).await.status, 404);
        assert_eq!(browser.get(&format!("/ui/v1/patterns/accelerators/{REACT}")).await.status, 404);
        for path in ["/ui/v1/patterns", "/ui/v1/patterns/accelerators"] {
            let page = Browser::new(&server).get(path).await;
            assert_eq!((page.status, page.header("location")), (303, "/ui/v1/signin?to=patterns"));
        }
    }
}
