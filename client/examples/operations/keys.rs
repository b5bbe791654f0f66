// Each operation of API keys and their usage. The client has an access token.
use accord_client::{
    Accord, Secret,
    inference::{
        ChangeApiKeyCompartmentError, CreateApiKeyError, DeleteApiKeyError, GetApiKeyError,
        ListApiKeysError, ListUsageError, RenewApiKeyError, SetApiKeyStateError, UpdateApiKeyError,
        types,
    },
};

const COMPARTMENT: &str = "compartment.demo";

/// The API keys of a compartment, of all pages.
pub async fn list_api_keys(accord: &Accord) -> Result<Vec<types::ApiKey>, ListApiKeysError> {
    let keys = accord.inference().list_api_keys();
    keys.compartment_id(COMPARTMENT).items().collect_all().await
}

/// Creates a key with one secret, and returns the secret, which is shown once.
pub async fn create_api_key(accord: &Accord) -> Result<Option<Secret>, CreateApiKeyError> {
    let secrets = vec![types::KeyDetails::new("key-one")];
    let request = types::CreateApiKeyDetails::new(types::CreateApiKeyDetailsRequired {
        compartment_id: COMPARTMENT.to_owned(),
        display_name: "reporting_key".to_owned(),
        key_details: secrets,
    });
    let create = accord.inference().create_api_key().body(request);
    let created = create.call().await?.into_inner();
    Ok(created.keys.into_iter().find_map(|secret| secret.key))
}

/// The name of a key.
pub async fn get_api_key(accord: &Accord, key: &str) -> Result<String, GetApiKeyError> {
    let key = accord.inference().get_api_key().api_key_id(key);
    Ok(key.call().await?.display_name.clone())
}

/// Renames a key, if nobody has changed it since `etag`.
pub async fn update_api_key(
    accord: &Accord,
    key: &str,
    etag: &str,
) -> Result<(), UpdateApiKeyError> {
    let request = types::UpdateApiKeyDetails::new().display_name("billing_key");
    let update = accord.inference().update_api_key().api_key_id(key);
    let update = update.if_match(etag).body(request);
    update.call().await.map(|_| ())
}

/// Revokes a secret of a key, permanently.
pub async fn set_api_key_state(accord: &Accord, key: &str) -> Result<(), SetApiKeyStateError> {
    let state = types::SecretTargetState::Revoked;
    let request = types::SetApiKeyStateDetails::new("key-one", state);
    let set = accord.inference().set_api_key_state().api_key_id(key);
    set.body(request).call().await.map(|_| ())
}

/// Renews a secret of a key, and returns its new value, which is shown once.
pub async fn renew_api_key(accord: &Accord, key: &str) -> Result<Option<Secret>, RenewApiKeyError> {
    let request = types::RenewApiKeyDetails::new(types::KeyDetails::new("key-one"));
    let renew = accord.inference().renew_api_key().api_key_id(key);
    let renewed = renew.body(request).call().await?.into_inner();
    Ok(renewed.keys.into_iter().find_map(|secret| secret.key))
}

/// Moves a key to another compartment.
pub async fn change_api_key_compartment(
    accord: &Accord,
    key: &str,
) -> Result<(), ChangeApiKeyCompartmentError> {
    let request = types::ChangeApiKeyCompartmentDetails::new(COMPARTMENT);
    let change = accord.inference().change_api_key_compartment();
    let change = change.api_key_id(key).body(request);
    change.call().await.map(|_| ())
}

/// Deletes a key.
pub async fn delete_api_key(accord: &Accord, key: &str) -> Result<(), DeleteApiKeyError> {
    let delete = accord.inference().delete_api_key().api_key_id(key);
    delete.call().await.map(|_| ())
}

/// The number of requests of all keys of a compartment.
pub async fn list_usage(accord: &Accord) -> Result<i64, ListUsageError> {
    let usage = accord.inference().list_usage();
    let mut summaries = usage.compartment_id(COMPARTMENT).items();
    let mut requests = 0;
    while let Some(summary) = summaries.next_item().await? {
        requests += summary.requests;
    }
    Ok(requests)
}
