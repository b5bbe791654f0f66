//! Setting a password: what ends with it, whoever sets it, and what the user is told.

use accord_server::accounts::demo::COLLEAGUE;
use accord_server::identity::passkeys::{self, NewPasskey};
use accord_server::identity::password_links::{self, LINK_LIFETIME, PasswordLink};
use accord_server::identity::sighting::Sighting;
use accord_server::identity::user_code::UserCode;
use accord_server::identity::user_code_entry::{Entered, Outcome, enter_in_session};
use accord_server::identity::{grants, sessions, users};
use accord_server::kernel::Mac;
use accord_server::mail::outbox;
use accord_server::store::Tx;
use serde_json::json;

use super::browser::{Browser, Page};
use super::client::{Device, PASSWORD, organizations};
use super::commands::{done, json as told, refused, run};
use super::replicas::is_refused_within_a_second;
use super::tokens::refresh;
use crate::harness::{Server, both_databases};

const BEN: &str = "ben@north.example";
const NEW: &str = "a fine long passphrase";

/// What an account can have open.
struct Open {
    browser: Browser,
    /// A device with its tokens.
    access: String,
    refresh: String,
    /// A device that was approved and has not asked since.
    approved: Device,
    /// Addresses of two links that set a password.
    links: [String; 2],
}

/// What is left of it.
#[derive(Debug, PartialEq, Eq)]
struct Left {
    session: bool,
    device: bool,
    approved: bool,
    link: bool,
    passkeys: usize,
}

async fn link(server: &Server, id: &'static str) -> String {
    let app = server.app().clone();
    let link = PasswordLink::new(&app.server_keys, id);
    let token = link.token().to_owned();
    let now = app.clock.now();
    server
        .write(move |tx| link.open(tx, COLLEAGUE, now, LINK_LIFETIME))
        .await;
    token
}

/// A passkey that nobody can use.
async fn passkey(server: &Server, name: &'static str) {
    let new = NewPasskey {
        credential_id: name.as_bytes().to_vec(),
        static_state: Vec::new(),
        dynamic_state: Vec::new(),
        transports: 0,
    };
    let added = server
        .write(move |tx| passkeys::insert(tx, &new, COLLEAGUE, name, 1))
        .await;
    assert!(added);
}

impl Open {
    /// Opens everything for Ben.
    async fn all(server: &Server) -> Open {
        let mut browser = Browser::signed_in(server, BEN, PASSWORD).await;
        let scope = "accounts.read offline_access";
        let (device, approved) = (
            Device::ask(server, scope).await,
            Device::ask(server, scope).await,
        );
        for device in [&device, &approved] {
            let page = browser.decide(&device.user_code, "approve").await;
            assert!(page.body.contains("Device approved"), "{}", page.body);
        }
        let tokens = device.poll(server).await;
        assert_eq!(tokens.status, 200, "{tokens:?}");
        for name in ["Laptop", "Phone"] {
            passkey(server, name).await;
        }
        Open {
            browser,
            access: tokens.text("access_token").into(),
            refresh: tokens.text("refresh_token").into(),
            approved,
            links: [link(server, "mail-1").await, link(server, "mail-2").await],
        }
    }

    async fn left(&mut self, server: &Server) -> Left {
        let page = self.browser.get("/ui/v1/account").await;
        let link = format!("/ui/v1/password?token={}", self.links[1]);
        let mut stranger = Browser::new(server);
        let passkeys = server.write(|tx| passkeys::list_of(tx, COLLEAGUE)).await;
        let device = organizations(server, &self.access).await == 200;
        let refreshed = refresh(server, &self.refresh, &[]).await;
        assert_eq!(refreshed.status == 200, device, "{refreshed:?}");
        Left {
            session: page.status == 200,
            device,
            approved: self.approved.poll(server).await.status == 200,
            link: stranger.get(&link).await.status == 200,
            passkeys: passkeys.len(),
        }
    }
}

/// A request of a browser that sends no `User-Agent`.
fn seen(at: i64) -> Sighting {
    Sighting {
        user_agent: None,
        origin: "192.0.2.1".into(),
        at,
    }
}

