//! What is pinned for each client that signs assertions: whether it is held to
//! RFC 10070, and the algorithm of each of its keys.

use std::sync::LazyLock;

use accord_server::identity::clients::{Algorithm, ClientKey, Kind, put_key};
use accord_server::identity::keys::NewKey;
use accord_server::store::{StoreError, Tx};
use serde_json::{Value, json};

use super::client::register;
use super::commands::{done, json as told, refused, run};
use super::signing::{Robot, authenticate, encoding_key};
use crate::harness::{Server, both_databases};

static KEY: LazyLock<NewKey> = LazyLock::new(|| NewKey::generate().unwrap());
const EXPLICIT: &str = "client-authentication+jwt";

/// Registers a client that signs assertions, with a key for each of these.
async fn client(server: &Server, id: &'static str, strict: bool, algorithms: &[Algorithm]) {
    register(server, |client| {
        client.id = id.into();
        client.kind = Kind::Assertion;
        client.strict = strict;
    })
    .await;
    for &algorithm in algorithms {
        let key = ClientKey {
            kid: algorithm.as_str().into(),
            x5t: None,
            modulus: KEY.public().modulus.clone(),
            exponent: KEY.public().exponent.clone(),
            algorithm,
        };
        let put = move |tx: &mut Tx<'_>| put_key(tx, id, &key, 0);
        let store = &server.app().store;
        store.write::<_, StoreError, _>(put).await.unwrap();
    }
}

fn robot(server: &Server, id: &str, kid: Algorithm) -> Robot {
    Robot::of(server, id, encoding_key(&KEY), kid.as_str())
}

/// Whether an assertion with this type and audience is taken.
async fn is_taken(server: &Server, id: &str, kind: Option<&str>, audience: Value) -> bool {
    let mut robot = robot(server, id, Algorithm::Rs256);
    robot.header.typ = kind.map(str::to_owned);
    robot.claim("aud", audience);
    let answer = authenticate(server, &robot.assertion()).await;
    match answer.error() {
        (200, _) => true,
        (401, "invalid_client") => false,
        other => panic!("{other:?}"),
    }
}

both_databases! {
    async fn a_strict_client_is_held_to_the_type_and_the_audience(server: Server) {
        client(&server, "strict", true, &[Algorithm::Rs256]).await;
        client(&server, "relaxed", false, &[Algorithm::Rs256]).await;
        let issuer = json!(server.url(""));
        let endpoint = json!(server.url("/oauth2/v1/token"));
        let foreign = json!("https://other.example");
        for (kind, audience, strict, relaxed) in [
            (Some(EXPLICIT), issuer.clone(), true, true),
            (Some(EXPLICIT), json!([issuer]), true, true),
            (Some("Client-Authentication+JWT"), issuer.clone(), true, true),
            (Some("JWT"), issuer.clone(), false, true),
            (None, issuer.clone(), false, true),
            (Some(EXPLICIT), endpoint.clone(), false, true),
            (Some(EXPLICIT), json!([issuer, endpoint]), false, true),
            (Some(EXPLICIT), json!([issuer, foreign]), false, true),
            (Some(EXPLICIT), foreign, false, false),
            (Some("at+jwt"), issuer.clone(), false, false),
            (Some("dpop+jwt"), issuer.clone(), false, false),
        ] {
            for (id, taken) in [("strict", strict), ("relaxed", relaxed)] {
                let found = is_taken(&server, id, kind, audience.clone()).await;
                assert_eq!(found, taken, "{id}: {kind:?} {audience}");
            }
        }
    }

    async fn an_assertion_has_the_algorithm_of_its_key_and_no_other(server: Server) {
        client(&server, "pinned", false, &Algorithm::ALL).await;
        for pinned in Algorithm::ALL {
            for sent in Algorithm::ALL {
                let mut robot = robot(&server, "pinned", pinned);
                robot.header.alg = sent.verifier();
                let answer = authenticate(&server, &robot.assertion()).await;
                let status = if sent == pinned { 200 } else { 401 };
                assert_eq!(answer.status, status, "{sent:?} with a key for {pinned:?}");
            }
        }
    }

    async fn a_key_is_good_for_its_own_client(server: Server) {
        client(&server, "one", false, &[Algorithm::Rs256]).await;
        client(&server, "other", false, &[Algorithm::Ps256]).await;
        let robot = robot(&server, "other", Algorithm::Rs256);
        let answer = authenticate(&server, &robot.assertion()).await;
        assert_eq!(answer.error(), (401, "invalid_client"));
    }

    async fn operators_pin_and_see_what_is_pinned(server: Server) {
        let key = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/certificate.pem");
        let add = |id: &'static str, more: &[&'static str]| {
            let common = ["clients", "add", id, "--name", "R", "--kind", "assertion", "--role",
                "accounts_reader", "--key", key];
            [&common, more].concat()
        };
        done(&server, &add("plain", &[])).await;
        done(&server, &add("pss", &["--algorithm", "PS384", "--relaxed"])).await;
        let output = run(&server, &add("mac", &["--algorithm", "HS256"]), "").await;
        assert!(!output.status.success());
        assert!(refused(&server, &["clients", "rotate", "plain"]).await.contains("--key"));

        let listed = told(&server, &["clients", "list"]).await;
        let of = |id: &str| {
            let clients = listed.as_array().unwrap();
            clients.iter().find(|client| client["id"] == id).unwrap().clone()
        };
        let (plain, pss) = (of("plain"), of("pss"));
        // New clients are held to RFC 10070 unless an operator says otherwise.
        assert_eq!((&plain["strict"], &plain["algorithms"]), (&json!(true), &json!("RS256")));
        assert_eq!((&pss["strict"], &pss["algorithms"]), (&json!(false), &json!("PS384")));
        assert_eq!(of("accord-web")["algorithms"], "");
        let metadata = server.get("/.well-known/oauth-authorization-server").await;
        let metadata: Value = metadata.json().await.unwrap();
        let supported = &metadata["token_endpoint_auth_signing_alg_values_supported"];
        assert_eq!(*supported, json!(["RS256", "RS384", "RS512", "PS256", "PS384", "PS512"]));
    }
}
