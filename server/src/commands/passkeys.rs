//! `accord-server users passkeys`

use std::sync::Arc;

use accord_server::accounts::users;
use accord_server::app::App;
use accord_server::identity::passkeys::{self, Passkey};
use accord_server::mail::passkeys::removed;
use accord_server::store::{StoreError, Tx};
use anyhow::{Context as _, bail};
use clap::Subcommand;
use serde_json::{Value, json};

use super::options::audit_context;
use super::output::{Output, time};

/// Characters of an identifier in the list. Authenticators choose long identifiers.
const SHORT: usize = 16;

/// Commands for the passkeys of a user.
#[derive(Subcommand)]
pub enum Passkeys {
    /// List the passkeys of a user.
    List {
        /// The user.
        email: String,
        #[command(flatten)]
        output: Output,
    },
    /// Remove one or all passkeys of a user. Ends the sessions that were started with them,
    /// and notifies the user by mail.
    Remove {
        /// The user.
        email: String,
        /// The passkey, as the list shows it.
        #[arg(required_unless_present = "all", conflicts_with = "all")]
        passkey: Option<String>,
        /// All of them.
        #[arg(long)]
        all: bool,
        #[command(flatten)]
        output: Output,
    },
}

/// Changes the database of a running service.
pub async fn run(app: &Arc<App>, command: Passkeys) -> anyhow::Result<()> {
    match command {
        Passkeys::List { email, output } => {
            let (_, listed) = passkeys_of(app, &email).await?;
            if output.json() {
                let listed: Value = listed.iter().map(shown).collect();
                return output.one(&listed, "");
            }
            let columns = ["PASSKEY", "NAME", "ADDED", "USED"];
            output.rows(
                columns,
                &listed.iter().map(shown).collect::<Vec<_>>(),
                |one| {
                    let text = |name: &str| one[name].as_str().unwrap_or("-").to_owned();
                    let id = text("id").chars().take(SHORT).collect();
                    [id, text("name"), text("added_at"), text("used_at")]
                },
            )
        }
        Passkeys::Remove {
            email,
            passkey,
            all: _,
            output,
        } => {
            let (user, listed) = passkeys_of(app, &email).await?;
            // All identifiers begin with an empty text, such as an unset variable of a script.
            let is_chosen = |id: &String| match &passkey {
                Some(start) => !start.is_empty() && id.starts_with(start),
                None => true,
            };
            let chosen: Vec<_> = listed.iter().map(Passkey::id).filter(is_chosen).collect();
            match chosen.len() {
                0 => bail!("{email} has no such passkey; list them with users passkeys list"),
                2.. if passkey.is_some() => bail!("several passkeys of {email} begin like this"),
                _ => {}
            }
            let names = remove(app, user, chosen).await?;
            let words = format!("Removed {} of {email}: {}.", names.len(), names.join(", "));
            output.one(&json!({ "email": email, "removed": names }), &words)
        }
    }
}

fn shown(passkey: &Passkey) -> Value {
    json!({
        "id": passkey.id(),
        "name": passkey.name,
        "added_at": time(Some(passkey.created_at)),
        "used_at": passkey.used_at.map(|at| time(Some(at))),
    })
}

/// The identifier of a user, disabled or not, and the user's passkeys.
async fn passkeys_of(app: &App, email: &str) -> anyhow::Result<(String, Vec<Passkey>)> {
    let name = email.to_owned();
    let read = move |tx: &mut Tx<'_>| -> Result<_, StoreError> {
        let Some(user) = users::find(tx, name.trim())? else {
            return Ok(None);
        };
        let listed = passkeys::list_of(tx, &user.id)?;
        Ok(Some((user.id, listed)))
    };
    let found = app.store.read(read).await?;
    found.with_context(|| format!("there is no user {email}"))
}

async fn remove(app: &App, user: String, ids: Vec<String>) -> anyhow::Result<Vec<String>> {
    let by = audit_context(app);
    let mail_id = app.random.uuid().to_string();
    let write = move |tx: &mut Tx<'_>| -> Result<Vec<String>, StoreError> {
        let mut names = Vec::new();
        for id in &ids {
            names.extend(passkeys::remove(tx, &user, id)?);
        }
        removed(tx, &by, &user, &mail_id, names.clone())?;
        Ok(names)
    };
    Ok(app.store.write(write).await?)
}
