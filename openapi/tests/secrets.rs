//! Values that a document declares secret are not printed, on either side.

use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::fmt::Debug;

fn printed<T: DeserializeOwned + Debug>(value: &Value) -> String {
    let value: T = serde_json::from_value(value.clone()).expect("a value of the document");
    format!("{value:?}")
}

#[test]
fn neither_side_prints_a_secret() {
    use accord::{identity, inference};
    let request = json!({
        "grant_type": "refresh_token", "client_id": "accord-cli", "refresh_token": "very-secret",
        "device_code": "very-secret", "client_secret": "very-secret", "client_assertion": "very-secret",
    });
    let response = json!({
        "access_token": "very-secret", "token_type": "Bearer", "expires_in": 1, "scope": "a",
        "refresh_token": "very-secret",
    });
    let started = json!({
        "device_code": "very-secret", "user_code": "KLMRTVWX", "verification_uri": "http://a.example",
        "verification_uri_complete": "http://a.example?user_code=KLMRTVWX", "expires_in": 300, "interval": 5,
    });
    let item = json!({
        "keyName": "one", "key": "very-secret", "keyMask": "sk-abc...wxyz", "state": "ACTIVE",
        "timeCreated": "2026-11-21T08:00:00Z", "timeExpiry": "2026-11-21T09:00:00Z",
    });
    let token = json!({ "token": "very-secret" });
    for printed in [
        printed::<identity::client::types::TokenRequest>(&request),
        printed::<identity::server::types::TokenRequest>(&request),
        printed::<identity::client::types::TokenResponse>(&response),
        printed::<identity::server::types::TokenResponse>(&response),
        printed::<identity::client::types::DeviceAuthorization>(&started),
        printed::<identity::server::types::DeviceAuthorization>(&started),
        printed::<identity::client::types::RevocationRequest>(&token),
        printed::<identity::server::types::RevocationRequest>(&token),
        printed::<identity::client::types::IntrospectionRequest>(&token),
        printed::<identity::server::types::IntrospectionRequest>(&token),
        printed::<inference::client::types::IssuedApiKeyItem>(&item),
        printed::<inference::server::types::IssuedApiKeyItem>(&item),
    ] {
        assert!(!printed.contains("very-secret"), "{printed}");
    }
    // The rest is.
    let printed = printed::<identity::server::types::TokenRequest>(&request);
    assert!(printed.contains("accord-cli"), "{printed}");
}
