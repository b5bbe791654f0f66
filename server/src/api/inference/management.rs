//! The operations on keys.

use std::sync::Arc;

use accord_inference_server::{
    ChangeApiKeyCompartmentResponse, CreateApiKeyResponse, DeleteApiKeyResponse, GetApiKeyResponse,
    ListApiKeysResponse, ListUsageResponse, RenewApiKeyResponse, SetApiKeyStateResponse,
    UpdateApiKeyResponse, parameters, responses, types,
};
use chrono::{DateTime, Utc};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::api::call::retry_token;
use crate::inference::Inference;
use crate::inference::keys::KeyError;
use crate::inference::keys::access::Manager;
use crate::inference::keys::change::{self, Attributes, Tags, Target};
use crate::inference::keys::create::{self, NewKey, NewSecret};
use crate::inference::keys::key::{Key, KeyResponse, LifecycleState, Secret};
use crate::inference::keys::list::{self, Query, SortBy};
use crate::inference::keys::renew as renewal;
use crate::inference::keys::retry::RetryToken;
use crate::inference::keys::state::{SecretState, StoredState, TargetState};
use crate::inference::keys::tags::check_names;
use crate::inference::keys::usage;

/// Forbids caches to store a response (RFC 9111, section 5.2.2.5).
const NO_STORE: &str = "no-store";

pub(super) async fn list(
    inference: &Arc<Inference>,
    caller: &Manager,
    parameters: parameters::ListApiKeys,
) -> Result<ListApiKeysResponse, KeyError> {
    caller.take_call(inference).await?;
    let sort_by = match parameters.sort_by {
        types::ApiKeySortBy::DisplayName => SortBy::Name,
        types::ApiKeySortBy::TimeCreated => SortBy::Created,
    };
    let descending = match parameters.sort_order {
        Some(order) => order == types::SortOrder::Desc,
        None => sort_by == SortBy::Created,
    };
    let query = Query {
        compartment_id: parameters.compartment_id,
        lifecycle: parameters.lifecycle_state.map(lifecycle),
        display_name: parameters.display_name,
        id: parameters.id,
        limit: parameters.limit.into(),
        page: parameters.page,
        sort_by,
        descending,
    };
    let page = list::list(inference, caller, query).await?;
    let items = page.keys.into_iter().map(|key| api_key(key, page.at));
    Ok(ListApiKeysResponse::Ok(responses::ListApiKeysOk {
        accord_next_page: page.next,
        body: types::ApiKeyCollection {
            items: items.collect::<Result<_, _>>()?,
        },
    }))
}

pub(super) async fn list_usage(
    inference: &Arc<Inference>,
    caller: &Manager,
    parameters: parameters::ListUsage,
) -> Result<ListUsageResponse, KeyError> {
    caller.take_call(inference).await?;
    let query = usage::Query {
        compartment_id: parameters.compartment_id,
        key_id: parameters.api_key_id,
        model: parameters.model,
        first_day: parameters.first_day,
        last_day: parameters.last_day,
        limit: parameters.limit.into(),
        page: parameters.page,
        descending: parameters.sort_order != Some(types::SortOrder::Asc),
    };
    let page = usage::list(inference, caller, query).await?;
    let items = page.sums.into_iter().map(|sum| types::UsageSummary {
        api_key_id: sum.line.key_id,
        display_name: sum.display_name,
        model: sum.line.model,
        day: sum.line.day,
        requests: sum.counts.requests,
        errors: sum.counts.errors,
        input_tokens: sum.counts.tokens.input,
        output_tokens: sum.counts.tokens.output,
    });
    Ok(ListUsageResponse::Ok(responses::ListUsageOk {
        accord_next_page: page.next,
        body: types::UsageCollection {
            items: items.collect(),
        },
    }))
}

