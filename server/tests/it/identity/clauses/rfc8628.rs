//! RFC 8628: the device authorization grant.

use accord_server::identity::demo;

use super::super::browser::Browser;
use super::super::client::{
    ANA, DEVICE_CODE, Device, PASSWORD, WEB, answer, organizations, post, post_as, register,
};
use super::{DEVICE, TOKEN, clauses, post_raw};
use crate::harness::both_databases;

clauses! {
    /// RFC 8628, section 3.1, REQUIRED: a client that does not authenticate sends
    /// `client_id`; the server rejects a request without it.
    async fn a_device_request_names_its_client(server: Server) {
        let answer = post(&server, DEVICE, &[("scope", "accounts.read")]).await;
        assert_eq!(answer.error(), (400, "invalid_request"));
        assert_eq!(post(&server, DEVICE, &[("client_id", demo::PUBLIC)]).await.status, 200);
    }

    /// RFC 8628, section 3.1, MUST: a parameter without a value counts as omitted.
    async fn an_empty_parameter_of_a_device_request_is_none(server: Server) {
        let answer = post(&server, DEVICE, &[("client_id", ""), ("scope", "")]).await;
        assert_eq!(answer.error(), (400, "invalid_request"));
        let form = [("client_id", demo::PUBLIC), ("scope", ""), ("client_assertion", "")];
        assert_eq!(post(&server, DEVICE, &form).await.status, 200);
    }

    /// RFC 8628, section 3.1, MUST: parameters that the server does not know are
    /// ignored.
    async fn an_unknown_parameter_of_a_device_request_is_ignored(server: Server) {
        let form = [("client_id", demo::PUBLIC), ("acr_values", "x"), ("x-y", "z")];
        assert_eq!(post(&server, DEVICE, &form).await.status, 200);
    }

    /// RFC 8628, section 3.1, MUST NOT: a request has each parameter at most once.
    async fn a_device_request_has_each_parameter_once(server: Server) {
        for twice in ["client_id=accord-cli", "scope=accounts.read", "response_type=device_code"] {
            let body = format!("client_id=accord-cli&scope=accounts.read\
                &response_type=device_code&{twice}");
            let answer = post_raw(&server, DEVICE, &body).await;
            assert_eq!(answer.error(), (400, "invalid_request"), "{twice}");
        }
    }

    /// RFC 8628, section 3.1, MUST NOT: a response has each parameter at most once.
    async fn a_device_answer_has_each_parameter_once(server: Server) {
        let request = server.http().post(server.url(DEVICE));
        let text = request.form(&[("client_id", demo::PUBLIC)]).send().await.unwrap();
        let text = text.text().await.unwrap();
        for name in ["device_code", "user_code", "verification_uri", "expires_in", "interval"] {
            assert_eq!(text.matches(&format!("\"{name}\":")).count(), 1, "{name}: {text}");
        }
    }

    /// RFC 8628, section 3.1, MUST: requests are POST with a form.
    async fn a_device_request_is_a_form_that_is_posted(server: Server) {
        let get = server.http().get(server.url("/oauth2/v1/device?client_id=accord-cli"));
        assert_eq!(answer(get).await.status, 405);
        let json = server.http().post(server.url(DEVICE));
        let json = json.json(&serde_json::json!({ "client_id": demo::PUBLIC }));
        assert_eq!(answer(json).await.error(), (400, "invalid_request"));
    }

    /// RFC 8628, section 3.2, REQUIRED: the response is 200 with JSON that has
    /// `device_code`, `user_code`, `verification_uri` and `expires_in`.
    async fn a_device_answer_has_the_required_members(server: Server) {
        let answer = post(&server, DEVICE, &[("client_id", demo::PUBLIC)]).await;
        assert_eq!(answer.status, 200);
        assert!(answer.header("content-type").starts_with("application/json"));
        for name in ["device_code", "user_code", "verification_uri"] {
            assert!(!answer.text(name).is_empty(), "{name}");
        }
        assert!(answer.body["expires_in"].as_i64().unwrap() > 0);
    }

    /// RFC 8628, section 3.2, OPTIONAL: `interval` is a number of seconds; the response
    /// always has it, so that no client assumes one.
    async fn the_interval_is_always_sent(server: Server) {
        let answer = post(&server, DEVICE, &[("client_id", demo::PUBLIC)]).await;
        assert_eq!(answer.body["interval"], 5);
    }

    /// RFC 8628, section 3.2, as 6749: errors have the form of token errors.
    async fn an_error_of_a_device_request_has_the_form_of_token_errors(server: Server) {
        let answer = post(&server, DEVICE, &[("client_id", "nobody")]).await;
        assert_eq!(answer.error(), (401, "invalid_client"));
        assert!(answer.header("content-type").starts_with("application/json"));
        assert_eq!(answer.header("cache-control"), "no-store");
        let names: Vec<_> = answer.body.as_object().unwrap().keys().collect();
        assert_eq!(names, ["error", "error_description"]);
    }

    /// RFC 8628, section 3.3, SHOULD: the page shows the user the client and the scope, and
    /// asks to approve or deny.
    async fn the_user_is_asked_about_what_the_device_wants(server: Server) {
        let device = Device::ask(&server, "accounts.read").await;
        let mut browser = Browser::signed_in(&server, ANA, PASSWORD).await;
        let page = browser.submit("/ui/v1/device", &[("user_code", &device.user_code)]).await;
        for shown in ["Accord command line", "organizations", "approve", "deny"] {
            assert!(page.body.contains(shown), "{shown}: {}", page.body);
        }
    }

    /// RFC 8628, section 3.3, NOT RECOMMENDED: the verification URI that users type does
    /// not have the code.
    async fn the_verification_uri_does_not_hold_the_code(server: Server) {
        let answer = post(&server, DEVICE, &[("client_id", demo::PUBLIC)]).await;
        let (uri, code) = (answer.text("verification_uri"), answer.text("user_code"));
        assert!(!uri.contains(code) && !uri.contains('?'), "{uri}");
    }

    /// RFC 8628, section 3.3.1, SHOULD: the page of the complete URI shows the code, to
    /// compare it with that of the device, and following the URI decides nothing.
    async fn the_complete_uri_shows_the_code_and_decides_nothing(server: Server) {
        let answer = post(&server, DEVICE, &[("client_id", demo::PUBLIC)]).await;
        let complete = answer.text("verification_uri_complete");
        let path = complete.strip_prefix(&server.url("")).unwrap().to_owned();
        let mut browser = Browser::signed_in(&server, ANA, PASSWORD).await;
        let page = browser.get(&path).await;
        let (left, right) = answer.text("user_code").split_at(4);
        assert!(page.body.contains(&format!("{left}-{right}")), "{}", page.body);
        let form = [
            ("grant_type", DEVICE_CODE),
            ("device_code", answer.text("device_code")),
            ("client_id", demo::PUBLIC),
        ];
        assert_eq!(post(&server, TOKEN, &form).await.error(), (400, "authorization_pending"));
    }

    /// RFC 8628, section 3.4, REQUIRED: `grant_type` is the URN of the device grant,
    /// compared character by character.
    async fn the_grant_type_is_the_urn_of_the_device_grant(server: Server) {
        let device = Device::ask(&server, "accounts.read").await;
        let client = ("client_id", demo::PUBLIC);
        let code = ("device_code", device.device_code.as_str());
        let answer = post(&server, TOKEN, &[client, code]).await;
        assert_eq!(answer.error(), (400, "invalid_request"));
        for other in ["device_code", "URN:ietf:params:oauth:grant-type:device_code"] {
            let answer = post(&server, TOKEN, &[client, code, ("grant_type", other)]).await;
            assert_eq!(answer.error(), (400, "unsupported_grant_type"), "{other}");
        }
    }

    /// RFC 8628, section 3.4, REQUIRED: `device_code` is that of the device authorization.
    async fn a_poll_has_the_device_code(server: Server) {
        let form = [("grant_type", DEVICE_CODE), ("client_id", demo::PUBLIC)];
        assert_eq!(post(&server, TOKEN, &form).await.error(), (400, "invalid_request"));
        let form = [form[0], form[1], ("device_code", "made-up")];
        assert_eq!(post(&server, TOKEN, &form).await.error(), (400, "invalid_grant"));
    }

    /// RFC 8628, section 3.4, REQUIRED: a client that does not authenticate sends
    /// `client_id` when it polls.
    async fn a_poll_names_its_client(server: Server) {
        let device = Device::ask(&server, "accounts.read").await;
        assert_eq!(device.poll_with(&server, &[]).await.error(), (401, "invalid_client"));
        let answer = device.poll(&server).await;
        assert_eq!(answer.error(), (400, "authorization_pending"));
    }

    /// RFC 8628, section 3.4, MUST: a client with credentials authenticates when it polls.
    async fn a_client_with_credentials_authenticates_to_poll(server: Server) {
        let device = Device::ask_as(&server, demo::CONFIDENTIAL, "accounts.read").await;
        device.approve(&server).await;
        assert_eq!(device.poll(&server).await.error(), (401, "invalid_client"));
        assert_eq!(post_as(&server, WEB, TOKEN, &device.form(&[])).await.status, 200);
    }

    /// RFC 8628, section 3.4, as 6749: a device code is valid for the client that it was
    /// issued to, and for no other.
    async fn a_device_code_is_bound_to_its_client(server: Server) {
        register(&server, |client| client.id = "clauses-other".into()).await;
        let device = Device::ask(&server, "accounts.read").await;
        device.approve(&server).await;
        let foreign = device.poll_with(&server, &[("client_id", "clauses-other")]).await;
        assert_eq!(foreign.error(), (400, "invalid_grant"));
        assert_eq!(device.poll(&server).await.status, 200);
    }

    /// RFC 8628, section 3.5, as 6749: a poll of an approved request gets a token, as any
    /// other grant does.
    async fn an_approved_request_gives_a_token(server: Server) {
        let device = Device::ask(&server, "accounts.read").await;
        device.approve(&server).await;
        let answer = device.poll(&server).await;
        assert_eq!((answer.status, answer.text("token_type")), (200, "Bearer"));
        assert!(!answer.text("access_token").is_empty());
    }

    /// RFC 8628, section 3.5, as defined: until the user decides, the error is
    /// `authorization_pending`.
    async fn an_undecided_request_is_pending(server: Server) {
        let device = Device::ask(&server, "accounts.read").await;
        assert_eq!(device.poll(&server).await.error(), (400, "authorization_pending"));
    }

    /// RFC 8628, section 3.5, as defined: after the user has denied the request, the error
    /// is `access_denied`.
    async fn a_denied_request_is_denied(server: Server) {
        let device = Device::ask(&server, "accounts.read").await;
        let mut browser = Browser::signed_in(&server, ANA, PASSWORD).await;
        browser.decide(&device.user_code, "deny").await;
        assert_eq!(device.poll(&server).await.error(), (400, "access_denied"));
    }

    /// RFC 8628, section 4, as defined: the metadata names the endpoint and the grant.
    async fn the_metadata_declares_the_device_grant(server: Server) {
        let metadata = server.get("/.well-known/oauth-authorization-server").await;
        let metadata: serde_json::Value = metadata.json().await.unwrap();
        assert_eq!(metadata["device_authorization_endpoint"], server.url(DEVICE));
        let grants = metadata["grant_types_supported"].as_array().unwrap();
        assert!(grants.contains(&DEVICE_CODE.into()), "{grants:?}");
    }

    /// RFC 8628, section 5.1, SHOULD: user codes have enough entropy for the limits on
    /// guessing: there are 20^8, and no two are equal.
    async fn user_codes_are_random_letters_of_a_large_enough_set(server: Server) {
        let mut seen = std::collections::BTreeSet::new();
        for _ in 0..8 {
            let code = Device::ask(&server, "accounts.read").await.user_code;
            assert!(code.len() == 8 && code.chars().all(|c| "BCDFGHJKLMNPQRSTVWXZ".contains(c)));
            assert!(seen.insert(code));
        }
    }

    /// RFC 8628, section 5.2, SHOULD: device codes, which nobody types, have 256 random
    /// bits.
    async fn device_codes_have_256_bits(server: Server) {
        let mut seen = std::collections::BTreeSet::new();
        for _ in 0..8 {
            let code = Device::ask(&server, "accounts.read").await.device_code;
            assert_eq!(code.len(), 43);
            assert!(seen.insert(code));
        }
    }

    /// RFC 8628, section 5.4, RECOMMENDED: the page warns the user that a device will be
    /// connected, and asks whether it is the user's own.
    async fn the_user_is_told_to_compare_the_code(server: Server) {
        let device = Device::ask(&server, "accounts.read").await;
        let mut browser = Browser::signed_in(&server, ANA, PASSWORD).await;
        let page = browser.submit("/ui/v1/device", &[("user_code", &device.user_code)]).await;
        let (left, right) = device.user_code.split_at(4);
        assert!(page.body.contains(&format!("{left}-{right}")), "{}", page.body);
        assert!(page.body.contains("127.0.0.1") && page.body.contains("your device"));
    }

    /// RFC 8628, section 6.1, SHOULD: the server compares codes without regard to case, and
    /// without characters between the letters.
    async fn a_user_code_is_taken_however_it_is_typed(server: Server) {
        let mut browser = Browser::signed_in(&server, ANA, PASSWORD).await;
        let device = Device::ask(&server, "accounts.read").await;
        let lower = device.user_code.to_lowercase();
        let (left, right) = lower.split_at(4);
        for typed in [lower.clone(), format!("{left}-{right}"), format!(" {left} . {right}")] {
            let page = browser.submit("/ui/v1/device", &[("user_code", &typed)]).await;
            assert_eq!(page.status, 200, "{typed}");
        }
    }
}

