//! Client assertions (RFC 7523): a good one, and every way in which one can be
//! bad.

use accord_server::identity::{demo, keys::NewKey};
use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use jsonwebtoken::{Algorithm, EncodingKey, Header};
use serde_json::{Value, json};

use super::client::{Answer, Device, JWT_BEARER, post, register};
use crate::harness::{Server, both_databases};

/// A client that signs assertions: its key, and what it is about to sign.
pub struct Robot {
    pub key: EncodingKey,
    pub header: Header,
    pub claims: Value,
}

impl Robot {
    /// The demo's, with the key from its file, and an assertion that is good.
    pub async fn new(server: &Server) -> Robot {
        demo::make_robot_key(&server.app().identity).await.unwrap();
        let pem = std::fs::read(demo::robot_key_file(&server.app().identity)).unwrap();
        let key = EncodingKey::from_rsa_pem(&pem).unwrap();
        Robot::of(server, demo::ASSERTION, key, demo::ASSERTION)
    }

    /// Any client's, with one of its keys, and an assertion that is good.
    pub fn of(server: &Server, client_id: &str, key: EncodingKey, kid: &str) -> Robot {
        let mut robot = Robot {
            key,
            header: Header::new(Algorithm::RS256),
            claims: json!({
                "iss": client_id,
                "sub": client_id,
                "aud": server.url(""),
            }),
        };
        robot.header.kid = Some(kid.into());
        let now = server.app().clock.now().timestamp();
        robot.claim("exp", json!(now + 300));
        robot.claim("iat", json!(now));
        robot.claim("nbf", json!(now));
        robot.claim("jti", json!(uuid::Uuid::new_v4().to_string()));
        robot
    }

    /// Sets a claim, or takes it away.
    pub fn claim(&mut self, name: &str, value: Value) {
        let claims = self.claims.as_object_mut().unwrap();
        match value {
            Value::Null => claims.remove(name),
            value => claims.insert(name.into(), value),
        };
    }

    /// Signs.
    pub fn assertion(&self) -> String {
        jsonwebtoken::encode(&self.header, &self.claims, &self.key).unwrap()
    }
}

/// Revokes a token that nobody has, which asks for identification alone.
pub(super) async fn authenticate(server: &Server, assertion: &str) -> Answer {
    let form = [
        ("token", "x"),
        ("client_assertion_type", JWT_BEARER),
        ("client_assertion", assertion),
    ];
    post(server, "/oauth2/v1/revoke", &form).await
}

