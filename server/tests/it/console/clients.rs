//! The pages of OAuth clients, for operators.

use super::{clients, signed_in};
use crate::harness::{both_databases, commands};
use crate::identity::browser::{Browser, Page};
use crate::identity::commands::is_let_in;

const LIST: &str = "/ui/v1/operations/clients";
const NEW: &str = "/ui/v1/operations/clients/new";
const ONE: &str = "/ui/v1/operations/client";
const CERTIFICATE: &str = include_str!(concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/tests/data/certificate.pem"
));

/// Fills the form for a new client and sends it.
async fn register(browser: &mut Browser, changes: &[(&str, &str)]) -> Page {
    let form = browser.get(NEW).await;
    let once = form.field("once").unwrap().to_owned();
    let mut fields = vec![
        ("once", once.as_str()),
        ("id", "kiosk"),
        ("name", "Kiosk <1>"),
        ("kind", "confidential"),
        ("accounts_reader", "yes"),
        ("refreshes", "yes"),
        ("key", ""),
        ("algorithm", ""),
        ("saml_issuer", ""),
    ];
    for (name, value) in changes {
        fields.retain(|(one, _)| one != name);
        fields.push((name, value));
    }
    browser.submit(NEW, &fields).await
}

/// The secret that a page shows.
fn secret(page: &Page) -> String {
    assert_eq!(
        (page.status, page.header("cache-control")),
        (200, "no-store")
    );
    let (_, rest) = page.body.split_once(">cs_").expect("a secret");
    format!("cs_{}", rest.split('<').next().unwrap_or_default())
}

/// Makes a change of the client.
async fn change(browser: &mut Browser, action: &str) -> Page {
    let form = browser.get(&format!("{ONE}?id=kiosk")).await;
    send(browser, &form, action).await
}

/// Sends the form of a page that was loaded earlier.
async fn send(browser: &mut Browser, form: &Page, action: &str) -> Page {
    let field = |name| form.field(name).unwrap_or_default().to_owned();
    let (once, newest) = (field("once"), field("newest"));
    let fields = [
        ("id", "kiosk"),
        ("once", &once),
        ("newest", &newest),
        ("action", action),
    ];
    browser.submit(ONE, &fields).await
}

