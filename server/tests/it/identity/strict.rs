//! What is pinned for each client that signs assertions: whether it is held to
//! RFC 10070, and the algorithm of each of its keys.

use std::sync::LazyLock;

use accord_server::identity::clients::{Algorithm, ClientKey, Kind, put_key};
use accord_server::identity::demo;
use accord_server::identity::keys::NewKey;
use accord_server::store::{StoreError, Tx};
use serde_json::{Value, json};

use super::client::register;
use super::commands::{done, json as told, refused, run};
use super::signing::{Robot, authenticate, encoding_key};
use crate::harness::{Server, both_databases};

static KEY: LazyLock<NewKey> = LazyLock::new(|| NewKey::generate().unwrap());
static OTHER: LazyLock<NewKey> = LazyLock::new(|| NewKey::generate().unwrap());
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

/// The public half as a JWK in a file, with these members more.
fn jwk(more: Value) -> tempfile::NamedTempFile {
    let public = KEY.public();
    let mut key = json!({ "kty": "RSA", "n": public.modulus, "e": public.exponent });
    for (name, value) in more.as_object().unwrap() {
        key[name] = value.clone();
    }
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), key.to_string()).unwrap();
    file
}

/// A JWK Set of these keys in a file.
fn jwk_set(keys: &[(&str, &NewKey)]) -> tempfile::NamedTempFile {
    let keys = keys.iter().map(|(kid, key)| {
        let public = key.public();
        json!({ "kty": "RSA", "kid": kid, "n": public.modulus, "e": public.exponent })
    });
    let keys: Vec<_> = keys.collect();
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), json!({ "keys": keys }).to_string()).unwrap();
    file
}

