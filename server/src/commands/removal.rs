//! `accord-server users remove`

use std::sync::Arc;

use accord_server::app::App;
use accord_server::erasure;
use accord_server::rights::{Principal, RightsError};
use accord_server::store::Tx;
use anyhow::{Context as _, bail};
use serde_json::{Value, json};

use super::input::confirmed;
use super::options::audit_context;
use super::output::{Output, printable};

/// What stays, for the person who runs the command.
const STAYS: &str = "The audit trail stays: it has the user's identifier, the network addresses of the \
                     user's requests, and the names of the user's passkeys. \
                     Log files, backups, and files of mail that is no longer in the database stay, too.";

/// Removes a user from the database of a running service, which applies the change at once.
pub async fn run(app: &Arc<App>, user: String, yes: bool, output: &Output) -> anyhow::Result<()> {
    let find = move |tx: &mut Tx<'_>| Principal::find(tx, &user);
    let found = app.store.read(find).await?;
    let question = format!(
        "Remove {} (user {}) permanently?",
        printable(&found.email),
        found.id
    );
    if !yes && !confirmed(&question, "--yes")? {
        bail!("nothing was removed");
    }
    let (by, id) = (audit_context(app), found.id.clone());
    let removed = app.store.write(move |tx: &mut Tx<'_>| {
        // Again, because the transaction decides.
        let user = Principal::find(tx, &id)?;
        Ok::<_, RightsError>(erasure::erase(tx, &by, &user)?)
    });
    let removed = removed.await?;
    let files = app.mail.transport.remove_files(&removed.accounts.mails);
    let files = files.context("the user was removed, but not all files of mails")?;
    let counts = removed
        .counts()
        .into_iter()
        .chain([("files of mails", files)]);
    let counts: Vec<_> = counts.filter(|(_, count)| *count > 0).collect();
    let mut words = format!("Removed user {}.", found.id);
    if !counts.is_empty() {
        words += " Removed with the user:";
    }
    for (name, count) in &counts {
        words += &format!("\n  {name}: {count}");
    }
    let counts: Value = counts
        .into_iter()
        .map(|(name, count)| (name.replace(' ', "_"), json!(count)))
        .collect::<serde_json::Map<_, _>>()
        .into();
    let shown = json!({ "id": found.id, "removed": counts, "stays": STAYS });
    output.one(&shown, &format!("{words}\n{STAYS}"))
}
