//! Passkeys, in a browser with a virtual authenticator.

use std::time::{Duration, Instant};

use accord_server::identity::passkeys;
use accord_server::mail::outbox;
use accord_server::store::{StoreError, Tx};

use super::browser::Browser;
use super::client::{ANA, PASSWORD};
use crate::harness::{Database, Server, both_databases, run_with, tools};
use crate::serving::free_address;

/// Browsers take no passkeys at a bare address, so the service has a name here.
async fn named_server(database: Database) -> Server {
    let port = free_address().port();
    Server::start_with(database, |layer| {
        layer.server.listen = Some(([127, 0, 0, 1], port).into());
        layer.server.public_url = Some(format!("http://localhost:{port}").parse().unwrap());
    })
    .await
}

/// Waits until Ana has a passkey of this name.
async fn wait_for(server: &Server, name: &str) {
    let since = Instant::now();
    loop {
        let list = |tx: &mut Tx<'_>| passkeys::list_of(tx, "ana");
        let listed = server.app().store.read::<_, StoreError, _>(list).await;
        if listed.unwrap().iter().any(|passkey| passkey.name == name) {
            return;
        }
        assert!(since.elapsed() < tools::TIMEOUT, "no passkey {name}");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

fn in_a_browser(database: Database) {
    run_with(|| async move {
        let server = named_server(database).await;
        let (browser, pictures) = (tools::browser(), tools::pictures_of(&server));
        let arguments = [
            browser.to_str().unwrap(),
            &server.url(""),
            ANA,
            PASSWORD,
            &pictures,
        ];
        // The script waits until its session is no longer fresh.
        let later = async {
            wait_for(&server, "Laptop of Ana").await;
            server.advance(301);
        };
        let (printed, ()) = tokio::join!(tools::node("passkeys.mjs", &arguments), later);
        assert_eq!(printed.trim().lines().last(), Some("success"));
        let list = |tx: &mut Tx<'_>| outbox::list(tx, None, 100);
        let mut told: Vec<_> = server
            .read(list)
            .await
            .readable
            .iter()
            .map(|mail| mail.about.kind())
            .collect();
        told.sort_unstable();
        assert_eq!(told, ["passkey-added", "passkeys-removed"]);
        let events =
            super::commands::json(&server, &["audit", "list", "--action", "identity.passkey."])
                .await;
        let actions: Vec<_> = events
            .as_array()
            .unwrap()
            .iter()
            .map(|one| &one["action"])
            .collect();
        assert_eq!(
            actions,
            ["identity.passkey.added", "identity.passkey.removed"]
        );
        server
    });
}

#[test]
fn a_person_signs_in_with_a_passkey_and_nobody_else_does_on_sqlite() {
    in_a_browser(Database::Sqlite);
}

#[test]
fn a_person_signs_in_with_a_passkey_and_nobody_else_does_on_postgres() {
    in_a_browser(Database::Postgres);
}

both_databases! {
    async fn at_a_bare_address_there_are_no_passkeys_and_no_script(server: Server) {
        let mut browser = Browser::new(&server);
        let page = browser.get("/ui/v1/signin").await;
        assert!(!page.body.contains("data-passkey"));
        browser.sign_in(ANA, PASSWORD).await;
        let page = browser.get("/ui/v1/account/passkeys").await;
        assert!(page.body.contains("never at a bare IP address"), "{}", page.body);
        assert!(!page.header("content-security-policy").contains("script"));
        let fields = [("action", "add"), ("name", "n"), ("ceremony", ""), ("credential", "{}")];
        assert_eq!(browser.submit("/ui/v1/account/passkeys", &fields).await.status, 400);
        let fields = [("ceremony", ""), ("credential", "{}")];
        assert_eq!(browser.submit("/ui/v1/signin/passkey", &fields).await.status, 400);
    }
}

const PASSKEYS: &str = "/ui/v1/account/passkeys";

fn only_after_a_fresh_sign_in(database: Database) {
    run_with(|| async move {
        let server = named_server(database).await;
        let mut browser = Browser::signed_in(&server, ANA, PASSWORD).await;
        let page = browser.get(PASSKEYS).await;
        assert!(page.body.contains("data-passkey=\"make\""), "{}", page.body);
        let ceremony = page.field("ceremony").unwrap().to_owned();
        let add = [
            ("action", "add"),
            ("name", "Mine"),
            ("ceremony", ceremony.as_str()),
            ("credential", "{}"),
        ];
        let page = browser.submit(PASSKEYS, &add).await;
        assert!(
            page.status == 400 && page.body.contains("could not be added"),
            "{page:?}"
        );
        let mut lines = add;
        lines[1] = ("name", "Mine\r\nhttps://evil.example");
        let page = browser.submit(PASSKEYS, &lines).await;
        assert!(
            page.status == 400 && page.body.contains("in one line"),
            "{page:?}"
        );

        // A cookie that was stolen now is used a while later.
        let mut thief = Browser::new(&server);
        thief.cookie = browser.cookie.clone();
        server.advance(301);
        let page = thief.get(PASSKEYS).await;
        assert!(
            !page.body.contains("data-passkey=\"make\""),
            "{}",
            page.body
        );
        assert!(
            page.body.contains("Confirm that it is you"),
            "{}",
            page.body
        );
        let page = thief.submit(PASSKEYS, &add).await;
        assert!(
            page.status == 403 && page.body.contains("was not added"),
            "{page:?}"
        );
        let page = thief
            .submit(PASSKEYS, &[("action", "remove"), ("id", "any")])
            .await;
        assert!(
            page.status == 403 && page.body.contains("was not removed"),
            "{page:?}"
        );
        let guess = [("action", "confirm"), ("present", "a guess")];
        for _ in 0..3 {
            let page = thief.submit(PASSKEYS, &guess).await;
            assert!(
                page.status == 400 && page.body.contains("not your current"),
                "{page:?}"
            );
        }

        // The user confirms, and the stolen cookie is worth nothing.
        browser.get(PASSKEYS).await;
        let right = [("action", "confirm"), ("present", PASSWORD)];
        let page = browser.submit(PASSKEYS, &right).await;
        assert_eq!((page.status, page.header("location")), (303, PASSKEYS));
        let page = browser.get(PASSKEYS).await;
        assert!(page.body.contains("data-passkey=\"make\""), "{}", page.body);
        assert_eq!(thief.get(PASSKEYS).await.status, 303);

        // Invalid passkeys are limited like wrong passwords.
        let ceremony = page.field("ceremony").unwrap().to_owned();
        let invalid = [
            ("action", "confirm-passkey"),
            ("ceremony", ceremony.as_str()),
            ("credential", "{}"),
        ];
        let mut statuses = Vec::new();
        for _ in 0..11 {
            statuses.push(browser.submit(PASSKEYS, &invalid).await.status);
        }
        assert_eq!(statuses, [[400; 10].as_slice(), &[429]].concat());

        // Forms that another site sends do nothing.
        let own = std::mem::take(&mut browser.csrf_token);
        for action in ["add", "remove", "confirm", "confirm-passkey"] {
            let forged = [("action", action), ("present", PASSWORD)];
            assert_eq!(
                browser.submit(PASSKEYS, &forged).await.status,
                403,
                "{action}"
            );
        }
        browser.csrf_token = own;

        // Nor are guesses without end.
        server.advance(301);
        browser.get(PASSKEYS).await;
        let mut last = 0;
        for _ in 0..11 {
            last = browser.submit(PASSKEYS, &guess).await.status;
        }
        assert_eq!(last, 429);
        let told =
            super::commands::json(&server, &["audit", "list", "--action", "identity."]).await;
        let details = told.as_array().unwrap().iter().map(|one| &one["detail"]);
        let details: Vec<_> = details.collect();
        let count = |detail: &str| details.iter().filter(|one| **one == detail).count();
        assert_eq!(count("password, to confirm"), 1, "{told}");
        // Wrong passwords before and after it, and the invalid passkeys.
        assert_eq!(count("to confirm"), 3 + 10 + 10, "{told}");
        server
    });
}

#[test]
fn a_passkey_is_added_or_removed_only_after_a_fresh_sign_in_on_sqlite() {
    only_after_a_fresh_sign_in(Database::Sqlite);
}

#[test]
fn a_passkey_is_added_or_removed_only_after_a_fresh_sign_in_on_postgres() {
    only_after_a_fresh_sign_in(Database::Postgres);
}
