//! The device grant: what a device is told while its user thinks (RFC 8628).

use accord_server::identity::demo;
use accord_server::identity::quota::RESERVE;

use super::browser::Browser;
use super::client::{ANA, Device, PASSWORD, organizations, post, post_as, register, tokens};
use super::commands::{done, json};
use crate::harness::{Server, both_databases};

both_databases! {
    async fn a_device_is_approved_with_a_browser_and_gets_a_token(server: Server) {
        let device = Device::ask(&server, "accounts.read offline_access").await;
        assert_eq!(device.poll(&server).await.error(), (400, "authorization_pending"));

        device.approve(&server).await;
        let answer = device.poll(&server).await;
        assert_eq!(answer.status, 200);
        assert_eq!(answer.text("token_type"), "Bearer");
        assert_eq!(answer.body["expires_in"], 3600);
        assert_eq!(answer.text("scope"), "accounts.read offline_access");
        assert!(answer.text("refresh_token").starts_with("rt_"));
        assert_eq!(answer.header("cache-control"), "no-store");
        assert_eq!(answer.header("pragma"), "no-cache");
        assert_eq!(organizations(&server, answer.text("access_token")).await, 200);
    }

    async fn the_device_gets_its_codes_with_where_and_how_long(server: Server) {
        let form = [("response_type", "device_code"), ("client_id", demo::PUBLIC)];
        let answer = post(&server, "/oauth2/v1/device", &form).await;
        assert_eq!(answer.status, 200);
        assert_eq!(answer.body["expires_in"], 300);
        assert_eq!(answer.body["interval"], 5);
        assert_eq!(answer.text("verification_uri"), server.url("/ui/v1/device"));
        assert_eq!(
            answer.text("verification_uri_complete"),
            server.url(&format!("/ui/v1/device?user_code={}", answer.text("user_code")))
        );
        assert_eq!(answer.header("cache-control"), "no-store");
    }

    async fn a_client_of_rfc_8628_need_not_send_a_response_type(server: Server) {
        let answer = post(&server, "/oauth2/v1/device", &[("client_id", demo::PUBLIC)]).await;
        assert_eq!(answer.status, 200);
        let form = [("response_type", "code"), ("client_id", demo::PUBLIC)];
        let answer = post(&server, "/oauth2/v1/device", &form).await;
        assert_eq!(answer.error(), (400, "unsupported_response_type"));
    }

    async fn a_device_that_polls_too_early_is_slowed_down_for_good(server: Server) {
        let device = Device::ask(&server, "accounts.read").await;
        assert_eq!(device.poll(&server).await.error(), (400, "authorization_pending"));
        let answer = device.poll(&server).await;
        assert_eq!(answer.error(), (400, "slow_down"));
        assert!(answer.text("error_description").contains("10 seconds"), "{answer:?}");
        // More than the interval before, and less than the present one.
        server.advance(7);
        assert_eq!(device.poll(&server).await.error(), (400, "slow_down"));
        server.advance(15);
        assert_eq!(device.poll(&server).await.error(), (400, "authorization_pending"));
        server.advance(12);
        assert_eq!(device.poll(&server).await.error(), (400, "slow_down"));
    }

    async fn an_approved_device_is_not_slowed_down(server: Server) {
        let device = Device::ask(&server, "accounts.read").await;
        device.poll(&server).await;
        device.approve(&server).await;
        assert_eq!(device.poll(&server).await.status, 200);
    }

    async fn a_denied_device_is_told_so_for_as_long_as_it_asks(server: Server) {
        let device = Device::ask(&server, "accounts.read").await;
        let mut browser = Browser::signed_in(&server, ANA, PASSWORD).await;
        let page = browser.decide(&device.user_code, "deny").await;
        assert!(page.body.contains("Request denied"), "{}", page.body);
        for _ in 0..2 {
            assert_eq!(device.poll(&server).await.error(), (400, "access_denied"));
        }
    }

    async fn a_decision_that_is_sent_twice_is_one_decision(server: Server) {
        let device = Device::ask(&server, "accounts.read").await;
        let (mut browser, mut other) = (Browser::new(&server), Browser::new(&server));
        browser.sign_in(ANA, PASSWORD).await;
        other.sign_in("ben@north.example", PASSWORD).await;
        browser.decide(&device.user_code, "approve").await;
        let approve = [("user_code", device.user_code.as_str()), ("action", "approve")];
        // More often than wrong codes are allowed.
        for _ in 0..6 {
            let page = browser.submit("/ui/v1/device", &approve).await;
            assert!(page.status == 200 && page.body.contains("Device approved"), "{}", page.body);
        }
        assert_eq!(other.submit("/ui/v1/device", &approve).await.status, 400);
        let deny = [approve[0], ("action", "deny")];
        assert_eq!(browser.submit("/ui/v1/device", &deny).await.status, 400);
        let listed = json(&server, &["audit", "list", "--action", "identity.grant."]).await;
        assert_eq!(listed.as_array().unwrap().len(), 1, "{listed}");
        assert_eq!(device.poll(&server).await.status, 200);
        assert_eq!(browser.submit("/ui/v1/device", &approve).await.status, 400);
    }

    async fn a_device_whose_user_was_too_slow_is_told_that_its_code_has_expired(server: Server) {
        let device = Device::ask(&server, "accounts.read").await;
        let approved = Device::ask(&server, "accounts.read").await;
        approved.approve(&server).await;
        server.advance(300);
        assert_eq!(device.poll(&server).await.error(), (400, "expired_token"));
        assert_eq!(approved.poll(&server).await.error(), (400, "expired_token"));

        let mut browser = Browser::signed_in(&server, ANA, PASSWORD).await;
        let fields = [("user_code", device.user_code.as_str()), ("action", "approve")];
        let page = browser.submit("/ui/v1/device", &fields).await;
        assert_eq!(page.status, 400);
        assert_eq!(device.poll(&server).await.error(), (400, "expired_token"));
    }

    async fn of_many_exchanges_at_once_one_gets_the_token(server: Server) {
        let device = Device::ask(&server, "accounts.read").await;
        device.approve(&server).await;
        let polls = (0..8).map(|_| device.poll(&server));
        let answers = futures::future::join_all(polls).await;
        let won = answers.iter().filter(|answer| answer.status == 200).count();
        assert_eq!(won, 1, "{answers:?}");
        for answer in answers.iter().filter(|answer| answer.status != 200) {
            assert_eq!(answer.error(), (400, "invalid_grant"));
        }
    }

    async fn a_device_code_is_of_use_to_its_own_client_only(server: Server) {
        register(&server, |_| {}).await;
        let device = Device::ask(&server, "accounts.read").await;
        device.approve(&server).await;
        let foreign = device.poll_with(&server, &[("client_id", "another")]).await;
        assert_eq!(foreign.error(), (400, "invalid_grant"));
        assert_eq!(device.poll(&server).await.status, 200);
    }

    async fn a_code_can_be_decided_once(server: Server) {
        let device = Device::ask(&server, "accounts.read").await;
        device.approve(&server).await;
        let mut browser = Browser::signed_in(&server, ANA, PASSWORD).await;
        let fields = [("user_code", device.user_code.as_str()), ("action", "deny")];
        assert_eq!(browser.submit("/ui/v1/device", &fields).await.status, 400);
        assert_eq!(device.poll(&server).await.status, 200);
    }

    async fn a_request_of_a_disabled_client_is_not_decided(server: Server) {
        let device = Device::ask(&server, "accounts.read").await;
        let mut browser = Browser::signed_in(&server, ANA, PASSWORD).await;
        done(&server, &["clients", "disable", demo::PUBLIC]).await;
        // The page with the buttons may have been opened before.
        for action in ["continue", "approve", "deny"] {
            let fields = [("user_code", device.user_code.as_str()), ("action", action)];
            assert_eq!(browser.submit("/ui/v1/device", &fields).await.status, 400, "{action}");
        }
        assert_eq!(device.poll(&server).await.error(), (401, "invalid_client"));
        done(&server, &["clients", "enable", demo::PUBLIC]).await;
        assert_eq!(device.poll(&server).await.error(), (400, "authorization_pending"));
    }

    async fn scopes_are_what_is_asked_for_and_allowed(server: Server) {
        register(&server, |_| {}).await;
        let ask = async |scope: &str| {
            post(&server, "/oauth2/v1/device", &[("client_id", "another"), ("scope", scope)]).await
        };
        assert_eq!(ask("patterns.read").await.error(), (400, "invalid_scope"));
        assert_eq!(ask("offline_access").await.error(), (400, "invalid_scope"));
        assert_eq!(ask("accounts.read  patterns.read").await.error(), (400, "invalid_scope"));

        let device = Device::ask_as(&server, "another", "accounts.read patterns.write x").await;
        device.approve(&server).await;
        let answer = device.poll(&server).await;
        assert_eq!(answer.text("scope"), "accounts.read");
        assert_eq!(answer.body["expires_in"], 600);
        assert_eq!(answer.text("refresh_token"), "");
    }

    async fn without_a_scope_a_client_gets_all_but_lasting_access(server: Server) {
        let answer = tokens(&server, "").await;
        assert_eq!(
            answer.text("scope"),
            "accounts.read accounts.write patterns.read patterns.write apikeys.read apikeys.write"
        );
        assert_eq!(answer.text("refresh_token"), "");
    }

    async fn a_client_without_the_grant_is_refused_at_both_endpoints(server: Server) {
        let device = Device::ask(&server, "accounts.read").await;
        register(&server, |client| {
            client.id = demo::PUBLIC.into();
            client.grants.clear();
        })
        .await;
        let answer = post(&server, "/oauth2/v1/device", &[("client_id", demo::PUBLIC)]).await;
        assert_eq!(answer.error(), (400, "unauthorized_client"));
        assert_eq!(device.poll(&server).await.error(), (400, "unauthorized_client"));
    }

    async fn a_code_that_nobody_was_given_is_no_grant(server: Server) {
        let device = Device {
            client_id: demo::PUBLIC.into(),
            device_code: "A".repeat(43),
            user_code: String::new(),
        };
        assert_eq!(device.poll(&server).await.error(), (400, "invalid_grant"));
    }

    async fn grants_are_swept_out_an_hour_after_they_expired(server: Server) {
        let device = Device::ask(&server, "accounts.read").await;
        server.advance(3000);
        server.first_upkeep().await;
        accord_server::identity::sweep(&server.app().identity).await.unwrap();
        assert_eq!(device.poll(&server).await.error(), (400, "expired_token"));
        server.advance(1000);
        accord_server::identity::sweep(&server.app().identity).await.unwrap();
        assert_eq!(device.poll(&server).await.error(), (400, "invalid_grant"));
    }
}