const NOTHING: Left = Left {
    session: false,
    device: false,
    approved: false,
    link: false,
    passkeys: 0,
};

/// Kinds of the mails to Ben, and what they are about.
async fn mails(server: &Server) -> Vec<String> {
    let mails = server
        .write(|tx| outbox::list(tx, None, 100))
        .await
        .readable;
    let to_ben = mails.into_iter().filter(|mail| mail.user_id == COLLEAGUE);
    to_ben.map(|mail| format!("{:?}", mail.about)).collect()
}

async fn last_event(server: &Server) -> (String, String) {
    let listed = told(
        server,
        &["audit", "list", "--action", "identity.password.set"],
    )
    .await;
    let entries = listed.as_array().unwrap();
    let text = |name: &str| entries.last().unwrap()[name].as_str().unwrap().to_owned();
    (text("actor"), text("detail"))
}

async fn change(browser: &mut Browser, more: &[(&str, &str)]) -> Page {
    browser.get("/ui/v1/account/password").await;
    let fields = [
        &[("present", PASSWORD), ("password", NEW), ("again", NEW)],
        more,
    ];
    browser
        .submit("/ui/v1/account/password", &fields.concat())
        .await
}

both_databases! {
    async fn a_link_that_sets_a_password_ends_all_that_the_account_had(server: Server) {
        let mut open = Open::all(&server).await;
        let mut browser = Browser::new(&server);
        let page = browser.get(&format!("/ui/v1/password?token={}", open.links[0])).await;
        assert!(page.body.contains("removes all passkeys"), "{}", page.body);
        let fields = [("token", open.links[0].as_str()), ("password", NEW), ("again", NEW)];
        let page = browser.submit("/ui/v1/password", &fields).await;
        assert!(page.body.contains("devices disconnected and passkeys removed"), "{}", page.body);
        assert_eq!(open.left(&server).await, NOTHING);
        Browser::new(&server).sign_in(BEN, NEW).await;
        let mails = mails(&server).await;
        assert_eq!(mails, ["PasskeysRemoved { passkeys: [\"Laptop\", \"Phone\"] }"]);
        let (actor, detail) = last_event(&server).await;
        assert_eq!(actor, format!("user:{COLLEAGUE}"));
        assert!(detail.starts_with("with a link; ended: sessions 1, links 1, "), "{detail}");
        assert!(detail.ends_with("devices 2, passkeys 2"), "{detail}");
    }

    async fn the_first_password_of_an_account_ends_nothing(server: Server) {
        let token = link(&server, "mail-1").await;
        let mut browser = Browser::new(&server);
        browser.get(&format!("/ui/v1/password?token={token}")).await;
        let fields = [("token", token.as_str()), ("password", NEW), ("again", NEW)];
        let page = browser.submit("/ui/v1/password", &fields).await;
        assert!(page.body.contains("You can sign in with it now.</p>"), "{}", page.body);
        assert_eq!(mails(&server).await, Vec::<String>::new());
    }

    async fn a_password_may_have_characters_that_browsers_count_twice(server: Server) {
        // 200 characters, and 400 units of UTF-16, which `maxlength` counts.
        let password = "😀🐸🎭🎻🎪🎨🎹🥁🎺🎷".repeat(20);
        let is_unbounded = |page: &Page| {
            let mut fields = page.body.split('<').filter(|tag| tag.contains("type=\"password\"")).peekable();
            assert!(fields.peek().is_some(), "{}", page.body);
            assert!(fields.all(|tag| !tag.contains("maxlength")), "{}", page.body);
        };
        let token = link(&server, "mail-1").await;
        let mut browser = Browser::new(&server);
        is_unbounded(&browser.get("/ui/v1/signin").await);
        is_unbounded(&browser.get(&format!("/ui/v1/password?token={token}")).await);
        let fields = [("token", token.as_str()), ("password", &password), ("again", &password)];
        let page = browser.submit("/ui/v1/password", &fields).await;
        assert!(page.body.contains("You can sign in with it now.</p>"), "{}", page.body);
        let mut browser = Browser::signed_in(&server, BEN, &password).await;
        is_unbounded(&browser.get("/ui/v1/account/password").await);
        let fields = [("present", password.as_str()), ("password", NEW), ("again", NEW)];
        let page = browser.submit("/ui/v1/account/password", &fields).await;
        assert_ne!(page.status, 400, "{}", page.body);
        Browser::new(&server).sign_in(BEN, NEW).await;
    }

    async fn an_operator_who_sets_a_password_ends_all_that_the_account_had(server: Server) {
        let mut open = Open::all(&server).await;
        let set = ["users", "set-password", BEN, "--json"];
        let output = run(&server, &set, &format!("{NEW}\n")).await;
        assert!(output.status.success(), "{output:?}");
        let printed: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let ended = json!({ "sessions": 1, "links": 2, "devices": 2, "passkeys": ["Laptop", "Phone"] });
        assert_eq!(printed["ended"], ended);
        // Another process did it.
        is_refused_within_a_second(&server, &open.access).await;
        assert_eq!(open.left(&server).await, NOTHING);
        assert_eq!(mails(&server).await.len(), 1);
        let (actor, detail) = last_event(&server).await;
        assert_eq!(actor, "operator:olga");
        assert!(detail.starts_with("by an operator; ended: sessions 1, links 2"), "{detail}");
    }

    async fn an_operator_can_keep_the_passkeys(server: Server) {
        let mut open = Open::all(&server).await;
        let set = ["users", "set-password", BEN, "--keep-passkeys"];
        let output = run(&server, &set, &format!("{NEW}\n")).await;
        assert!(output.status.success(), "{output:?}");
        is_refused_within_a_second(&server, &open.access).await;
        assert_eq!(open.left(&server).await, Left { passkeys: 2, ..NOTHING });
        assert_eq!(mails(&server).await, Vec::<String>::new());
    }

    async fn a_changed_password_ends_other_sessions_and_links_and_asks_about_the_rest(server: Server) {
        let mut open = Open::all(&server).await;
        let mut other = Browser::signed_in(&server, BEN, PASSWORD).await;
        let page = other.get("/ui/v1/account/password").await;
        let boxes = ["value=\"disconnect\" checked>", "value=\"remove\">"];
        assert!(boxes.iter().all(|one| page.body.contains(one)), "{}", page.body);
        // What was chosen is kept when something else is wrong.
        let wrong = [("present", PASSWORD), ("password", "x"), ("passkeys", "remove")];
        let page = other.submit("/ui/v1/account/password", &wrong).await;
        let boxes = ["value=\"disconnect\">", "value=\"remove\" checked>"];
        assert!(boxes.iter().all(|one| page.body.contains(one)), "{}", page.body);

        let page = change(&mut other, &[]).await;
        assert!(page.body.contains("approved stay connected"), "{}", page.body);
        let left = Left { device: true, approved: true, passkeys: 2, ..NOTHING };
        assert_eq!(open.left(&server).await, left);
        assert_eq!(other.get("/ui/v1/account").await.status, 200);
    }

    async fn the_page_names_a_wrong_current_password_beside_the_problem_of_the_new_one(server: Server) {
        const WRONG: &str = "This is not your current password.";
        const SHORT: &str = "Use at least 10 characters.";
        const DIFFER: &str = "The two passwords are not the same.";
        let path = "/ui/v1/account/password";
        let mut browser = Browser::signed_in(&server, BEN, PASSWORD).await;
        browser.get(path).await;
        let focused = |field: &str| format!("id=\"{field}\" name=\"{field}\" type=\"password\"");
        for (present, password, again, problems, focus) in [
            ("not this one", "short", "short", &[WRONG, SHORT][..], "present"),
            ("not this one", NEW, "others", &[WRONG, DIFFER], "present"),
            ("not this one", NEW, NEW, &[WRONG], "present"),
            (PASSWORD, "short", "short", &[SHORT], "password"),
            (PASSWORD, NEW, "others", &[DIFFER], "password"),
        ] {
            let form = [("present", present), ("password", password), ("again", again)];
            let page = browser.submit(path, &form).await;
            assert_eq!(page.status, 400, "{form:?}");
            for problem in [WRONG, SHORT, DIFFER] {
                let is_shown = page.body.contains(problem);
                assert_eq!(is_shown, problems.contains(&problem), "{form:?}: {problem}");
            }
            let inputs: Vec<_> = page.body.split("<input ").filter(|one| one.contains(" autofocus")).collect();
            assert!(matches!(inputs[..], [one] if one.starts_with(&focused(focus))), "{inputs:?}");
        }
        // Wrong ones count, also beside an invalid new password.
        let form = [("present", "not this one"), ("password", "short"), ("again", "short")];
        for attempt in 0.. {
            let page = browser.submit(path, &form).await;
            if page.status == 429 {
                assert!(!page.body.contains(WRONG) && !page.body.contains(SHORT), "{}", page.body);
                break;
            }
            assert!(page.status == 400 && attempt < 20, "{page:?}");
        }
        // The audit trail has each of them.
        let told = told(&server, &["audit", "list", "--action", "identity.sign_in.failed"]).await;
        let told = told.as_array().unwrap();
        let is_of_ben = |one: &serde_json::Value| {
            one["actor"] == format!("user:{COLLEAGUE}") && one["detail"] == "to confirm"
        };
        assert!(told.len() > 3 && told.iter().all(is_of_ben), "{told:?}");
    }

    async fn a_changed_password_disconnects_devices_and_removes_passkeys_when_told_to(server: Server) {
        let mut open = Open::all(&server).await;
        let mut other = Browser::signed_in(&server, BEN, PASSWORD).await;
        let more = [("devices", "disconnect"), ("passkeys", "remove")];
        let page = change(&mut other, &more).await;
        assert!(page.body.contains("and your passkeys"), "{}", page.body);
        assert_eq!(open.left(&server).await, NOTHING);
        assert_eq!(other.get("/ui/v1/account").await.status, 200);
        assert_eq!(mails(&server).await.len(), 1);
        let (actor, detail) = last_event(&server).await;
        assert_eq!(actor, format!("user:{COLLEAGUE}"));
        assert!(detail.starts_with("by its user; ended: sessions 2, links 2"), "{detail}");
        let started = told(&server, &["audit", "list", "--action", "identity.session.started"]).await;
        let started = started.as_array().and_then(|all| all.last()).unwrap();
        assert_eq!(started["detail"], "password, after its change");
    }

    async fn a_session_is_not_started_with_what_was_replaced_meanwhile(server: Server) {
        let now = server.app().clock.now().timestamp_millis();
        let start = |proof: sessions::Proof| sessions::NewSession {
            mac: [7; 36],
            user_id: COLLEAGUE.into(),
            proof,
            seen: seen(now),
            expires_at: now + 60_000,
        };
        // Checked a moment ago, against a hash that is no longer stored.
        let old = start(sessions::Proof::Password("$argon2id$of-before".into()));
        assert!(!server.write(move |tx| sessions::start(tx, &old)).await);
        let gone = start(sessions::Proof::Passkey(b"Laptop".to_vec()));
        let again = gone.clone();
        assert!(!server.write(move |tx| sessions::start(tx, &gone)).await);
        passkey(&server, "Laptop").await;
        let disabled = again.clone();
        assert!(server.write(move |tx| sessions::start(tx, &again)).await);
        server.write(move |tx| users::disable(tx, COLLEAGUE, now)).await;
        assert!(!server.write(move |tx| sessions::start(tx, &disabled)).await);
    }

    async fn a_session_that_ends_before_the_decision_approves_no_device(server: Server) {
        let device = Device::ask(&server, "accounts.read").await;
        let session = async || {
            Browser::new(&server).sign_in(BEN, PASSWORD).await;
            let only = |tx: &mut Tx<'_>| tx.query_opt("SELECT mac FROM sessions", &[]);
            server.read(only).await.expect("a session").get::<Mac>(0).unwrap()
        };
        let approve = async |session: Mac| {
            let app = server.app().clone();
            let entered = Entered {
                code: UserCode::parse(&device.user_code).unwrap(),
                user_id: COLLEAGUE.into(),
                origin: "192.0.2.1".into(),
                network: "192.0.2.1".into(),
                decision: Some(grants::Decision::Approve),
                now: app.clock.now().timestamp_millis(),
            };
            let enter = move |tx: &mut Tx<'_>| {
                enter_in_session(tx, &app.server_keys, &app.config.identity, session, &entered)
            };
            server.app().store.write(enter).await.unwrap()
        };
        let ended = session().await;
        server.write(|tx| sessions::end_all(tx, COLLEAGUE)).await;
        assert_eq!(approve(ended).await, None);
        assert_eq!(device.poll(&server).await.error(), (400, "authorization_pending"));
        let decided = approve(session().await).await;
        assert!(matches!(decided, Some(Outcome::Decided(grants::Decision::Approve, _))), "{decided:?}");
    }

    async fn a_session_ends_with_the_passkey_that_began_it(server: Server) {
        let now = server.app().clock.now().timestamp_millis();
        for (name, mac) in [("Laptop", [1; 36]), ("Phone", [2; 36])] {
            passkey(&server, name).await;
            let new = sessions::NewSession {
                mac,
                user_id: COLLEAGUE.into(),
                proof: sessions::Proof::Passkey(name.as_bytes().to_vec()),
                seen: seen(now),
                expires_at: now + 60_000,
            };
            assert!(server.write(move |tx| sessions::start(tx, &new)).await);
        }
        let listed = told(&server, &["users", "passkeys", "list", BEN]).await;
        let id = listed[0]["id"].as_str().unwrap().to_owned();
        assert_eq!((&listed[0]["name"], &listed[0]["used_at"]), (&json!("Laptop"), &json!(null)));
        let table = done(&server, &["users", "passkeys", "list", BEN]).await;
        assert!(table.contains("Phone") && table.starts_with("PASSKEY"), "{table}");

        let nobody = ["users", "passkeys", "list", "nobody@north.example"];
        assert!(refused(&server, &nobody).await.contains("no user"));
        for other in ["ff", ""] {
            let other = ["users", "passkeys", "remove", BEN, other];
            assert!(refused(&server, &other).await.contains("no such passkey"));
        }
        done(&server, &["users", "passkeys", "remove", BEN, &id]).await;
        let left = server.write(move |tx| sessions::list_of(tx, COLLEAGUE, now)).await;
        assert_eq!(left.len(), 1);
        let removed = ["users", "passkeys", "remove", BEN, "--all"];
        assert_eq!(told(&server, &removed).await["removed"], json!(["Phone"]));
        let left = server.write(move |tx| sessions::list_of(tx, COLLEAGUE, now)).await;
        assert_eq!(left, []);
        assert_eq!(mails(&server).await.len(), 2);
        let listed = told(&server, &["audit", "list", "--action", "identity.passkey.removed"]).await;
        let entry = &listed[0];
        assert_eq!((&entry["actor"], &entry["detail"]), (&json!("operator:olga"), &json!("Laptop")));
    }

    async fn what_a_disabled_user_has_approved_is_withdrawn_and_links_have_ended(server: Server) {
        let open = Open::all(&server).await;
        done(&server, &["users", "disable", BEN]).await;
        done(&server, &["users", "enable", BEN]).await;
        assert_eq!(open.approved.poll(&server).await.error(), (400, "invalid_grant"));
        for token in &open.links {
            let link = format!("/ui/v1/password?token={token}");
            assert_ne!(Browser::new(&server).get(&link).await.status, 200);
        }
    }
}

both_databases! {
    async fn links_and_approvals_of_others_stay(server: Server) {
        let now = server.app().clock.now();
        let app = server.app().clone();
        let other = PasswordLink::new(&app.server_keys, "mail-3");
        let token = other.token().to_owned();
        server.write(move |tx| other.open(tx, "ana", now, LINK_LIFETIME)).await;
        let device = Device::ask(&server, "accounts.read").await;
        device.approve(&server).await;
        let ended = server.write(move |tx| {
            let links = password_links::end_all(tx, COLLEAGUE, now.timestamp_millis())?;
            Ok(links + grants::withdraw_all(tx, COLLEAGUE)?)
        });
        assert_eq!(ended.await, 0);
        let page = Browser::new(&server).get(&format!("/ui/v1/password?token={token}")).await;
        assert_eq!(page.status, 200);
        assert_eq!(device.poll(&server).await.status, 200);
    }
}
