//! `accord-server operators`

use accord_server::accounts::operators;
use accord_server::rights::{Principal, RightsError};
use accord_server::store::Tx;
use anyhow::ensure;
use clap::Subcommand;
use serde_json::json;

use super::options::{Options, audit_context};
use super::output::Output;

/// Manage operators: users who see the operations of the service in the console.
#[derive(Subcommand)]
pub enum Operators {
    /// List all operators.
    List {
        #[command(flatten)]
        output: Output,
    },
    /// Add a user to the operators.
    Add {
        /// The user, by email address or id.
        user: String,
        #[command(flatten)]
        output: Output,
    },
    /// Remove a user from the operators. This takes effect at once.
    Remove {
        /// The user, by email address or id.
        user: String,
        #[command(flatten)]
        output: Output,
    },
}

/// Changes the database of a running service, which applies the change without a restart.
#[tokio::main]
pub async fn run(options: &Options, command: Operators) -> anyhow::Result<()> {
    let app = options.open().await?;
    let (user, is_added, output) = match command {
        Operators::List { output } => {
            let all = app.store.read(operators::list).await?;
            return output.rows(["USER", "EMAIL"], &all, |one| {
                [one.user.clone(), one.email.clone()]
            });
        }
        Operators::Add { user, output } => (user, true, output),
        Operators::Remove { user, output } => (user, false, output),
    };
    let trail = audit_context(&app);
    let change = move |tx: &mut Tx<'_>| {
        let user = Principal::find(tx, &user)?;
        let (is_changed, action) = match is_added {
            true => (operators::add(tx, &user.id)?, "accounts.operator.added"),
            false => (
                operators::remove(tx, &user.id)?,
                "accounts.operator.removed",
            ),
        };
        if is_changed {
            trail.record(tx, action, &user.id, "")?;
        }
        Ok::<_, RightsError>((user, is_changed))
    };
    let (user, is_changed) = app.store.write(change).await?;
    let state = if is_added { "already" } else { "not" };
    ensure!(
        is_changed,
        "{} is {state} an operator; `accord-server operators list` lists all",
        user.email
    );
    let words = match is_added {
        true => format!("{} is an operator.", user.email),
        false => format!("{} is no longer an operator.", user.email),
    };
    let value = json!({"user": user.id, "email": user.email, "operator": is_added});
    output.one(&value, &words)
}
