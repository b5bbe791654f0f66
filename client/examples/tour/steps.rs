//! The steps of the tour, in their order.

use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use accord_client::accounts::types::{
    CollabUserRequest, CollabUserRequestRequired, CreateUserRequest, HubUserRequest,
    HubUserRequestRequired,
};
use accord_client::inference::CreateChatCompletionError;
use accord_client::inference::types::{
    ChatCompletionEvent, ChatCompletionRequest, ChatMessage, CreateApiKeyDetails,
    CreateApiKeyDetailsRequired, IssuedApiKey, KeyDetails, SecretState, SecretTargetState,
    SetApiKeyStateDetails,
};
use accord_client::patterns::types::{CreatePatternRequest, CreatePatternRequestRequired};
use accord_client::{Accord, ChatMessageExt, OperationError, RetryPolicy, explain};
use anyhow::{Context, anyhow, ensure};
use futures::StreamExt;
use serde_json::Value;

use super::browser::Browser;

/// The entries of the demo catalog that the tour uses.
mod demo {
    pub const CLIENT: &str = "accord-cli";
    pub const USERNAME: &str = "ana@north.example";
    pub const PASSWORD: &str = "accord-demo-password";
    pub const ORGANIZATION: i64 = 3104;
    pub const APP_INSTANCE: i64 = 71;
    pub const COLLAB_ORGANIZATION: i64 = 5201;
    pub const PROJECT_OF_PROFILE: &str = "LOCK-1";
    pub const COMPARTMENT: &str = "compartment.demo";
    pub const INSTANCE: &str = "design-eu-1";
    pub const PROJECT: &str = "RETAIL";
    pub const ACCELERATOR: &str = "3f1c2a9e-6d0b-4f6e-9c64-0a4c8c0d7b01";
}

const SCOPES: [&str; 7] = [
    "accounts.read",
    "accounts.write",
    "apikeys.read",
    "apikeys.write",
    "patterns.read",
    "patterns.write",
    "offline_access",
];

/// The number of steps.
const STEPS: usize = 8;

/// Takes all steps.
pub(super) async fn walk(address: &str) -> anyhow::Result<()> {
    let accord = Accord::builder().base_url(address).build()?;
    login(&accord).await?;
    create_user(&accord).await?;
    let key = create_key(&accord).await?;
    let secrets = secrets(&key)?;
    let model = chat(address, &secrets[0]).await?;
    rotate(&accord, address, &key, &secrets, &model).await?;
    create_pattern(&accord).await?;
    documents(address).await?;
    step(8, "Log out", Some("accord logout"));
    accord.logout().await?;
    say("The tokens are revoked.");
    Ok(())
}

/// Prints the heading of a step, with the main command that it corresponds to.
fn step(number: usize, title: &str, command: Option<&str>) {
    let command = command.map(|command| format!(" ({command})"));
    let command = command.unwrap_or_default();
    println!("\n== {number}/{STEPS} {title}{command}");
}

fn say(text: impl std::fmt::Display) {
    println!("   {text}");
}

/// A code of eight characters in two halves, as the page shows it.
fn halves(code: &str) -> String {
    match code.split_at_checked(4) {
        Some((first, second)) if code.len() == 8 => format!("{first}-{second}"),
        _ => code.to_owned(),
    }
}

fn failed<E: OperationError>(error: E) -> anyhow::Error {
    anyhow!(explain(&error))
}

/// A text that no other tour of the same service has used.
fn unique() -> String {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    format!("{:x}", now.unwrap_or_default().as_millis())
}

async fn login(accord: &Accord) -> anyhow::Result<()> {
    step(1, "Log in on a device", Some("accord login"));
    let (send, approval) = tokio::sync::oneshot::channel();
    let login = accord.login(demo::CLIENT, &SCOPES, |prompt| {
        say(format!(
            "The device shows {} and {}.",
            halves(&prompt.user_code),
            prompt.verification_uri
        ));
        let (address, code) = (prompt.verification_uri.clone(), prompt.user_code.clone());
        tokio::spawn(async move {
            let approved = async {
                let mut browser = Browser::new(reqwest::Client::builder())?;
                browser
                    .approve(&address, &code, demo::USERNAME, demo::PASSWORD)
                    .await
            };
            let approved = approved.await;
            if approved.is_ok() {
                say(format!(
                    "In a browser, {} signs in, enters the code and approves.",
                    demo::USERNAME
                ));
            }
            // The login may have ended without the approval; then there is no receiver.
            let _ = send.send(approved);
        });
    });
    tokio::pin!(login);
    tokio::pin!(approval);
    let mut approved = false;
    let login = loop {
        tokio::select! {
            login = &mut login => break login?,
            approval = &mut approval, if !approved => {
                approval.context("the browser is gone")?.context("the approval in the browser")?;
                approved = true;
            }
        }
    };
    say(format!(
        "The device polls at the interval of the service, and gets a token for {}.",
        login.scope
    ));
    Ok(())
}

