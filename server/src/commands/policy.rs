//! `accord-server policy`

use std::path::PathBuf;

use accord_server::app::App;
use accord_server::inference::admission::policies::acceptance;
use accord_server::inference::admission::policies::question::{Action, SCHEMA};
use accord_server::inference::admission::policies::statement::{self, Scope, Statement};
use accord_server::inference::explanation::{Considered, explain};
use accord_server::inference::operator;
use accord_server::store::{StoreError, Tx};
use anyhow::Context as _;
use clap::{ArgGroup, Subcommand};
use serde_json::json;

use super::options::{Options, audit_context};
use super::output::{Output, print, print_line};

/// Commands for policies: which API keys may call which models. Policies are written in
/// Cedar. A call needs a policy that permits it, and none that forbids it.
#[derive(Subcommand)]
pub enum Policy {
    /// List all policies.
    List {
        #[command(flatten)]
        output: Output,
    },
    /// Allow calls by the keys of a compartment, by one key, or to one model. Several
    /// options must all match.
    #[command(group = ArgGroup::new("scope").required(true).multiple(true))]
    Allow {
        /// The policy's own id.
        id: String,
        /// The compartment whose keys it is for.
        #[arg(long, group = "scope")]
        compartment: Option<String>,
        /// The one key it is for.
        #[arg(long, group = "scope")]
        key: Option<String>,
        /// The one model it is for.
        #[arg(long, group = "scope")]
        model: Option<String>,
        #[command(flatten)]
        output: Output,
    },
    /// Add a policy from a file, after checking it against the schema.
    Add {
        /// The policy's own id.
        id: String,
        /// A file with one policy in Cedar, such as
        /// `forbid (principal, action, resource) when { resource.external };`
        #[arg(value_name = "FILE")]
        file: PathBuf,
        #[command(flatten)]
        output: Output,
    },
    /// Remove a policy.
    Remove {
        /// The policy's own id.
        id: String,
        #[command(flatten)]
        output: Output,
    },
    /// Check policies against the schema, and for unknown names. Fails when a policy is
    /// invalid.
    Check {
        #[command(flatten)]
        output: Output,
    },
    /// Explain why a key may call a model, or may not.
    Explain {
        /// The id of the key.
        key: String,
        /// The model.
        model: String,
        /// The use of the model.
        #[arg(long, value_enum, default_value = "chat")]
        action: Act,
        #[command(flatten)]
        output: Output,
    },
    /// Print the entities, actions and attributes of policies.
    Schema,
}

/// A use of a model.
#[derive(Debug, Clone, Copy, clap::ValueEnum)]
pub enum Act {
    /// Chat completions.
    Chat,
    /// Responses.
    Respond,
}

/// Changes the database of a running service, which applies the change without a restart.
#[tokio::main]
pub async fn run(options: &Options, command: &Policy) -> anyhow::Result<()> {
    if let Policy::Schema = command {
        return print(SCHEMA);
    }
    let app = options.open().await?;
    match command {
        Policy::Schema => Ok(()),
        Policy::List { output } => {
            let all = app.store.read(operator::policies).await?;
            let row = |one: &Statement| {
                let words: Vec<_> = one.text.split_whitespace().collect();
                let text = match output.json() {
                    true => one.text.clone(),
                    false => words.join(" "),
                };
                json!([one.id, text])
            };
            output.values(&["id", "statement"], all.iter().map(row))
        }
        Policy::Allow {
            id,
            compartment,
            key,
            model,
            output,
        } => {
            let scope = Scope {
                compartment_id: compartment.clone(),
                key_id: key.clone(),
                model: model.clone(),
            };
            write(&app, id, scope.permit(), output).await
        }
        Policy::Add { id, file, output } => {
            let text = std::fs::read_to_string(file);
            let text = text.with_context(|| file.display().to_string())?;
            write(&app, id, text, output).await
        }
        Policy::Remove { id, output } => {
            let (name, trail) = (id.clone(), audit_context(&app));
            let write = move |tx: &mut Tx<'_>| operator::remove_policy(tx, &trail, &name);
            let removed = app.store.write(write).await?;
            anyhow::ensure!(removed, "there is no policy {id}");
            output.one(&json!({"id": id}), &format!("Removed policy {id}."))
        }
        Policy::Check { output } => check(&app, output).await,
        Policy::Explain {
            key,
            model,
            action,
            output,
        } => {
            let action = match action {
                Act::Chat => Action::Chat,
                Act::Respond => Action::Respond,
            };
            print_explanation(&app, key, model, action, output).await
        }
    }
}

