//! How clients identify themselves, and what becomes of those that do it wrong
//! (RFC 6749, section 2.3).

use accord_server::identity::clients::add_secret;
use accord_server::identity::demo;

use super::client::{Answer, Device, JWT_BEARER, WEB, answer, post, post_as, register};
use crate::harness::both_databases;

const TOKEN: &str = "/oauth2/v1/token";

fn is_a_challenge(answer: &Answer) {
    assert_eq!(answer.error(), (401, "invalid_client"), "{answer:?}");
    assert!(
        answer
            .header("www-authenticate")
            .starts_with("Basic realm=")
    );
    assert_eq!(answer.header("cache-control"), "no-store");
    // The same for every reason.
    assert_eq!(
        answer.text("error_description"),
        "The client could not be authenticated."
    );
}

both_databases! {
    async fn a_confidential_client_authenticates_with_its_secret(server: Server) {
        let device = Device::ask_as(&server, demo::CONFIDENTIAL, "accounts.read").await;
        device.approve(&server).await;
        let answer = post_as(&server, WEB, TOKEN, &device.form(&[])).await;
        assert_eq!(answer.status, 200, "{answer:?}");
    }

    async fn a_confidential_client_may_name_itself_beside_its_secret(server: Server) {
        let device = Device::ask_as(&server, demo::CONFIDENTIAL, "accounts.read").await;
        let form = device.form(&[("client_id", demo::CONFIDENTIAL)]);
        let answer = post_as(&server, WEB, TOKEN, &form).await;
        assert_eq!(answer.error(), (400, "authorization_pending"));
        let form = device.form(&[("client_id", demo::PUBLIC)]);
        let answer = post_as(&server, WEB, TOKEN, &form).await;
        assert_eq!(answer.error(), (401, "invalid_client"));
    }

    async fn wrong_credentials_are_told_nothing_but_that(server: Server) {
        let device = Device::ask_as(&server, demo::CONFIDENTIAL, "accounts.read").await;
        for credentials in [
            (demo::CONFIDENTIAL, "wrong"),
            (demo::CONFIDENTIAL, ""),
            ("nobody", demo::SECRET),
            (demo::PUBLIC, ""),
            (demo::PUBLIC, demo::SECRET),
            (demo::ASSERTION, demo::SECRET),
            ("", ""),
            ("a%00b", "x"),
        ] {
            is_a_challenge(&post_as(&server, credentials, TOKEN, &device.form(&[])).await);
        }
    }

    async fn an_authorization_header_that_cannot_be_read_is_no_identification(server: Server) {
        let device = Device::ask(&server, "accounts.read").await;
        for header in ["Basic", "Basic !!!", "Basic YWJj", "Bearer abc", "Digest x=y"] {
            let form = device.form(&[("client_id", demo::PUBLIC)]);
            let request = server.http().post(server.url(TOKEN)).form(&form);
            is_a_challenge(&answer(request.header("authorization", header)).await);
        }
    }

    async fn a_client_that_must_authenticate_cannot_just_name_itself(server: Server) {
        for id in [demo::CONFIDENTIAL, demo::ASSERTION] {
            let device = Device::ask_as(&server, id, "accounts.read").await;
            is_a_challenge(&device.poll(&server).await);
            let form = device.form(&[("client_id", id), ("client_secret", "a guess")]);
            is_a_challenge(&post(&server, TOKEN, &form).await);
        }
    }

    async fn an_unknown_client_is_refused_at_both_endpoints(server: Server) {
        is_a_challenge(&post(&server, "/oauth2/v1/device", &[("client_id", "nobody")]).await);
        let device = Device::ask(&server, "accounts.read").await;
        is_a_challenge(&device.poll_with(&server, &[("client_id", "nobody")]).await);
        is_a_challenge(&device.poll_with(&server, &[]).await);
    }

    async fn two_identifications_at_once_are_an_invalid_request(server: Server) {
        let device = Device::ask_as(&server, demo::CONFIDENTIAL, "accounts.read").await;
        let form = device.form(&[
            ("client_assertion_type", JWT_BEARER),
            ("client_assertion", "a.b.c"),
        ]);
        let answer = post_as(&server, WEB, TOKEN, &form).await;
        assert_eq!(answer.error(), (400, "invalid_request"));
    }

    async fn credentials_are_form_encoded_before_they_become_basic(server: Server) {
        register(&server, |client| {
            client.id = "a b:c".into();
            client.kind = accord_server::identity::clients::Kind::Confidential;
        })
        .await;
        let context = server.app().clone();
        let add = move |tx: &mut accord_server::store::Tx<'_>| {
            add_secret(tx, &context.server_keys, "a b:c", "p&=:+ä", 0)
        };
        server.write(add).await;

        let device = Device::ask_as(&server, "a b:c", "accounts.read").await;
        let encoded = ("a+b%3Ac", "p%26%3D%3A%2B%C3%A4");
        let answer = post_as(&server, encoded, TOKEN, &device.form(&[])).await;
        assert_eq!(answer.error(), (400, "authorization_pending"));
    }

    async fn a_client_can_have_two_secrets_at_a_time(server: Server) {
        let context = server.app().clone();
        let add = move |tx: &mut accord_server::store::Tx<'_>| {
            add_secret(tx, &context.server_keys, demo::CONFIDENTIAL, "the next one", 0)
        };
        server.write(add).await;
        let device = Device::ask_as(&server, demo::CONFIDENTIAL, "accounts.read").await;
        for secret in [demo::SECRET, "the next one"] {
            let credentials = (demo::CONFIDENTIAL, secret);
            let answer = post_as(&server, credentials, TOKEN, &device.form(&[])).await;
            assert_eq!(answer.status, 400, "{answer:?}");
        }
    }

    async fn a_client_may_authenticate_when_a_device_asks(server: Server) {
        let device = "/oauth2/v1/device";
        assert_eq!(post_as(&server, WEB, device, &[]).await.status, 200);
        let form = [("client_id", demo::CONFIDENTIAL)];
        assert_eq!(post_as(&server, WEB, device, &form).await.status, 200);
        is_a_challenge(&post_as(&server, (demo::CONFIDENTIAL, "wrong"), device, &form).await);
    }
}
