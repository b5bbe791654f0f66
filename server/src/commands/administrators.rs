//! `accord-server administrators`

use accord_server::accounts::administrators::{self, Administrator};
use accord_server::rights;
use accord_server::rights::administrators::Change;
use accord_server::store::Tx;
use anyhow::ensure;
use clap::Subcommand;
use serde_json::json;

use super::options::{Options, audit_context};
use super::output::Output;

/// Manage hub administrators: who creates users and collab profiles of an organization.
#[derive(Subcommand)]
pub enum Administrators {
    /// List all administrators.
    List {
        #[command(flatten)]
        output: Output,
    },
    /// Add a user to the administrators of organizations.
    Add {
        #[command(flatten)]
        selection: UserAndOrganizations,
    },
    /// Remove a user from the administrators of organizations. This takes effect at once.
    Remove {
        #[command(flatten)]
        selection: UserAndOrganizations,
    },
}

/// A user and organizations.
#[derive(clap::Args)]
pub struct UserAndOrganizations {
    /// The user, by email address or id.
    user: String,
    /// The hub organizations.
    #[arg(required = true, value_name = "ORGANIZATION")]
    organizations: Vec<i64>,
    #[command(flatten)]
    output: Output,
}

/// Changes the database of a running service, which applies the change without a restart.
#[tokio::main]
pub async fn run(options: &Options, command: &Administrators) -> anyhow::Result<()> {
    let app = options.open().await?;
    let (selection, change) = match command {
        Administrators::List { output } => {
            let all = app.store.read(administrators::list).await?;
            let row = |one: Administrator| json!([one.organization, one.user_id, one.email]);
            let rows = all.into_iter().map(row);
            return output.values(&["organization", "user", "email"], rows);
        }
        Administrators::Add { selection } => (selection, Change::Add),
        Administrators::Remove { selection } => (selection, Change::Remove),
    };
    let trail = audit_context(&app);
    let (user, organizations) = (selection.user.clone(), selection.organizations.clone());
    let write = move |tx: &mut Tx<'_>| {
        rights::administrators::change(tx, &trail, &user, &organizations, change)
    };
    let (user, changed) = app.store.write(write).await?;
    let is_added = change == Change::Add;
    let state = if is_added { "already" } else { "not an" };
    ensure!(
        !changed.is_empty(),
        "{} is {state} administrator of these organizations; \
         `accord-server administrators list` lists all",
        user.email
    );
    let list: Vec<_> = changed.iter().map(ToString::to_string).collect();
    let words = match is_added {
        true => format!("{} administers {}.", user.email, list.join(", ")),
        false => format!("{} no longer administers {}.", user.email, list.join(", ")),
    };
    let value = json!({
        "user": user.id, "email": user.email, "administrator": is_added, "organizations": changed,
    });
    selection.output.one(&value, &words)
}
