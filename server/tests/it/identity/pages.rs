//! The pages, as a browser without scripts sees them.

use accord_server::identity::password_links::PasswordLink;

use super::browser::{Browser, Page};
use super::client::{ANA, Device, PASSWORD};
use crate::harness::{Server, both_databases};

const BEN: &str = "ben@north.example";

fn is_protected(page: &Page) {
    let policy = page.header("content-security-policy");
    for part in [
        "default-src 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
    ] {
        assert!(policy.contains(part), "{policy}");
    }
    assert!(!policy.contains("unsafe"), "{policy}");
    assert_eq!(page.header("cache-control"), "no-store");
    assert_eq!(page.header("referrer-policy"), "no-referrer");
    assert_eq!(page.header("x-content-type-options"), "nosniff");
    assert_eq!(page.header("x-frame-options"), "DENY");
    // Scripts run only if their hashes are in the policy.
    let has_script = page.body.contains("<script");
    assert_eq!(
        has_script,
        policy.contains("script-src 'sha256-"),
        "{policy}"
    );
}

/// A mail with a link to set a password, as provisioning writes it.
async fn password_link(server: &Server, user_id: &'static str) -> String {
    let link = PasswordLink::new(&server.app().server_keys, "mail-1");
    let mac = server.app().server_keys.mac(
        accord_server::identity::password_links::PURPOSE,
        link.token().as_bytes(),
    );
    let expires = server.app().clock.now() + chrono::TimeDelta::hours(72);
    let write = move |tx: &mut accord_server::store::Tx<'_>| {
        tx.execute(
            "INSERT INTO password_tokens (token_mac, user_id, expires_at) VALUES ($1, $2, $3)",
            accord_server::params![mac, user_id, expires],
        )
    };
    server.write(write).await;
    link.token().to_owned()
}

