//! The operations of `openapi/identity.yaml`, each in a file of its own, behind the generated
//! trait.

use std::sync::Arc;

use accord_identity_server::{
    CreateDeviceAuthorizationCaller, CreateDeviceAuthorizationError,
    CreateDeviceAuthorizationResponse, CreateTokenCaller, CreateTokenError, CreateTokenResponse,
    GetAuthorizationServerMetadataError, GetAuthorizationServerMetadataResponse, GetJwkSetError,
    GetJwkSetResponse, Identity, IntrospectTokenCaller, IntrospectTokenError,
    IntrospectTokenResponse, RevokeTokenCaller, RevokeTokenError, RevokeTokenResponse, Security,
    parameters, types,
};
use dropforge_runtime::{Basic, Call, Denied, Rejection, Reply};

use crate::api::call::caller_address;
use crate::app::App;
use crate::identity::clients::Credentials;
use crate::identity::{device, introspect, metadata, rejections, revoke, token, user_agent};

/// Implements the identity document.
pub struct Service;

impl Security for Service {
    type Context = Arc<App>;
    type ClientBasic = Credentials;

    /// The operation checks credentials, in the transaction in which it uses them, together with
    /// the client's identification in the form.
    async fn client_basic(
        _: &Call<Arc<App>>,
        credentials: Basic,
        _: &'static [&'static str],
    ) -> Result<Credentials, Denied> {
        Ok(Credentials::Readable {
            user: credentials.user,
            password: credentials.password,
        })
    }

    fn reject(call: &Call<Arc<App>>, rejection: Rejection) -> Reply {
        rejections::rejected(&rejection, call.method().as_str())
    }
}

/// The credentials in the Authorization header. A malformed header must not count as absent.
macro_rules! credentials {
    ($caller:ident, $call:ident, $value:expr) => {
        match $value {
            $caller::ClientBasic(credentials) => Some(credentials),
            $caller::Anonymous => $call
                .headers()
                .contains_key("authorization")
                .then_some(Credentials::Unreadable),
        }
    };
}

impl Identity for Service {
    async fn create_device_authorization(
        call: Call<Arc<App>>,
        caller: CreateDeviceAuthorizationCaller<Self>,
        _: parameters::CreateDeviceAuthorization,
        body: types::DeviceAuthorizationRequest,
    ) -> Result<CreateDeviceAuthorizationResponse, CreateDeviceAuthorizationError> {
        let credentials = credentials!(CreateDeviceAuthorizationCaller, call, caller);
        let origin = caller_address(&call);
        let ok = device::authorize(&call.context().identity, credentials, origin, body).await?;
        Ok(CreateDeviceAuthorizationResponse::Ok(ok))
    }

    async fn create_token(
        call: Call<Arc<App>>,
        caller: CreateTokenCaller<Self>,
        _: parameters::CreateToken,
        body: types::TokenRequest,
    ) -> Result<CreateTokenResponse, CreateTokenError> {
        let credentials = credentials!(CreateTokenCaller, call, caller);
        let ok = token::exchange(
            &call.context().identity,
            credentials,
            caller_address(&call).to_string(),
            user_agent::of(call.headers()),
            body,
        )
        .await?;
        Ok(CreateTokenResponse::Ok(ok))
    }

    async fn introspect_token(
        call: Call<Arc<App>>,
        caller: IntrospectTokenCaller<Self>,
        _: parameters::IntrospectToken,
        body: types::IntrospectionRequest,
    ) -> Result<IntrospectTokenResponse, IntrospectTokenError> {
        let credentials = credentials!(IntrospectTokenCaller, call, caller);
        let ok = introspect::introspect(&call.context().identity, credentials, body).await?;
        Ok(IntrospectTokenResponse::Ok(ok))
    }

    async fn revoke_token(
        call: Call<Arc<App>>,
        caller: RevokeTokenCaller<Self>,
        _: parameters::RevokeToken,
        body: types::RevocationRequest,
    ) -> Result<RevokeTokenResponse, RevokeTokenError> {
        let credentials = credentials!(RevokeTokenCaller, call, caller);
        let ok = revoke::revoke(
            &call.context().identity,
            credentials,
            caller_address(&call).to_string(),
            body,
        )
        .await?;
        Ok(RevokeTokenResponse::Ok(ok))
    }

    async fn get_authorization_server_metadata(
        call: Call<Arc<App>>,
        _: parameters::GetAuthorizationServerMetadata,
    ) -> Result<GetAuthorizationServerMetadataResponse, GetAuthorizationServerMetadataError> {
        Ok(GetAuthorizationServerMetadataResponse::Ok(
            metadata::authorization_server(&call.context().identity),
        ))
    }

    async fn get_jwk_set(
        call: Call<Arc<App>>,
        _: parameters::GetJwkSet,
    ) -> Result<GetJwkSetResponse, GetJwkSetError> {
        let ok = metadata::jwk_set(&call.context().identity).await?;
        Ok(GetJwkSetResponse::Ok(ok))
    }
}
