//! RFC 6749, section 10: secrets, and whoever is after them.

use std::collections::BTreeSet;

use accord_server::audit::AuditContext;
use accord_server::identity::clients::{Kind, secret_of};
use accord_server::identity::demo;
use accord_server::identity::registry::{Proof, register};
use accord_server::store::Tx;

use super::super::browser::Browser;
use super::super::client::{ANA, Device, PASSWORD, WEB, organizations, post_as, tokens};
use super::super::tokens::refresh;
use super::{REVOKE, TOKEN, clauses};
use crate::harness::both_databases;

clauses! {
    /// RFC 6749, section 10.1, MUST NOT: a public client gets no secret, because it cannot
    /// protect one.
    async fn a_public_client_is_given_no_secret(server: Server) {
        let app = server.app().clone();
        let outcome = server.app().store.write(move |tx: &mut Tx<'_>| {
            let by = AuditContext::of_operator(&app.server_keys, "tests", 0);
            let mut client = accord_server::identity::clients::Client::load(tx, demo::PUBLIC)?
                .expect("the demo's");
            client.id = "clauses-native".into();
            assert_eq!(client.kind, Kind::Public);
            register(tx, &by, &client, &Proof::Secret("a secret".into()))
        });
        let error = outcome.await.unwrap_err();
        assert_eq!(error.to_string(), "a public client has no credentials");
    }

    /// RFC 6749, section 10.2, MUST: the server authenticates every client that has
    /// credentials, before it issues anything.
    async fn whoever_can_be_authenticated_is(server: Server) {
        let device = Device::ask_as(&server, demo::CONFIDENTIAL, "accounts.read").await;
        device.approve(&server).await;
        for credentials in [(demo::CONFIDENTIAL, ""), (demo::CONFIDENTIAL, "guess")] {
            let answer = post_as(&server, credentials, TOKEN, &device.form(&[])).await;
            assert_eq!(answer.error(), (401, "invalid_client"));
        }
        assert_eq!(post_as(&server, WEB, TOKEN, &device.form(&[])).await.status, 200);
    }

    /// RFC 6749, section 10.2, SHOULD: the user authenticates, and the page shows the
    /// client and the scope.
    async fn the_user_signs_in_and_is_told_who_asks(server: Server) {
        let device = Device::ask(&server, "accounts.read").await;
        let mut browser = Browser::new(&server);
        let fields = [("user_code", device.user_code.as_str()), ("action", "approve")];
        browser.get("/ui/v1/signin").await;
        let page = browser.submit("/ui/v1/device", &fields).await;
        assert_eq!(page.status, 303, "nobody is signed in");
        browser.sign_in(ANA, PASSWORD).await;
        let page = browser.submit("/ui/v1/device", &fields[..1]).await;
        assert!(page.body.contains("Accord command line"), "{}", page.body);
        assert_eq!(device.poll(&server).await.error(), (400, "authorization_pending"));
    }

    /// RFC 6749, section 10.3, MUST: nobody else can create, change or guess an access
    /// token.
    async fn access_tokens_cannot_be_made_or_changed(server: Server) {
        let answer = tokens(&server, "accounts.read").await;
        let token = answer.text("access_token");
        for at in [2, token.len() / 2, token.len() - 2] {
            let mut changed = token.to_owned();
            let other = if &token[at..=at] == "A" { "B" } else { "A" };
            changed.replace_range(at..=at, other);
            assert_eq!(organizations(&server, &changed).await, 401, "{at}");
        }
        let (message, _) = token.rsplit_once('.').unwrap();
        assert_eq!(organizations(&server, &format!("{message}.")).await, 401);
    }

    /// RFC 6749, section 10.4, MUST: the server stores the client of a refresh token, and
    /// verifies it.
    async fn a_stolen_refresh_token_is_of_no_use_to_another_client(server: Server) {
        let answer = tokens(&server, "accounts.read offline_access").await;
        let token = answer.text("refresh_token");
        for _ in 0..2 {
            let form = [("grant_type", "refresh_token"), ("refresh_token", token)];
            let stolen = post_as(&server, WEB, TOKEN, &form).await;
            assert_eq!(stolen.error(), (400, "invalid_grant"));
        }
        assert_eq!(refresh(&server, token, &[]).await.status, 200);
    }

    /// RFC 6749, section 10.4, SHOULD: the server detects the abuse of a refresh token of a
    /// client that cannot authenticate. Each is valid once, and its reuse revokes all
    /// tokens of the approval. A client may repeat its last refresh within 30 seconds.
    async fn a_refresh_token_that_is_used_twice_is_taken_for_stolen(server: Server) {
        let first = tokens(&server, "accounts.read offline_access").await;
        let second = refresh(&server, first.text("refresh_token"), &[]).await;
        let third = refresh(&server, second.text("refresh_token"), &[]).await;
        let reused = refresh(&server, first.text("refresh_token"), &[]).await;
        assert_eq!(reused.error(), (400, "invalid_grant"));
        let next = refresh(&server, third.text("refresh_token"), &[]).await;
        assert_eq!(next.error(), (400, "invalid_grant"));
        assert_eq!(organizations(&server, third.text("access_token")).await, 401);
    }

    /// RFC 6749, section 10.4, MUST: nobody else can create or guess a refresh token.
    async fn refresh_tokens_cannot_be_guessed(server: Server) {
        let answer = tokens(&server, "accounts.read offline_access").await;
        let token = answer.text("refresh_token");
        assert_eq!(token.len(), 3 + 43);
        let other = if token.ends_with('A') { "B" } else { "A" };
        let changed = format!("{}{other}", &token[..token.len() - 1]);
        assert_eq!(refresh(&server, &changed, &[]).await.error(), (400, "invalid_grant"));
    }

    /// RFC 6749, section 10.10, MUST: the probability of guessing a generated secret is
    /// 2^-128 at most; each has 256 random bits.
    async fn generated_secrets_have_256_bits(server: Server) {
        let random = &server.app().random;
        let mut seen = BTreeSet::new();
        for _ in 0..4 {
            let device = Device::ask(&server, "accounts.read").await;
            let secret = secret_of(&random.bytes());
            let (prefix, secret) = secret.split_at(3);
            assert_eq!((prefix, secret.len(), device.device_code.len()), ("cs_", 43, 43));
            assert!(seen.insert(secret.to_owned()) && seen.insert(device.device_code));
        }
    }

    /// RFC 6749, section 10.12, MUST: a decision needs the user: a form that another site
    /// sends has no effect.
    async fn a_forged_form_decides_nothing(server: Server) {
        let device = Device::ask(&server, "accounts.read").await;
        let mut browser = Browser::signed_in(&server, ANA, PASSWORD).await;
        let fields = [("user_code", device.user_code.as_str()), ("action", "approve")];
        for token in ["", "guess"] {
            browser.csrf_token = token.into();
            assert_eq!(browser.submit("/ui/v1/device", &fields).await.status, 403);
        }
        assert_eq!(device.poll(&server).await.error(), (400, "authorization_pending"));
    }

    /// RFC 6749, section 10.13, SHOULD: the pages forbid frames.
    async fn the_pages_cannot_be_framed(server: Server) {
        let page = Browser::new(&server).get("/ui/v1/signin").await;
        assert_eq!(page.header("x-frame-options"), "DENY");
        assert!(page.header("content-security-policy").contains("frame-ancestors 'none'"));
    }

    /// RFC 6749, section 10.14, MUST: the pages escape all values of requests.
    async fn what_was_sent_is_not_shown_as_markup(server: Server) {
        let mut browser = Browser::signed_in(&server, ANA, PASSWORD).await;
        let typed = "\"><script>x</script>";
        let page = browser.submit("/ui/v1/device", &[("user_code", typed)]).await;
        assert!(!page.body.contains("<script"), "{}", page.body);
        let page = browser.get("/ui/v1/device?user_code=%22%3E%3Cscript%3E").await;
        assert!(!page.body.contains("<script"), "{}", page.body);
    }

    /// RFC 6749, section 10.15, SHOULD: no request makes the server redirect a browser to
    /// another site.
    async fn no_parameter_leads_elsewhere(server: Server) {
        for name in ["user_code", "next", "redirect_uri", "return_to"] {
            let path = format!("/ui/v1/device?{name}=https://evil.example");
            let page = Browser::new(&server).get(&path).await;
            assert_eq!((page.status, page.header("location")), (303, "/ui/v1/signin?to=device"));
        }
    }
}

