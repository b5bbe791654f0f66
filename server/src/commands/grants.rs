//! `accord-server grants`

use accord_server::inference::keys::access::{self, Verb};
use accord_server::inference::operator;
use accord_server::store::{StoreError, Tx};
use clap::Subcommand;
use serde_json::json;

use super::options::Options;
use super::output::Output;
use super::trail::Trail;

/// What to do with grants: who may manage the API keys of a compartment.
#[derive(Subcommand)]
pub enum Grants {
    /// List them.
    List {
        #[command(flatten)]
        output: Output,
    },
    /// Give a principal a verb in a compartment, instead of the one it had.
    Set {
        /// The compartment.
        compartment: String,
        /// The subject of access tokens.
        principal: String,
        /// What it may do: each verb holds the ones before it.
        #[arg(value_enum)]
        verb: Grantable,
        #[command(flatten)]
        output: Output,
    },
    /// Take a principal's grant away.
    Remove {
        /// The compartment.
        compartment: String,
        /// The subject of access tokens.
        principal: String,
        #[command(flatten)]
        output: Output,
    },
}

/// What can be granted.
#[derive(Debug, Clone, Copy, clap::ValueEnum)]
pub enum Grantable {
    /// List keys.
    Inspect,
    /// Read one key.
    Read,
    /// Change name, description and tags.
    Use,
    /// Everything else.
    Manage,
}

/// Works on the database that a running service uses; it follows by itself.
#[tokio::main]
pub async fn run(options: &Options, command: &Grants) -> anyhow::Result<()> {
    let app = options.open().await?;
    let trail = Trail::of(&app);
    match command {
        Grants::List { output } => {
            let all = app.store.read(operator::grants).await?;
            let row = |(compartment, principal, verb)| {
                vec![json!(compartment), json!(principal), json!(verb)]
            };
            let rows: Vec<_> = all.into_iter().map(row).collect();
            output.values(&["compartment", "principal", "verb"], &rows)?;
        }
        Grants::Set {
            compartment,
            principal,
            verb,
            output,
        } => {
            let verb = match verb {
                Grantable::Inspect => Verb::Inspect,
                Grantable::Read => Verb::Read,
                Grantable::Use => Verb::Use,
                Grantable::Manage => Verb::Manage,
            };
            let (c, p) = (compartment.clone(), principal.clone());
            let written = app.store.write(move |tx: &mut Tx<'_>| {
                let known = operator::has_compartment(tx, &c)?;
                if known {
                    access::grant(tx, &c, &p, verb)?;
                    let detail = format!("{p}: {}", verb.as_str());
                    trail.tell(tx, "inference.grant.set", &c, &detail)?;
                }
                Ok::<_, StoreError>(known)
            });
            anyhow::ensure!(
                written.await?,
                "there is no compartment {compartment}; make it with: accord-server compartments set {compartment}"
            );
            let words = format!("{principal} may {} in {compartment}.", verb.as_str());
            let value = json!({
                "compartment": compartment, "principal": principal, "verb": verb.as_str(),
            });
            output.one(&value, &words)?;
        }
        Grants::Remove {
            compartment,
            principal,
            output,
        } => {
            let (c, p) = (compartment.clone(), principal.clone());
            let removed = app.store.write(move |tx: &mut Tx<'_>| {
                let removed = operator::remove_grant(tx, &c, &p)?;
                if removed {
                    trail.tell(tx, "inference.grant.removed", &c, &p)?;
                }
                Ok::<_, StoreError>(removed)
            });
            anyhow::ensure!(removed.await?, "{principal} has no grant in {compartment}");
            let words = format!("{principal} may do nothing in {compartment}.");
            let value = json!({"compartment": compartment, "principal": principal, "verb": null});
            output.one(&value, &words)?;
        }
    }
    Ok(())
}
