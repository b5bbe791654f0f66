// Each operation of the identity area. The client has the credentials of a confidential client. `Accord::login` covers
// the login of a user.
use accord_client::{
    Accord,
    identity::{
        CreateDeviceAuthorizationError, CreateTokenError, GetAuthorizationServerMetadataError,
        GetJwkSetError, IntrospectTokenError, RevokeTokenError, types,
    },
};

/// Asks for a code by which a user approves a device (RFC 8628), and returns the code for the user.
pub async fn create_device_authorization(
    accord: &Accord,
) -> Result<String, CreateDeviceAuthorizationError> {
    let request = types::DeviceAuthorizationRequest::new()
        .response_type(types::ResponseType::DeviceCode)
        .client_id("accord-cli")
        .scope("accounts.read offline_access");
    let authorize = accord.identity().create_device_authorization();
    let authorization = authorize.body(request).call().await?;
    Ok(authorization.user_code.clone())
}

/// Exchanges a refresh token, and returns the lifetime of the access token in seconds.
pub async fn create_token(accord: &Accord, refresh_token: &str) -> Result<i32, CreateTokenError> {
    let request = types::TokenRequest::new("refresh_token")
        .refresh_token(refresh_token)
        .client_id("accord-cli");
    let token = accord.identity().create_token().body(request);
    Ok(token.call().await?.expires_in)
}

/// Whether a token is valid.
pub async fn introspect_token(accord: &Accord, token: &str) -> Result<bool, IntrospectTokenError> {
    let request = types::IntrospectionRequest::new(token);
    let introspect = accord.identity().introspect_token().body(request);
    Ok(introspect.call().await?.active)
}

/// Revokes a token, and all tokens of the same approval.
pub async fn revoke_token(accord: &Accord, token: &str) -> Result<(), RevokeTokenError> {
    let request = types::RevocationRequest::new(token).token_type_hint("refresh_token");
    let revoke = accord.identity().revoke_token().body(request);
    revoke.call().await.map(|_| ())
}

/// The identifiers of the keys that sign access tokens.
pub async fn get_jwk_set(accord: &Accord) -> Result<Vec<String>, GetJwkSetError> {
    let keys = accord.identity().get_jwk_set().call().await?;
    Ok(keys.keys.iter().map(|key| key.kid.clone()).collect())
}

/// The issuer of the tokens (RFC 8414).
pub async fn get_authorization_server_metadata(
    accord: &Accord,
) -> Result<String, GetAuthorizationServerMetadataError> {
    let metadata = accord.identity().get_authorization_server_metadata();
    Ok(metadata.call().await?.issuer.clone())
}
