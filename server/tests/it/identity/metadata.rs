//! What clients configure themselves from.

use serde_json::Value;

use super::client::{Answer, answer, tokens};
use crate::harness::Server;
use crate::harness::shared::on_shared_service;

async fn get(server: &Server, path: &str) -> Answer {
    answer(server.http().get(server.url(path))).await
}

on_shared_service! {
    async fn the_metadata_leads_to_every_endpoint(server: Server) {
        let answer = get(&server, "/.well-known/oauth-authorization-server").await;
        assert_eq!(answer.status, 200);
        assert_eq!(answer.text("issuer"), server.url(""));
        assert!(answer.header("cache-control").starts_with("public, max-age="));
        for name in [
            "token_endpoint",
            "device_authorization_endpoint",
            "introspection_endpoint",
            "revocation_endpoint",
        ] {
            let request = server.http().post(answer.text(name)).form(&[("x", "y")]);
            assert_eq!(request.send().await.unwrap().status(), 400, "{name}");
        }
        let keys = server.http().get(answer.text("jwks_uri")).send().await.unwrap();
        assert_eq!(keys.status(), 200);
    }

    async fn a_token_can_be_verified_with_the_jwk_set(server: Server) {
        let token = tokens(&server, "accounts.read").await;
        let token = token.text("access_token");
        let set = get(&server, "/admin/v1/SigningCert/jwk").await;
        let set: jsonwebtoken::jwk::JwkSet = serde_json::from_value(set.body).unwrap();
        let header = jsonwebtoken::decode_header(token).unwrap();
        let jwk = set.find(&header.kid.unwrap()).expect("the key of the token");
        let key = jsonwebtoken::DecodingKey::from_jwk(jwk).unwrap();
        let mut validation = jsonwebtoken::Validation::new(jsonwebtoken::Algorithm::RS256);
        validation.set_audience(&["urn:accord:api"]);
        validation.set_issuer(&[server.url("")]);
        let verified = jsonwebtoken::decode::<Value>(token, &key, &validation).unwrap();
        assert_eq!(verified.claims["sub"], "ana");
    }

    async fn no_private_half_of_a_key_is_published(server: Server) {
        let set = get(&server, "/admin/v1/SigningCert/jwk").await;
        assert!(set.header("cache-control").starts_with("public, max-age="));
        for key in set.body["keys"].as_array().unwrap() {
            let names: Vec<_> = key.as_object().unwrap().keys().collect();
            assert_eq!(names, ["kty", "use", "alg", "kid", "n", "e"]);
        }
    }
}
