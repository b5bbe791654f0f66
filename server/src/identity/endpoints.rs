//! Where the endpoints and pages of this area are.
//!
//! The paths are those of the document, below the issuer.

use super::assertions::Audience;
use crate::app::App;
use crate::serve::Area;

/// The issuer identifier: the public address of this area.
pub fn issuer(app: &App) -> &str {
    app.urls().of(Area::Identity)
}

/// The token endpoint.
pub fn token(app: &App) -> String {
    format!("{}/oauth2/v1/token", issuer(app))
}

/// The device authorization endpoint.
pub fn device_authorization(app: &App) -> String {
    format!("{}/oauth2/v1/device", issuer(app))
}

/// The introspection endpoint.
pub fn introspection(app: &App) -> String {
    format!("{}/oauth2/v1/introspect", issuer(app))
}

/// The revocation endpoint.
pub fn revocation(app: &App) -> String {
    format!("{}/oauth2/v1/revoke", issuer(app))
}

/// The JWK Set.
pub fn jwk_set(app: &App) -> String {
    format!("{}/admin/v1/SigningCert/jwk", issuer(app))
}

/// The page where users enter their codes.
pub fn verification(app: &App) -> String {
    format!("{}/ui/v1/device", issuer(app))
}

/// The names under which client assertions may address this server.
pub fn audience(app: &App) -> Audience {
    Audience {
        issuer: issuer(app).to_owned(),
        token_endpoint: token(app),
    }
}
