//! The account: named browsers and devices, signing out elsewhere, and forgotten passwords.

use accord_server::identity::password_links::PasswordLink;
use accord_server::mail::outbox::{self, About, Mail};
use reqwest::header::USER_AGENT;

use super::signed_in;
use crate::harness::{Server, both_databases, commands};
use crate::identity::browser::Browser;
use crate::identity::client::{ANA, Device, PASSWORD, organizations};

const FIREFOX: &str = "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0";
const NEW: &str = "seven quiet otters";

/// Opens the account's page as another browser or from another place.
async fn opened_as(server: &Server, browser: &mut Browser, user_agent: &str) -> String {
    let request = server.http().get(server.url("/ui/v1/account"));
    let page = browser.send(request.header(USER_AGENT, user_agent)).await;
    assert_eq!(page.status, 200);
    page.body
}

async fn mails(server: &Server) -> Vec<Mail> {
    server.read(|tx| outbox::list(tx, None, 100)).await.readable
}

both_databases! {
    async fn a_browser_has_a_name_and_the_time_and_place_where_it_was_last_seen(server: Server) {
        let mut browser = signed_in(&server).await;
        let page = browser.get("/ui/v1/account").await;
        for part in ["A browser without a name", "This browser", "Last seen just now from <span dir=\"ltr\">127.0.0.1<"] {
            assert!(page.body.contains(part), "{part}: {}", page.body);
        }
        opened_as(&server, &mut browser, FIREFOX).await;
        server.advance(7_200);
        let mut other = signed_in(&server).await;
        let page = other.get("/ui/v1/account").await;
        for part in ["<bdi>Firefox on Linux</bdi>", "Last seen 2 hours ago", "Signed in 2 hours ago"] {
            assert!(page.body.contains(part), "{part}: {}", page.body);
        }
        // Another use within a minute is not written again; a later one is.
        opened_as(&server, &mut browser, FIREFOX).await;
        let page = other.get("/ui/v1/account").await;
        assert!(!page.body.contains("Last seen 2 hours ago"), "{}", page.body);
        // What a browser calls itself is text.
        let body = opened_as(&server, &mut browser, "<b>x</b>").await;
        assert!(body.contains("&#60;b&#62;x&#60; b&#62;") && !body.contains("<b>x"), "{body}");
        let listed = commands::json(&server, &["sessions", "list"]).await;
        assert_eq!(listed[1]["seen"]["user_agent"], "<b>x</b>", "{listed}");
    }

    async fn a_device_shows_the_program_that_fetched_its_last_token(server: Server) {
        let device = Device::ask(&server, "accounts.read offline_access").await;
        let mut browser = signed_in(&server).await;
        browser.decide(&device.user_code, "approve").await;
        let tokens = device.poll(&server).await;
        let page = browser.get("/ui/v1/account").await;
        let never_named = "Last fetched a token just now from <span dir=\"ltr\">127.0.0.1</span></p>";
        assert!(page.body.contains(never_named), "{}", page.body);
        server.advance(3_600);
        let form = [
            ("grant_type", "refresh_token"),
            ("client_id", "accord-cli"),
            ("refresh_token", tokens.text("refresh_token")),
        ];
        let request = server.http().post(server.url("/oauth2/v1/token")).form(&form);
        let answer = request.header(USER_AGENT, "accord/1.2.3").send().await.unwrap();
        assert_eq!(answer.status(), 200);
        server.advance(120);
        let page = browser.get("/ui/v1/account").await;
        for part in ["Last fetched a token 2 minutes ago", "as <bdi>accord 1.2.3</bdi>", "Approved 1 hour ago"] {
            assert!(page.body.contains(part), "{part}: {}", page.body);
        }
    }

    async fn a_browser_that_ends_its_own_session_shows_no_earlier_page(server: Server) {
        let mut browser = signed_in(&server).await;
        let page = browser.get("/ui/v1/account").await;
        let own = page.field("id").unwrap();
        let page = browser.submit("/ui/v1/account", &[("action", "end_session"), ("id", own)]).await;
        assert_eq!((page.status, page.header("location")), (303, "/ui/v1/signin?to=account"));
        assert_eq!(page.header("clear-site-data"), "\"cache\"");
        assert_eq!(browser.get("/ui/v1/account").await.status, 303);
    }

    async fn a_device_is_disconnected_after_a_question(server: Server) {
        let device = Device::ask(&server, "accounts.read offline_access").await;
        let mut browser = signed_in(&server).await;
        browser.decide(&device.user_code, "approve").await;
        let tokens = device.poll(&server).await;
        let access = tokens.text("access_token");
        let page = browser.get("/ui/v1/account").await;
        let (_, rest) = page.body.split_once("href=\"/ui/v1/account/disconnect?id=").unwrap();
        let id = rest.split('"').next().unwrap();
        let page = browser.get(&format!("/ui/v1/account/disconnect?id={id}")).await;
        for part in ["<h1>Disconnect Accord command line?</h1>", "Approved just now", ">Cancel</a>"] {
            assert!(page.body.contains(part), "{part}: {}", page.body);
        }
        // The question alone changes nothing.
        assert_eq!(organizations(&server, access).await, 200);
        let page = browser.submit("/ui/v1/account", &[("action", "disconnect"), ("id", id)]).await;
        assert!(page.body.contains("no longer connected"), "{}", page.body);
        assert_eq!(organizations(&server, access).await, 401);
        assert_eq!(browser.get(&format!("/ui/v1/account/disconnect?id={id}")).await.status, 404);
        let listed = commands::json(&server, &["audit", "list", "--action", "identity.approval.revoked"]).await;
        assert_eq!((&listed[0]["actor"], &listed[0]["subject"]), (&"user:ana".into(), &id.into()));
    }

    async fn a_user_signs_a_single_browser_out(server: Server) {
        let (mut here, mut there) = (signed_in(&server).await, signed_in(&server).await);
        let mut third = signed_in(&server).await;
        // The newest is first.
        let listed = commands::json(&server, &["sessions", "list"]).await;
        let [_, second, first] = [0_usize, 1, 2].map(|index| listed[index]["id"].as_str().unwrap());
        let page = here.submit("/ui/v1/account", &[("action", "end_session"), ("id", second)]).await;
        assert!(page.status == 200 && page.body.contains("That browser is signed out."), "{}", page.body);
        for (browser, status) in [(&mut here, 200), (&mut there, 303), (&mut third, 200)] {
            assert_eq!(browser.get("/ui/v1/account").await.status, status);
        }
        // This browser, too.
        let page = here.submit("/ui/v1/account", &[("action", "end_session"), ("id", first)]).await;
        assert_eq!((page.status, page.header("location")), (303, "/ui/v1/signin?to=account"));
        for (browser, status) in [(&mut here, 303), (&mut third, 200)] {
            assert_eq!(browser.get("/ui/v1/account").await.status, status);
        }
        let listed = commands::json(&server, &["audit", "list", "--action", "identity.session.ended"]).await;
        let details: Vec<_> = listed.as_array().unwrap().iter().map(|one| &one["detail"]).collect();
        assert_eq!(details, ["by its user", "by its user"]);
    }

    async fn signing_out_everywhere_else_keeps_this_browser_and_disconnects_devices_on_request(server: Server) {
        let device = Device::ask(&server, "accounts.read offline_access").await;
        let (mut here, mut there) = (signed_in(&server).await, signed_in(&server).await);
        here.decide(&device.user_code, "approve").await;
        let tokens = device.poll(&server).await;
        let access = tokens.text("access_token").to_owned();
        let page = here.get("/ui/v1/account").await;
        assert!(page.body.contains("Sign out everywhere else"), "{}", page.body);
        let page = here.get("/ui/v1/account/elsewhere").await;
        for part in ["One other browser is signed in.", "Disconnect the connected device too"] {
            assert!(page.body.contains(part), "{part}: {}", page.body);
        }
        // Opening the page has changed nothing, and a form of another browser changes nothing.
        let foreign = std::mem::replace(&mut here.csrf_token, there.csrf_token.clone());
        assert_eq!(here.submit("/ui/v1/account/elsewhere", &[]).await.status, 403);
        here.csrf_token = foreign;
        assert_eq!(there.get("/ui/v1/account").await.status, 200);

        let page = here.submit("/ui/v1/account/elsewhere", &[]).await;
        assert!(page.status == 200 && page.body.contains("Devices stay connected"), "{}", page.body);
        assert_eq!(there.get("/ui/v1/account").await.status, 303);
        assert_eq!(here.get("/ui/v1/account").await.status, 200);
        assert_eq!(organizations(&server, &access).await, 200);

        let page = here.submit("/ui/v1/account/elsewhere", &[("devices", "disconnect")]).await;
        assert!(page.body.contains("all devices are disconnected"), "{}", page.body);
        assert_eq!(organizations(&server, &access).await, 401);
        assert_eq!(here.get("/ui/v1/account").await.status, 200);
        let listed = commands::json(&server, &["audit", "list", "--action", "identity.session.ended"]).await;
        let details: Vec<_> = listed.as_array().unwrap().iter().map(|one| &one["detail"]).collect();
        assert_eq!(details, ["everywhere else: sessions 1, devices 0", "everywhere else: sessions 0, devices 1"]);
        assert_eq!(Browser::new(&server).get("/ui/v1/account/elsewhere").await.status, 303);
    }

    async fn a_forgotten_password_is_set_by_a_link_and_strangers_learn_nothing(server: Server) {
        let mut browser = Browser::new(&server);
        let page = browser.get("/ui/v1/signin").await;
        assert!(page.body.contains("<a href=\"/ui/v1/forgot\">Forgot your password?</a>"), "{}", page.body);
        browser.get("/ui/v1/forgot").await;
        let mut bodies = Vec::new();
        for username in ["nobody@north.example", " Ana@North.example "] {
            let page = browser.submit("/ui/v1/forgot", &[("username", username)]).await;
            assert_eq!(page.status, 200, "{}", page.body);
            bodies.push(page.body);
        }
        assert_eq!(bodies[0], bodies[1]);
        let page = browser.submit("/ui/v1/forgot", &[("username", "ana")]).await;
        assert!(page.status == 400 && page.body.contains("aria-invalid"), "{}", page.body);
        let mails = mails(&server).await;
        assert_eq!(mails.len(), 1);
        assert_eq!((&mails[0].about, &*mails[0].recipient), (&About::ResetPassword, ANA));

        let mut before = signed_in(&server).await;
        let app = server.app();
        let link = PasswordLink::new(&app.server_keys, &mails[0].id);
        let path = format!("/ui/v1/password?token={}", link.token());
        assert_eq!(browser.get(&path).await.status, 200);
        let fields = [("token", link.token()), ("password", NEW), ("again", NEW)];
        let page = browser.submit("/ui/v1/password", &fields).await;
        assert!(page.body.contains("Password set"), "{}", page.body);
        assert_eq!(before.get("/ui/v1/account").await.status, 303);
        Browser::new(&server).sign_in(ANA, NEW).await;
        let page = browser.get(&path).await;
        assert!(page.status == 400 && page.body.contains("href=\"/ui/v1/forgot\""), "{}", page.body);
        let listed = commands::json(&server, &["audit", "list", "--action", "identity.password"]).await;
        let actions: Vec<_> = listed.as_array().unwrap().iter().map(|one| (&one["actor"], &one["action"])).collect();
        assert_eq!(actions.len(), 2, "{listed}");
        assert_eq!((actions[0].0.as_str(), actions[0].1.as_str()), (Some("unknown"), Some("identity.password.requested")));
    }

    async fn a_requested_link_works_for_an_hour_and_few_are_sent(server: Server) {
        let mut browser = Browser::new(&server);
        browser.get("/ui/v1/forgot").await;
        for username in [ANA, "nobody@north.example"] {
            for _ in 0..3 {
                assert_eq!(browser.submit("/ui/v1/forgot", &[("username", username)]).await.status, 200);
            }
            let page = browser.submit("/ui/v1/forgot", &[("username", username)]).await;
            let seconds: i64 = page.header("retry-after").parse().unwrap();
            assert!(page.status == 429 && (600..=900).contains(&seconds), "{}", page.body);
        }
        // Other names are not affected, until the address has asked too often.
        assert_eq!(browser.submit("/ui/v1/forgot", &[("username", "ben@north.example")]).await.status, 200);
        let sent = mails(&server).await;
        assert_eq!(sent.len(), 4);
        for (seconds, status) in [(3_500, 200), (100, 400)] {
            server.advance(seconds);
            for mail in &sent {
                let link = PasswordLink::new(&server.app().server_keys, &mail.id);
                let path = format!("/ui/v1/password?token={}", link.token());
                assert_eq!(browser.get(&path).await.status, status);
            }
        }
        assert_eq!(browser.submit("/ui/v1/forgot", &[("username", ANA)]).await.status, 200);
        Browser::new(&server).sign_in(ANA, PASSWORD).await;
    }

    async fn a_disabled_user_gets_no_link(server: Server) {
        commands::succeed(&server, &["users", "disable", ANA]).await;
        let mut browser = Browser::new(&server);
        browser.get("/ui/v1/forgot").await;
        assert_eq!(browser.submit("/ui/v1/forgot", &[("username", ANA)]).await.status, 200);
        assert_eq!(mails(&server).await, []);
    }
}
