//! The URLs of the endpoints and pages of this area.
//!
//! The paths are those of the document, below the issuer.

use super::assertions::Audience;
use crate::identity::Identity;
use accord_base::area::Area;

/// The issuer identifier: the public address of this area.
pub fn issuer(identity: &Identity) -> &str {
    identity.urls().of(Area::Identity)
}

/// The token endpoint.
pub fn token(identity: &Identity) -> String {
    format!("{}/oauth2/v1/token", issuer(identity))
}

/// The device authorization endpoint.
pub fn device_authorization(identity: &Identity) -> String {
    format!("{}/oauth2/v1/device", issuer(identity))
}

/// The introspection endpoint.
pub fn introspection(identity: &Identity) -> String {
    format!("{}/oauth2/v1/introspect", issuer(identity))
}

/// The revocation endpoint.
pub fn revocation(identity: &Identity) -> String {
    format!("{}/oauth2/v1/revoke", issuer(identity))
}

/// The JWK Set.
pub fn jwk_set(identity: &Identity) -> String {
    format!("{}/admin/v1/SigningCert/jwk", issuer(identity))
}

/// The page where users enter their codes.
pub fn verification(identity: &Identity) -> String {
    format!("{}/ui/v1/device", issuer(identity))
}

/// The names under which client assertions may address this server.
pub fn audience(identity: &Identity) -> Audience {
    Audience {
        issuer: issuer(identity).to_owned(),
        token_endpoint: token(identity),
    }
}
