//! The usage of API keys.

use super::limit::Limit;
use crate::output::Output;
use accord_client::Accord;
use chrono::NaiveDate;
use clap::Args;

/// List the requests and tokens of API keys, by day and model
#[derive(Args)]
#[command(after_help = "\
Example:
  accord usage --compartment compartment.demo --since 2026-11-01")]
pub struct Usage {
    /// The compartment of the keys; ask the operator, who lists them with `accord-server compartments list`
    #[arg(long, value_name = "ID")]
    compartment: String,
    /// Only the key with this id
    #[arg(long, value_name = "ID")]
    key: Option<String>,
    /// Only the model with this id
    #[arg(long, value_name = "ID")]
    model: Option<String>,
    /// Only this day (UTC) and later ones
    #[arg(long, value_name = "DATE")]
    since: Option<NaiveDate>,
    /// Only this day (UTC) and earlier ones
    #[arg(long, value_name = "DATE")]
    until: Option<NaiveDate>,
    #[command(flatten)]
    limit: Limit,
}

impl Usage {
    pub async fn run(self, accord: &Accord, output: &Output) -> anyhow::Result<()> {
        let mut request = accord
            .inference()
            .list_usage()
            .compartment_id(self.compartment);
        if let Some(key) = self.key {
            request = request.api_key_id(key);
        }
        if let Some(model) = self.model {
            request = request.model(model);
        }
        if let Some(day) = self.since {
            request = request.first_day(day);
        }
        if let Some(day) = self.until {
            request = request.last_day(day);
        }
        let all = self.limit.collect(request.items()).await?;
        output.list(
            &all,
            "No such requests were counted; `accord chat` sends one.",
            [
                "day", "key", "model", "requests", "errors", "input", "output",
            ],
            |one| {
                [
                    one.day.to_string(),
                    one.display_name.clone(),
                    one.model.clone(),
                    one.requests.to_string(),
                    one.errors.to_string(),
                    one.input_tokens.to_string(),
                    one.output_tokens.to_string(),
                ]
            },
        )
    }
}
