//! The forms that change an API key: the rotation, and everything else.

use accord_server::accounts::demo::ADMINISTRATOR;
use accord_server::audit::{self, Filter};
use accord_server::inference::demo::CLOSED_COMPARTMENT;
use accord_server::store::Tx;
use serde_json::json;

use super::{create, key_address, secrets, signed_in};
use crate::harness::{Server, both_databases};
use crate::identity::browser::{Browser, Page};
use crate::inference::client::{COMPARTMENT, Manager, accepted};

/// Changes the state of a secret, in the version that the page of the key shows.
async fn set_state(browser: &mut Browser, address: &str, secret: &str, state: &str) -> Page {
    let version = version(&browser.get(address).await);
    let fields = [
        ("version", version.as_str()),
        ("secret", secret),
        ("state", state),
    ];
    browser.submit(&format!("{address}/state"), &fields).await
}

fn version(page: &Page) -> String {
    page.field("version")
        .expect("a form")
        .replace("&#34;", "\"")
}

async fn renew(browser: &mut Browser, address: &str, secret: &str) -> Page {
    let form = browser
        .get(&format!("{address}/renew?secret={secret}"))
        .await;
    assert_eq!(form.status, 200, "{}", form.body);
    let (once, version) = (form.field("once").unwrap().to_owned(), version(&form));
    let fields = [
        ("once", once.as_str()),
        ("version", version.as_str()),
        ("secret", secret),
        ("day", ""),
    ];
    let page = browser.submit(&format!("{address}/renew"), &fields).await;
    // A repetition shows the same, and renews nothing.
    let again = browser.submit(&format!("{address}/renew"), &fields).await;
    assert_eq!(
        (again.status, secrets(&again)),
        (page.status, secrets(&page))
    );
    page
}

async fn actions(server: &Server, address: &str) -> Vec<String> {
    let filter = Filter {
        action: Some("inference.".into()),
        actor: Some(format!("user:{ADMINISTRATOR}")),
        subject: address.rsplit('/').next().map(str::to_owned),
    };
    let read = move |tx: &mut Tx<'_>| audit::list(tx, &filter, 100);
    let entries = server.read(read).await;
    entries
        .into_iter()
        .map(|entry| format!("{} {}", entry.action, entry.detail))
        .collect()
}

