//! `accord-server compartments`

use accord_server::inference::keys::key_quota::tenancy_of;
use accord_server::inference::operator;
use accord_server::store::Tx;
use clap::Subcommand;
use serde_json::json;

use super::options::{Options, audit_context};
use super::output::Output;

/// Commands for compartments.
#[derive(Subcommand)]
pub enum Compartments {
    /// List compartments, with their quotas and number of keys.
    List {
        #[command(flatten)]
        output: Output,
    },
    /// Create a compartment, or change its quota.
    Set {
        /// Its id, as callers write it in `compartmentId`.
        #[arg(value_parser = id)]
        id: String,
        /// The tenancy that it belongs to [default: as it is, or main].
        #[arg(long, value_name = "NAME", value_parser = clap::builder::NonEmptyStringValueParser::new())]
        tenancy: Option<String>,
        /// Maximum number of API keys; without it, only the limit of the tenancy
        /// applies.
        #[arg(
            long,
            allow_negative_numbers = true,
            value_name = "COUNT",
            value_parser = clap::value_parser!(i64).range(0..)
        )]
        key_quota: Option<i64>,
        #[command(flatten)]
        output: Output,
    },
}

fn id(text: &str) -> Result<String, &'static str> {
    match text.trim().is_empty() {
        true => Err("expected an id, such as compartment.main"),
        false => Ok(text.to_owned()),
    }
}

/// Changes the database of a running service, which applies the change without
/// a restart.
#[tokio::main]
pub async fn run(options: &Options, command: &Compartments) -> anyhow::Result<()> {
    let app = options.open().await?;
    match command {
        Compartments::List { output } => {
            let all = app.store.read(operator::compartments).await?;
            let row =
                |one: operator::Compartment| json!([one.id, one.tenancy, one.keys, one.key_quota]);
            let rows = all.into_iter().map(row);
            output.values(&["id", "tenancy", "keys", "key quota"], rows)?;
        }
        Compartments::Set {
            id,
            tenancy,
            key_quota,
            output,
        } => {
            let now = app.clock.now();
            let (name, of, quota) = (id.clone(), tenancy.clone(), *key_quota);
            let trail = audit_context(&app);
            let written = app.store.write(move |tx: &mut Tx<'_>| {
                operator::put_compartment(tx, &name, of.as_deref(), quota, now)?;
                let quota = quota.map(|keys| format!("at most {keys} keys"));
                let of = of.as_ref().map(|of| format!("in the tenancy {of}"));
                let detail: Vec<_> = of.into_iter().chain(quota).collect();
                trail.record(tx, "inference.compartment.set", &name, &detail.join(", "))?;
                tenancy_of(tx, &name)
            });
            let tenancy = written.await?;
            let value = json!({"id": id, "tenancy": tenancy, "key_quota": key_quota});
            output.one(&value, &format!("Set compartment {id}."))?;
        }
    }
    Ok(())
}
