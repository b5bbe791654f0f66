//! The page of operations, for operators.

use serde_json::json;

use super::signed_in;
use crate::harness::{Database, Server, both_databases, commands, run_with};
use crate::identity::browser::Browser;
use crate::identity::client::PASSWORD;
use crate::inference::client::{Manager, chat};
use crate::inference::fake::{Fake, model};

const BEN: &str = "ben@north.example";

/// The row of a table that begins with this text.
fn row<'a>(body: &'a str, begin: &str) -> &'a str {
    let at = body.find(&format!("<bdi>{begin}</bdi>"));
    let at = at.unwrap_or_else(|| panic!("no row {begin}: {body}"));
    body[at..].split("</tr>").next().unwrap()
}

both_databases! {
    async fn figures_name_their_replica_and_count_its_requests(server: Server) {
        let key = Manager::of(&server).await.new_key().await;
        for _ in 0..3 {
            chat(&server, &key.one, "accord.echo").await.ok();
        }
        chat(&server, &key.one, "builtin/none").await;
        let mut browser = signed_in(&server).await;
        let page = browser.get("/ui/v1/operations").await;
        assert_eq!(page.status, 200, "{}", page.body);
        let replica = &server.app().replica;
        assert!(page.body.contains(&format!("<code>{replica}</code>, since its start")), "{}", page.body);
        assert!(page.body.contains(&format!("<code class=\"line\">{replica}</code> <span class=\"state active\">This one")), "{}", page.body);
        let chats = row(&page.body, "inference createChatCompletion");
        let numbers: Vec<_> = chats.split("<td class=\"number\">").skip(1).map(|cell| cell.split('<').next().unwrap()).collect();
        assert_eq!(numbers[..3], ["4", "1", "0"], "{chats}");
        assert!(numbers[3..].iter().all(|one| one.ends_with("ms") || one.ends_with(" s")), "{chats}");
        assert!(row(&page.body, "accord.echo").contains("Part of the service"), "{}", page.body);
        assert!(page.body.contains("<strong>0</strong> violations in"), "{}", page.body);
        for part in ["inference.key.created", "identity.session.started", "<bdi>user:ana</bdi>", "<strong>0</strong> dead"] {
            assert!(page.body.contains(part), "{part}: {}", page.body);
        }
    }

    async fn the_page_verifies_the_trail_and_notices_changes(server: Server) {
        let mut browser = signed_in(&server).await;
        browser.get("/ui/v1/operations").await;
        let page = browser.submit("/ui/v1/operations/verify", &[("kept", "")]).await;
        assert!(page.status == 200 && page.body.contains("events, none changed"), "{}", page.body);
        let (_, rest) = page.body.split_once("Keep the end of the trail elsewhere: <code>").unwrap();
        let head = rest.split('<').next().unwrap().to_owned();
        let page = browser.submit("/ui/v1/operations/verify", &[("kept", &head)]).await;
        assert!(page.body.contains("events, none changed"), "{}", page.body);
        let page = browser.submit("/ui/v1/operations/verify", &[("kept", "x")]).await;
        assert!(page.status == 400 && page.body.contains("aria-invalid=\"true\""), "{}", page.body);
        let other = format!("1:{}", "00".repeat(36));
        let page = browser.submit("/ui/v1/operations/verify", &[("kept", &other)]).await;
        assert!(page.body.contains("the trail no longer contains 1:0000"), "{}", page.body);
        let change = "UPDATE audit_trail SET actor = 'nobody' WHERE number = 1";
        let written = server.app().store.write(move |tx| tx.execute(change, &[])).await;
        let rows: u64 = written.unwrap_or_else(|error: accord_server::store::StoreError| panic!("{error}"));
        assert_eq!(rows, 1);
        let page = browser.submit("/ui/v1/operations/verify", &[("kept", "")]).await;
        assert!(page.body.contains("The trail was changed from outside."), "{}", page.body);
        assert!(page.body.contains("event 1 was changed"), "{}", page.body);
    }

    async fn operators_are_added_and_removed_by_a_command(server: Server) {
        let mut browser = Browser::signed_in(&server, BEN, PASSWORD).await;
        assert_eq!(browser.get("/ui/v1/operations").await.status, 404);
        commands::succeed(&server, &["operators", "add", BEN]).await;
        let page = browser.get("/ui/v1/operations").await;
        assert!(page.status == 200 && page.body.contains("aria-current=\"page\">Operations</a>"), "{}", page.body);
        assert!(page.body.contains("accounts.operator.added"), "{}", page.body);
        let listed = commands::json(&server, &["operators", "list"]).await;
        assert_eq!(listed, json!([
            {"user": "ana", "email": "ana@north.example"}, {"user": "ben", "email": BEN},
        ]));
        assert!(commands::fail(&server, &["operators", "add", BEN]).await.contains("is already an operator"));
        commands::succeed(&server, &["operators", "remove", BEN]).await;
        assert_eq!(browser.get("/ui/v1/operations").await.status, 404);
        assert!(commands::fail(&server, &["operators", "remove", BEN]).await.contains("is not an operator"));
        let events = commands::json(&server, &["audit", "list", "--action", "accounts.operator."]).await;
        let actions: Vec<_> = events.as_array().unwrap().iter().map(|one| (&one["action"], &one["subject"])).collect();
        let ben = json!("ben");
        assert_eq!(actions, [(&json!("accounts.operator.added"), &ben), (&json!("accounts.operator.removed"), &ben)]);
        let page = Browser::new(&server).get("/ui/v1/operations").await;
        assert_eq!((page.status, page.header("location")), (303, "/ui/v1/signin?to=operations"));
    }
}

#[test]
fn the_circuit_of_an_upstream_that_keeps_failing_is_open() {
    for database in [Database::Sqlite, Database::Postgres] {
        run_with(async move || {
            let bad = Fake::always("502 Bad Gateway", "{}").await;
            let upstream =
                json!({"url": format!("http://{}/v1", bad.address), "max_concurrent": 4});
            let bad_model = model(json!({
                "name": "acme.chat", "family": "acme", "retries": 0, "upstreams": [upstream],
            }));
            let server = Server::start_with(database, |layer| {
                layer.inference.models = Some(vec![bad_model]);
            })
            .await;
            let key = Manager::of(&server).await.new_key().await;
            let mut browser = signed_in(&server).await;
            let page = browser.get("/ui/v1/operations").await;
            let line = row(&page.body, "acme.chat");
            assert!(line.contains(">Closed<") && line.contains(">4<"), "{line}");
            for _ in 0..5 {
                chat(&server, &key.one, "acme.chat").await;
            }
            let page = browser.get("/ui/v1/operations").await;
            let line = row(&page.body, "acme.chat");
            assert!(line.contains(">Open<"), "{line}");
            server
        });
    }
}