both_databases! {
    async fn every_page_is_protected(server: Server) {
        let mut browser = Browser::new(&server);
        for path in ["/ui/v1/device", "/ui/v1/signin", "/ui/v1/signout", "/ui/v1/password", "/ui/v1/forgot"] {
            is_protected(&browser.get(path).await);
        }
        browser.sign_in(ANA, PASSWORD).await;
        for path in ["/ui/v1/device", "/ui/v1/signin", "/ui/v1/signout"] {
            is_protected(&browser.get(path).await);
        }
        is_protected(&browser.submit("/ui/v1/device", &[("user_code", "BBBBBBBB")]).await);
        browser.csrf_token.clear();
        is_protected(&browser.submit("/ui/v1/device", &[]).await);
    }

    async fn a_box_shows_the_password_where_scripts_run(server: Server) {
        let mut browser = Browser::new(&server);
        let token = password_link(&server, "ben").await;
        let link = format!("/ui/v1/password?token={token}");
        for (path, text) in [("/ui/v1/signin", "Show password"), (link.as_str(), "Show passwords")] {
            let page = browser.get(path).await;
            is_protected(&page);
            assert!(page.body.contains("<script>"), "{}", page.body);
            let label = "<label class=\"check\" data-reveal hidden>";
            let (_, label) = page.body.split_once(label).expect("a box, hidden without scripts");
            assert!(label.split("</label>").next().unwrap().ends_with(&format!("> {text}")), "{label}");
        }
    }

    async fn guessed_addresses_lead_to_the_pages(server: Server) {
        for (path, page) in [
            ("/login", "/ui/v1/signin"),
            ("/account", "/ui/v1/account"),
            ("/", "/docs"),
        ] {
            let response = server.get(path).await;
            assert_eq!(response.status(), 302, "{path}");
            assert_eq!(response.headers()["location"], page, "{path}");
        }
    }

    async fn the_cookie_is_out_of_reach_of_scripts_and_other_sites(server: Server) {
        let mut browser = Browser::new(&server);
        let page = browser.get("/ui/v1/signin").await;
        let cookie = page.header("set-cookie");
        for attribute in ["HttpOnly", "SameSite=Lax", "Path=/"] {
            assert!(cookie.contains(attribute), "{cookie}");
        }
        let before = browser.cookie.clone();
        browser.sign_in(ANA, PASSWORD).await;
        assert_ne!(before, browser.cookie, "signing in changes the cookie");
    }

    async fn a_link_with_a_code_leads_through_signing_in_to_the_filled_form(server: Server) {
        let device = Device::ask(&server, "accounts.read").await;
        let mut browser = Browser::new(&server);
        let page = browser.get(&format!("/ui/v1/device?user_code={}", device.user_code)).await;
        let signin = format!("/ui/v1/signin?user_code={}", device.user_code);
        assert_eq!((page.status, page.header("location")), (303, signin.as_str()));
        let page = browser.get(&signin).await;
        assert_eq!(page.field("user_code"), Some(device.user_code.as_str()));
        let fields = [
            ("username", ANA),
            ("password", PASSWORD),
            ("user_code", device.user_code.as_str()),
        ];
        let page = browser.submit("/ui/v1/signin", &fields).await;
        let back = format!("/ui/v1/device?user_code={}", device.user_code);
        assert_eq!((page.status, page.header("location")), (303, back.as_str()));
        let page = browser.get(&back).await;
        let (left, right) = device.user_code.split_at(4);
        assert_eq!(page.field("user_code"), Some(format!("{left}-{right}").as_str()));
        // Nothing was decided, or even looked up, by opening the link.
        assert_eq!(device.poll(&server).await.error(), (400, "authorization_pending"));
    }

    async fn a_link_cannot_lead_anywhere_else(server: Server) {
        let mut browser = Browser::new(&server);
        for code in ["https://evil.example", "//evil.example", "%0d%0aX:y", "BCDFGHJ\"><u"] {
            let page = browser.get(&format!("/ui/v1/device?user_code={code}")).await;
            assert_eq!((page.status, page.header("location")), (303, "/ui/v1/signin?to=device"));
            let page = browser.get(&format!("/ui/v1/signin?user_code={code}&next={code}")).await;
            assert!(!page.body.contains("evil") && !page.body.contains("<u"), "{}", page.body);
        }
        browser.sign_in(ANA, PASSWORD).await;
        let page = browser.submit("/ui/v1/device", &[("user_code", "\"><b>evil")]).await;
        assert_eq!(page.status, 400);
        assert!(!page.body.contains("<b>"), "{}", page.body);
    }

    async fn a_code_is_taken_however_it_is_typed(server: Server) {
        let device = Device::ask(&server, "accounts.read").await;
        let mut browser = Browser::signed_in(&server, ANA, PASSWORD).await;
        let (left, right) = device.user_code.split_at(4);
        let typed = format!(" {}-{} ", left.to_lowercase(), right);
        let page = browser.submit("/ui/v1/device", &[("user_code", &typed)]).await;
        assert_eq!(page.status, 200);
        for shown in ["Accord command line", "127.0.0.1", "ago", "organizations"] {
            let there = page.body.contains(shown) || shown == "ago" && page.body.contains("just now");
            assert!(there, "{shown}: {}", page.body);
        }
    }

    async fn a_wrong_code_is_a_message_on_the_page(server: Server) {
        let mut browser = Browser::signed_in(&server, ANA, PASSWORD).await;
        for code in ["BBBBBBBB", "", "AEIOU", "12345678"] {
            let page = browser.submit("/ui/v1/device", &[("user_code", code)]).await;
            assert_eq!(page.status, 400);
            assert!(page.body.contains("aria-invalid=\"true\""), "{}", page.body);
            assert!(page.body.contains("role=\"alert\""));
        }
    }

    async fn whoever_guesses_codes_has_to_wait(server: Server) {
        let device = Device::ask(&server, "accounts.read").await;
        let mut browser = Browser::signed_in(&server, ANA, PASSWORD).await;
        for _ in 0..5 {
            let page = browser.submit("/ui/v1/device", &[("user_code", "BBBBBBBB")]).await;
            assert_eq!(page.status, 400);
        }
        let right = [("user_code", device.user_code.as_str()), ("action", "approve")];
        let page = browser.submit("/ui/v1/device", &right).await;
        assert_eq!(page.status, 429);
        assert!(!page.header("retry-after").is_empty());
        // The user waits in every browser, and nobody else does, at the same address.
        let mut other = Browser::signed_in(&server, ANA, PASSWORD).await;
        assert_eq!(other.submit("/ui/v1/device", &right).await.status, 429);
        let mut other = Browser::signed_in(&server, BEN, PASSWORD).await;
        assert_eq!(other.submit("/ui/v1/device", &right[..1]).await.status, 200);
        server.advance(60);
        assert_eq!(browser.submit("/ui/v1/device", &right).await.status, 200);
    }

    async fn a_wrong_name_and_a_wrong_password_look_the_same(server: Server) {
        let mut browser = Browser::new(&server);
        browser.get("/ui/v1/signin").await;
        let mut bodies = Vec::new();
        for (username, password) in [(ANA, "wrong"), ("eve@north.example", PASSWORD)] {
            let fields = [("username", username), ("password", password)];
            let page = browser.submit("/ui/v1/signin", &fields).await;
            assert_eq!(page.status, 400);
            bodies.push(page.body.replace(username, ""));
        }
        assert_eq!(bodies[0], bodies[1]);
        assert_eq!(browser.get("/ui/v1/device").await.status, 303);
    }

    async fn whoever_guesses_passwords_has_to_wait(server: Server) {
        let mut browser = Browser::new(&server);
        browser.get("/ui/v1/signin").await;
        for _ in 0..10 {
            let fields = [("username", ANA), ("password", "wrong")];
            assert_eq!(browser.submit("/ui/v1/signin", &fields).await.status, 400);
        }
        let fields = [("username", ANA), ("password", PASSWORD)];
        assert_eq!(browser.submit("/ui/v1/signin", &fields).await.status, 429);
        server.advance(60);
        assert_eq!(browser.submit("/ui/v1/signin", &fields).await.status, 303);
    }

    async fn a_form_that_was_not_given_to_this_browser_is_refused(server: Server) {
        let device = Device::ask(&server, "accounts.read").await;
        let mut browser = Browser::signed_in(&server, ANA, PASSWORD).await;
        let mut attacker = Browser::new(&server);
        attacker.get("/ui/v1/signin").await;

        let fields = [("user_code", device.user_code.as_str()), ("action", "approve")];
        let own = browser.csrf_token.clone();
        for token in ["", "x", attacker.csrf_token.as_str()] {
            browser.csrf_token = token.to_owned();
            assert_eq!(browser.submit("/ui/v1/device", &fields).await.status, 403);
            assert_eq!(browser.submit("/ui/v1/signin", &fields).await.status, 403);
            assert_eq!(browser.submit("/ui/v1/signout", &fields).await.status, 403);
            assert_eq!(browser.submit("/ui/v1/password", &fields).await.status, 403);
        }
        for (name, value) in [
            ("origin", "https://evil.example"),
            ("sec-fetch-site", "cross-site"),
            ("sec-fetch-site", "same-site"),
        ] {
            let mut form = vec![("csrf_token", own.as_str())];
            form.extend(fields);
            let request = server.http().post(server.url("/ui/v1/device")).form(&form);
            assert_eq!(browser.send(request.header(name, value)).await.status, 403, "{name}");
        }
        assert_eq!(device.poll(&server).await.error(), (400, "authorization_pending"));
        browser.csrf_token = own;
        assert_eq!(browser.submit("/ui/v1/device", &fields).await.status, 200);
    }

    async fn a_page_is_shown_in_a_tab_and_not_to_a_script_of_another_page(server: Server) {
        let device = Device::ask(&server, "accounts.read").await;
        let mut browser = Browser::signed_in(&server, ANA, PASSWORD).await;
        let own = browser.csrf_token.clone();
        let form = [
            ("csrf_token", own.as_str()),
            ("user_code", device.user_code.as_str()),
            ("action", "approve"),
        ];
        for destination in ["empty", "iframe", "frame", "object", "embed", "image", "script", "style"] {
            for path in ["/ui/v1/account", "/ui/v1/device", "/ui/v1/signin", "/ui/v1/signout"] {
                let request = server.http().get(server.url(path));
                let request = request.header("sec-fetch-dest", destination);
                let page = browser.send(request).await;
                assert_eq!(page.status, 403, "{destination} {path}");
                assert!(!page.body.contains(own.as_str()), "{}", page.body);
            }
            let request = server.http().post(server.url("/ui/v1/device")).form(&form);
            let request = request.header("sec-fetch-dest", destination);
            assert_eq!(browser.send(request).await.status, 403, "{destination}");
        }
        assert_eq!(device.poll(&server).await.error(), (400, "authorization_pending"));
        let request = server.http().post(server.url("/ui/v1/device")).form(&form);
        let request = request.header("sec-fetch-dest", "document");
        assert_eq!(browser.send(request).await.status, 200);
    }

    async fn a_form_with_a_field_twice_or_of_another_type_is_refused(server: Server) {
        let mut browser = Browser::signed_in(&server, ANA, PASSWORD).await;
        let twice = [("user_code", "BBBBBBBB"), ("user_code", "CCCCCCCC")];
        assert_eq!(browser.submit("/ui/v1/device", &twice).await.status, 400);
        let request = server.http().post(server.url("/ui/v1/device")).body("x=y");
        let request = request.header("content-type", "text/plain");
        assert_eq!(browser.send(request).await.status, 400);
    }

    async fn a_form_that_is_too_large_is_answered_by_a_page(server: Server) {
        let mut browser = Browser::signed_in(&server, ANA, PASSWORD).await;
        let large = "x".repeat(600 << 10);
        let page = browser.submit("/ui/v1/device", &[("user_code", &large)]).await;
        assert_eq!((page.status, page.header("content-type")), (413, "text/html; charset=utf-8"));
        assert!(page.body.contains("This form is too large"), "{}", page.body);
    }

    async fn signing_out_ends_the_session_and_a_link_alone_does_not(server: Server) {
        let mut browser = Browser::signed_in(&server, ANA, PASSWORD).await;
        let page = browser.get("/ui/v1/signout").await;
        assert!(page.body.contains("Ana North"), "{}", page.body);
        assert_eq!(browser.get("/ui/v1/device").await.status, 200);
        browser.get("/ui/v1/signout").await;
        let page = browser.submit("/ui/v1/signout", &[]).await;
        assert!(page.body.contains("Signed out"), "{}", page.body);
        // Nor does the Back button show what was there.
        assert_eq!(page.header("clear-site-data"), "\"cache\"");
        assert_eq!(browser.get("/ui/v1/device").await.status, 303);
    }

    async fn a_session_ends_by_itself(server: Server) {
        let mut browser = Browser::signed_in(&server, ANA, PASSWORD).await;
        server.advance(28_800);
        assert_eq!(browser.get("/ui/v1/device").await.status, 303);
    }

    async fn a_link_of_a_mail_sets_a_password_once(server: Server) {
        let mut before = Browser::signed_in(&server, BEN, PASSWORD).await;
        let token = password_link(&server, "ben").await;
        let path = format!("/ui/v1/password?token={token}");
        let mut browser = Browser::new(&server);
        let page = browser.get(&path).await;
        assert_eq!(page.status, 200);
        assert!(page.body.contains(BEN), "{}", page.body);
        let send = async |browser: &mut Browser, password: &str, again: &str| {
            let fields = [("token", token.as_str()), ("password", password), ("again", again)];
            browser.submit("/ui/v1/password", &fields).await
        };
        assert_eq!(send(&mut browser, "short", "short").await.status, 400);
        assert_eq!(send(&mut browser, "a new passphrase", "another one").await.status, 400);
        assert_eq!(send(&mut browser, BEN, BEN).await.status, 400);
        let page = send(&mut browser, "a new passphrase", "a new passphrase").await;
        assert!(page.body.contains("Password set"), "{}", page.body);
        assert_eq!(page.header("clear-site-data"), "\"cache\"");

        // Whoever was signed in with the old one is not any more.
        assert_eq!(before.get("/ui/v1/device").await.status, 303);
        Browser::new(&server).sign_in(BEN, "a new passphrase").await;
        assert_eq!(browser.get(&path).await.status, 400);
        let page = send(&mut browser, "yet another phrase", "yet another phrase").await;
        assert_eq!(page.status, 400);
    }

    async fn a_link_that_nobody_was_sent_or_that_is_too_old_sets_nothing(server: Server) {
        let mut browser = Browser::new(&server);
        for path in ["/ui/v1/password", "/ui/v1/password?token=x"] {
            assert_eq!(browser.get(path).await.status, 400);
        }
        let token = password_link(&server, "ben").await;
        server.advance(72 * 3600);
        assert_eq!(browser.get(&format!("/ui/v1/password?token={token}")).await.status, 400);
    }

    async fn a_user_without_a_password_cannot_sign_in(server: Server) {
        let write = |tx: &mut accord_server::store::Tx<'_>| {
            tx.execute("UPDATE hub_users SET password_hash = NULL", &[])
        };
        server.write(write).await;
        let mut browser = Browser::new(&server);
        browser.get("/ui/v1/signin").await;
        for password in [PASSWORD, "", "null"] {
            let fields = [("username", ANA), ("password", password)];
            assert_eq!(browser.submit("/ui/v1/signin", &fields).await.status, 400);
        }
    }
}