both_databases! {
    /// The steps of the interface: activate the standby secret, change applications, deactivate and
    /// revoke the first secret. An active secret exists at every moment.
    async fn a_rotation_in_the_console_never_leaves_a_key_without_an_active_secret(server: Server) {
        let mut browser = signed_in(&server).await;
        let page = create(&mut browser, "reports").await;
        let (plain, address) = (secrets(&page), key_address(&page));
        for (next, secret, state, works) in [
            ("Activate key-two", "key-two", "ACTIVE", [true, true]),
            ("Deactivate key-one", "key-one", "DEACTIVATED", [false, true]),
            ("Revoke key-one", "key-one", "REVOKED", [false, true]),
        ] {
            let page = browser.get(&address).await;
            assert!(page.body.contains(&format!(">{next}</")), "{next}: {}", page.body);
            let page = set_state(&mut browser, &address, secret, state).await;
            let shown = format!("{address}?done={state}");
            assert_eq!((page.status, page.header("location")), (303, &*shown));
            assert!(browser.get(&shown).await.body.contains("role=\"status\""));
            for (secret, works) in plain.iter().zip(works) {
                assert_eq!(accepted(&server, secret).await, works, "after {next}");
            }
        }
        let page = browser.get(&address).await;
        assert!(page.body.contains(">Renew key-one</a>"), "{}", page.body);
        let page = renew(&mut browser, &address, "key-one").await;
        let renewed = secrets(&page);
        assert_eq!(renewed.len(), 1, "{}", page.body);
        assert!(page.body.contains("Standby"), "a revoked secret comes back on standby");
        assert!(browser.get(&address).await.body.contains(">Activate key-one</"));
        set_state(&mut browser, &address, "key-one", "ACTIVE").await;
        assert!(accepted(&server, &renewed[0]).await && accepted(&server, &plain[1]).await);
        // As the operations of the document record them.
        assert_eq!(actions(&server, &address).await, [
            "inference.key.created in compartment.demo",
            "inference.secret.activated key-two",
            "inference.secret.deactivated key-one",
            "inference.secret.revoked key-one",
            "inference.secret.renewed key-one",
            "inference.secret.activated key-one",
        ]);
    }

    async fn a_change_that_the_states_do_not_allow_is_a_message_on_the_page_of_the_key(server: Server) {
        let mut browser = signed_in(&server).await;
        let page = create(&mut browser, "reports").await;
        let address = key_address(&page);
        let page = set_state(&mut browser, &address, "key-two", "DEACTIVATED").await;
        assert_eq!(page.status, 409);
        assert!(page.body.contains("is STANDBY and cannot be deactivated"), "{}", page.body);
        assert_eq!(set_state(&mut browser, &address, "key-two", "GONE").await.status, 400);
        assert_eq!(set_state(&mut browser, &address, "key-three", "ACTIVE").await.status, 404);
    }

    async fn a_key_that_has_changed_since_its_page_was_opened_is_not_changed(server: Server) {
        let manager = Manager::of(&server).await;
        let key = manager.new_key().await;
        let address = format!("/ui/v1/keys/{}", key.id);
        let mut browser = signed_in(&server).await;
        let old = version(&browser.get(&address).await);
        manager.put(&key.id, &json!({"displayName": "weekly"})).await.ok();
        for (path, fields) in [
            ("state", vec![("secret", "one"), ("state", "REVOKED")]),
            ("edit", vec![("name", "mine")]),
            ("move", vec![("compartment", CLOSED_COMPARTMENT)]),
            ("renew", vec![("secret", "one"), ("once", "x"), ("day", "")]),
            ("delete", vec![]),
        ] {
            let fields = [vec![("version", old.as_str())], fields].concat();
            let page = browser.submit(&format!("{address}/{path}"), &fields).await;
            assert_eq!(page.status, 412, "{path}");
            assert!(page.body.contains("has changed since you opened this page"), "{}", page.body);
        }
        assert!(accepted(&server, &key.one).await);
        let page = browser.get(&address).await;
        assert!(page.body.contains("weekly") && page.body.contains(COMPARTMENT));
    }

    async fn name_description_tags_and_compartment_change(server: Server) {
        let manager = Manager::of(&server).await;
        let key = manager.new_key().await;
        let address = format!("/ui/v1/keys/{}", key.id);
        let mut browser = signed_in(&server).await;
        let version_of = version(&browser.get(&format!("{address}/edit")).await);
        let fields = [
            ("version", version_of.as_str()), ("name", "weekly"), ("description", "For the board"),
            ("tags", "team=reports"),
        ];
        let page = browser.submit(&format!("{address}/edit"), &fields).await;
        assert_eq!(page.status, 303, "{}", page.body);
        let read = manager.get(&format!("/{}", key.id)).await.ok();
        assert_eq!(read["displayName"], "weekly");
        assert_eq!(read["description"], "For the board");
        assert_eq!(read["freeformTags"], json!({"team": "reports"}));
        let fields = [("name", "not a name"), ("tags", "")];
        let page = browser.submit(&format!("{address}/edit"), &fields).await;
        assert_eq!(page.status, 400);
        assert!(page.body.contains("The name must match the pattern"), "{}", page.body);

        let page = browser.submit(&format!("{address}/move"), &[("compartment", COMPARTMENT)]).await;
        assert_eq!(page.status, 409, "{}", page.body);
        let fields = [("compartment", CLOSED_COMPARTMENT)];
        assert_eq!(browser.submit(&format!("{address}/move"), &fields).await.status, 303);
        assert!(browser.get(&address).await.body.contains(CLOSED_COMPARTMENT));
    }

    /// The operation accepts tags and descriptions that the fields of the form cannot show.
    async fn the_form_changes_only_the_fields_that_a_user_edits(server: Server) {
        let manager = Manager::of(&server).await;
        let tags = json!({"a=b": "c", "note": " two\nlines "});
        let mut browser = signed_in(&server).await;
        for (description, field) in [(json!(" two\nlines "), " twolines "), (json!(null), "")] {
            let mut body = json!({
                "displayName": "odd", "compartmentId": COMPARTMENT, "keyDetails": [{"keyName": "one"}],
                "freeformTags": tags,
            });
            if description.is_string() {
                body["description"] = description;
            }
            let created = manager.create(&body).await.ok();
            let id = created["id"].as_str().unwrap();
            let address = format!("/ui/v1/keys/{id}/edit");
            for name in ["odd", "weekly"] {
                let version = version(&browser.get(&address).await);
                let fields = [
                    ("version", version.as_str()), ("name", name), ("description", field),
                    ("tags", "a=b=c\r\nnote= two\r\nlines \r\n"),
                ];
                let page = browser.submit(&address, &fields).await;
                assert_eq!(page.status, 303, "{}", page.body);
                let read = manager.get(&format!("/{id}")).await.ok();
                assert_eq!(read["displayName"], name);
                assert_eq!((&read["freeformTags"], &read["description"]), (&tags, &created["description"]));
            }
            let changes = actions(&server, id).await;
            assert_eq!(changes.len(), 2, "one creation and one change: {changes:?}");
        }
    }

    async fn a_second_secret_is_added_to_a_key_with_one(server: Server) {
        let manager = Manager::of(&server).await;
        let body = json!({
            "displayName": "single", "compartmentId": COMPARTMENT, "keyDetails": [{"keyName": "one"}],
        });
        let created = manager.create(&body).await.ok();
        let address = format!("/ui/v1/keys/{}", created["id"].as_str().unwrap());
        let mut browser = signed_in(&server).await;
        assert!(browser.get(&address).await.body.contains("Add a second secret"));
        let page = renew(&mut browser, &address, "two").await;
        assert_eq!(secrets(&page).len(), 1, "{}", page.body);
        let form = browser.get(&format!("{address}/renew")).await;
        assert_eq!(form.status, 404, "there is no room for a third");
    }

    async fn a_deleted_key_is_gone_after_a_question(server: Server) {
        let key = Manager::of(&server).await.new_key().await;
        let address = format!("/ui/v1/keys/{}", key.id);
        let mut browser = signed_in(&server).await;
        let page = browser.get(&format!("{address}/delete")).await;
        assert!(page.body.contains("This cannot be undone"), "{}", page.body);
        assert!(accepted(&server, &key.one).await, "a link deletes nothing");
        let page = browser.submit(&format!("{address}/delete"), &[]).await;
        assert_eq!((page.status, page.header("location")), (303, "/ui/v1/keys?done=deleted"));
        assert!(!accepted(&server, &key.one).await);
        for path in ["", "/edit", "/delete"] {
            assert_eq!(browser.get(&format!("{address}{path}")).await.status, 404, "{path}");
        }
        let page = browser.submit(&format!("{address}/delete"), &[]).await;
        assert_eq!(page.status, 404);
        for part in ["Already deleted", "The API key is deleted.", "href=\"/ui/v1/keys\""] {
            assert!(page.body.contains(part), "{part}: {}", page.body);
        }
    }
}
