//! RFC 7521: assertions as a client's identification, whatever their format.

use accord_server::identity::demo;
use serde_json::{Value, json};

use super::super::client::{Device, JWT_BEARER, post};
use super::super::saml::SAML2_BEARER;
use super::super::signing::{Robot, authenticate, stranger_key};
use super::{REVOKE, clauses};
use crate::harness::{Server, both_databases};

/// The demo's robot, with a claim changed.
async fn with(server: &Server, name: &str, value: Value) -> super::Answer {
    let mut robot = Robot::new(server).await;
    robot.claim(name, value);
    authenticate(server, &robot.assertion()).await
}

clauses! {
    /// RFC 7521, section 4.2, REQUIRED: `client_assertion_type` names the format of the
    /// assertion by an absolute URI.
    async fn an_assertion_has_a_type(server: Server) {
        let assertion = Robot::new(&server).await.assertion();
        let form = [("token", "x"), ("client_assertion", assertion.as_str())];
        assert_eq!(post(&server, REVOKE, &form).await.error(), (400, "invalid_request"));
        for kind in ["jwt-bearer", "urn:ietf:params:oauth:client-assertion-type:x"] {
            let form = [form[0], form[1], ("client_assertion_type", kind)];
            assert_eq!(post(&server, REVOKE, &form).await.error(), (400, "invalid_request"));
        }
    }

    /// RFC 7521, section 4.2, REQUIRED: a request with `client_assertion_type` has
    /// `client_assertion`.
    async fn a_type_has_an_assertion(server: Server) {
        let form = [("token", "x"), ("client_assertion_type", JWT_BEARER)];
        assert_eq!(post(&server, REVOKE, &form).await.error(), (400, "invalid_request"));
    }

    /// RFC 7521, section 4.2, MUST: a `client_id` beside an assertion names the same
    /// client.
    async fn a_client_id_beside_an_assertion_names_its_subject(server: Server) {
        let assertion = [
            Robot::new(&server).await.assertion(),
            Robot::new(&server).await.assertion(),
        ];
        for (assertion, id, status) in [
            (&assertion[0], demo::PUBLIC, 401),
            (&assertion[1], demo::ASSERTION, 200),
        ] {
            let form = [
                ("token", "x"),
                ("client_id", id),
                ("client_assertion_type", JWT_BEARER),
                ("client_assertion", assertion),
            ];
            assert_eq!(post(&server, REVOKE, &form).await.status, status, "{id}");
        }
    }

    /// RFC 7521, section 4.2, as defined: `client_id` is optional beside an assertion.
    async fn an_assertion_names_its_client_by_itself(server: Server) {
        let assertion = Robot::new(&server).await.assertion();
        assert_eq!(authenticate(&server, &assertion).await.status, 200);
    }

    /// RFC 7521, section 4.2.1, MUST: an invalid assertion is `invalid_client`.
    async fn a_bad_assertion_is_an_invalid_client(server: Server) {
        for assertion in ["x", "a.b.c", "..."] {
            let answer = authenticate(&server, assertion).await;
            assert_eq!(answer.error(), (401, "invalid_client"), "{assertion}");
        }
    }

    /// RFC 7521, section 5.2, MUST: an assertion names its issuer, which is the client if
    /// the client has issued it itself.
    async fn an_assertion_names_its_issuer(server: Server) {
        for issuer in [Value::Null, json!(""), json!(demo::CONFIDENTIAL)] {
            let answer = with(&server, "iss", issuer.clone()).await;
            assert_eq!(answer.error(), (401, "invalid_client"), "{issuer}");
        }
    }

    /// RFC 7521, section 5.2, MUST: an assertion names its subject, the client that it
    /// authenticates.
    async fn an_assertion_names_its_subject(server: Server) {
        for subject in [Value::Null, json!(""), json!(demo::CONFIDENTIAL), json!("ana")] {
            let answer = with(&server, "sub", subject.clone()).await;
            assert_eq!(answer.error(), (401, "invalid_client"), "{subject}");
        }
    }

    /// RFC 7521, section 5.2, MUST: an assertion has an audience, and the server rejects
    /// one for another server.
    async fn an_assertion_is_for_this_server(server: Server) {
        for audience in [Value::Null, json!([]), json!("https://other.example"),
            json!(server.url("/")), json!(server.url("/oauth2/v1/device"))] {
            let answer = with(&server, "aud", audience.clone()).await;
            assert_eq!(answer.error(), (401, "invalid_client"), "{audience}");
        }
    }

    /// RFC 7521, section 5.2, MUST: an assertion has an expiry, and the server rejects an
    /// expired one.
    async fn an_assertion_expires(server: Server) {
        let now = server.app().clock.now().timestamp();
        for expiry in [Value::Null, json!(now - 1), json!(0)] {
            let answer = with(&server, "exp", expiry.clone()).await;
            assert_eq!(answer.error(), (401, "invalid_client"), "{expiry}");
        }
    }

    /// RFC 7521, section 5.2, MAY: the server may reject an expiry far in the future; it
    /// rejects more than an hour.
    async fn an_assertion_does_not_live_long(server: Server) {
        let now = server.app().clock.now().timestamp();
        let answer = with(&server, "exp", json!(now + 7200)).await;
        assert_eq!(answer.error(), (401, "invalid_client"));
        assert_eq!(with(&server, "exp", json!(now + 3500)).await.status, 200);
    }

    /// RFC 7521, section 5.2, MUST: the server rejects an assertion with an invalid
    /// signature.
    async fn a_signature_is_verified(server: Server) {
        let mut robot = Robot::new(&server).await;
        let assertion = robot.assertion();
        let (message, _) = assertion.rsplit_once('.').unwrap();
        robot.key = stranger_key();
        for bad in [robot.assertion(), format!("{message}.AAAA"), format!("{message}.")] {
            assert_eq!(authenticate(&server, &bad).await.error(), (401, "invalid_client"));
        }
    }

    /// RFC 7521, section 5.2, MAY: the server may reject a repeated assertion, and always
    /// does.
    async fn an_assertion_is_not_replayed(server: Server) {
        let assertion = Robot::new(&server).await.assertion();
        assert_eq!(authenticate(&server, &assertion).await.status, 200);
        for _ in 0..2 {
            let again = authenticate(&server, &assertion).await;
            assert_eq!(again.error(), (401, "invalid_client"));
        }
    }

    /// RFC 7521, section 6.1, MUST: the type matches the format of the assertion.
    async fn the_type_is_the_format_of_the_assertion(server: Server) {
        let assertion = Robot::new(&server).await.assertion();
        let form = [
            ("token", "x"),
            ("client_assertion_type", SAML2_BEARER),
            ("client_assertion", assertion.as_str()),
        ];
        assert_eq!(post(&server, REVOKE, &form).await.error(), (401, "invalid_client"));
    }

    /// RFC 7521, section 4.2, as defined: an assertion is valid wherever the client
    /// identifies itself, for a grant too.
    async fn an_assertion_authenticates_for_a_grant(server: Server) {
        let device = Device::ask_as(&server, demo::ASSERTION, "accounts.read").await;
        device.approve(&server).await;
        let assertion = Robot::new(&server).await.assertion();
        let client = [
            ("client_assertion_type", JWT_BEARER),
            ("client_assertion", assertion.as_str()),
        ];
        assert_eq!(device.poll_with(&server, &client).await.status, 200);
    }
}

both_databases! {
    /// RFC 7521, section 5.2, as defined: clocks may differ a little; the server compares
    /// times with its own clock.
    async fn an_assertion_expires_by_the_clock_of_the_server(server: Server) {
        let assertion = Robot::new(&server).await.assertion();
        server.advance(301);
        let late = authenticate(&server, &assertion).await;
        assert_eq!(late.error(), (401, "invalid_client"));
        let early = Robot::new(&server).await.assertion();
        server.advance(-30);
        assert_eq!(authenticate(&server, &early).await.status, 200);
    }
}
