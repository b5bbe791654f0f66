//! `lint`: the documents against the rules of `dropforge::check::lint`.

use std::path::{Path, PathBuf};

use dropforge::check::{lint, release};
use dropforge::document::{Diagnostics, Document, Source};

use crate::{Outcome, repository};

/// Check documents: structure, names, errors, examples, released versions
///
/// Every finding names its rule, its place, and what to write instead. A
/// document of the contract is also held to its released form: what breaks
/// clients or servers needs a new version.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  cargo xtask lint                        the four documents of the contract
  cargo xtask lint openapi/patterns.yaml  one document
  cargo xtask lint --rules                what is asked for

Exit code: 0 when there is nothing to mend, 1 when there is, 2 when a file
cannot be read.")]
pub(crate) struct Arguments {
    /// Documents to check instead of the contract's
    #[arg(value_name = "FILES")]
    files: Vec<PathBuf>,
    /// List the rules and leave
    #[arg(long)]
    rules: bool,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<Outcome> {
    if arguments.rules {
        for rule in lint::RULES.iter().chain([&release::RULE]) {
            println!("{:24} {}", rule.id, rule.asks);
        }
        return Ok(Outcome::Success);
    }
    let files = if arguments.files.is_empty() {
        repository::documents()?
    } else {
        arguments.files.clone()
    };
    let mut count = 0;
    for file in &files {
        let source = repository::source(file)?;
        let findings = findings(file, &source)?;
        print!("{}", findings.render(&source));
        count += findings.len();
    }
    let documents = match files.len() {
        1 => "1 document".to_owned(),
        n => format!("{n} documents"),
    };
    if count == 0 {
        println!("{documents}: nothing to mend");
        return Ok(Outcome::Success);
    }
    println!("{documents}: {count} findings");
    Ok(Outcome::Failure)
}

/// What the rules find, or why there is nothing to ask them about.
fn findings(file: &Path, source: &Source) -> anyhow::Result<Diagnostics> {
    let document = match Document::load(&source.name, &source.text) {
        Ok(document) => document,
        Err(diagnostics) => return Ok(diagnostics),
    };
    let mut findings = lint::lint(&document);
    let of_contract = repository::documents()?
        .iter()
        .any(|known| std::fs::canonicalize(file).is_ok_and(|file| file == *known));
    if of_contract && let Some(released) = repository::released(&repository::area(file))? {
        findings.extend(release::check(&released, &document));
        findings.sort();
    }
    Ok(findings)
}