async fn create_user(accord: &Accord) -> anyhow::Result<()> {
    step(
        2,
        "Create a user with a collab profile",
        Some("accord users create"),
    );
    let organizations = accord
        .accounts()
        .list_organizations()
        .call()
        .await
        .map_err(failed)?;
    for organization in organizations.iter() {
        say(format!(
            "You administer {} ({}).",
            organization.name, organization.id
        ));
    }
    let email = format!("eva.{}@north.example", unique());
    let user = HubUserRequest::new(HubUserRequestRequired {
        email_address: email,
        first_name: "Eva".to_owned(),
        hub_organization_id: demo::ORGANIZATION,
        language: "en".to_owned(),
        last_name: "Nordal".to_owned(),
        set_password: false,
    });
    let profile = CollabUserRequest::new(CollabUserRequestRequired {
        app_instance_id: demo::APP_INSTANCE,
        collab_organization_id: demo::COLLAB_ORGANIZATION,
    });
    let profile = profile.project_ids([demo::PROJECT_OF_PROFILE.to_owned()]);
    let request = CreateUserRequest::new()
        .hub_user(user)
        .collab_users([profile]);
    let created = accord
        .accounts()
        .create_user()
        .body(request)
        .call()
        .await
        .map_err(failed)?;
    say(format!(
        "Created {}: {}.",
        created.hub_user.display_name, created.hub_user.email_address
    ));
    for profile in &created.collab_user {
        ensure!(
            profile.account_linked,
            "the profile is not linked: {:?}",
            profile.error_description
        );
        say(format!(
            "Her profile {} in {} is linked, and invited to {}.",
            profile.user_name,
            profile.region,
            profile.project_ids.join(", ")
        ));
    }
    Ok(())
}

async fn create_key(accord: &Accord) -> anyhow::Result<IssuedApiKey> {
    step(3, "Create an API key", Some("accord keys create"));
    let request = CreateApiKeyDetails::new(CreateApiKeyDetailsRequired {
        compartment_id: demo::COMPARTMENT.to_owned(),
        display_name: format!("tour_{}", unique()),
        key_details: vec![KeyDetails::new("key-one"), KeyDetails::new("key-two")],
    });
    let key = accord.inference().create_api_key().body(request);
    let key = key.call().await.map_err(failed)?.into_inner();
    say(format!(
        "{}, with two secrets that are shown this once:",
        key.id
    ));
    for secret in &key.keys {
        say(format!(
            "{} {} is {}.",
            secret.key_name, secret.key_mask, secret.state
        ));
    }
    Ok(key)
}

/// The plain values of the two secrets.
fn secrets(key: &IssuedApiKey) -> anyhow::Result<[String; 2]> {
    let plain: Vec<String> = key
        .keys
        .iter()
        .filter_map(|secret| Some(secret.key.as_ref()?.expose().to_owned()))
        .collect();
    plain
        .try_into()
        .map_err(|_| anyhow!("the key does not show two secrets"))
}

/// A client without retries, so that every failed request is visible.
fn with_secret(address: &str, secret: &str) -> anyhow::Result<Accord> {
    Ok(Accord::builder()
        .base_url(address)
        .api_key(secret)
        .retry(RetryPolicy::never())
        .build()?)
}

fn question(model: &str, text: &str) -> ChatCompletionRequest {
    ChatCompletionRequest::new([ChatMessage::user(text)], model)
}

/// Chats with a model and returns its name.
async fn chat(address: &str, secret: &str) -> anyhow::Result<String> {
    step(4, "Chat with a model", Some("accord chat"));
    let accord = with_secret(address, secret)?;
    let models = accord
        .inference()
        .list_models()
        .call()
        .await
        .map_err(failed)?;
    let model = models
        .data
        .first()
        .context("no model is listed for this API key: no policy lets it call one, or the region has none")?
        .id
        .clone();
    say(format!(
        "The model is {model}; its response, as it arrives:"
    ));
    let request = question(&model, "Contracts come first.");
    let events = accord
        .inference()
        .create_chat_completion_stream()
        .body(request)
        .call();
    let mut events = events.await.map_err(failed)?;
    let mut pieces = 0;
    print!("   ");
    while let Some(event) = events.next().await {
        match event? {
            ChatCompletionEvent::ChatCompletionChunk(chunk) => {
                for choice in chunk.choices {
                    print!("{}", choice.delta.content.unwrap_or_default());
                    std::io::stdout().flush()?;
                }
                pieces += 1;
            }
            ChatCompletionEvent::InferenceError(failure) => {
                return Err(anyhow!(failure.error.message));
            }
            _ => {}
        }
    }
    println!();
    ensure!(pieces > 1, "the response was not a stream");
    say(format!("{pieces} events."));
    Ok(model)
}

