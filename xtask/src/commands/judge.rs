//! `judge`: what linters that others have written find in the published
//! documents.
//!
//! Redocly CLI and Spectral, with their recommended rules and every finding
//! counted, warnings too.

use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, ensure};
use serde_json::Value;

use crate::{Outcome, repository, tools};

/// Check the published documents with Redocly CLI and Spectral
///
/// Both run with their recommended rules; warnings count. They are installed
/// under target/tools, as openapi/tests/judges/package-lock.json says.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  cargo xtask judge

Exit code: 0 when they find nothing, 1 when they find something, 2 when they
cannot run.")]
pub(crate) struct Arguments {}

/// What a judge says.
struct Finding {
    rule: String,
    place: String,
    message: String,
}

pub(crate) fn run(_: &Arguments) -> anyhow::Result<Outcome> {
    let tools = tools::judges()?;
    let mut findings = Vec::new();
    for path in repository::documents()? {
        let area = repository::area(&path);
        let published = repository::root().join(format!("openapi/published/{area}.json"));
        findings.extend(redocly(&tools, &area, &published)?);
        findings.extend(spectral(&tools, &area, &published)?);
    }
    for Finding {
        rule,
        place,
        message,
    } in &findings
    {
        println!("{rule}: {message}\n  {place}");
    }
    println!("{} findings", findings.len());
    Ok(match findings.is_empty() {
        true => Outcome::Success,
        false => Outcome::Failure,
    })
}

fn redocly(tools: &Path, area: &str, document: &Path) -> anyhow::Result<Vec<Finding>> {
    let report = ask(Command::new(tools.join("node_modules/.bin/redocly"))
        .args(["lint", "--extends=recommended", "--format=json"])
        .arg(document)
        .env("REDOCLY_TELEMETRY", "off")
        .env("REDOCLY_SUPPRESS_UPDATE_NOTICE", "true")
        .current_dir(tools))?;
    let problems = report["problems"]
        .as_array()
        .context("Redocly CLI lists no problems")?;
    let place = |problem: &Value| {
        let pointer = problem["location"][0]["pointer"]
            .as_str()
            .unwrap_or_default();
        pointer
            .trim_start_matches('#')
            .replace("~1", "/")
            .replace("~0", "~")
    };
    Ok(problems
        .iter()
        .map(|problem| Finding {
            rule: text(&problem["ruleId"]),
            place: format!("{area}{}", place(problem)),
            message: text(&problem["message"]),
        })
        .collect())
}

fn spectral(tools: &Path, area: &str, document: &Path) -> anyhow::Result<Vec<Finding>> {
    let rules = tools.join("spectral.yaml");
    std::fs::write(&rules, "extends: [['spectral:oas', recommended]]\n")?;
    let report = ask(Command::new(tools.join("node_modules/.bin/spectral"))
        .args(["lint", "--quiet", "--format=json", "--ruleset"])
        .arg(&rules)
        .arg(document)
        .current_dir(tools))?;
    let problems = report.as_array().context("Spectral lists no problems")?;
    let place = |problem: &Value| {
        let steps = problem["path"].as_array().into_iter().flatten();
        steps
            .map(|step| format!("/{}", text(step)))
            .collect::<String>()
    };
    Ok(problems
        .iter()
        .map(|problem| Finding {
            rule: text(&problem["code"]),
            place: format!("{area}{}/", place(problem)),
            message: text(&problem["message"]),
        })
        .collect())
}

/// What a judge prints as JSON. Its exit code says whether it found something,
/// which the report says better.
fn ask(command: &mut Command) -> anyhow::Result<Value> {
    let output = command
        .stdin(Stdio::null())
        .output()
        .with_context(|| format!("cannot run {command:?}"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let begin = text.find(['{', '[']);
    ensure!(
        begin.is_some(),
        "{command:?} says nothing that can be read:\n{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let json = serde_json::Deserializer::from_str(&text[begin.unwrap_or(0)..])
        .into_iter()
        .next();
    json.transpose()
        .with_context(|| format!("{command:?} does not print JSON"))
        .map(Option::unwrap_or_default)
}

fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        value => value.to_string(),
    }
}