both_databases! {
    /// RFC 8628, section 3.2, as defined: both codes are valid for `expires_in` seconds and
    /// not longer.
    async fn codes_live_as_long_as_they_are_said_to(server: Server) {
        let devices = [
            Device::ask(&server, "accounts.read").await,
            Device::ask(&server, "accounts.read").await,
        ];
        server.advance(290);
        devices[0].approve(&server).await;
        assert_eq!(devices[0].poll(&server).await.status, 200);
        server.advance(10);
        let mut browser = Browser::signed_in(&server, ANA, PASSWORD).await;
        let fields = [("user_code", devices[1].user_code.as_str()), ("action", "approve")];
        assert_eq!(browser.submit("/ui/v1/device", &fields).await.status, 400);
    }

    /// RFC 8628, section 3.5, MUST: `slow_down` makes the interval five seconds
    /// longer, for this and all later polls.
    async fn slow_down_adds_five_seconds_for_good(server: Server) {
        let device = Device::ask(&server, "accounts.read").await;
        assert_eq!(device.poll(&server).await.error(), (400, "authorization_pending"));
        server.advance(2);
        assert_eq!(device.poll(&server).await.error(), (400, "slow_down"));
        server.advance(10);
        assert_eq!(device.poll(&server).await.error(), (400, "authorization_pending"));
        server.advance(7);
        assert_eq!(device.poll(&server).await.error(), (400, "slow_down"));
        server.advance(15);
        assert_eq!(device.poll(&server).await.error(), (400, "authorization_pending"));
    }

    /// RFC 8628, section 3.5, as defined: after the code has expired, the error is
    /// `expired_token`.
    async fn an_expired_request_is_expired(server: Server) {
        let device = Device::ask(&server, "accounts.read").await;
        server.advance(300);
        assert_eq!(device.poll(&server).await.error(), (400, "expired_token"));
    }

    /// RFC 8628, section 5.1, SHOULD: the server limits guesses at user codes.
    async fn guesses_at_user_codes_are_limited(server: Server) {
        let mut browser = Browser::signed_in(&server, ANA, PASSWORD).await;
        let mut guesses = Vec::new();
        for _ in 0..6 {
            let page = browser.submit("/ui/v1/device", &[("user_code", "BBBBBBBB")]).await;
            guesses.push(page.status);
        }
        assert_eq!(guesses, [400, 400, 400, 400, 400, 429]);
    }

    /// RFC 8628, section 5.1, as 6749: a code gives one token, and its reuse revokes this
    /// token.
    async fn a_device_code_is_good_once(server: Server) {
        let device = Device::ask(&server, "accounts.read").await;
        device.approve(&server).await;
        let answer = device.poll(&server).await;
        let token = answer.text("access_token");
        assert_eq!(device.poll(&server).await.error(), (400, "invalid_grant"));
        assert_eq!(organizations(&server, token).await, 401);
    }
}