/// Another service over the same database, with other limits.
async fn with_limits(server: &Server, per_client: i64, per_address: i64) -> Server {
    let config = server.app().config.clone();
    Server::start_with(crate::harness::Database::Sqlite, |layer| {
        layer.server.data_dir = Some(config.server.data_dir.clone());
        layer.database.url = Some(config.database_url());
        layer.server.identity_url = Some(
            server
                .area(accord_server::area::Area::Identity)
                .parse()
                .unwrap(),
        );
        layer.identity.device_requests_per_client = Some(per_client);
        layer.identity.device_requests_per_address = Some(per_address);
    })
    .await
}

both_databases! {
    async fn device_requests_of_a_client_are_limited_and_go_on_in_seconds(server: Server) {
        let limited = with_limits(&server, 2, 0).await;
        // Who only claims to be the client uses up nothing of its allowance.
        for _ in 0..3 {
            let wrong = (demo::CONFIDENTIAL, "wrong");
            let answer = post_as(&limited, wrong, "/oauth2/v1/device", &[]).await;
            assert_eq!(answer.error(), (401, "invalid_client"));
        }
        for _ in 0..2 + RESERVE {
            Device::ask(&limited, "accounts.read").await;
        }
        let form = [("client_id", demo::PUBLIC)];
        let answer = post(&limited, "/oauth2/v1/device", &form).await;
        assert_eq!(answer.error(), (429, "temporarily_unavailable"));
        // Some of them have passed since the first one.
        let seconds: i64 = answer.header("retry-after").parse().unwrap();
        assert!((1..=30).contains(&seconds), "{seconds}");
        // Another client is not limited by it.
        Device::ask_as(&limited, demo::CONFIDENTIAL, "accounts.read").await;
        limited.advance(seconds);
        Device::ask(&limited, "accounts.read").await;
        assert_eq!(limited.stop().await, Vec::<String>::new());
    }

    async fn device_requests_from_an_address_are_limited_and_go_on_in_seconds(server: Server) {
        let limited = with_limits(&server, 0, 2).await;
        for _ in 0..2 {
            Device::ask(&limited, "accounts.read").await;
        }
        let form = [("client_id", demo::ASSERTION)];
        let answer = post(&limited, "/oauth2/v1/device", &form).await;
        assert_eq!(answer.error(), (429, "temporarily_unavailable"));
        let seconds: i64 = answer.header("retry-after").parse().unwrap();
        assert!((1..=30).contains(&seconds), "{seconds}");
        limited.advance(seconds);
        Device::ask_as(&limited, demo::CONFIDENTIAL, "accounts.read").await;
        assert_eq!(limited.stop().await, Vec::<String>::new());
    }

    async fn signing_keys_rotate_by_schedule(server: Server) {
        let identity = &server.app().identity;
        let keys = async || {
            let now = server.app().clock.now().timestamp_millis();
            let read = move |tx: &mut accord_server::store::Tx<'_>| {
                accord_server::identity::keys::published(tx, now)
            };
            server.read(read).await.len()
        };
        accord_server::identity::ensure_key(identity).await.unwrap();
        accord_server::identity::rotate_when_due(identity).await.unwrap();
        assert_eq!(keys().await, 1);
        server.advance(91 * 86_400);
        accord_server::identity::rotate_when_due(identity).await.unwrap();
        assert_eq!(keys().await, 2);
        accord_server::identity::rotate_when_due(identity).await.unwrap();
        assert_eq!(keys().await, 2);
        server.advance(91 * 86_400);
        accord_server::identity::rotate_when_due(identity).await.unwrap();
        assert_eq!(keys().await, 2, "the first is gone, one signs, one is to come");
    }
}
