//! `accord-server limits api-key-count`

use std::sync::Arc;

use accord_server::app::App;
use accord_server::inference::keys::key_quota::{self, Tenancy};
use accord_server::store::{StoreError, Tx};
use clap::Subcommand;
use serde_json::{Value, json};

use crate::commands::options::audit_context;
use crate::commands::output::Output;

/// Commands for the limits of tenancies.
#[derive(Subcommand)]
pub enum ApiKeyCount {
    /// List the tenancies, with the keys that they hold and may hold.
    List {
        #[command(flatten)]
        output: Output,
    },
    /// Show one tenancy.
    Show {
        /// The tenancy.
        tenancy: String,
        #[command(flatten)]
        output: Output,
    },
    /// Set how many keys a tenancy may hold. Keys above the limit stay.
    Set {
        /// The tenancy.
        tenancy: String,
        /// Maximum number of keys, without deleted ones.
        #[arg(allow_negative_numbers = true, value_parser = clap::value_parser!(u32))]
        count: u32,
        #[command(flatten)]
        output: Output,
    },
    /// Remove the limit of a tenancy, so that the configuration applies.
    Clear {
        /// The tenancy.
        tenancy: String,
        #[command(flatten)]
        output: Output,
    },
}

/// Runs the command. A running service applies the change without a restart.
pub async fn run(app: &Arc<App>, command: &ApiKeyCount) -> anyhow::Result<()> {
    let (tenancy, count, output) = match command {
        ApiKeyCount::List { output } => {
            let all = read(app).await?;
            let rows = all.iter().map(|one| row(app, one));
            return output.values(&["tenancy", "keys", "limit", "set by"], rows);
        }
        ApiKeyCount::Show { tenancy, output } => {
            let one = find(app, tenancy).await?;
            let Tenancy { id, keys, .. } = &one;
            let (limit, by) = limit(app, &one);
            let value = json!({"tenancy": id, "keys": keys, "limit": limit, "set_by": by});
            let words = format!("{id} has {keys} of {limit} keys (limit of the {by}).");
            return output.one(&value, &words);
        }
        ApiKeyCount::Set {
            tenancy,
            count,
            output,
        } => (tenancy, Some(i64::from(*count)), output),
        ApiKeyCount::Clear { tenancy, output } => (tenancy, None, output),
    };
    find(app, tenancy).await?;
    let (trail, id) = (audit_context(app), tenancy.clone());
    let write = move |tx: &mut Tx<'_>| {
        key_quota::put_key_limit(tx, &id, count)?;
        match count {
            Some(count) => {
                let detail = format!("at most {count} keys");
                trail.record(tx, "inference.tenancy.limited", &id, &detail)
            }
            None => trail.record(tx, "inference.tenancy.unlimited", &id, "as configured"),
        }
    };
    app.store.write(write).await?;
    let (limit, by) = limit(app, &find(app, tenancy).await?);
    let value = json!({"tenancy": tenancy, "limit": limit, "set_by": by});
    output.one(&value, &format!("{tenancy} may hold {limit} keys."))
}

async fn read(app: &Arc<App>) -> Result<Vec<Tenancy>, StoreError> {
    app.store.read(key_quota::tenancies).await
}

/// Requires a tenancy that has a compartment, so that a mistyped name does not create one.
async fn find(app: &Arc<App>, id: &str) -> anyhow::Result<Tenancy> {
    let found = read(app).await?.into_iter().find(|one| one.id == id);
    found.ok_or_else(|| {
        anyhow::anyhow!(
            "no compartment is in a tenancy {id}: \
             accord-server compartments set COMPARTMENT --tenancy {id}"
        )
    })
}

/// The maximum number of keys of a tenancy, and the source of this limit.
fn limit(app: &Arc<App>, tenancy: &Tenancy) -> (i64, &'static str) {
    match tenancy.key_limit {
        Some(limit) => (limit, "operator"),
        None => (i64::from(app.config.inference.key_limit), "configuration"),
    }
}

fn row(app: &Arc<App>, tenancy: &Tenancy) -> Value {
    let (limit, by) = limit(app, tenancy);
    json!([tenancy.id, tenancy.keys, limit, by])
}
