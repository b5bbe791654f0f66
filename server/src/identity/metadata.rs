//! What clients and resource servers must know: the metadata of RFC 8414 and
//! the JWK Set of RFC 7517.

use std::sync::Arc;

use accord::identity::server::{responses, types};

use super::clients::Grant;
use super::endpoints;
use super::error::ServerError;
use super::keys::{self, CACHED_SECONDS};
use super::scopes::Scope;
use super::state::ensure_key;
use crate::app::App;

const BASIC: &str = "client_secret_basic";
const ASSERTION: &str = "private_key_jwt";
const NONE: &str = "none";
const ALGORITHM: &str = "RS256";

/// The metadata document.
pub fn authorization_server(app: &App) -> responses::GetAuthorizationServerMetadataOk {
    let list = |names: &[&str]| {
        names
            .iter()
            .map(|name| (*name).to_owned())
            .collect::<Vec<_>>()
    };
    responses::GetAuthorizationServerMetadataOk {
        cache_control: public(),
        body: types::AuthorizationServerMetadata {
            issuer: endpoints::issuer(app).to_owned(),
            token_endpoint: endpoints::token(app),
            device_authorization_endpoint: endpoints::device_authorization(app),
            introspection_endpoint: endpoints::introspection(app),
            revocation_endpoint: endpoints::revocation(app),
            jwks_uri: endpoints::jwk_set(app),
            scopes_supported: list(&Scope::ALL.map(Scope::as_str)),
            response_types_supported: list(&["device_code"]),
            grant_types_supported: list(&[
                Grant::DeviceCode.as_str(),
                Grant::RefreshToken.as_str(),
            ]),
            token_endpoint_auth_methods_supported: list(&[BASIC, ASSERTION, NONE]),
            token_endpoint_auth_signing_alg_values_supported: list(&[ALGORITHM]),
            introspection_endpoint_auth_methods_supported: list(&[BASIC, ASSERTION]),
            introspection_endpoint_auth_signing_alg_values_supported: list(&[ALGORITHM]),
            revocation_endpoint_auth_methods_supported: list(&[BASIC, ASSERTION, NONE]),
            revocation_endpoint_auth_signing_alg_values_supported: list(&[ALGORITHM]),
        },
    }
}

/// The public signing keys.
///
/// # Errors
///
/// When the store or the cryptographic library fails.
pub async fn jwk_set(app: &Arc<App>) -> Result<responses::GetJwkSetOk, ServerError> {
    ensure_key(app).await?;
    let now = app.clock.now().timestamp_millis();
    let listings = app.store.read(move |tx| keys::published(tx, now)).await?;
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

fn public() -> String {
    format!("public, max-age={CACHED_SECONDS}")
}