pub(super) async fn create(
    inference: &Arc<Inference>,
    caller: &Manager,
    parameters: parameters::CreateApiKey,
    body: types::CreateApiKeyDetails,
) -> Result<CreateApiKeyResponse, KeyError> {
    caller.take_call(inference).await?;
    let new = NewKey {
        display_name: body.display_name,
        compartment_id: body.compartment_id,
        description: body.description,
        freeform_tags: plain_tags(body.freeform_tags, "/freeformTags")?.unwrap_or_default(),
        defined_tags: plain_tags(body.defined_tags, "/definedTags")?.unwrap_or_default(),
        secrets: body.key_details.into_iter().map(new_secret).collect(),
    };
    let tokens = [parameters.accord_retry_token, parameters.idempotency_key];
    let retry = retry(inference, caller, tokens, &("create", &new))?;
    let response = create::create(inference, caller, retry, new).await?;
    Ok(CreateApiKeyResponse::Ok(responses::CreateApiKeyOk {
        cache_control: Some(NO_STORE.to_owned()),
        e_tag: response.key.etag(),
        body: issued_key(response)?,
    }))
}

pub(super) async fn get(
    inference: &Arc<Inference>,
    caller: &Manager,
    parameters: parameters::GetApiKey,
) -> Result<GetApiKeyResponse, KeyError> {
    caller.take_call(inference).await?;
    let response = list::get(inference, caller, &parameters.api_key_id).await?;
    Ok(GetApiKeyResponse::Ok(responses::GetApiKeyOk {
        e_tag: response.key.etag(),
        body: api_key(response.key, response.at)?,
    }))
}

pub(super) async fn update(
    inference: &Arc<Inference>,
    caller: &Manager,
    parameters: parameters::UpdateApiKey,
    body: types::UpdateApiKeyDetails,
) -> Result<UpdateApiKeyResponse, KeyError> {
    caller.take_call(inference).await?;
    let target = target(caller, parameters.api_key_id, parameters.if_match, None);
    let attributes = Attributes {
        display_name: body.display_name,
        description: body.description,
        tags: tags(body.freeform_tags, body.defined_tags)?,
    };
    let response = change::update(inference, target, attributes).await?;
    Ok(UpdateApiKeyResponse::Ok(responses::UpdateApiKeyOk {
        e_tag: response.key.etag(),
        body: api_key(response.key, response.at)?,
    }))
}

pub(super) async fn delete(
    inference: &Arc<Inference>,
    caller: &Manager,
    parameters: parameters::DeleteApiKey,
) -> Result<DeleteApiKeyResponse, KeyError> {
    caller.take_call(inference).await?;
    let target = target(caller, parameters.api_key_id, parameters.if_match, None);
    change::delete(inference, target).await?;
    Ok(DeleteApiKeyResponse::NoContent(
        responses::DeleteApiKeyNoContent {},
    ))
}

pub(super) async fn set_state(
    inference: &Arc<Inference>,
    caller: &Manager,
    parameters: parameters::SetApiKeyState,
    body: types::SetApiKeyStateDetails,
) -> Result<SetApiKeyStateResponse, KeyError> {
    caller.take_call(inference).await?;
    let to = match body.state {
        types::SecretTargetState::Active => TargetState::Active,
        types::SecretTargetState::Deactivated => TargetState::Deactivated,
        types::SecretTargetState::Revoked => TargetState::Revoked,
    };
    let tags = tags(body.freeform_tags, body.defined_tags)?;
    let request = (
        "setstate",
        &parameters.api_key_id,
        &body.key_name,
        to,
        &tags,
    );
    let tokens = [parameters.accord_retry_token, parameters.idempotency_key];
    let retry = retry(inference, caller, tokens, &request)?;
    let target = target(caller, parameters.api_key_id, parameters.if_match, retry);
    let response = change::set_state(inference, target, body.key_name, to, tags).await?;
    Ok(SetApiKeyStateResponse::Ok(responses::SetApiKeyStateOk {
        e_tag: response.key.etag(),
        body: api_key(response.key, response.at)?,
    }))
}

