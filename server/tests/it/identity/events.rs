//! What happens is counted and told: metrics and the audit trail.

use accord_server::audit::{self, Filter};
use accord_server::identity::demo;
use accord_server::store::Tx;

use super::browser::Browser;
use super::client::{ANA, Device, PASSWORD, WEB, organizations, post, post_as};
use super::commands::done;
use super::tokens::{refresh, revoke};
use crate::harness::{Server, both_databases};

async fn actions(server: &Server) -> Vec<String> {
    let filter = Filter {
        action: Some("identity.".into()),
        ..Filter::default()
    };
    let read = move |tx: &mut Tx<'_>| audit::list(tx, &filter, 100);
    let entries = server.read(read).await.into_iter();
    entries
        .map(|entry| format!("{} {}", entry.actor, entry.action))
        .collect()
}

both_databases! {
    async fn the_trail_tells_the_story_of_a_grant(server: Server) {
        let mut browser = Browser::new(&server);
        browser.get("/ui/v1/signin").await;
        let wrong = [("username", ANA), ("password", "my cat's name")];
        browser.submit("/ui/v1/signin", &wrong).await;
        browser.sign_in(ANA, PASSWORD).await;
        let device = Device::ask(&server, "accounts.read offline_access").await;
        browser.decide(&device.user_code, "approve").await;
        let answer = device.poll(&server).await;
        let refresh = answer.text("refresh_token").to_owned();
        let form = [
            ("grant_type", "refresh_token"),
            ("refresh_token", refresh.as_str()),
            ("client_id", demo::PUBLIC),
        ];
        assert_eq!(post(&server, "/oauth2/v1/token", &form).await.status, 200);
        server.advance(30);
        assert_eq!(post(&server, "/oauth2/v1/token", &form).await.status, 400);
        browser.get("/ui/v1/signout").await;
        browser.submit("/ui/v1/signout", &[]).await;

        let told = actions(&server).await;
        let ana = told[1].split(' ').next().unwrap().to_owned();
        assert!(ana.starts_with("user:"), "{told:?}");
        assert_eq!(told, [
            "unknown identity.sign_in.failed".to_owned(),
            format!("{ana} identity.session.started"),
            format!("{ana} identity.grant.approved"),
            "client:accord-cli identity.grant.redeemed".to_owned(),
            "client:accord-cli identity.refresh_token.reused".to_owned(),
            format!("{ana} identity.session.ended"),
        ]);
    }

    async fn denials_revocations_and_what_operators_do_are_in_the_trail(server: Server) {
        let mut browser = Browser::signed_in(&server, ANA, PASSWORD).await;
        let denied = Device::ask(&server, "accounts.read").await;
        browser.decide(&denied.user_code, "deny").await;
        let device = Device::ask(&server, "accounts.read offline_access").await;
        browser.decide(&device.user_code, "approve").await;
        let first = device.poll(&server).await;
        // The response to the first refresh is lost.
        refresh(&server, first.text("refresh_token"), &[]).await;
        let tokens = refresh(&server, first.text("refresh_token"), &[]).await;
        revoke(&server, tokens.text("access_token")).await;
        revoke(&server, tokens.text("refresh_token")).await;
        // A token that is revoked already is not revoked again.
        revoke(&server, tokens.text("access_token")).await;
        for arguments in [
            &["users", "disable", "ben@north.example"][..],
            &["users", "enable", "ben@north.example"],
            &["signing-keys", "rotate"],
        ] {
            done(&server, arguments).await;
        }
        let told = actions(&server).await;
        for event in [
            "user:ana identity.grant.denied",
            "client:accord-cli identity.refresh_token.repeated",
            "client:accord-cli identity.access_token.revoked",
            "client:accord-cli identity.approval.revoked",
            "operator:olga identity.user.disabled",
            "operator:olga identity.user.enabled",
            "operator:olga identity.signing_key.rotated",
        ] {
            let number = told.iter().filter(|one| *one == event).count();
            assert_eq!(number, 1, "{event}: {told:?}");
        }
    }

    async fn a_second_redemption_revokes_what_the_first_gave(server: Server) {
        let device = Device::ask(&server, "accounts.read offline_access").await;
        device.approve(&server).await;
        let answer = device.poll(&server).await;
        let token = answer.text("access_token");
        assert_eq!(organizations(&server, token).await, 200);
        assert_eq!(device.poll(&server).await.error(), (400, "invalid_grant"));
        assert_eq!(organizations(&server, token).await, 401);
        let told = actions(&server).await;
        let last = told.last().map(String::as_str);
        assert_eq!(last, Some("client:accord-cli identity.device_code.reused"));
    }

    async fn another_client_with_a_redeemed_code_revokes_nothing(server: Server) {
        let device = Device::ask_as(&server, demo::CONFIDENTIAL, "accounts.read").await;
        device.approve(&server).await;
        let form = device.form(&[]);
        let answer = post_as(
            &server, WEB, "/oauth2/v1/token", &form).await;
        let answer_to_other = device.poll_with(&server, &[("client_id", demo::PUBLIC)]).await;
        assert_eq!(answer_to_other.error(), (400, "invalid_grant"));
        let token = answer.text("access_token");
        assert_eq!(organizations(&server, token).await, 200);
    }

    async fn grants_polls_and_attempts_are_counted(server: Server) {
        let device = Device::ask(&server, "accounts.read").await;
        device.poll(&server).await;
        device.poll(&server).await;
        let mut browser = Browser::new(&server);
        browser.get("/ui/v1/signin").await;
        browser.submit("/ui/v1/signin", &[("username", ANA), ("password", "wrong")]).await;
        browser.sign_in(ANA, PASSWORD).await;
        browser.submit("/ui/v1/device", &[("user_code", "BBBBBBBB")]).await;
        browser.decide(&device.user_code, "deny").await;
        let figures = server.get("/metrics").await.text().await.unwrap();
        for line in [
            "accord_identity_grants_total{outcome=\"started\"} 1",
            "accord_identity_grants_total{outcome=\"denied\"} 1",
            "accord_identity_polls_total{answer=\"authorization_pending\"} 1",
            "accord_identity_polls_total{answer=\"slow_down\"} 1",
            "accord_identity_sign_ins_total{outcome=\"failed\"} 1",
            "accord_identity_sign_ins_total{outcome=\"succeeded\"} 1",
            "accord_identity_wrong_codes_total 1",
        ] {
            assert!(figures.contains(line), "{line} is missing:\n{figures}");
        }
    }
}