/// Replaces the first secret by the second during requests.
async fn rotate(
    accord: &Accord,
    address: &str,
    key: &IssuedApiKey,
    secrets: &[String; 2],
    model: &str,
) -> anyhow::Result<()> {
    step(
        5,
        "Rotate, without a failed request",
        Some("accord keys set-state"),
    );
    let [first, second] = secrets;
    let switched = Arc::new(AtomicBool::new(false));
    let over = Arc::new(AtomicBool::new(false));
    let sent = [Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0))];
    let application = {
        let clients = [with_secret(address, first)?, with_secret(address, second)?];
        let (switched, over, sent) = (Arc::clone(&switched), Arc::clone(&over), sent.clone());
        let model = model.to_owned();
        tokio::spawn(async move {
            while !over.load(Ordering::SeqCst) {
                let which = usize::from(switched.load(Ordering::SeqCst));
                let request = question(&model, "Still there?");
                let client = clients[which].inference();
                client
                    .create_chat_completion()
                    .body(request)
                    .call()
                    .await
                    .map_err(failed)?;
                sent[which].fetch_add(1, Ordering::SeqCst);
            }
            anyhow::Ok(())
        })
    };
    let reach = |which: usize| {
        let sent = Arc::clone(&sent[which]);
        let application = &application;
        async move {
            // Waits until some requests have succeeded, or the application has stopped.
            while sent.load(Ordering::SeqCst) < 5 && !application.is_finished() {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        }
    };
    reach(0).await;
    set_state(accord, key, "key-two", SecretTargetState::Active).await?;
    say("key-two is ACTIVE beside key-one.");
    switched.store(true, Ordering::SeqCst);
    reach(1).await;
    say("The application uses key-two now.");
    set_state(accord, key, "key-one", SecretTargetState::Revoked).await?;
    say("key-one is REVOKED.");
    sent[1].store(0, Ordering::SeqCst);
    reach(1).await;
    over.store(true, Ordering::SeqCst);
    application
        .await
        .context("the application")?
        .context("a request failed during the rotation")?;
    say("No request of the application failed.");
    let request = question(model, "Let me in.");
    let client = with_secret(address, first)?;
    match client
        .inference()
        .create_chat_completion()
        .body(request)
        .call()
        .await
    {
        Err(CreateChatCompletionError::Unauthorized(refusal)) => {
            say(format!(
                "The service rejects the old secret: {}",
                refusal.error.message
            ));
            Ok(())
        }
        Err(error) => Err(failed(error)),
        Ok(_) => Err(anyhow!("the service accepts the revoked secret")),
    }
}

async fn set_state(
    accord: &Accord,
    key: &IssuedApiKey,
    name: &str,
    state: SecretTargetState,
) -> anyhow::Result<()> {
    let wanted = SecretState::from(state.as_str());
    let body = SetApiKeyStateDetails::new(name, state);
    let request = accord
        .inference()
        .set_api_key_state()
        .api_key_id(key.id.clone())
        .body(body);
    let key = request.call().await.map_err(failed)?;
    let secret = key.keys.iter().find(|secret| secret.key_name == name);
    ensure!(
        secret.is_some_and(|secret| secret.state == wanted),
        "{name} is not {wanted}"
    );
    Ok(())
}

async fn create_pattern(accord: &Accord) -> anyhow::Result<()> {
    step(
        6,
        "Create and read an agent pattern",
        Some("accord patterns create"),
    );
    let body = CreatePatternRequest::new(CreatePatternRequestRequired {
        id: demo::ACCELERATOR.parse()?,
        pattern_code: format!("TOUR_{}", unique().to_uppercase()),
        pattern_version: "01.00.0000".to_owned(),
        project_code: demo::PROJECT.to_owned(),
    });
    let request = accord
        .patterns()
        .create_pattern_from_accelerator()
        .project_id(demo::PROJECT);
    let request = request.integration_instance(demo::INSTANCE).body(body);
    let created = request.call().await.map_err(failed)?.into_inner();
    say(format!(
        "{} is created from the accelerator {}.",
        created.id, created.name
    ));
    let request = accord
        .patterns()
        .get_pattern()
        .project_id(demo::PROJECT)
        .id(created.id.clone());
    let read = request
        .integration_instance(demo::INSTANCE)
        .call()
        .await
        .map_err(failed)?;
    ensure!(
        read.as_ref() == &created,
        "the pattern differs from the created one"
    );
    say(format!(
        "Read again, it is the same: {}, {}.",
        read.status, read.recipe_source
    ));
    Ok(())
}

async fn documents(address: &str) -> anyhow::Result<()> {
    step(7, "Fetch the published documents", None);
    for area in ["accounts", "identity", "inference", "patterns"] {
        let url = format!("{address}/openapi/{area}.json");
        let document: Value = reqwest::get(&url).await?.error_for_status()?.json().await?;
        let text = |pointer: &str| {
            document
                .pointer(pointer)
                .and_then(Value::as_str)
                .unwrap_or("?")
        };
        let paths = document
            .get("paths")
            .and_then(Value::as_object)
            .map_or(0, |paths| paths.len());
        ensure!(paths > 0, "{url} has no paths");
        say(format!(
            "{url}: {} {}, {paths} paths",
            text("/info/title"),
            text("/info/version")
        ));
    }
    Ok(())
}
