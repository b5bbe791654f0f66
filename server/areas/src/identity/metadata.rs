//! The published facts for clients and resource servers: the metadata of RFC 8414 and the JWK Set
//! of RFC 7517.

use std::sync::Arc;

use accord_identity_server::{responses, types};

use super::clients::{Algorithm, Grant};
use super::endpoints;
use super::error::ServerError;
use super::keys::{self, CACHED_SECONDS};
use super::scopes::Scope;
use super::state::ensure_key;
use crate::identity::Identity;

const BASIC: &str = "client_secret_basic";
const POST: &str = "client_secret_post";
const ASSERTION: &str = "private_key_jwt";
const NONE: &str = "none";
/// The algorithm of token signatures.
const ALGORITHM: &str = "RS256";

/// The metadata document.
pub fn authorization_server(identity: &Identity) -> responses::GetAuthorizationServerMetadataOk {
    let list = |names: &[&str]| {
        names
            .iter()
            .map(|name| (*name).to_owned())
            .collect::<Vec<_>>()
    };
    responses::GetAuthorizationServerMetadataOk {
        cache_control: public(),
        body: types::AuthorizationServerMetadata {
            issuer: endpoints::issuer(identity).to_owned(),
            token_endpoint: endpoints::token(identity),
            device_authorization_endpoint: endpoints::device_authorization(identity),
            introspection_endpoint: endpoints::introspection(identity),
            revocation_endpoint: endpoints::revocation(identity),
            jwks_uri: endpoints::jwk_set(identity),
            scopes_supported: list(&Scope::ALL.map(Scope::as_str)),
            response_types_supported: list(&["device_code"]),
            grant_types_supported: list(&[
                Grant::DeviceCode.as_str(),
                Grant::RefreshToken.as_str(),
            ]),
            token_endpoint_auth_methods_supported: list(&[BASIC, POST, ASSERTION, NONE]),
            token_endpoint_auth_signing_alg_values_supported: algorithms(),
            introspection_endpoint_auth_methods_supported: list(&[BASIC, POST, ASSERTION]),
            introspection_endpoint_auth_signing_alg_values_supported: algorithms(),
            revocation_endpoint_auth_methods_supported: list(&[BASIC, POST, ASSERTION, NONE]),
            revocation_endpoint_auth_signing_alg_values_supported: algorithms(),
        },
    }
}

/// The public signing keys.
///
/// # Errors
///
/// When the store or the cryptographic library fails.
pub async fn jwk_set(identity: &Arc<Identity>) -> Result<responses::GetJwkSetOk, ServerError> {
    ensure_key(identity).await?;
    let now = identity.clock.now().timestamp_millis();
    let listings = identity
        .store
        .read(move |tx| keys::published(tx, now))
        .await?;
    let jwk = |listing: keys::KeyListing| types::Jwk {
        kty: "RSA".into(),
        use_: "sig".into(),
        alg: ALGORITHM.into(),
        kid: listing.key.kid,
        n: listing.key.modulus,
        e: listing.key.exponent,
    };
    Ok(responses::GetJwkSetOk {
        cache_control: public(),
        body: types::JwkSet {
            keys: listings.into_iter().map(jwk).collect(),
        },
    })
}

/// The algorithms of client assertions. Each client has its own.
fn algorithms() -> Vec<String> {
    Algorithm::ALL.map(|one| one.as_str().to_owned()).to_vec()
}

fn public() -> String {
    format!("public, max-age={CACHED_SECONDS}")
}
