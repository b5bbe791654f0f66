//! `accord-server models`

use std::time::{Duration, Instant};

use accord_server::inference::gateway::ModelResponse;
use accord_server::inference::gateway::events::Convention;
use accord_server::inference::gateway::models::{Backend, Catalog};
use accord_server::inference::gateway::pool::Target;
use accord_server::inference::gateway::upstream::{Attempt, Upstream};
use clap::Subcommand;
use http::HeaderMap;
use serde_json::{Value, json};

use super::options::Options;
use super::output::Output;

/// Commands for the models of the configuration.
#[derive(Subcommand)]
pub enum Models {
    /// List models with their model servers.
    List {
        #[command(flatten)]
        output: Output,
    },
    /// Request one token from each model server and show the result. Fails when one does
    /// not respond.
    Check {
        #[command(flatten)]
        output: Output,
    },
}

/// Reads only the configuration.
#[tokio::main]
pub async fn run(options: &Options, command: &Models) -> anyhow::Result<()> {
    let config = options.load()?;
    let models = Catalog::new(&config)?;
    match command {
        Models::List { output } => list(&models, output),
        Models::Check { output } => {
            let upstream = Upstream::new(config.inference.ca_file.as_deref())?;
            check(&models, &upstream, output).await
        }
    }
}

fn list(models: &Catalog, output: &Output) -> anyhow::Result<()> {
    let mut rows = Vec::new();
    for model in models.iter() {
        let mut row = |upstream: Value, api: &str| {
            rows.push(json!([
                model.name,
                model.family,
                model.region,
                upstream,
                api
            ]));
        };
        match &model.backend {
            Backend::Builtin(_) => row(Value::Null, "all"),
            Backend::Servers(pool) => {
                for target in &pool.targets {
                    let api = if target.responses.is_some() {
                        "all"
                    } else {
                        "chat"
                    };
                    row(json!(target.address), api);
                }
            }
        }
    }
    output.values(&["model", "family", "region", "upstream", "api"], rows)
}

async fn check(models: &Catalog, upstream: &Upstream, output: &Output) -> anyhow::Result<()> {
    let mut rows = Vec::new();
    let mut failed = 0;
    for model in models.iter() {
        let Backend::Servers(pool) = &model.backend else {
            continue;
        };
        for target in &pool.targets {
            let begun = Instant::now();
            let found = ask(upstream, &model.name, target).await;
            let milliseconds = u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX);
            failed += usize::from(found.is_err());
            let (responds, text) = match found {
                Ok(text) => (true, text),
                Err(text) => (false, text),
            };
            rows.push(json!([
                model.name,
                target.address,
                responds,
                milliseconds,
                text
            ]));
        }
    }
    let columns = ["model", "upstream", "responds", "milliseconds", "found"];
    let asked = rows.len();
    output.values(&columns, rows)?;
    anyhow::ensure!(failed == 0, "{failed} of {asked} do not respond");
    Ok(())
}

/// The timeout for the response to a minimal request.
const TIMEOUT: Duration = Duration::from_secs(20);

/// The response of the model server to a minimal request.
async fn ask(upstream: &Upstream, model: &str, target: &Target) -> Result<String, String> {
    let name = target.model.as_deref().unwrap_or(model);
    let body = json!({
        "model": name,
        "messages": [{"role": "user", "content": "Hi"}],
        "max_tokens": 1,
    });
    let attempt = Attempt {
        model,
        target,
        uri: &target.chat_completions,
        convention: Convention::Chat,
        headers: &HeaderMap::new(),
        request_id: &uuid::Uuid::new_v4().to_string(),
        body: body.to_string().into(),
        span: None,
    };
    let attempted = tokio::time::timeout(TIMEOUT, upstream.attempt(&attempt));
    let Ok(outcome) = attempted.await else {
        let seconds = TIMEOUT.as_secs();
        return Err(format!("no response within {seconds} seconds"));
    };
    match outcome {
        Ok(ModelResponse::Whole(bytes)) => {
            let body: Value = serde_json::from_slice(&bytes).unwrap_or_default();
            let said = body["model"].as_str().unwrap_or("no model name");
            match body["choices"].is_array() {
                true => Ok(said.to_owned()),
                false => Err("the response has no choices".to_owned()),
            }
        }
        Ok(ModelResponse::Events(_)) => {
            Err("the response is a stream, which was not requested".into())
        }
        Err(failed) => Err(match failed.status {
            Some(status) => format!("{status}: {}", failed.problem),
            None => failed.problem.to_string(),
        }),
    }
}