pub(super) async fn renew(
    inference: &Arc<Inference>,
    caller: &Manager,
    parameters: parameters::RenewApiKey,
    body: types::RenewApiKeyDetails,
) -> Result<RenewApiKeyResponse, KeyError> {
    caller.take_call(inference).await?;
    let new = new_secret(body.details);
    let tags = tags(body.freeform_tags, body.defined_tags)?;
    let request = ("renew", &parameters.api_key_id, &new, &tags);
    let tokens = [parameters.accord_retry_token, parameters.idempotency_key];
    let retry = retry(inference, caller, tokens, &request)?;
    let target = target(caller, parameters.api_key_id, parameters.if_match, retry);
    let response = renewal::renew(inference, target, new, tags).await?;
    Ok(RenewApiKeyResponse::Ok(responses::RenewApiKeyOk {
        cache_control: Some(NO_STORE.to_owned()),
        e_tag: response.key.etag(),
        body: issued_key(response)?,
    }))
}

pub(super) async fn change_compartment(
    inference: &Arc<Inference>,
    caller: &Manager,
    parameters: parameters::ChangeApiKeyCompartment,
    body: types::ChangeApiKeyCompartmentDetails,
) -> Result<ChangeApiKeyCompartmentResponse, KeyError> {
    caller.take_call(inference).await?;
    let request = ("move", &parameters.api_key_id, &body.compartment_id);
    let tokens = [parameters.accord_retry_token, parameters.idempotency_key];
    let retry = retry(inference, caller, tokens, &request)?;
    let target = target(caller, parameters.api_key_id, parameters.if_match, retry);
    change::change_compartment(inference, target, body.compartment_id).await?;
    Ok(ChangeApiKeyCompartmentResponse::NoContent(
        responses::ChangeApiKeyCompartmentNoContent {},
    ))
}

fn target(
    caller: &Manager,
    id: String,
    if_match: Option<String>,
    retry: Option<RetryToken>,
) -> Target {
    Target {
        manager: caller.clone(),
        id,
        if_match,
        retry,
    }
}

/// Binds the retry token, under either of its names, to the request.
fn retry(
    inference: &Inference,
    caller: &Manager,
    tokens: [Option<String>; 2],
    request: &impl Serialize,
) -> Result<Option<RetryToken>, KeyError> {
    let [accord_retry_token, idempotency_key] = tokens;
    let token =
        retry_token(idempotency_key, accord_retry_token).map_err(|_| KeyError::Invalid {
            pointer: "/Idempotency-Key".into(),
            message: "differs from accord-retry-token. Send one of them".into(),
        })?;
    let bind = |token: String| caller.retry_token(inference, &token, request);
    token.map(bind).transpose()
}

fn new_secret(details: types::KeyDetails) -> NewSecret {
    NewSecret {
        name: details.key_name,
        expires_at: details.time_expiry,
    }
}

fn tags(
    freeform: Option<types::FreeformTags>,
    defined: Option<types::DefinedTags>,
) -> Result<Tags, KeyError> {
    Ok(Tags {
        freeform: plain_tags(freeform, "/freeformTags")?,
        defined: plain_tags(defined, "/definedTags")?,
    })
}

/// Tags in the form that is stored.
fn plain_tags(
    tags: Option<impl Serialize>,
    pointer: &str,
) -> Result<Option<Map<String, Value>>, KeyError> {
    let map = match tags.map(serde_json::to_value) {
        None => return Ok(None),
        Some(Ok(Value::Object(map))) => map,
        Some(_) => return Err(KeyError::Failed("tags that are not an object".into())),
    };
    check_names(&map, pointer)?;
    Ok(Some(map))
}

fn document_tags<T: DeserializeOwned>(tags: Map<String, Value>) -> Result<T, KeyError> {
    serde_json::from_value(Value::Object(tags))
        .map_err(|error| KeyError::Failed(format!("stored tags: {error}")))
}

