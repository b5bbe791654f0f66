//! `accord-server keys`

use std::sync::Arc;

use accord_server::app::App;
use accord_server::identity;
use accord_server::identity::keys::{KeyListing, published};
use accord_server::kernel::{SystemClock, SystemRandom};
use accord_server::store::StoreError;
use chrono::{DateTime, SecondsFormat, Utc};
use clap::Subcommand;

use super::options::Options;

/// What to do with the signing keys.
#[derive(Subcommand)]
pub enum Keys {
    /// List the published keys: the one that signs, those before it that may
    /// still be needed, and those to come.
    List,
    /// Make another key. It is published at once, and signs as soon as everybody
    /// who keeps the published keys must have it. Old tokens stay good.
    Rotate {
        /// Sign with it right away: after a compromise, when tokens that some
        /// cannot verify for minutes are the smaller evil.
        #[arg(long)]
        now: bool,
    },
}

/// Works on the database that a running service uses; it notices by itself.
#[tokio::main]
pub async fn run(options: &Options, keys: &Keys) -> anyhow::Result<()> {
    let app = App::open(
        options.load()?,
        Arc::new(SystemClock),
        Arc::new(SystemRandom),
    )
    .await?;
    if let Keys::Rotate { now } = keys {
        identity::rotate_key(&app.identity, *now).await?;
    }
    let now = Utc::now().timestamp_millis();
    let listings = app.store.read(move |tx| published(tx, now)).await;
    let listings = listings.map_err(|error: StoreError| error)?;
    if listings.is_empty() {
        println!("There is no key yet: one is made when the service starts.");
        return Ok(());
    }
    println!("{:<45}{:<10}{:<22}EXPIRES", "KEY", "STATE", "SIGNS FROM");
    for (index, listing) in listings.iter().enumerate() {
        let state = match index {
            _ if listing.active_from > now => "next",
            0 => "current",
            _ => "old",
        };
        let KeyListing {
            key,
            active_from,
            expires_at,
            created_at: _,
        } = listing;
        println!(
            "{:<45}{state:<10}{:<22}{}",
            key.kid,
            time(Some(*active_from)),
            time(*expires_at)
        );
    }
    Ok(())
}

fn time(milliseconds: Option<i64>) -> String {
    milliseconds
        .and_then(DateTime::<Utc>::from_timestamp_millis)
        .map_or("never".into(), |time| {
            time.to_rfc3339_opts(SecondsFormat::Secs, true)
        })
}
