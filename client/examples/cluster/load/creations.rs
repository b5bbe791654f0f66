//! Creations of users and API keys, each with a token by which the service recognizes a repetition.

use std::sync::Arc;
use std::time::Duration;

use accord_client::accounts::types::{CreateUserRequest, HubUserRequest, HubUserRequestRequired};

use super::{Context, create_key, demo};
use crate::journal::{Failed, Kind};

/// The pause between two creations.
const PAUSE: Duration = Duration::from_millis(150);

/// Creates users until the load is stopped.
pub async fn users(context: Arc<Context>) -> anyhow::Result<()> {
    let mut number = 0;
    while context.is_running() {
        number += 1;
        let address = format!("{}-{number}@north.example", context.name);
        let create = || create_user(&context, &address);
        if context
            .until_acknowledged(Kind::User, create)
            .await
            .is_some()
        {
            context
                .journal
                .written(|written| written.users.push(address));
        }
        tokio::time::sleep(PAUSE).await;
    }
    Ok(())
}

/// Creates API keys until the load is stopped.
pub async fn keys(context: Arc<Context>) -> anyhow::Result<()> {
    let mut number = 0;
    while context.is_running() {
        number += 1;
        let name = format!("{}-{number}", context.name);
        let create = || create_key(&context.manager, &name);
        if context
            .until_acknowledged(Kind::Key, create)
            .await
            .is_some()
        {
            context.journal.written(|written| written.keys.push(name));
        }
        tokio::time::sleep(PAUSE).await;
    }
    Ok(())
}

async fn create_user(context: &Context, address: &str) -> Result<(), Failed> {
    let user = HubUserRequest::new(HubUserRequestRequired {
        email_address: address.to_owned(),
        first_name: "Mira".to_owned(),
        hub_organization_id: demo::ORGANIZATION,
        language: "en".to_owned(),
        last_name: "Lund".to_owned(),
        set_password: false,
    });
    let request = CreateUserRequest::new().hub_user(user);
    let call = context.manager.accounts().create_user();
    let created = call.idempotency_key(address).body(request).call().await;
    created.map(drop).map_err(|error| Failed::of(&error))
}
