//! `accord-server compartments`

use accord_server::inference::operator;
use accord_server::store::Tx;
use clap::Subcommand;
use serde_json::json;

use super::options::Options;
use super::output::Output;

/// What to do with compartments.
#[derive(Subcommand)]
pub enum Compartments {
    /// List them, with their quotas and how many keys they hold.
    List {
        #[command(flatten)]
        output: Output,
    },
    /// Make one, or change the quota of one that is there.
    Set {
        /// Its id, as callers write it in `compartmentId`.
        id: String,
        /// The most API keys that it may hold; without it, only the tenancy's
        /// limit applies.
        #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(i64).range(0..))]
        key_quota: Option<i64>,
    },
}

/// Works on the database that a running service uses; it follows by itself.
#[tokio::main]
pub async fn run(options: &Options, command: &Compartments) -> anyhow::Result<()> {
    let app = options.open().await?;
    match command {
        Compartments::List { output } => {
            let all = app.store.read(operator::compartments).await?;
            let row = |one: operator::Compartment| {
                vec![json!(one.id), json!(one.keys), json!(one.key_quota)]
            };
            let rows: Vec<_> = all.into_iter().map(row).collect();
            output.values(&["id", "keys", "key quota"], &rows)?;
        }
        Compartments::Set { id, key_quota } => {
            let now = app.clock.now();
            let (name, quota) = (id.clone(), *key_quota);
            let written = app
                .store
                .write(move |tx: &mut Tx<'_>| operator::put_compartment(tx, &name, quota, now));
            written.await?;
            println!("The compartment {id} is there.");
        }
    }
    Ok(())
}
