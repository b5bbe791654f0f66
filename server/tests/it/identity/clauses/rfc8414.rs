//! RFC 8414: authorization server metadata.

use serde_json::Value;

use super::super::client::{Answer, answer, tokens};
use super::super::tokens::part;
use super::clauses;
use crate::harness::{Database, Server};

const WELL_KNOWN: &str = "/.well-known/oauth-authorization-server";

async fn metadata(server: &Server) -> Answer {
    answer(server.http().get(server.url(WELL_KNOWN))).await
}

fn has(list: &Value, name: &str) -> bool {
    list.as_array()
        .is_some_and(|list| list.contains(&name.into()))
}

clauses! {
    /// RFC 8414, section 2, REQUIRED: `issuer` is a URL without query and fragment.
    async fn the_issuer_has_no_query_and_no_fragment(server: Server) {
        let issuer = url::Url::parse(metadata(&server).await.text("issuer")).unwrap();
        assert_eq!((issuer.query(), issuer.fragment()), (None, None));
    }

    /// RFC 8414, section 2, REQUIRED: the metadata has `token_endpoint`.
    async fn the_metadata_has_the_token_endpoint(server: Server) {
        let answer = metadata(&server).await;
        assert_eq!(answer.text("token_endpoint"), server.url("/oauth2/v1/token"));
    }

    /// RFC 8414, section 2, REQUIRED unless no grant uses it: the metadata has no
    /// `authorization_endpoint`, because no grant uses it.
    async fn the_metadata_has_no_authorization_endpoint(server: Server) {
        let answer = metadata(&server).await;
        assert_eq!(answer.body["authorization_endpoint"], Value::Null);
        for grant in ["authorization_code", "implicit"] {
            assert!(!has(&answer.body["grant_types_supported"], grant));
        }
    }

    /// RFC 8414, section 2, REQUIRED: the metadata has `response_types_supported`.
    async fn the_metadata_has_the_response_types(server: Server) {
        let answer = metadata(&server).await;
        assert!(has(&answer.body["response_types_supported"], "device_code"));
    }

    /// RFC 8414, section 2, as defined: the metadata has `grant_types_supported`, because
    /// its default does not apply.
    async fn the_metadata_has_the_grant_types(server: Server) {
        let answer = metadata(&server).await;
        assert!(has(&answer.body["grant_types_supported"], "refresh_token"));
    }

    /// RFC 8414, section 2, REQUIRED: each key has its use, so that clients do not use it
    /// for another purpose.
    async fn every_published_key_says_its_use(server: Server) {
        let uri = metadata(&server).await.text("jwks_uri").to_owned();
        let set = answer(server.http().get(uri)).await;
        for key in set.body["keys"].as_array().unwrap() {
            assert_eq!(key["use"], "sig");
        }
    }

    /// RFC 8414, section 2, MUST: the metadata lists the algorithms of client assertions
    /// for each of the three endpoints.
    async fn the_algorithms_of_assertions_are_listed(server: Server) {
        let answer = metadata(&server).await;
        for endpoint in ["token", "introspection", "revocation"] {
            let methods = &answer.body[format!("{endpoint}_endpoint_auth_methods_supported")];
            assert!(has(methods, "client_secret_post"), "{endpoint}");
            assert!(has(methods, "private_key_jwt"), "{endpoint}");
            let name = format!("{endpoint}_endpoint_auth_signing_alg_values_supported");
            assert!(has(&answer.body[name], "RS256"), "{endpoint}");
        }
    }

    /// RFC 8414, section 2, MUST NOT: `none` is not an algorithm for signing.
    async fn none_is_no_algorithm(server: Server) {
        let answer = metadata(&server).await;
        for (name, value) in answer.body.as_object().unwrap() {
            assert!(!name.contains("signing_alg") || !has(value, "none"), "{name}");
        }
    }

    /// RFC 8414, section 3, MUST: the document is at the well-known path of the issuer.
    async fn the_metadata_is_at_the_well_known_path(server: Server) {
        let first = metadata(&server).await;
        let url = format!("{}{WELL_KNOWN}", first.text("issuer"));
        assert_eq!(answer(server.http().get(url)).await.body, first.body);
    }

    /// RFC 8414, section 3.1, MUST: clients request the document with GET.
    async fn the_metadata_is_read_with_get(server: Server) {
        assert_eq!(metadata(&server).await.status, 200);
        let post = server.http().post(server.url(WELL_KNOWN));
        assert_eq!(answer(post).await.status, 405);
    }

    /// RFC 8414, section 3.2, MUST: the response is 200 with a JSON object of type
    /// application/json.
    async fn the_metadata_is_a_json_object(server: Server) {
        let answer = metadata(&server).await;
        assert_eq!(answer.status, 200);
        assert!(answer.header("content-type").starts_with("application/json"));
        assert!(answer.body.is_object());
    }

    /// RFC 8414, section 3.2, MUST: several values are an array, and empty arrays are
    /// omitted.
    async fn lists_of_the_metadata_are_arrays_that_are_not_empty(server: Server) {
        for (name, value) in metadata(&server).await.body.as_object().unwrap() {
            let list = name.ends_with("_supported");
            assert_eq!(value.is_array(), list, "{name}");
            assert!(!value.is_null() && value.as_array().is_none_or(|list| !list.is_empty()));
        }
    }

    /// RFC 8414, section 3.3, MUST: the issuer of the document is that of its well-known
    /// path, and that of the tokens.
    async fn the_issuer_is_the_one_that_was_asked_and_that_issues(server: Server) {
        let answer = metadata(&server).await;
        assert_eq!(answer.text("issuer"), server.url(""));
        let token = tokens(&server, "accounts.read").await;
        assert_eq!(part(token.text("access_token"), 1)["iss"], answer.body["issuer"]);
    }
}

/// RFC 8414, section 2, MUST: behind a public address with https, the issuer, the
/// key set and every endpoint are https.
#[tokio::test(flavor = "multi_thread")]
async fn with_a_public_address_every_url_is_https() {
    let server = Server::start_with(Database::Sqlite, |layer| {
        layer.server.public_url = Some("https://id.example".parse().unwrap());
    })
    .await;
    let local = format!("http://{}{WELL_KNOWN}", server.address());
    let answer = answer(server.http().get(local)).await;
    assert_eq!(answer.text("issuer"), "https://id.example");
    let mut urls = 0;
    for (name, value) in answer.body.as_object().unwrap() {
        if name.ends_with("_endpoint") || name.ends_with("_uri") {
            let url = value.as_str().unwrap();
            assert!(url.starts_with("https://id.example/"), "{name}");
            urls += 1;
        }
    }
    assert_eq!(urls, 5);
    assert_eq!(server.stop().await, Vec::<String>::new());
}
