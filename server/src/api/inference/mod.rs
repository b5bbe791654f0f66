//! Implements the generated trait of the inference document.
//!
//! Each method translates arguments into the terms of the area, and the area's outcome into the
//! responses of the operation. The area makes the decisions.

mod contents;
mod management;
mod models;
mod refusals;
mod reject;

use std::sync::Arc;

use accord_inference_server::{self as document, parameters, types};
use dropforge_runtime::{Bearer, Call, Denied, RawJson, Rejection, Reply};

use self::refusals::Refuse;
use crate::api::call::caller_address;
use crate::app::App;
use crate::inference::admission::{Caller, Rejected};
use crate::inference::keys::access::Manager;

/// The region of a call.
fn region(call: &Call<Arc<App>>) -> &str {
    let app = call.context();
    let host = || {
        let peer = call.remote_addr().ip();
        app.proxies.host(peer, call.headers(), call.uri())
    };
    app.inference.regions.of(host)
}

/// The area, as an implementation of the generated trait.
#[derive(Debug, Clone, Copy)]
pub enum Service {}

impl document::Security for Service {
    type Context = Arc<App>;
    type AccessToken = Manager;
    type ApiKeySecret = Caller;

    async fn access_token(
        call: &Call<Arc<App>>,
        credentials: Bearer,
        scopes: &'static [&'static str],
    ) -> Result<Manager, Denied> {
        let subject =
            crate::identity::verify_bearer(&call.context().identity, &credentials, scopes).await?;
        Ok(Manager {
            principal: subject.user_id,
            origin: caller_address(call).to_string(),
            region: region(call).to_owned(),
        })
    }

    async fn api_key_secret(
        call: &Call<Arc<App>>,
        credentials: Bearer,
        _: &'static [&'static str],
    ) -> Result<Caller, Denied> {
        let inference = &call.context().inference;
        let outcome = inference
            .admission
            .authenticate(inference, region(call), credentials.expose())
            .await;
        outcome.map_err(|rejected| match rejected {
            Rejected::Secret { .. } => Denied::unauthenticated(rejected.to_string()),
            Rejected::Failed(error) => Denied::unavailable(error.to_string()),
        })
    }

    fn reject(call: &Call<Arc<App>>, rejection: Rejection) -> Reply {
        reject::reject(call, rejection)
    }
}

impl document::Inference for Service {
    async fn list_api_keys(
        call: Call<Arc<App>>,
        caller: Manager,
        parameters: parameters::ListApiKeys,
    ) -> Result<document::ListApiKeysResponse, document::ListApiKeysError> {
        management::list(&call.context().inference, &caller, parameters)
            .await
            .map_err(Refuse::refuse)
    }

    async fn create_api_key(
        call: Call<Arc<App>>,
        caller: Manager,
        parameters: parameters::CreateApiKey,
        body: types::CreateApiKeyDetails,
    ) -> Result<document::CreateApiKeyResponse, document::CreateApiKeyError> {
        management::create(&call.context().inference, &caller, parameters, body)
            .await
            .map_err(Refuse::refuse)
    }

    async fn get_api_key(
        call: Call<Arc<App>>,
        caller: Manager,
        parameters: parameters::GetApiKey,
    ) -> Result<document::GetApiKeyResponse, document::GetApiKeyError> {
        management::get(&call.context().inference, &caller, parameters)
            .await
            .map_err(Refuse::refuse)
    }

    async fn update_api_key(
        call: Call<Arc<App>>,
        caller: Manager,
        parameters: parameters::UpdateApiKey,
        body: types::UpdateApiKeyDetails,
    ) -> Result<document::UpdateApiKeyResponse, document::UpdateApiKeyError> {
        management::update(&call.context().inference, &caller, parameters, body)
            .await
            .map_err(Refuse::refuse)
    }

    async fn delete_api_key(
        call: Call<Arc<App>>,
        caller: Manager,
        parameters: parameters::DeleteApiKey,
    ) -> Result<document::DeleteApiKeyResponse, document::DeleteApiKeyError> {
        management::delete(&call.context().inference, &caller, parameters)
            .await
            .map_err(Refuse::refuse)
    }

    async fn set_api_key_state(
        call: Call<Arc<App>>,
        caller: Manager,
        parameters: parameters::SetApiKeyState,
        body: types::SetApiKeyStateDetails,
    ) -> Result<document::SetApiKeyStateResponse, document::SetApiKeyStateError> {
        management::set_state(&call.context().inference, &caller, parameters, body)
            .await
            .map_err(Refuse::refuse)
    }

    async fn renew_api_key(
        call: Call<Arc<App>>,
        caller: Manager,
        parameters: parameters::RenewApiKey,
        body: types::RenewApiKeyDetails,
    ) -> Result<document::RenewApiKeyResponse, document::RenewApiKeyError> {
        management::renew(&call.context().inference, &caller, parameters, body)
            .await
            .map_err(Refuse::refuse)
    }

    async fn change_api_key_compartment(
        call: Call<Arc<App>>,
        caller: Manager,
        parameters: parameters::ChangeApiKeyCompartment,
        body: types::ChangeApiKeyCompartmentDetails,
    ) -> Result<document::ChangeApiKeyCompartmentResponse, document::ChangeApiKeyCompartmentError>
    {
        management::change_compartment(&call.context().inference, &caller, parameters, body)
            .await
            .map_err(Refuse::refuse)
    }

    async fn list_usage(
        call: Call<Arc<App>>,
        caller: Manager,
        parameters: parameters::ListUsage,
    ) -> Result<document::ListUsageResponse, document::ListUsageError> {
        management::list_usage(&call.context().inference, &caller, parameters)
            .await
            .map_err(Refuse::refuse)
    }

    async fn create_chat_completion(
        call: Call<Arc<App>>,
        caller: Caller,
        _: parameters::CreateChatCompletion,
        body: RawJson<types::ChatCompletionRequest>,
    ) -> Result<document::CreateChatCompletionResponse, document::CreateChatCompletionError> {
        models::chat(&call, caller, &body)
            .await
            .map_err(Refuse::refuse)
    }

    async fn create_response(
        call: Call<Arc<App>>,
        caller: Caller,
        _: parameters::CreateResponse,
        body: RawJson<types::ModelResponseRequest>,
    ) -> Result<document::CreateResponseResponse, document::CreateResponseError> {
        models::respond(&call, caller, &body)
            .await
            .map_err(Refuse::refuse)
    }

    async fn list_models(
        call: Call<Arc<App>>,
        caller: Caller,
        _: parameters::ListModels,
    ) -> Result<document::ListModelsResponse, document::ListModelsError> {
        models::list(&call, &caller).await.map_err(Refuse::refuse)
    }

    async fn get_model(
        call: Call<Arc<App>>,
        caller: Caller,
        parameters: parameters::GetModel,
    ) -> Result<document::GetModelResponse, document::GetModelError> {
        models::get(&call, &caller, parameters)
            .await
            .map_err(Refuse::refuse)
    }
}
