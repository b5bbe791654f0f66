//! The page of all users, for operators.

use std::sync::{Mutex, mpsc};
use std::time::{Duration, Instant};

use accord_server::accounts::demo::ADMINISTRATOR;
use accord_server::accounts::operators;
use accord_server::store::{StoreError, Tx};

use super::signed_in;
use crate::foreign::{EVE_EMAIL, add_eve};
use crate::harness::{both_databases, commands, on_sqlite};
use crate::identity::browser::Browser;
use crate::identity::client::{ANA, PASSWORD};

const USERS: &str = "/ui/v1/operations/users";
const STATE: &str = "/ui/v1/operations/users/state";
const BEN: &str = "ben@north.example";

both_databases! {
    async fn an_administrator_is_added_and_removed_at_once(server: Server) {
        let mut browser = signed_in(&server).await;
        browser.get(USERS).await;
        let mut ben = Browser::signed_in(&server, BEN, PASSWORD).await;
        assert!(!ben.get("/ui/v1/users").await.body.contains("3104"));
        let fields = [("action", "add"), ("user", "Ben@North.example"), ("organization", "3104")];
        let page = browser.submit(USERS, &fields).await;
        let location = "/ui/v1/operations/users?search=ben%40north.example&done=added";
        assert_eq!((page.status, page.header("location")), (303, location), "{}", page.body);
        let page = browser.get(location).await;
        for part in ["The user administers the organization.",
            "Remove<span class=\"hidden\"> ben@north.example from the administrators of organization 3104"] {
            assert!(page.body.contains(part), "{part}: {}", page.body);
        }
        assert!(!page.body.contains(&format!("<bdi>{ANA}</bdi>")), "only Ben is found: {}", page.body);
        assert!(ben.get("/ui/v1/users").await.body.contains("3104"));
        let fields = [("action", "remove"), ("user", "ben"), ("organization", "3104")];
        assert_eq!(browser.submit(USERS, &fields).await.status, 303);
        assert!(!ben.get("/ui/v1/users").await.body.contains("3104"));
        let trail = commands::json(&server, &["audit", "list", "--action", "accounts.administrator."]).await;
        let actions: Vec<_> = trail.as_array().unwrap().iter().map(|one| {
            assert_eq!((&one["actor"], &one["subject"]), (&"user:ana".into(), &"ben".into()));
            one["action"].as_str().unwrap()
        }).collect();
        assert_eq!(actions, ["accounts.administrator.added", "accounts.administrator.removed"]);
    }

    async fn a_user_is_disabled_and_enabled(server: Server) {
        let mut browser = signed_in(&server).await;
        browser.get(USERS).await;
        let mut ben = Browser::signed_in(&server, BEN, PASSWORD).await;
        for status in [303, 404] {
            let page = browser.submit(STATE, &[("action", "disable"), ("user", BEN)]).await;
            assert_eq!(page.status, status, "{}", page.body);
        }
        assert_eq!(ben.get("/ui/v1/keys").await.status, 303);
        let page = browser.get("/ui/v1/operations/users?search=BEN").await;
        assert!(page.body.contains("<span class=\"state revoked\">Disabled</span>"), "{}", page.body);
        for status in [303, 404] {
            let page = browser.submit(STATE, &[("action", "enable"), ("user", BEN)]).await;
            assert_eq!(page.status, status, "{}", page.body);
        }
        Browser::new(&server).sign_in(BEN, PASSWORD).await;
    }

    async fn what_has_no_effect_is_a_message(server: Server) {
        add_eve(&server).await;
        let mut browser = signed_in(&server).await;
        browser.get(USERS).await;
        for (user, organization, problem) in [
            ("nobody@north.example", "3104", "No user has this email address or id."),
            (EVE_EMAIL, "1", "There is no hub organization 1."),
            (EVE_EMAIL, "x", "Enter the number of the organization."),
        ] {
            let fields = [("action", "add"), ("user", user), ("organization", organization)];
            let page = browser.submit(USERS, &fields).await;
            assert!(page.status == 400 && page.body.contains(problem), "{user}: {}", page.body);
            assert_eq!((page.field("user"), page.field("organization")), (Some(user), Some(organization)));
        }
        for own in ["ANA@north.example", " ana@north.example"] {
            let page = browser.submit(STATE, &[("action", "disable"), ("user", own)]).await;
            assert!(page.status == 409 && page.body.contains("You cannot disable yourself."), "{}", page.body);
        }
        for path in [USERS, STATE] {
            assert_eq!(browser.submit(path, &[("action", "none"), ("user", BEN), ("organization", "3104")]).await.status, 400);
        }
        // The characters of a pattern stand for themselves.
        for path in [USERS, "/ui/v1/operations/client"] {
            assert_eq!(browser.get(&format!("{path}?search=%00&id=%00")).await.status, 400);
        }
        for search in ["%25", "_", "!", "nobody", "x".repeat(60_000).as_str()] {
            let page = browser.get(&format!("{USERS}?search={search}")).await;
            assert!(page.body.contains("No users."), "{search}: {}", page.body);
        }
    }
}

on_sqlite! {
    async fn an_operator_who_is_removed_during_a_request_changes_nothing(server: Server) {
        // SQLite runs one change after the other, so the form waits until its user is removed.
        let mut browser = signed_in(&server).await;
        browser.get(USERS).await;
        let store = server.app().store.clone();
        let (release, released) = mpsc::channel::<()>();
        let released = Mutex::new(released);
        let (begun, mut has_begun) = tokio::sync::mpsc::unbounded_channel();
        let removal = tokio::spawn(async move {
            let remove = move |tx: &mut Tx<'_>| -> Result<bool, StoreError> {
                let is_removed = operators::remove(tx, ADMINISTRATOR)?;
                let _ = begun.send(());
                let _ = released.lock().unwrap().recv();
                Ok(is_removed)
            };
            store.write(remove).await
        });
        has_begun.recv().await.expect("the removal");
        let form = tokio::spawn(async move {
            let fields = [("action", "add"), ("user", BEN), ("organization", "3104")];
            browser.submit(USERS, &fields).await
        });
        let since = Instant::now();
        let waits = || server.app().store.loads().iter().any(|(_, load)| load.waiting > 0);
        // Tasks of the service wait, too. After two seconds, the form does.
        while !waits() || since.elapsed() < Duration::from_secs(2) {
            assert!(since.elapsed() < Duration::from_secs(60), "the form does not wait");
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        drop(release);
        assert!(removal.await.unwrap().unwrap());
        let page = form.await.unwrap();
        assert_eq!(page.status, 404, "{}", page.body);
        let mut ben = Browser::signed_in(&server, BEN, PASSWORD).await;
        assert!(!ben.get("/ui/v1/users").await.body.contains("3104"));
    }
}
