//! `judge`: runs third-party linters over the published documents.
//!
//! Redocly CLI and Spectral run with their recommended rules, and warnings count as findings. They read a copy with one
//! difference: see [`spell_out_nulls`].

use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::Context;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::{Outcome, files, repository, tools};

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

/// A finding of a linter.
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
        let judged = tools.join(format!("{area}.json"));
        let published = repository::root().join(format!("openapi/published/{area}.json"));
        copy(&published, &judged)?;
        findings.extend(redocly(&tools, &area, &judged)?);
        findings.extend(spectral(&tools, &area, &judged)?);
    }
    for Finding {
        rule,
        place,
        message,
    } in &findings
    {
        println!("{rule}: {message}\n  {place}");
    }
    match findings.len() {
        1 => println!("1 finding"),
        n => println!("{n} findings"),
    }
    Ok(match findings.is_empty() {
        true => Outcome::Success,
        false => Outcome::Failure,
    })
}

/// Writes the copy of a document that the linters read.
fn copy(published: &Path, judged: &Path) -> anyhow::Result<()> {
    let text = std::fs::read_to_string(published)
        .with_context(|| format!("cannot read {}", published.display()))?;
    let mut document = serde_json::from_str(&text)
        .with_context(|| format!("{} is not JSON", published.display()))?;
    spell_out_nulls(&mut document);
    files::write(judged, document.to_string())
}

/// Makes null a separate alternative if a schema is `nullable: true` with an `allOf` of one reference.
///
/// Generators of clients expect this form of a nullable reference: they make an optional value of the named type. The
/// linters follow OpenAPI 3.0.3 to the letter, where `nullable` has an effect only beside a `type`, so they reject the
/// schema and every example with it. The documents keep the form that generators support.
fn spell_out_nulls(value: &mut Value) {
    if let Value::Object(schema) = value {
        let is_reference = matches!(schema.get("allOf"), Some(Value::Array(all)) if all.len() == 1);
        let is_nullable = schema.get("nullable") == Some(&Value::Bool(true));
        if is_reference && is_nullable && !schema.contains_key("type") {
            schema.remove("nullable");
            let null = json!({"type": "object", "nullable": true, "enum": [null]});
            let mut alternatives = schema.remove("allOf").unwrap_or_default();
            if let Value::Array(alternatives) = &mut alternatives {
                alternatives.push(null);
            }
            schema.insert("anyOf".to_owned(), alternatives);
        }
        schema.values_mut().for_each(spell_out_nulls);
    } else if let Value::Array(values) = value {
        values.iter_mut().for_each(spell_out_nulls);
    }
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
    files::write(&rules, "extends: [['spectral:oas', recommended]]\n")?;
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

/// The JSON output of a linter. Its exit code is ignored, because the report has the findings.
fn ask(command: &mut Command) -> anyhow::Result<Value> {
    let output = command
        .stdin(Stdio::null())
        .output()
        .with_context(|| format!("cannot run {command:?}"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let begin = text.find(['{', '[']).with_context(|| {
        let problem = String::from_utf8_lossy(&output.stderr);
        format!("{command:?} has no readable output:\n{problem}")
    })?;
    // Text may follow the report.
    let mut json = serde_json::Deserializer::from_str(&text[begin..]);
    Value::deserialize(&mut json).with_context(|| format!("{command:?} does not print JSON"))
}

fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        value => value.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_nullable_reference_gets_null_as_an_alternative() {
        let spelled_out = |nullable: bool| {
            let mut schema = json!({"allOf": [{"$ref": "#/a"}], "nullable": nullable});
            spell_out_nulls(&mut schema);
            schema
        };
        let absent = json!({"type": "object", "nullable": true, "enum": [null]});
        assert_eq!(
            spelled_out(true),
            json!({"anyOf": [{"$ref": "#/a"}, absent]})
        );
        let unchanged = json!({"allOf": [{"$ref": "#/a"}], "nullable": false});
        assert_eq!(spelled_out(false), unchanged);
    }
}
