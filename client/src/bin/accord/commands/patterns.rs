//! Agent patterns of a project.

use super::limit::Limit;
use super::times::time;
use crate::confirm::Confirmation;
use crate::failure::failed;
use crate::output::Output;
use accord_client::{
    Accord,
    patterns::types::{
        AgentPattern, CreatePatternRequest, CreatePatternRequestRequired, PatternOrder,
    },
};
use clap::{Args, Subcommand, ValueEnum};
use serde_json::json;
use uuid::Uuid;

#[derive(Subcommand)]
pub enum Patterns {
    List(List),
    /// Show a pattern
    Get(One),
    Create(Create),
    Delete(Delete),
}

/// The service instance and the project of patterns.
#[derive(Args)]
struct Place {
    /// Service instance; ask the operator, who lists them with `accord-server design-instances list`
    #[arg(long, env = "ACCORD_INSTANCE", value_name = "NAME")]
    instance: String,
    /// Id or code of the project; ask the operator, who sees them with `accord-server export`
    #[arg(long, env = "ACCORD_PROJECT", value_name = "PROJECT")]
    project: String,
}

/// List the patterns of a project
#[derive(Args)]
pub struct List {
    #[command(flatten)]
    place: Place,
    /// Only patterns whose name contains this
    #[arg(long, value_name = "TEXT")]
    name: Option<String>,
    /// The order of the list
    #[arg(long, value_name = "ORDER")]
    order_by: Option<Order>,
    #[command(flatten)]
    limit: Limit,
}

#[derive(Clone, Copy, ValueEnum)]
enum Order {
    Name,
    Time,
}

/// One pattern.
#[derive(Args)]
pub struct One {
    #[command(flatten)]
    place: Place,
    /// Code and version, as in `ORDER_TRIAGE|01.00.0000`
    pattern: String,
}

/// Delete a pattern
#[derive(Args)]
pub struct Delete {
    #[command(flatten)]
    one: One,
    #[command(flatten)]
    confirmation: Confirmation,
}

/// Create a pattern from an accelerator
#[derive(Args)]
#[command(after_help = "\
Example:
  accord patterns create ORDER_TRIAGE 01.00.0000 --instance design-eu-1 --project RETAIL \\
    --accelerator 3f1c2a9e-6d0b-4f6e-9c64-0a4c8c0d7b01")]
pub struct Create {
    #[command(flatten)]
    place: Place,
    /// Code of the new pattern
    code: String,
    /// Its version: numbers with dots between them
    version: String,
    /// Id of the accelerator; ask the operator, who lists them with `accord-server accelerators list`
    #[arg(long, value_name = "UUID")]
    accelerator: Uuid,
    /// Another name than the accelerator's
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// Another description than the accelerator's
    #[arg(long, value_name = "TEXT")]
    description: Option<String>,
    /// Other guidelines than the accelerator's
    #[arg(long, value_name = "TEXT")]
    guidelines: Option<String>,
    /// Maximum number of iterations
    #[arg(long, value_name = "NUMBER")]
    max_iteration: Option<i32>,
}

/// The text of an empty list of patterns.
const NO_PATTERN: &str = "The project has no pattern; `accord patterns create CODE VERSION --accelerator UUID` creates one.";

impl From<List> for Patterns {
    fn from(list: List) -> Self {
        Self::List(list)
    }
}

impl Patterns {
    pub async fn run(self, accord: &Accord, output: &Output) -> anyhow::Result<()> {
        let patterns = accord.patterns();
        match self {
            Patterns::List(list) => list.run(accord, output).await,
            Patterns::Get(one) => {
                let request = patterns
                    .get_pattern()
                    .project_id(one.place.project)
                    .id(one.pattern);
                let pattern = request
                    .integration_instance(one.place.instance)
                    .call()
                    .await
                    .map_err(failed)?;
                show(output, &pattern)
            }
            Patterns::Create(create) => {
                let mut body = CreatePatternRequest::new(CreatePatternRequestRequired {
                    id: create.accelerator,
                    pattern_code: create.code,
                    pattern_version: create.version,
                    project_code: create.place.project.clone(),
                });
                body.name = create.name;
                body.description = create.description;
                body.guidelines = create.guidelines;
                body.max_iteration = create.max_iteration;
                let request = patterns
                    .create_pattern_from_accelerator()
                    .project_id(create.place.project);
                let request = request
                    .integration_instance(create.place.instance)
                    .body(body);
                show(output, &request.call().await.map_err(failed)?.into_inner())
            }
            Patterns::Delete(Delete { one, confirmation }) => {
                confirmation.ask(&one.pattern).await?;
                let request = patterns
                    .delete_pattern()
                    .project_id(one.place.project)
                    .id(one.pattern.clone());
                request
                    .integration_instance(one.place.instance)
                    .call()
                    .await
                    .map_err(failed)?;
                let changed = json!({ "deleted": one.pattern });
                output.done(&changed, format!("Deleted {}.", one.pattern))
            }
        }
    }
}

impl List {
    async fn run(self, accord: &Accord, output: &Output) -> anyhow::Result<()> {
        let mut request = accord
            .patterns()
            .list_patterns()
            .project_id(self.place.project)
            .integration_instance(self.place.instance);
        if let Some(name) = &self.name {
            request = request.q(format!("{{name: /{name}/}}"));
        }
        if let Some(order) = self.order_by {
            request = request.order_by(match order {
                Order::Name => PatternOrder::Name,
                Order::Time => PatternOrder::Time,
            });
        }
        let all = self.limit.collect(request.items()).await?;
        output.list(
            &all,
            match self.name {
                None => NO_PATTERN,
                Some(_) => "The name of no pattern contains this text.",
            },
            ["id", "name", "status", "created", "by"],
            |pattern| {
                [
                    pattern.id.clone(),
                    pattern.name.clone(),
                    pattern.status.to_string(),
                    time(pattern.created),
                    pattern.created_by.clone(),
                ]
            },
        )
    }
}

fn show(output: &Output, pattern: &AgentPattern) -> anyhow::Result<()> {
    output.one(
        pattern,
        &[
            ("pattern", Some(pattern.name.clone())),
            ("id", Some(pattern.id.clone())),
            ("project", Some(pattern.project_id.clone())),
            ("status", Some(pattern.status.to_string())),
            ("description", Some(pattern.description.clone())),
            ("guidelines", Some(pattern.guidelines.clone())),
            (
                "iterations",
                Some(format!("at most {}", pattern.max_iteration)),
            ),
            (
                "created",
                Some(format!(
                    "{} by {}",
                    time(pattern.created),
                    pattern.created_by
                )),
            ),
        ],
    )
}
