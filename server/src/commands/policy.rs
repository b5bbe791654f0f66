//! `accord-server policy`

use accord_server::inference::admission::policies::{self, Policies, Policy as Permission};
use accord_server::inference::gateway::models::Catalogue;
use accord_server::inference::operator;
use accord_server::store::{StoreError, Tx};
use clap::Subcommand;
use serde_json::json;

use super::options::Options;
use super::output::Output;
use super::trail::Trail;

/// What to do with policies: which API keys may call which models. Nothing is
/// allowed that no policy allows.
#[derive(Subcommand)]
pub enum Policy {
    /// List them.
    List {
        #[command(flatten)]
        output: Output,
    },
    /// Allow calls. What is left out is open.
    Allow {
        /// The policy's own id.
        id: String,
        /// The compartment whose keys it is for.
        #[arg(long)]
        compartment: Option<String>,
        /// The one key it is for.
        #[arg(long)]
        key: Option<String>,
        /// The one model it is for.
        #[arg(long)]
        model: Option<String>,
        #[command(flatten)]
        output: Output,
    },
    /// Take a policy away.
    Remove {
        /// The policy's own id.
        id: String,
        #[command(flatten)]
        output: Output,
    },
    /// Look for policies that name what is not there. Fails when there are any.
    Check {
        #[command(flatten)]
        output: Output,
    },
    /// Say why a key may call a model, or may not.
    Explain {
        /// The id of the key.
        key: String,
        /// The model.
        model: String,
        #[command(flatten)]
        output: Output,
    },
}

/// Works on the database that a running service uses; it follows by itself.
#[tokio::main]
pub async fn run(options: &Options, command: &Policy) -> anyhow::Result<()> {
    let app = options.open().await?;
    let store = &app.store;
    match command {
        Policy::List { output } => {
            let all = store.read(operator::policies).await?;
            let rows: Vec<_> = all.iter().map(|(id, policy)| row(id, policy)).collect();
            output.values(&["id", "compartment", "key", "model"], &rows)?;
        }
        Policy::Allow {
            id,
            compartment,
            key,
            model,
            output,
        } => {
            let trail = Trail::of(&app);
            let (name, now) = (id.clone(), app.clock.now());
            let policy = Permission {
                compartment_id: compartment.clone(),
                key_id: key.clone(),
                model: model.clone(),
            };
            let write = move |tx: &mut Tx<'_>| {
                policies::insert(tx, &name, &policy, now)?;
                trail.tell(
                    tx,
                    "inference.policy.allowed",
                    &name,
                    &format!("{policy:?}"),
                )?;
                accord_server::inference::keys::rows::announce_change(tx)
            };
            store.write(write).await?;
            output.one(&json!({"id": id}), &format!("The policy {id} is there."))?;
        }
        Policy::Remove { id, output } => {
            let trail = Trail::of(&app);
            let name = id.clone();
            let removed = store.write(move |tx: &mut Tx<'_>| {
                let removed = operator::remove_policy(tx, &name)?;
                if removed {
                    trail.tell(tx, "inference.policy.removed", &name, "")?;
                }
                Ok::<_, StoreError>(removed)
            });
            anyhow::ensure!(removed.await?, "there is no policy {id}");
            output.one(&json!({"id": id}), &format!("The policy {id} is gone."))?;
        }
        Policy::Check { output } => {
            let models = Catalogue::new(&app.config, app.clock.now())?;
            let findings = store.read(move |tx: &mut Tx<'_>| {
                let mut findings = Vec::new();
                for (id, policy) in operator::policies(tx)? {
                    let key = policy.key_id.as_deref();
                    if let Some(key) = key {
                        let compartment = operator::compartment_of_key(tx, key)?;
                        match (compartment, &policy.compartment_id) {
                            (None, _) => {
                                findings.push((id.clone(), format!("there is no key {key}")))
                            }
                            (Some(actual), Some(named)) if actual != *named => {
                                findings.push((
                                    id.clone(),
                                    format!("{key} is in {actual}, not in {named}"),
                                ));
                            }
                            _ => {}
                        }
                    }
                    if let Some(model) = policy
                        .model
                        .filter(|model| models.find(model).is_none_or(|found| found.name != *model))
                    {
                        findings.push((id, format!("there is no model {model}")));
                    }
                }
                Ok::<_, StoreError>(findings)
            });
            let findings = findings.await?;
            let rows: Vec<_> = findings
                .iter()
                .map(|(id, text)| vec![json!(id), json!(text)])
                .collect();
            output.values(&["policy", "finding"], &rows)?;
            anyhow::ensure!(findings.is_empty(), "{} findings", findings.len());
        }
        Policy::Explain { key, model, output } => {
            let name = key.clone();
            let read = store.read(move |tx: &mut Tx<'_>| {
                let compartment = operator::compartment_of_key(tx, &name)?;
                Ok::<_, StoreError>((compartment, operator::policies(tx)?))
            });
            let (compartment, all) = read.await?;
            let Some(compartment) = compartment else {
                anyhow::bail!("there is no API key {key}");
            };
            let rows: Vec<_> = all
                .into_iter()
                .map(|(id, policy)| {
                    let reason = match policy.mismatch(&compartment, key, model) {
                        None => "allows it".to_owned(),
                        Some(what) => format!("is for another {what}"),
                    };
                    let allows = Policies::new(vec![policy]).allow(&compartment, key, model);
                    vec![json!(id), json!(allows), json!(reason)]
                })
                .collect();
            output.values(&["policy", "allows", "reason"], &rows)?;
            let allowed = rows.iter().any(|row| row[1] == true);
            if !output.json() {
                match allowed {
                    true => println!("{key} in {compartment} may call {model}."),
                    false => println!(
                        "{key} in {compartment} may not call {model}: no policy allows it."
                    ),
                }
            }
        }
    }
    Ok(())
}

fn row(id: &str, policy: &Permission) -> Vec<serde_json::Value> {
    let Permission {
        compartment_id,
        key_id,
        model,
    } = policy;
    vec![
        json!(id),
        json!(compartment_id),
        json!(key_id),
        json!(model),
    ]
}