/// The arguments that register a client with the keys of a file.
fn add_set(path: &str) -> [&str; 11] {
    [
        "clients",
        "add",
        "set",
        "--name",
        "R",
        "--kind",
        "assertion",
        "--role",
        "accounts_reader",
        "--key",
        path,
    ]
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

    async fn a_client_that_was_just_added_accepts_issuer_or_token_endpoint(server: Server) {
        let key = jwk(json!({}));
        let add = ["clients", "add", "new", "--name", "R", "--kind", "assertion", "--role",
            "accounts_reader", "--key", key.path().to_str().unwrap()];
        let added = told(&server, &add).await;
        let kid = added["keys"][0]["kid"].as_str().unwrap();
        for (kind, audience, taken) in [
            (Some("JWT"), server.url(""), true),
            (None, server.url("/oauth2/v1/token"), true),
            (Some(EXPLICIT), server.url("/oauth2/v1/token"), true),
            (Some("JWT"), "https://other.example".to_owned(), false),
        ] {
            let mut robot = Robot::of(&server, "new", encoding_key(&KEY), kid);
            robot.header.typ = kind.map(str::to_owned);
            robot.claim("aud", json!(audience));
            let answer = authenticate(&server, &robot.assertion()).await;
            assert_eq!(answer.status, if taken { 200 } else { 401 }, "{kind:?} {audience}");
        }
    }

    async fn a_client_with_one_key_need_not_name_it(server: Server) {
        client(&server, "one", false, &[Algorithm::Rs256]).await;
        client(&server, "two", false, &[Algorithm::Rs256, Algorithm::Ps256]).await;
        client(&server, "none", false, &[]).await;
        for (id, status) in [("one", 200), ("two", 401), ("none", 401)] {
            let mut robot = robot(&server, id, Algorithm::Rs256);
            robot.header.kid = None;
            assert_eq!(authenticate(&server, &robot.assertion()).await.status, status, "{id}");
        }
        // A name that is there is right, or the assertion is refused.
        for id in ["one", "two"] {
            let other = Robot::of(&server, id, encoding_key(&KEY), "another");
            assert_eq!(authenticate(&server, &other.assertion()).await.status, 401, "{id}");
            let mut robot = robot(&server, id, Algorithm::Rs256);
            robot.header.kid = None;
            robot.header.x5t = Some("xHNTCGY7Tmvhw_Z3tsE8PHuxWc0".into());
            assert_eq!(authenticate(&server, &robot.assertion()).await.status, 401, "{id}");
        }
    }

    async fn a_client_has_at_most_two_keys_and_each_has_its_own_identifier(server: Server) {
        let path = |file: &tempfile::NamedTempFile| file.path().to_str().unwrap().to_owned();
        let three = jwk_set(&[("a", &*KEY), ("b", &*OTHER), ("c", &*KEY)]);
        let text = refused(&server, &add_set(&path(&three))).await;
        assert!(text.contains("at most 2 keys"), "{text}");
        let same = jwk_set(&[("a", &*KEY), ("a", &*OTHER)]);
        let text = refused(&server, &add_set(&path(&same))).await;
        assert!(text.contains("give the new one another kid"), "{text}");

        let two = jwk_set(&[("a", &*KEY), ("b", &*OTHER)]);
        done(&server, &add_set(&path(&two))).await;
        done(&server, &["clients", "rotate", "set", "--finish"]).await;
        for (key, kid, status) in [(&*KEY, "a", 401), (&*OTHER, "b", 200)] {
            let robot = Robot::of(&server, "set", encoding_key(key), kid);
            let answer = authenticate(&server, &robot.assertion()).await;
            assert_eq!(answer.status, status, "{kid}");
        }
        // The key in use stays valid.
        let different = jwk_set(&[("b", &*KEY)]);
        let path = path(&different);
        let text = refused(&server, &["clients", "rotate", "set", "--key", &path]).await;
        assert!(text.contains("give the new one another kid"), "{text}");
        let robot = Robot::of(&server, "set", encoding_key(&OTHER), "b");
        assert_eq!(authenticate(&server, &robot.assertion()).await.status, 200);
    }

    async fn operators_are_told_what_names_a_key(server: Server) {
        let certificate = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/certificate.pem");
        let (named, plain) = (jwk(json!({ "kid": "mine" })), jwk(json!({})));
        let add = |id: &'static str, key: &str| {
            let common = ["clients", "add", id, "--name", "R", "--kind", "assertion", "--role",
                "accounts_reader", "--key"].map(str::to_owned);
            [&common[..], &[key.to_owned()]].concat()
        };
        let path = |file: &tempfile::NamedTempFile| file.path().to_str().unwrap().to_owned();
        let thumbprint = KEY.public().kid.clone();
        for (id, key, kid, x5t) in [
            ("certified", certificate.to_owned(), None, json!("xHNTCGY7Tmvhw_Z3tsE8PHuxWc0")),
            ("named", path(&named), Some("mine".to_owned()), Value::Null),
            ("plain", path(&plain), Some(thumbprint), Value::Null),
        ] {
            let arguments = add(id, &key);
            let arguments: Vec<_> = arguments.iter().map(String::as_str).collect();
            let added = told(&server, &arguments).await;
            assert_eq!(added["keys"][0]["x5t"], x5t, "{added}");
            let shown = added["keys"][0]["kid"].as_str().unwrap().to_owned();
            assert!(kid.is_none_or(|kid| kid == shown), "{added}");
            let listed = told(&server, &["clients", "list"]).await;
            let clients = listed.as_array().unwrap();
            let client = clients.iter().find(|client| client["id"] == id).unwrap();
            assert_eq!(client["keys"], added["keys"]);
            assert!(done(&server, &["clients", "list"]).await.contains(&shown));
        }
        let words = done(&server, &["clients", "rotate", "named", "--key", &path(&plain)]).await;
        assert!(words.contains(&format!("kid {}", KEY.public().kid)), "{words}");
        demo::make_robot_key(&server.app().identity).await.unwrap();
        let listed = told(&server, &["clients", "list"]).await.to_string();
        assert!(listed.contains("\"kid\":\"accord-robot\""), "{listed}");
    }

    async fn operators_pin_and_see_what_is_pinned(server: Server) {
        let key = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/certificate.pem");
        let add = |id: &'static str, more: &[&'static str]| {
            let common = ["clients", "add", id, "--name", "R", "--kind", "assertion", "--role",
                "accounts_reader", "--key", key];
            [&common, more].concat()
        };
        done(&server, &add("plain", &[])).await;
        done(&server, &add("pss", &["--algorithm", "PS384", "--strict"])).await;
        let output = run(&server, &add("mac", &["--algorithm", "HS256"]), "").await;
        assert!(!output.status.success());
        assert!(refused(&server, &["clients", "rotate", "plain"]).await.contains("--key"));

        let listed = told(&server, &["clients", "list"]).await;
        let of = |id: &str| {
            let clients = listed.as_array().unwrap();
            clients.iter().find(|client| client["id"] == id).unwrap().clone()
        };
        let (plain, pss) = (of("plain"), of("pss"));
        // New clients are held to RFC 10070 where an operator says so.
        assert_eq!((&plain["strict"], &plain["algorithms"]), (&json!(false), &json!("RS256")));
        assert_eq!((&pss["strict"], &pss["algorithms"]), (&json!(true), &json!("PS384")));
        assert_eq!(of("accord-web")["algorithms"], "");
        let metadata = server.get("/.well-known/oauth-authorization-server").await;
        let metadata: Value = metadata.json().await.unwrap();
        let supported = &metadata["token_endpoint_auth_signing_alg_values_supported"];
        assert_eq!(*supported, json!(["RS256", "RS384", "RS512", "PS256", "PS384", "PS512"]));
    }
}
