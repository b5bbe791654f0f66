//! `accord-server limits`

mod api_key_count;

use accord_server::inference::admission::limits::Limits as KeyLimits;
use accord_server::inference::admission::period::Period;
use accord_server::inference::operator;
use accord_server::store::{StoreError, Tx};
use clap::Subcommand;
use serde_json::json;

use super::options::{Options, audit_context};
use super::output::Output;

/// Commands for the limits of API keys, and of tenancies.
#[derive(Subcommand)]
pub enum Limits {
    /// List the keys that have limits of their own.
    List {
        #[command(flatten)]
        output: Output,
    },
    /// Set the limits of a key; they replace its previous ones. For a limit without an
    /// option the configuration applies. Running services that reach the database apply
    /// the change within a second.
    Set {
        /// The id of the key.
        key: String,
        /// Calls a minute.
        #[arg(
            long,
            allow_negative_numbers = true,
            value_name = "COUNT",
            value_parser = clap::value_parser!(u32).range(1..)
        )]
        requests_per_minute: Option<u32>,
        /// Tokens a minute, in and out together.
        #[arg(
            long,
            allow_negative_numbers = true,
            value_name = "COUNT",
            value_parser = clap::value_parser!(u32).range(1..)
        )]
        tokens_per_minute: Option<u32>,
        /// Calls at once, streams included.
        #[arg(long, allow_negative_numbers = true, value_name = "COUNT")]
        concurrent_calls: Option<u32>,
        /// Streams at once.
        #[arg(long, allow_negative_numbers = true, value_name = "COUNT")]
        concurrent_streams: Option<u32>,
        /// Tokens in each period.
        #[arg(
            long,
            allow_negative_numbers = true,
            value_name = "COUNT",
            value_parser = clap::value_parser!(i64).range(0..)
        )]
        token_budget: Option<i64>,
        /// When the budget resets, in UTC.
        #[arg(long, value_enum, default_value = "month", requires = "token_budget")]
        budget_period: Each,
        #[command(flatten)]
        output: Output,
    },
    /// Manage how many API keys a tenancy may hold: list, show, set, clear.
    #[command(subcommand)]
    ApiKeyCount(api_key_count::ApiKeyCount),
    /// Remove the limits of a key, so that the configuration applies. Running services that
    /// reach the database apply the change within a second.
    Clear {
        /// The id of the key.
        key: String,
        #[command(flatten)]
        output: Output,
    },
}

/// A budget's period.
#[derive(Debug, Clone, Copy, clap::ValueEnum)]
pub enum Each {
    /// Each day.
    Day,
    /// Each month.
    Month,
}

/// Changes the database of a running service, which applies the change without a restart.
#[tokio::main]
pub async fn run(options: &Options, command: &Limits) -> anyhow::Result<()> {
    let app = options.open().await?;
    let (key, limits, output) = match command {
        Limits::List { output } => {
            let all = app.store.read(operator::limits).await?;
            let columns = [
                "key",
                "requests per minute",
                "tokens per minute",
                "concurrent calls",
                "concurrent streams",
                "token budget",
                "budget period",
            ];
            return output.values(&columns, all.into_iter().map(row));
        }
        Limits::Set {
            key,
            requests_per_minute,
            tokens_per_minute,
            concurrent_calls,
            concurrent_streams,
            token_budget,
            budget_period,
            output,
        } => {
            let period = match budget_period {
                Each::Day => Period::Day,
                Each::Month => Period::Month,
            };
            let limits = KeyLimits {
                requests_per_minute: *requests_per_minute,
                tokens_per_minute: *tokens_per_minute,
                concurrent_calls: *concurrent_calls,
                concurrent_streams: *concurrent_streams,
                budget: token_budget.map(|tokens| (tokens, period)),
            };
            (key, Some(limits), output)
        }
        Limits::ApiKeyCount(command) => return api_key_count::run(&app, command).await,
        Limits::Clear { key, output } => (key, None, output),
    };
    let id = key.clone();
    let trail = audit_context(&app);
    let written = app.store.write(move |tx: &mut Tx<'_>| {
        let known = operator::compartment_of_key(tx, &id)?.is_some();
        if known {
            operator::put_limits(tx, &id, limits.as_ref())?;
            match limits {
                Some(limits) => {
                    trail.record(tx, "inference.limits.set", &id, &format!("{limits:?}"))?;
                }
                None => trail.record(tx, "inference.limits.cleared", &id, "")?,
            }
        }
        Ok::<_, StoreError>(known)
    });
    anyhow::ensure!(written.await?, "there is no API key {key}");
    let words = match limits {
        Some(_) => format!("{key} has limits of its own."),
        None => format!("{key} has the service's limits."),
    };
    output.one(&json!({"key": key, "own_limits": limits.is_some()}), &words)
}

fn row((key, limits): (String, KeyLimits)) -> serde_json::Value {
    let KeyLimits {
        requests_per_minute,
        tokens_per_minute,
        concurrent_calls,
        concurrent_streams,
        budget,
    } = limits;
    json!([
        key,
        requests_per_minute,
        tokens_per_minute,
        concurrent_calls,
        concurrent_streams,
        budget.map(|(tokens, _)| tokens),
        budget.map(|(_, period)| period.as_str()),
    ])
}