both_databases! {
    async fn a_new_client_shows_its_secret_once_and_is_let_in_with_it(server: Server) {
        let mut browser = signed_in(&server).await;
        let page = register(&mut browser, &[("introspects", "yes")]).await;
        let first = secret(&page);
        assert!(is_let_in(&server, "kiosk", &first).await);
        for path in [LIST.to_owned(), format!("{ONE}?id=kiosk")] {
            let page = browser.get(&path).await;
            for part in ["Kiosk &#60;1&#62;", "confidential", "accounts_reader", ">Enabled</span>"] {
                assert!(page.body.contains(part), "{part}: {}", page.body);
            }
            assert!(!page.body.contains(&first), "{path}");
        }
        // Another form does not register it again.
        let page = register(&mut browser, &[]).await;
        assert!(page.status == 400 && page.body.contains("A client with this id exists already."), "{}", page.body);
        let listed = commands::json(&server, &["audit", "list", "--action", "identity.client."]).await;
        assert_eq!(listed.as_array().map(Vec::len), Some(1), "{listed}");
        assert_eq!((&listed[0]["action"], &listed[0]["subject"], &listed[0]["actor"]),
            (&"identity.client.registered".into(), &"kiosk".into(), &"user:ana".into()));
        assert!(!listed.to_string().contains(&first), "{listed}");
    }

    async fn a_client_is_disabled_and_enabled_and_its_secret_is_replaced(server: Server) {
        let mut browser = signed_in(&server).await;
        let first = secret(&register(&mut browser, &[]).await);
        server.advance(1);
        let page = change(&mut browser, "disable").await;
        assert_eq!((page.status, page.header("location")), (303, "/ui/v1/operations/client?id=kiosk&done=disable"));
        let page = browser.get(page.header("location")).await;
        assert!(page.body.contains("The client is disabled.") && page.body.contains(">Disabled</span>"), "{}", page.body);
        assert!(!is_let_in(&server, "kiosk", &first).await);
        assert_eq!(change(&mut browser, "enable").await.status, 303);
        assert!(is_let_in(&server, "kiosk", &first).await);

        let second = secret(&change(&mut browser, "add_secret").await);
        assert!(is_let_in(&server, "kiosk", &first).await && is_let_in(&server, "kiosk", &second).await);
        let page = change(&mut browser, "add_secret").await;
        assert!(page.status == 409 && page.body.contains("The client has two secrets already."), "{}", page.body);
        assert_eq!(change(&mut browser, "remove_older").await.status, 303);
        assert!(!is_let_in(&server, "kiosk", &first).await && is_let_in(&server, "kiosk", &second).await);

        assert_eq!(change(&mut browser, "none").await.status, 400);
        for (id, status) in [("none", 404), ("accord-cli", 409)] {
            let fields = [("id", id), ("once", "x"), ("action", "add_secret")];
            let page = browser.submit(ONE, &fields).await;
            assert_eq!(page.status, status, "{}", page.body);
        }
        assert_eq!(browser.get(&format!("{ONE}?id=none")).await.status, 404);
        let listed = commands::json(&server, &["audit", "list", "--action", "identity.client."]).await;
        let actions = listed.as_array().unwrap().iter().map(|one| one["action"].as_str().unwrap());
        assert_eq!(actions.collect::<Vec<_>>(), [
            "identity.client.registered", "identity.client.disabled", "identity.client.enabled",
            "identity.client.rotated", "identity.client.rotated",
        ]);
    }

    async fn a_form_that_is_sent_twice_shows_the_same_secret(server: Server) {
        let mut browser = signed_in(&server).await;
        let first = secret(&register(&mut browser, &[("once", "the same")]).await);
        assert_eq!(secret(&register(&mut browser, &[("once", "the same")]).await), first);
        let form = browser.get(&format!("{ONE}?id=kiosk")).await;
        let second = secret(&send(&mut browser, &form, "add_secret").await);
        assert_ne!(first, second);
        assert_eq!(secret(&send(&mut browser, &form, "add_secret").await), second);
        let listed = commands::json(&server, &["audit", "list", "--action", "identity.client."]).await;
        assert_eq!(listed.as_array().map(Vec::len), Some(2), "{listed}");
        // Of another client, the token makes another secret.
        let other = register(&mut browser, &[("once", "the same"), ("id", "other")]).await;
        assert_ne!(secret(&other), first);
        assert_eq!(register(&mut browser, &[("once", ""), ("id", "third")]).await.status, 400);
    }

    async fn a_page_from_before_a_rotation_removes_no_secret(server: Server) {
        let mut browser = signed_in(&server).await;
        secret(&register(&mut browser, &[]).await);
        server.advance(1);
        let second = secret(&change(&mut browser, "add_secret").await);
        let form = browser.get(&format!("{ONE}?id=kiosk")).await;
        // Somebody else finishes this rotation, and begins another one.
        assert_eq!(change(&mut browser, "remove_older").await.status, 303);
        server.advance(1);
        let third = secret(&change(&mut browser, "add_secret").await);
        let page = send(&mut browser, &form, "remove_older").await;
        assert!(page.status == 409 && page.body.contains("Nothing has changed"), "{}", page.body);
        assert!(is_let_in(&server, "kiosk", &second).await && is_let_in(&server, "kiosk", &third).await);
    }

    async fn clients_without_a_secret_are_registered_with_what_their_kind_needs(server: Server) {
        let mut browser = signed_in(&server).await;
        let page = register(&mut browser, &[("kind", "public"), ("refreshes", "")]).await;
        assert_eq!((page.status, page.header("location")), (303, "/ui/v1/operations/client?id=kiosk&done=added"));
        let page = browser.get(page.header("location")).await;
        assert!(page.body.contains("The client is registered.") && !page.body.contains("Add a second secret"), "{}", page.body);
        let robot = [("id", "robot"), ("kind", "assertion"), ("key", CERTIFICATE), ("algorithm", "PS256")];
        let page = register(&mut browser, &robot).await;
        let page = browser.get(page.header("location")).await;
        assert!(page.body.contains("(PS256, x5t <code>"), "{}", page.body);
        let listed = commands::json(&server, &["clients", "list"]).await;
        let robot = listed.as_array().unwrap().iter().find(|one| one["id"] == "robot").unwrap();
        assert_eq!((&robot["kind"], &robot["algorithms"]), (&"assertion".into(), &"PS256".into()));
    }

    async fn a_wrong_value_of_a_client_is_a_message_and_registers_nothing(server: Server) {
        let mut browser = signed_in(&server).await;
        let before = clients(&server).await;
        let private = "-----BEGIN PRIVATE KEY-----\nc2VjcmV0\n-----END PRIVATE KEY-----";
        for (changes, problem) in [
            (&[("id", "a b")][..], "an identifier has 1 to 255 characters"),
            (&[("id", "accord-cli")], "A client with this id exists already."),
            (&[("name", " ")], "id=\"name-problem\""),
            (&[("accounts_reader", "")], "id=\"roles-problem\""),
            (&[("kind", "saml")], "A client that signs assertions needs a key."),
            (&[("key", CERTIFICATE)], "Only clients that sign assertions have a key."),
            (&[("key", private)], "Only clients that sign assertions have a key."),
            (&[("saml_issuer", "x")], "Only clients with SAML assertions have an issuer."),
            (&[("kind", "assertion"), ("key", CERTIFICATE), ("saml_issuer", "x")], "id=\"saml_issuer-problem\""),
            (&[("kind", "assertion"), ("key", "x")], "The key cannot be used: expected a certificate"),
            (&[("kind", "assertion"), ("key", private)], "this is a private key"),
        ] {
            let page = register(&mut browser, changes).await;
            assert!(page.status == 400 && page.body.contains(problem), "{changes:?}: {}", page.body);
            assert!(!page.body.contains("c2VjcmV0"), "{}", page.body);
        }
        for changes in [("kind", "none"), ("algorithm", "ps256")] {
            assert_eq!(register(&mut browser, &[changes]).await.status, 400);
        }
        assert_eq!(clients(&server).await, before);
    }
}
