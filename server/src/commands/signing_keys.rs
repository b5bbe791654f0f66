//! `accord-server signing-keys`

use accord_server::identity;
use accord_server::identity::keys::published;
use chrono::Utc;
use clap::Subcommand;
use serde::Serialize;

use super::options::{Options, operator};
use super::output::{Output, time};

/// Commands for the signing keys.
#[derive(Subcommand)]
pub enum SigningKeys {
    /// List the published signing keys: the current one, earlier ones that may still be
    /// needed, and later ones.
    List {
        #[command(flatten)]
        output: Output,
    },
    /// Create a signing key. It is published at once, and signs once every cache of the
    /// published keys has expired. Without `--revoke`, existing tokens stay valid.
    Rotate {
        /// Sign with it at once. Some callers cannot verify its tokens for minutes.
        #[arg(long)]
        now: bool,
        /// Sign with it at once, and remove the other keys, after a leak. The service
        /// rejects all tokens that they signed; refresh tokens stay valid.
        #[arg(long)]
        revoke: bool,
        #[command(flatten)]
        output: Output,
    },
}

#[derive(Serialize)]
struct Line {
    kid: String,
    state: &'static str,
    /// Unix milliseconds, as all times of the commands' JSON.
    active_from: i64,
    expires_at: Option<i64>,
}

/// Changes the database of a running service, which applies the change without a restart.
#[tokio::main]
pub async fn run(options: &Options, keys: &SigningKeys) -> anyhow::Result<()> {
    let app = options.open().await?;
    let output = match keys {
        SigningKeys::List { output } => output,
        SigningKeys::Rotate {
            now,
            revoke,
            output,
        } => {
            let operator = operator();
            match *revoke {
                true => identity::replace_keys(&app.identity, Some(&operator)).await?,
                false => identity::rotate_key(&app.identity, *now, Some(&operator)).await?,
            };
            output
        }
    };
    let now = Utc::now().timestamp_millis();
    let listings = app.store.read(move |tx| published(tx, now)).await?;
    let lines: Vec<_> = listings
        .into_iter()
        .enumerate()
        .map(|(index, listing)| Line {
            state: match index {
                _ if listing.active_from > now => "next",
                0 => "current",
                _ => "old",
            },
            kid: listing.key.kid,
            active_from: listing.active_from,
            expires_at: listing.expires_at,
        })
        .collect();
    output.rows(["KEY", "STATE", "SIGNS FROM", "EXPIRES"], &lines, |line| {
        [
            line.kid.clone(),
            line.state.to_owned(),
            time(Some(line.active_from)),
            time(line.expires_at),
        ]
    })
}
