//! `accord-server design-instances`

use accord_server::patterns::catalog::{self, Instance};
use accord_server::store::{StoreError, Tx};
use clap::Subcommand;
use serde_json::json;

use super::options::{Options, audit_context};
use super::output::Output;

/// Manage the owners of service instances of the design service.
#[derive(Subcommand)]
pub enum DesignInstances {
    /// List service instances with their owners and how many projects they have.
    List {
        #[command(flatten)]
        output: Output,
    },
    /// Set the hub organization that owns a service instance and all of its projects. Grants of
    /// users of another organization no longer count.
    Set {
        /// Name of the service instance.
        name: String,
        /// The hub organization.
        #[arg(long, value_name = "ID")]
        organization: i64,
        #[command(flatten)]
        output: Output,
    },
}

/// Changes the database of a running service, which applies the change without a restart.
#[tokio::main]
pub async fn run(options: &Options, command: &DesignInstances) -> anyhow::Result<()> {
    let app = options.open().await?;
    match command {
        DesignInstances::List { output } => {
            let all = app.store.read(catalog::instances).await?;
            let row = |one: Instance| json!([one.name, one.organization, one.projects]);
            let rows = all.into_iter().map(row);
            output.values(&["name", "organization", "projects"], rows)
        }
        DesignInstances::Set {
            name,
            organization,
            output,
        } => {
            let trail = audit_context(&app);
            let (instance, owner) = (name.clone(), *organization);
            let written = app.store.write(move |tx: &mut Tx<'_>| {
                let written = catalog::set_owner(tx, &instance, owner)?;
                if written {
                    let detail = format!("organization {owner}");
                    trail.record(tx, "patterns.instance.owned", &instance, &detail)?;
                }
                Ok::<_, StoreError>(written)
            });
            let written = match written.await {
                Err(StoreError::Constraint { .. }) => {
                    anyhow::bail!(
                        "there is no hub organization {organization}; `accord-server export` lists them"
                    )
                }
                written => written?,
            };
            anyhow::ensure!(
                written,
                "there is no service instance {name}; `accord-server design-instances list` lists them"
            );
            let words = format!("Organization {organization} owns service instance {name}.");
            output.one(&json!({"name": name, "organization": organization}), &words)
        }
    }
}