async fn write(
    app: &std::sync::Arc<App>,
    id: &str,
    text: String,
    output: &Output,
) -> anyhow::Result<()> {
    let statement = Statement {
        id: id.to_owned(),
        text: text.trim().to_owned(),
    };
    acceptance::check(&statement)?;
    let trail = audit_context(app);
    let value = json!({"id": statement.id, "statement": statement.text});
    let write = move |tx: &mut Tx<'_>| operator::add_policy(tx, &trail, &statement);
    anyhow::ensure!(
        app.store.write(write).await?,
        "policy {id} exists already; remove it with: accord-server policy remove {id}"
    );
    output.one(&value, &format!("Added policy {id}."))
}

async fn check(app: &App, output: &Output) -> anyhow::Result<()> {
    let settings = app.inference.settings();
    let models = &settings.models;
    let all = app.store.read(operator::policies).await?;
    let mut findings: Vec<(String, String)> = Vec::new();
    for statement in all {
        if let Err(error) = acceptance::check(&statement) {
            findings.push((statement.id, error.to_string()));
            continue;
        }
        let names = statement::named_entities(&statement)?;
        let named = |kind: &str| -> Vec<String> {
            let of_kind = names.iter().filter(|(one, _)| one == kind);
            of_kind.map(|(_, id)| id.clone()).collect()
        };
        let (keys, compartments) = (named("Key"), named("Compartment"));
        let mut find = |text: String| findings.push((statement.id.clone(), text));
        for model in named("Model") {
            if !models.iter().any(|found| found.name == model) {
                find(format!("there is no model {model}"));
            }
        }
        let read = app.store.read(move |tx: &mut Tx<'_>| {
            let mut texts = Vec::new();
            for id in &compartments {
                if !operator::has_compartment(tx, id)? {
                    texts.push(format!("there is no compartment {id}"));
                }
            }
            for key in &keys {
                match operator::compartment_of_key(tx, key)? {
                    None => texts.push(format!("there is no key {key}")),
                    Some(actual) if !compartments.is_empty() && !compartments.contains(&actual) => {
                        texts.push(format!("{key} is in {actual}"));
                    }
                    Some(_) => {}
                }
            }
            Ok::<_, StoreError>(texts)
        });
        read.await?.into_iter().for_each(&mut find);
    }
    let rows = findings.iter().map(|(id, text)| json!([id, text]));
    output.values(&["policy", "finding"], rows)?;
    anyhow::ensure!(findings.is_empty(), "{} findings", findings.len());
    Ok(())
}

async fn print_explanation(
    app: &App,
    key: &str,
    model: &str,
    action: Action,
    output: &Output,
) -> anyhow::Result<()> {
    let explanation = explain(&app.inference, key, model, action).await?;
    let row = |one: &Considered| json!([one.id, one.effect, one.applies, one.decides]);
    let rows = explanation.policies.iter().map(row);
    output.values(&["policy", "effect", "applies", "decides"], rows)?;
    if !output.json() {
        print_line(&explanation.sentence())?;
        for policy in &explanation.verdict.failed {
            print_line(&format!(
                "The policy {policy} failed; see accord-server policy check."
            ))?;
        }
    }
    Ok(())
}