both_databases! {
    async fn a_client_that_signs_assertions_gets_a_token(server: Server) {
        let device = Device::ask_as(&server, demo::ASSERTION, "accounts.read").await;
        device.approve(&server).await;
        let assertion = Robot::new(&server).await.assertion();
        let client = [
            ("client_id", demo::ASSERTION),
            ("client_assertion_type", JWT_BEARER),
            ("client_assertion", assertion.as_str()),
        ];
        assert_eq!(device.poll_with(&server, &client).await.status, 200);
    }

    async fn an_assertion_may_address_the_token_endpoint_among_others(server: Server) {
        let mut robot = Robot::new(&server).await;
        robot.claim("aud", json!(["https://other.example", server.url("/oauth2/v1/token")]));
        robot.claim("nbf", Value::Null);
        robot.claim("iat", Value::Null);
        assert_eq!(authenticate(&server, &robot.assertion()).await.status, 200);
    }

    async fn an_assertion_is_good_once(server: Server) {
        let assertion = Robot::new(&server).await.assertion();
        assert_eq!(authenticate(&server, &assertion).await.status, 200);
        let answer = authenticate(&server, &assertion).await;
        assert_eq!(answer.error(), (401, "invalid_client"));
    }

    async fn an_assertion_of_a_poll_that_was_refused_is_used_up_too(server: Server) {
        let device = Device::ask_as(&server, demo::ASSERTION, "accounts.read").await;
        let assertion = Robot::new(&server).await.assertion();
        let client = [
            ("client_assertion_type", JWT_BEARER),
            ("client_assertion", assertion.as_str()),
        ];
        let answer = device.poll_with(&server, &client).await;
        assert_eq!(answer.error(), (400, "authorization_pending"));
        let answer = device.poll_with(&server, &client).await;
        assert_eq!(answer.error(), (401, "invalid_client"));
    }

    async fn an_assertion_with_a_wrong_claim_is_refused(server: Server) {
        let now = server.app().clock.now().timestamp();
        for (name, value) in [
            ("iss", json!("accord-web")),
            ("iss", Value::Null),
            ("sub", json!("accord-web")),
            ("sub", json!("nobody")),
            ("sub", json!("a\0b")),
            ("sub", Value::Null),
            ("aud", json!("https://other.example")),
            ("aud", json!([])),
            ("aud", Value::Null),
            ("exp", json!(now - 1)),
            ("exp", json!(now + 7200)),
            ("exp", json!("soon")),
            ("exp", Value::Null),
            ("nbf", json!(now + 600)),
            ("iat", json!(now + 600)),
            ("jti", json!("")),
            ("jti", json!("a\0b")),
            ("jti", json!("x".repeat(256))),
            ("jti", Value::Null),
        ] {
            let mut robot = Robot::new(&server).await;
            robot.claim(name, value.clone());
            let answer = authenticate(&server, &robot.assertion()).await;
            assert_eq!(answer.error(), (401, "invalid_client"), "{name}: {value}");
        }
    }

    async fn an_assertion_with_a_wrong_header_is_refused(server: Server) {
        let good = Robot::new(&server).await;
        let mut other_key = Robot::new(&server).await;
        other_key.header.kid = Some("another".into());
        let mut thumbprint = Robot::new(&server).await;
        thumbprint.header.x5t = Some("AAAA".into());
        let mut other_type = Robot::new(&server).await;
        other_type.header.typ = Some("at+jwt".into());
        let mut other_algorithm = Robot::new(&server).await;
        other_algorithm.header.alg = Algorithm::RS512;
        for robot in [other_key, thumbprint, other_type, other_algorithm] {
            let answer = authenticate(&server, &robot.assertion()).await;
            assert_eq!(answer.error(), (401, "invalid_client"), "{:?}", robot.header);
        }
        assert_eq!(authenticate(&server, &good.assertion()).await.status, 200);
    }

    async fn an_assertion_without_a_good_signature_is_refused(server: Server) {
        let robot = Robot::new(&server).await;
        let assertion = robot.assertion();
        let (message, signature) = assertion.rsplit_once('.').unwrap();
        let (header, _) = message.split_once('.').unwrap();
        let encode = |value: Value| URL_SAFE_NO_PAD.encode(value.to_string());

        let none = encode(json!({"alg": "none", "kid": demo::ASSERTION}));
        let claims = encode(robot.claims.clone());
        // The classic confusion: the public key as an HMAC secret.
        let modulus = public_modulus(&server).await;
        let mut hmac = Header::new(Algorithm::HS256);
        hmac.kid = Some(demo::ASSERTION.into());
        let secret = EncodingKey::from_secret(modulus.as_bytes());
        let confused = jsonwebtoken::encode(&hmac, &robot.claims, &secret).unwrap();
        let mut stranger = Robot::new(&server).await;
        stranger.key = stranger_key();

        let changed = encode(json!({"sub": demo::ASSERTION, "iss": demo::ASSERTION}));
        for assertion in [
            format!("{none}.{claims}."),
            format!("{none}.{claims}.{signature}"),
            format!("{header}.{changed}.{signature}"),
            format!("{message}."),
            message.to_owned(),
            format!("{assertion}A"),
            confused,
            stranger.assertion(),
            String::from("x"),
            String::from("..."),
        ] {
            let answer = authenticate(&server, &assertion).await;
            assert_eq!(answer.error(), (401, "invalid_client"), "{assertion}");
        }
        assert_eq!(authenticate(&server, &assertion).await.status, 200);
    }

    async fn the_parameters_of_an_assertion_come_together_and_are_known(server: Server) {
        let assertion = Robot::new(&server).await.assertion();
        let send = async |form: &[(&str, &str)]| {
            let mut all = vec![("token", "x")];
            all.extend(form);
            post(&server, "/oauth2/v1/revoke", &all).await
        };
        let answer = send(&[("client_assertion", &assertion)]).await;
        assert_eq!(answer.error(), (400, "invalid_request"));
        let answer = send(&[("client_assertion_type", JWT_BEARER)]).await;
        assert_eq!(answer.error(), (400, "invalid_request"));
        for (kind, error) in [
            ("saml2-bearer", (401, "invalid_client")),
            ("magic", (400, "invalid_request")),
            ("JWT-bearer", (400, "invalid_request")),
        ] {
            let kind = format!("urn:ietf:params:oauth:client-assertion-type:{kind}");
            let form = [("client_assertion_type", &*kind), ("client_assertion", &assertion)];
            assert_eq!(send(&form).await.error(), error);
        }
        let form = [
            ("client_assertion_type", JWT_BEARER),
            ("client_assertion", &assertion),
            ("client_id", "accord-cli"),
        ];
        assert_eq!(send(&form).await.error(), (401, "invalid_client"));
    }

    async fn only_a_client_that_signs_assertions_can_use_one(server: Server) {
        register(&server, |client| client.id = demo::ASSERTION.into()).await;
        let assertion = Robot::new(&server).await.assertion();
        let answer = authenticate(&server, &assertion).await;
        assert_eq!(answer.error(), (401, "invalid_client"));
    }
}

async fn public_modulus(server: &Server) -> String {
    let find = |tx: &mut accord_server::store::Tx<'_>| {
        let row = tx.query_opt("SELECT modulus FROM oauth_client_keys", &[])?;
        row.expect("the robot's key").get::<String>(0)
    };
    server.read(find).await
}

pub(super) fn stranger_key() -> EncodingKey {
    encoding_key(&NewKey::generate().unwrap())
}

/// The private half of a key, to sign with.
pub(super) fn encoding_key(key: &NewKey) -> EncodingKey {
    let text = STANDARD.encode(key.pkcs8());
    let pem = format!("-----BEGIN PRIVATE KEY-----\n{text}\n-----END PRIVATE KEY-----\n");
    EncodingKey::from_rsa_pem(pem.as_bytes()).unwrap()
}
