//! The pages of policies, for operators.

use super::signed_in;
use crate::harness::{both_databases, commands};
use crate::identity::browser::{Browser, Page};
use crate::inference::client::{Manager, chat};

const LIST: &str = "/ui/v1/operations/policies";
const NEW: &str = "/ui/v1/operations/policies/new";
const DELETE: &str = "/ui/v1/operations/policy/delete";
const FORBID: &str = "forbid (principal, action, resource) when { resource.family == \"accord\" };";

/// Sends the form for a new policy. Fields that are not given are empty.
async fn create(browser: &mut Browser, given: &[(&str, &str)]) -> Page {
    let names = ["id", "compartment", "key", "model", "statement"];
    let fields = names.map(|name| {
        let value = given.iter().find(|(one, _)| *one == name);
        (name, value.map_or("", |(_, value)| value))
    });
    browser.get(NEW).await;
    browser.submit(NEW, &fields).await
}

/// Asks whether a key may use a model for chat.
async fn explain(browser: &mut Browser, key: &str, model: &str) -> Page {
    browser.get(LIST).await;
    let fields = [("key", key), ("model", model), ("action", "chat")];
    browser.submit(LIST, &fields).await
}

both_databases! {
    async fn a_form_explains_a_decision_as_the_command_does(server: Server) {
        let key = Manager::of(&server).await.new_key().await;
        let mut browser = signed_in(&server).await;
        let page = explain(&mut browser, &key.id, "accord.echo").await;
        let yes = format!("<strong>Yes.</strong> <bdi>{} in compartment.demo may call accord.echo: policy.demo permits it.", key.id);
        assert!(page.status == 200 && page.body.contains(&yes), "{}", page.body);
        let page = create(&mut browser, &[("id", "closed"), ("statement", FORBID)]).await;
        assert_eq!(page.status, 303, "{}", page.body);
        let page = explain(&mut browser, &key.id, "accord.echo").await;
        assert!(page.body.contains("<strong>No.</strong>"), "{}", page.body);
        let printed = commands::succeed(&server, &["policy", "explain", &key.id, "accord.echo"]).await;
        let sentence = printed.trim().lines().last().unwrap();
        assert!(sentence.ends_with("may not call accord.echo: closed forbids it.") && page.body.contains(sentence), "{printed}");
        let row = |id: &str| {
            let (_, rest) = page.body.split_once(&format!("<th scope=\"row\"><bdi>{id}</bdi></th>")).unwrap();
            rest.split("</tr>").next().unwrap().to_owned()
        };
        assert_eq!(row("closed"), "<td>forbid</td><td>Yes</td><td><strong>Yes</strong></td>");
        assert_eq!(row("policy.demo"), "<td>permit</td><td>Yes</td><td>No</td>");
        // The values stay in the form.
        assert_eq!(page.field("key"), Some(&*key.id));
        assert!(page.body.contains("<option selected>accord.echo</option>"), "{}", page.body);
    }

    async fn an_unknown_key_or_model_is_a_message_and_a_secret_is_not_repeated(server: Server) {
        let key = Manager::of(&server).await.new_key().await;
        let mut browser = signed_in(&server).await;
        for (id, model, problem) in [
            ("apikey.local.none", "accord.echo", "No API key has this id."),
            ("", "accord.echo", "No API key has this id."),
            (&*key.id, "none", "The region of the API key does not have this model."),
            (&*key.one, "accord.echo", "Enter the id of the API key, which begins with apikey."),
        ] {
            let page = explain(&mut browser, id, model).await;
            assert!(page.status == 400 && page.body.contains(problem), "{id}: {}", page.body);
            assert!(page.body.contains("aria-invalid=\"true\"") && !page.body.contains(&key.one), "{}", page.body);
        }
        browser.get(LIST).await;
        let fields = [("key", &*key.id), ("model", "accord.echo"), ("action", "none")];
        assert_eq!(browser.submit(LIST, &fields).await.status, 400);
    }

    async fn a_policy_that_is_created_and_deleted_applies_at_once_and_is_in_the_trail(server: Server) {
        let key = Manager::of(&server).await.new_key().await;
        let mut browser = signed_in(&server).await;
        chat(&server, &key.one, "accord.echo").await.ok();
        let page = create(&mut browser, &[("id", "a&b /c"), ("statement", FORBID)]).await;
        assert_eq!((page.status, page.header("location")), (303, "/ui/v1/operations/policy?id=a%26b+%2Fc&done=added"));
        let page = browser.get(page.header("location")).await;
        for part in ["The policy is created.", "<bdi>a&#38;b /c</bdi>", "&#34;accord&#34;", ">forbid</span>"] {
            assert!(page.body.contains(part), "{part}: {}", page.body);
        }
        assert_eq!(chat(&server, &key.one, "accord.echo").await.status, 403);
        let page = browser.submit(DELETE, &[("id", "a&b /c")]).await;
        assert_eq!((page.status, page.header("location")), (303, "/ui/v1/operations/policies?done=deleted"));
        chat(&server, &key.one, "accord.echo").await.ok();
        let page = browser.submit(DELETE, &[("id", "a&b /c")]).await;
        assert_eq!(page.status, 404);
        for part in ["Already deleted", "href=\"/ui/v1/operations/policies\""] {
            assert!(page.body.contains(part), "{part}: {}", page.body);
        }

        let scope = [("id", "one"), ("compartment", "compartment.demo"), ("model", "accord.echo")];
        let page = create(&mut browser, &scope).await;
        let page = browser.get(page.header("location")).await;
        assert!(page.body.contains("<dt>Compartment</dt><dd><code>compartment.demo</code></dd>"), "{}", page.body);
        for id in ["one", "policy.demo"] {
            assert_eq!(browser.submit(DELETE, &[("id", id)]).await.status, 303);
        }
        assert_eq!(chat(&server, &key.one, "accord.echo").await.status, 403);
        let page = browser.get(LIST).await;
        assert!(page.body.contains("No policies, so no API key may call a model."), "{}", page.body);
        let page = explain(&mut browser, &key.id, "accord.echo").await;
        assert!(page.body.contains("may not call accord.echo: no policy permits it."), "{}", page.body);
        let trail = commands::json(&server, &["audit", "list", "--action", "inference.policy."]).await;
        let told = trail.as_array().unwrap().iter().map(|one| {
            assert_eq!(one["actor"], "user:ana");
            format!("{} {}", one["action"].as_str().unwrap(), one["subject"].as_str().unwrap())
        });
        assert_eq!(told.collect::<Vec<_>>(), [
            "inference.policy.added a&b /c", "inference.policy.removed a&b /c", "inference.policy.added one",
            "inference.policy.removed one", "inference.policy.removed policy.demo",
        ]);
    }

    async fn a_wrong_policy_is_a_message_at_its_field_and_is_not_stored(server: Server) {
        let mut browser = signed_in(&server).await;
        let long = "x".repeat(256);
        for (given, problem) in [
            (&[("id", ""), ("model", "accord.echo")][..], "id=\"id-problem\" role=\"alert\">The id must have"),
            (&[("id", &*long), ("model", "accord.echo")], "id=\"id-problem\" role=\"alert\">The id must have"),
            (&[("id", "policy.demo"), ("model", "accord.echo")], "A policy with this id exists already."),
            (&[("id", "new")], "id=\"scope-problem\" role=\"alert\">Choose at least one"),
            (&[("id", "new"), ("key", "Bearer sk-secret")], "id=\"key-problem\" role=\"alert\">Enter the id"),
            (&[("id", "new"), ("key", "apikey.k"), ("statement", FORBID)], "Leave the choices above empty"),
            (&[("id", "new"), ("statement", "permit everything")], "id=\"statement-problem\" role=\"alert\">This is invalid"),
            (&[("id", "new"), ("statement", "permit (principal, action, resource) when { resource.price < 3 };")], "price"),
        ] {
            let page = create(&mut browser, given).await;
            assert!(page.status == 400 && page.body.contains(problem), "{given:?}: {}", page.body);
            assert!(page.body.contains("<title>Error: ") && !page.body.contains("sk-secret"), "{}", page.body);
        }
        let listed = commands::json(&server, &["policy", "list"]).await;
        assert_eq!(listed.as_array().map(Vec::len), Some(1), "{listed}");
    }
}
