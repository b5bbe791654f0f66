//! Rotations of secrets: every replica refuses the old value a second later, and accepts the new one.

use std::sync::Arc;
use std::time::Duration;

use accord_client::inference::types::{IssuedApiKey, KeyDetails, RenewApiKeyDetails};
use anyhow::Context as _;
use tokio::time::Instant;

use super::models::chat;
use super::revoked::try_secret_everywhere;
use super::{Context, create_key, shown, with_secret};
use crate::journal::{Failed, Kind};

/// The time in which every replica applies a revocation.
pub const REVOKED_WITHIN: Duration = Duration::from_secs(1);

/// Renews the secret of a key of its own until the load is stopped.
pub async fn rotate(context: Arc<Context>, number: usize) -> anyhow::Result<()> {
    let name = format!("{}-rotated-{number}", context.name);
    let create = || create_key(&context.manager, &name);
    let Some(key) = context.until_acknowledged(Kind::Key, create).await else {
        return Ok(());
    };
    context.journal.written(|written| written.keys.push(name));
    let mut secret = shown(&key).context("the key shows no secret")?;
    let mut round = 0;
    while context.is_running() {
        round += 1;
        let token = format!("{}-{number}-{round}", context.name);
        let renewal = || renew(&context, &key.id, &token);
        let Some(renewed) = context.until_acknowledged(Kind::Rotation, renewal).await else {
            return Ok(());
        };
        let acknowledged = Instant::now();
        context.journal.written(|written| written.rotations += 1);
        let new = shown(&renewed).context("the renewal shows no secret")?;
        let old = std::mem::replace(&mut secret, new);
        tokio::time::sleep_until(acknowledged + REVOKED_WITHIN).await;
        try_secret_everywhere(&context, "an old secret", &old).await;
        let accord = with_secret(&context.endpoint, &secret)?;
        let _ = context.journal.call(Kind::NewSecret, chat(&accord)).await;
    }
    Ok(())
}

async fn renew(context: &Context, key: &str, token: &str) -> Result<IssuedApiKey, Failed> {
    let details = RenewApiKeyDetails::new(KeyDetails::new("key-one"));
    let request = context
        .manager
        .inference()
        .renew_api_key()
        .api_key_id(key)
        .accord_retry_token(token)
        .body(details);
    let renewed = request.call().await;
    renewed
        .map(|key| key.into_inner())
        .map_err(|error| Failed::of(&error))
}
