//! Signs in and calls all four areas with clients that progenitor generates: `accord-stock ADDRESS STAND-IN`. Prints
//! `approve CODE` when a user has to approve the device, and `success` at the end.

use generated::{accounts, identity, inference, patterns};
use progenitor_client::Error;
use reqwest::header::{AUTHORIZATION, HeaderMap};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::time::Duration;

#[allow(clippy::all, warnings)]
mod generated {
    pub mod accounts {
        include!(concat!(env!("OUT_DIR"), "/accounts.rs"));
    }
    pub mod identity {
        include!(concat!(env!("OUT_DIR"), "/identity.rs"));
    }
    pub mod inference {
        include!(concat!(env!("OUT_DIR"), "/inference.rs"));
    }
    pub mod patterns {
        include!(concat!(env!("OUT_DIR"), "/patterns.rs"));
    }
}

type Failure = Box<dyn std::error::Error>;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Failure> {
    let mut arguments = std::env::args().skip(1);
    let address = arguments.next().ok_or("the address is missing")?;
    let stand_in = arguments.next().ok_or("the stand-in is missing")?;
    let address = address.trim_end_matches('/');
    let token = sign_in(address).await?;

    let directory = accounts::Client::new_with_client(&format!("{address}/api"), bearer(&token)?);
    let listed = directory
        .list_organizations(None, None, None, &of(json!({}))?)
        .await?;
    let listed = serde_json::to_value(&*listed)?;
    ensure(listed.to_string().contains("North Works Ltd"), &listed)?;
    let user = of(json!({"hubUser": {
        "emailAddress": "eva@north.example",
        "firstName": "Eva",
        "lastName": "North",
        "language": "en",
        "hubOrganizationId": 3104,
        "setPassword": false,
    }}))?;
    let made = directory.create_user(None, None, None, &user).await?;
    let made = serde_json::to_value(&*made)?;
    ensure(made["hubUser"]["displayName"] == "Eva North", &made)?;

    let base = format!("{address}/20231130");
    let keys = inference::Client::new_with_client(&base, bearer(&token)?);
    let details = of(json!({
        "compartmentId": "compartment.demo",
        "displayName": "made_by_progenitor",
        "keyDetails": [{"keyName": "one"}],
    }))?;
    let made = keys.create_api_key(None, None, None, &details).await?;
    let compartment = of(json!("compartment.demo"))?;
    let listed = keys
        .list_api_keys(&compartment, None, None, None, None, None, None, None, None)
        .await?;
    let known = listed.items.iter().any(|one| one.id == made.id);
    ensure(known, &serde_json::to_value(&*listed)?)?;

    // A value of an enumeration that the document does not know.
    let later = inference::Client::new_with_client(&stand_in, bearer(&token)?);
    let unknown = later.get_api_key(&of(json!(made.id))?, None).await?;
    let state = serde_json::to_value(&unknown.lifecycle_state)?;
    ensure(state == "HIBERNATING", &state)?;

    let secret = made.keys[0].key.clone().ok_or("the key has no secret")?;
    let models = inference::Client::new_with_client(&base, bearer(&secret.to_string())?);
    let listed = serde_json::to_value(&*models.list_models(None).await?)?;
    ensure(listed.to_string().contains("accord.echo"), &listed)?;
    let chat = of(json!({
        "model": "accord.echo",
        "messages": [{"role": "user", "content": "Hello"}],
    }))?;
    let response = serde_json::to_value(&*models.create_chat_completion(None, &chat).await?)?;
    ensure(response["choices"].is_array(), &response)?;
    call_tool(&models).await?;

    let base = format!("{address}/ic/api/integration/v1");
    let recipes = patterns::Client::new_with_client(&base, bearer(&token)?);
    let pattern = of(json!({
        "patternCode": "ORDER_TRIAGE",
        "patternVersion": "01.00.0000",
        "projectCode": "RETAIL",
        "id": "3f1c2a9e-6d0b-4f6e-9c64-0a4c8c0d7b01",
        // The service ignores it.
        "usageCount": 7,
    }))?;
    // Each operation has types of its own for its parameters.
    let (project, instance) = (of(json!("RETAIL"))?, of(json!("design-eu-1"))?);
    let made = recipes
        .create_pattern_from_accelerator(&project, &instance, None, &pattern)
        .await?;
    let made = serde_json::to_value(&*made)?;
    let (project, instance) = (of(json!("RETAIL"))?, of(json!("design-eu-1"))?);
    let id = of(json!("ORDER_TRIAGE|01.00.0000"))?;
    let read = recipes.get_pattern(&project, &id, &instance, None).await?;
    let read = serde_json::to_value(&*read)?;
    ensure(read == made && read["usageCount"] == 0, &read)?;
    let (project, instance) = (of(json!("RETAIL"))?, of(json!("design-eu-1"))?);
    let page = recipes
        .list_patterns(&project, &instance, None, None, None, None, None, None)
        .await?;
    let page = serde_json::to_value(&*page)?;
    ensure(page["items"][0]["id"] == read["id"], &page)?;
    println!("success");
    Ok(())
}