both_databases! {
    /// RFC 6749, section 2.3.1, MUST: secrets of clients cannot be guessed: each has 256
    /// random bits, every guess gets the same error, and the right secret still works.
    async fn guessing_a_client_secret_is_hopeless(server: Server) {
        let mut told = BTreeSet::new();
        for guess in 0..50 {
            let credentials = (demo::CONFIDENTIAL, format!("cs_{guess:043}"));
            let credentials = (credentials.0, credentials.1.as_str());
            let answer = post_as(&server, credentials, REVOKE, &[("token", "x")]).await;
            assert_eq!(answer.error(), (401, "invalid_client"));
            told.insert(answer.body.to_string());
        }
        assert_eq!(told.len(), 1, "{told:?}");
        assert_eq!(post_as(&server, WEB, REVOKE, &[("token", "x")]).await.status, 200);
    }

    /// RFC 6749, section 10.10, MUST: other means protect what users type: the server
    /// throttles attempts at passwords and codes.
    async fn what_people_type_is_throttled(server: Server) {
        let mut browser = Browser::new(&server);
        browser.get("/ui/v1/signin").await;
        let wrong = [("username", ANA), ("password", "a guess")];
        for _ in 0..10 {
            assert_eq!(browser.submit("/ui/v1/signin", &wrong).await.status, 400);
        }
        let right = [("username", ANA), ("password", PASSWORD)];
        assert_eq!(browser.submit("/ui/v1/signin", &right).await.status, 429);
    }
}
