//! RFC 7523: signed JWTs as a client's identification.

use accord_server::identity::demo;
use jsonwebtoken::Algorithm;
use serde_json::{Value, json};

use super::super::client::JWT_BEARER;
use super::super::signing::{Robot, authenticate};
use super::{REVOKE, clauses, post_raw};
use crate::harness::Server;

/// Seconds since 1970 by the server's clock, so many from now.
fn from_now(server: &Server, seconds: i64) -> Value {
    json!(server.app().clock.now().timestamp() + seconds)
}

async fn refuses(server: &Server, name: &str, value: Value) {
    let mut robot = Robot::new(server).await;
    robot.claim(name, value.clone());
    let answer = authenticate(server, &robot.assertion()).await;
    assert_eq!(answer.error(), (401, "invalid_client"), "{name}: {value}");
}

async fn takes(server: &Server, name: &str, value: Value) {
    let mut robot = Robot::new(server).await;
    robot.claim(name, value.clone());
    let answer = authenticate(server, &robot.assertion()).await;
    assert_eq!(answer.status, 200, "{name}: {value}");
}

clauses! {
    /// RFC 7523, section 2.2, MUST NOT: `client_assertion` has exactly one JWT.
    async fn an_assertion_is_one_jwt(server: Server) {
        let one = Robot::new(&server).await.assertion();
        let other = Robot::new(&server).await.assertion();
        for several in [format!("{one} {other}"), format!("{one}{other}"), format!("{one},{other}")] {
            assert_eq!(authenticate(&server, &several).await.error(), (401, "invalid_client"));
        }
        let kind: String = url::form_urlencoded::byte_serialize(JWT_BEARER.as_bytes()).collect();
        let body = format!("token=x&client_assertion_type={kind}\
            &client_assertion={one}&client_assertion={other}");
        assert_eq!(post_raw(&server, REVOKE, &body).await.error(), (400, "invalid_request"));
    }

    /// RFC 7523, section 3 (1), MUST: a JWT has `iss`, compared character by character.
    async fn iss_is_the_client(server: Server) {
        refuses(&server, "iss", Value::Null).await;
        refuses(&server, "iss", json!(demo::ASSERTION.to_uppercase())).await;
        refuses(&server, "iss", json!(format!("{} ", demo::ASSERTION))).await;
    }

    /// RFC 7523, section 3 (2), MUST: a JWT has `sub`, which is the client's identifier.
    async fn sub_is_the_client(server: Server) {
        refuses(&server, "sub", Value::Null).await;
        refuses(&server, "sub", json!(demo::PUBLIC)).await;
        refuses(&server, "sub", json!(demo::ASSERTION.to_uppercase())).await;
    }

    /// RFC 7523, section 3 (3), MUST: a JWT has `aud`, and the server rejects one for
    /// another server.
    async fn aud_is_this_server(server: Server) {
        refuses(&server, "aud", Value::Null).await;
        refuses(&server, "aud", json!("https://other.example")).await;
        refuses(&server, "aud", json!(["https://other.example", "https://third.example"])).await;
        refuses(&server, "aud", json!(server.url("").to_uppercase())).await;
        takes(&server, "aud", json!(["https://other.example", server.url("")])).await;
    }

    /// RFC 7523, section 3 (3), MAY: the address of the token endpoint is an audience too,
    /// for clients without `--strict` (RFC 10070).
    async fn aud_may_be_the_token_endpoint(server: Server) {
        takes(&server, "aud", json!(server.url("/oauth2/v1/token"))).await;
    }

    /// RFC 7523, section 3 (4), MUST: a JWT has `exp`, and the server rejects an expired
    /// one.
    async fn exp_has_not_passed(server: Server) {
        refuses(&server, "exp", Value::Null).await;
        refuses(&server, "exp", from_now(&server, -61)).await;
        refuses(&server, "exp", json!("tomorrow")).await;
        takes(&server, "exp", from_now(&server, 300)).await;
    }

    /// RFC 7523, section 3 (5), MUST NOT: the server rejects a JWT before its `nbf`.
    async fn nbf_has_passed(server: Server) {
        refuses(&server, "nbf", from_now(&server, 300)).await;
        takes(&server, "nbf", from_now(&server, -10)).await;
        takes(&server, "nbf", Value::Null).await;
    }

    /// RFC 7523, section 3 (6), MAY: `iat` is optional, and is not in the future.
    async fn iat_is_not_in_the_future(server: Server) {
        refuses(&server, "iat", from_now(&server, 300)).await;
        takes(&server, "iat", Value::Null).await;
    }

    /// RFC 7523, section 3 (7), MAY: `jti` prevents the replay of a JWT; the server
    /// requires it.
    async fn jti_is_good_once(server: Server) {
        refuses(&server, "jti", Value::Null).await;
        let jti = uuid::Uuid::new_v4().to_string();
        takes(&server, "jti", json!(jti)).await;
        refuses(&server, "jti", json!(jti)).await;
    }

    /// RFC 7523, section 3 (8), MAY: the server ignores other claims.
    async fn other_claims_change_nothing(server: Server) {
        takes(&server, "scope", json!("accounts.write")).await;
        takes(&server, "client_id", json!(demo::CONFIDENTIAL)).await;
    }

    /// RFC 7523, section 3 (9), MUST: the issuer signs the JWT, and the server rejects an
    /// invalid signature.
    async fn a_jwt_is_signed(server: Server) {
        let assertion = Robot::new(&server).await.assertion();
        let (message, signature) = assertion.rsplit_once('.').unwrap();
        let turned: String = signature.chars().rev().collect();
        for bad in [format!("{message}."), message.to_owned(), format!("{message}.{turned}")] {
            assert_eq!(authenticate(&server, &bad).await.error(), (401, "invalid_client"));
        }
    }

    /// RFC 7523, section 3 (10), MUST: the server rejects a JWT that is invalid in any
    /// other respect.
    async fn a_jwt_is_valid_in_all_other_respects(server: Server) {
        let assertion = Robot::new(&server).await.assertion();
        for bad in [format!("{assertion}="), format!(".{assertion}"), assertion.replace('.', "..")] {
            assert_eq!(authenticate(&server, &bad).await.error(), (401, "invalid_client"));
        }
        let mut critical = Robot::new(&server).await;
        critical.header.crit = Some(vec!["exp".into()]);
        let answer = authenticate(&server, &critical.assertion()).await;
        assert_eq!(answer.error(), (401, "invalid_client"));
        refuses(&server, "aud", json!(7)).await;
    }

    /// RFC 7523, section 3.2, MUST: an invalid JWT is `invalid_client`, without the reason.
    async fn a_bad_jwt_is_an_invalid_client(server: Server) {
        let answer = authenticate(&server, "no jwt").await;
        assert_eq!(answer.error(), (401, "invalid_client"));
        assert_eq!(answer.text("error_description"), "The client could not be authenticated.");
    }

    /// RFC 7523, section 5, MUST: the server supports RS256.
    async fn rs256_is_taken(server: Server) {
        let robot = Robot::new(&server).await;
        assert_eq!(robot.header.alg, Algorithm::RS256);
        assert_eq!(authenticate(&server, &robot.assertion()).await.status, 200);
    }
}
