//! `accord-server keys`: the keys that tokens are signed with.

use std::sync::Arc;

use accord_server::app::{App, SystemClock, SystemRandom};
use accord_server::identity::keys::{self, CACHED_SECONDS, KeyError, NewKey};
use accord_server::store::StoreError;
use chrono::{DateTime, SecondsFormat};
use clap::Subcommand;

use super::options::Options;

#[derive(Subcommand)]
pub enum Keys {
    /// List the published keys, the one that signs now first.
    List,
    /// Make a new key and publish it; it signs once everybody has it.
    Rotate {
        /// Sign with it at once: for a key that got into wrong hands. Who keeps
        /// an older JWK Set refuses new tokens for some minutes.
        #[arg(long)]
        at_once: bool,
    },
}

#[tokio::main]
pub async fn run(options: &Options, command: &Keys) -> anyhow::Result<()> {
    let app = App::open(
        options.load()?,
        Arc::new(SystemClock),
        Arc::new(SystemRandom),
    )
    .await?;
    match command {
        Keys::List => list(&app).await,
        Keys::Rotate { at_once } => {
            rotate(&app, *at_once).await?;
            list(&app).await
        }
    }
}

async fn list(app: &App) -> anyhow::Result<()> {
    let now = app.clock.now().timestamp_millis();
    let listings = app.store.read(move |tx| keys::published(tx, now)).await;
    let time = |milliseconds: i64| {
        DateTime::from_timestamp_millis(milliseconds)
            .map(|time| time.to_rfc3339_opts(SecondsFormat::Secs, true))
            .unwrap_or_default()
    };
    println!(
        "{:43}  {:20}  {:20}",
        "KEY", "SIGNS FROM", "PUBLISHED UNTIL"
    );
    for listing in listings.map_err(|error: StoreError| error)? {
        println!(
            "{:43}  {:20}  {:20}",
            listing.key.kid,
            time(listing.active_from),
            listing.expires_at.map_or_else(|| "-".to_owned(), time),
        );
    }
    Ok(())
}

async fn rotate(app: &Arc<App>, at_once: bool) -> anyhow::Result<()> {
    let key = tokio::task::spawn_blocking(NewKey::generate).await??;
    let now = app.clock.now().timestamp_millis();
    let wait = if at_once { 0 } else { CACHED_SECONDS * 1000 };
    let context = Arc::clone(app);
    app.store
        .write(move |tx| context.identity.keys.add(tx, &key, now + wait, now))
        .await
        .map_err(|error: KeyError| error)?;
    Ok(())
}