/// States that a key is never in have no counterpart here.
fn lifecycle(state: types::LifecycleStateFilter) -> Option<LifecycleState> {
    match state {
        types::LifecycleStateFilter::Active => Some(LifecycleState::Active),
        types::LifecycleStateFilter::Inactive => Some(LifecycleState::Inactive),
        types::LifecycleStateFilter::Deleted => Some(LifecycleState::Deleted),
        types::LifecycleStateFilter::Creating
        | types::LifecycleStateFilter::Updating
        | types::LifecycleStateFilter::Deleting
        | types::LifecycleStateFilter::Failed => None,
    }
}

fn document_lifecycle(state: LifecycleState) -> types::LifecycleState {
    match state {
        LifecycleState::Active => types::LifecycleState::Active,
        LifecycleState::Inactive => types::LifecycleState::Inactive,
        LifecycleState::Deleted => types::LifecycleState::Deleted,
    }
}

/// A key with the plain values that this call issued.
fn issued_key(response: KeyResponse) -> Result<types::IssuedApiKey, KeyError> {
    let KeyResponse { key, at, shown } = response;
    let key = api_key(key, at)?;
    let issue = |item: types::ApiKeyItem| {
        let plain = shown.iter().find(|(name, _)| *name == item.key_name);
        types::IssuedApiKeyItem {
            key: plain.map(|(_, secret)| secret.expose().to_owned()),
            key_name: item.key_name,
            key_mask: item.key_mask,
            state: item.state,
            time_created: item.time_created,
            time_expiry: item.time_expiry,
            time_activated: item.time_activated,
            time_deactivated: item.time_deactivated,
            time_revoked: item.time_revoked,
            time_last_used: item.time_last_used,
        }
    };
    Ok(types::IssuedApiKey {
        keys: key.keys.into_iter().map(issue).collect(),
        id: key.id,
        region: key.region,
        display_name: key.display_name,
        compartment_id: key.compartment_id,
        description: key.description,
        time_created: key.time_created,
        time_updated: key.time_updated,
        lifecycle_state: key.lifecycle_state,
        lifecycle_details: key.lifecycle_details,
        freeform_tags: key.freeform_tags,
        defined_tags: key.defined_tags,
        system_tags: key.system_tags,
    })
}

/// A key without plain values, which its type does not have.
fn api_key(key: Key, at: DateTime<Utc>) -> Result<types::ApiKey, KeyError> {
    Ok(types::ApiKey {
        lifecycle_state: document_lifecycle(key.lifecycle(at)),
        lifecycle_details: None,
        id: key.id,
        region: key.region,
        display_name: key.display_name,
        compartment_id: key.compartment_id,
        description: key.description,
        time_created: key.created_at,
        time_updated: Some(key.updated_at),
        keys: key
            .secrets
            .into_iter()
            .map(|secret| item(secret, at, key.deleted_at))
            .collect(),
        freeform_tags: Some(document_tags(key.freeform_tags)?),
        defined_tags: Some(document_tags(key.defined_tags)?),
        system_tags: None,
    })
}

/// The secrets of a deleted key are revoked with it.
fn item(
    mut secret: Secret,
    at: DateTime<Utc>,
    deleted_at: Option<DateTime<Utc>>,
) -> types::ApiKeyItem {
    if let Some(deleted_at) = deleted_at
        && secret.state != StoredState::Revoked
    {
        secret.enter(StoredState::Revoked, deleted_at);
    }
    types::ApiKeyItem {
        state: match secret.observed(at) {
            SecretState::Standby => types::SecretState::Standby,
            SecretState::Active => types::SecretState::Active,
            SecretState::Deactivated => types::SecretState::Deactivated,
            SecretState::Revoked => types::SecretState::Revoked,
            SecretState::Expired => types::SecretState::Expired,
        },
        key_name: secret.name,
        key_mask: secret.mask,
        time_created: secret.created_at,
        time_expiry: secret.expires_at,
        time_activated: secret.activated_at,
        time_deactivated: secret.deactivated_at,
        time_revoked: secret.revoked_at,
        time_last_used: secret.last_used_at,
    }
}
