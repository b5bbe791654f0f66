//! `accord-server sessions`

use accord_server::identity::sessions::{self, Listing};
use accord_server::store::{StoreError, Tx};
use anyhow::ensure;
use clap::Subcommand;
use serde_json::json;

use super::options::{Options, audit_context};
use super::output::{Output, time};

/// Commands for browser sessions.
#[derive(Subcommand)]
pub enum Sessions {
    /// List the active sessions.
    List {
        /// Only those of this user.
        #[arg(long, value_name = "EMAIL")]
        user: Option<String>,
        #[command(flatten)]
        output: Output,
    },
    /// Revoke one session, or all sessions of a user. Approved devices stay connected; users
    /// disable disconnects them too.
    Revoke {
        /// The session, as the list shows it.
        #[arg(required_unless_present = "user", conflicts_with = "user")]
        session: Option<String>,
        /// All of this user.
        #[arg(long, value_name = "EMAIL")]
        user: Option<String>,
        #[command(flatten)]
        output: Output,
    },
}

/// Changes the database of a running service, which applies the change without a restart.
#[tokio::main]
pub async fn run(options: &Options, command: Sessions) -> anyhow::Result<()> {
    let app = options.open().await?;
    let now = app.clock.now().timestamp_millis();
    let wanted = match &command {
        Sessions::List { user, .. } | Sessions::Revoke { user, .. } => user.clone(),
    };
    let list = move |tx: &mut Tx<'_>| sessions::list(tx, now);
    let listings = app.store.read(list).await?;
    let of_user: Vec<_> = listings
        .into_iter()
        .filter(|listing| {
            let email = listing.email.to_lowercase();
            wanted
                .as_ref()
                .is_none_or(|wanted| wanted.to_lowercase() == email)
        })
        .collect();
    match command {
        Sessions::List { user: _, output } => {
            let columns = ["SESSION", "USER", "FROM", "SINCE", "UNTIL"];
            output.rows(columns, &of_user, |listing| {
                let Listing {
                    id,
                    user_id: _,
                    email,
                    origin,
                    created_at,
                    expires_at,
                    seen: _,
                } = listing.clone();
                let (since, until) = (time(Some(created_at)), time(Some(expires_at)));
                [id, email, origin, since, until]
            })
        }
        Sessions::Revoke {
            session,
            user: _,
            output,
        } => {
            let chosen: Vec<_> = of_user
                .into_iter()
                .filter(|listing| session.as_ref().is_none_or(|wanted| *wanted == listing.id))
                .collect();
            ensure!(
                !chosen.is_empty(),
                "there is no such session; `accord-server sessions list` lists them"
            );
            let by = audit_context(&app);
            let ended = app
                .store
                .write(move |tx: &mut Tx<'_>| -> Result<usize, StoreError> {
                    let mut ended = 0;
                    for listing in &chosen {
                        let user = &listing.user_id;
                        if sessions::end_by_id(tx, user, &listing.id)? {
                            by.record(tx, "identity.session.ended", user, "revoked")?;
                            ended += 1;
                        }
                    }
                    Ok(ended)
                })
                .await?;
            output.one(&json!({ "ended": ended }), &format!("{ended} ended."))
        }
    }
}