/// A chat in which the model calls a tool, with the generated types.
async fn call_tool(models: &inference::Client) -> Result<(), Failure> {
    use inference::types::{ChatMessage, ToolCall};
    let ask = async |messages: Vec<ChatMessage>| -> Result<_, Failure> {
        let parameters = json!({"type": "object", "properties": {"city": {"type": "string"}}});
        let function = json!({"name": "get_weather", "parameters": parameters});
        let request = of(json!({
            "model": "acme.chat",
            "messages": messages,
            "tools": [{"type": "function", "function": function}],
        }))?;
        let response = models.create_chat_completion(None, &request).await?;
        let choice = response.into_inner().choices.into_iter().next();
        choice.ok_or_else(|| Failure::from("there is no choice"))
    };
    let question: ChatMessage = of(json!({"role": "user", "content": "How warm is it in Lyon?"}))?;
    let asked = ask(vec![question.clone()]).await?;
    let calls: Vec<ToolCall> = asked.message.tool_calls.clone().unwrap_or_default();
    let call = calls.first().ok_or("there is no call of a tool")?;
    let function = call
        .function
        .as_ref()
        .ok_or("the tool call has no function")?;
    let name = json!(function.name);
    ensure(name == "get_weather", &name)?;
    let arguments: Value = serde_json::from_str(&function.arguments)?;
    let city = arguments["city"].as_str().ok_or("there is no city")?;
    let result = format!("21 degrees in {city}");
    let called = of(json!({"role": "assistant", "tool_calls": [call]}))?;
    let result = of(json!({"role": "tool", "tool_call_id": call.id, "content": result}))?;
    let response = ask(vec![question, called, result]).await?;
    let reply = json!(response.message.content);
    ensure(reply == "21 degrees in Lyon", &reply)
}

/// The device flow, as a public client.
async fn sign_in(address: &str) -> Result<String, Failure> {
    let client = identity::Client::new(address);
    let scope =
        "accounts.read accounts.write apikeys.read apikeys.write patterns.read patterns.write";
    let request = of(json!({"client_id": "accord-cli", "scope": scope}))?;
    let device = client.create_device_authorization(None, &request).await?;
    let code: &str = &device.user_code;
    println!("approve {code}");
    let request = of(json!({
        "grant_type": "urn:ietf:params:oauth:grant-type:device_code",
        "device_code": device.device_code,
        "client_id": "accord-cli",
    }))?;
    for _ in 0..20 {
        match client.create_token(None, &request).await {
            Ok(token) => return Ok(token.access_token.to_string()),
            Err(Error::ErrorResponse(refusal)) => {
                let refusal = serde_json::to_value(&*refusal)?;
                ensure(refusal["error"] == "authorization_pending", &refusal)?;
            }
            Err(error) => return Err(error.into()),
        }
        tokio::time::sleep(Duration::from_secs(5)).await;
    }
    Err("the device was not approved".into())
}

/// A value of a generated type, read from the JSON that the document describes.
fn of<T: DeserializeOwned>(value: Value) -> serde_json::Result<T> {
    serde_json::from_value(value)
}

fn bearer(secret: &str) -> Result<reqwest::Client, Failure> {
    let mut headers = HeaderMap::new();
    headers.insert(AUTHORIZATION, format!("Bearer {secret}").parse()?);
    Ok(reqwest::Client::builder()
        .default_headers(headers)
        .build()?)
}

fn ensure(holds: bool, what: &Value) -> Result<(), Failure> {
    match holds {
        true => Ok(()),
        false => Err(what.to_string().into()),
    }
}
