//! `lint`: checks the contract by the rules of `dropforge::check` and of the formatter.

use std::collections::BTreeSet;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use dropforge::check::examples::UNUSABLE;
use dropforge::check::{changelog, decisions, lint, prose, release};
use dropforge::document::{Diagnostic, Diagnostics, Document, Source, Span};

use crate::{Outcome, color, format, licenses, links, repository};

/// Check documents: structure, names, errors, examples, released versions
///
/// Every finding names its rule, its place, and a correction. The documents of the
/// contract are also compared with their released form, and the files beside them are
/// checked: their format, the pointers of openapi/decisions.yaml, and the entries of
/// openapi/CHANGELOG.md. Without FILES, the help and the error texts of all programs,
/// the READMEs, and the licenses of all dependencies are checked as well.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  cargo xtask lint                        the contract: every YAML file of openapi/
  cargo xtask lint openapi/patterns.yaml  one file
  cargo xtask lint --prose                only the prose of documents, programs and READMEs
  cargo xtask lint --rules                list the rules

Exit code: 0 when there are no findings, 1 when there are, 2 when a file
cannot be read.")]
pub(crate) struct Arguments {
    /// Files to check [default: those of the contract]
    #[arg(value_name = "FILES")]
    files: Vec<PathBuf>,
    /// References may lead to all files below DIR [default: the folder of each document]
    #[arg(long, value_name = "DIR", requires = "files")]
    root: Option<PathBuf>,
    /// Check only the prose of documents, command lines and error texts
    #[arg(long)]
    prose: bool,
    /// List the rules and exit
    #[arg(long)]
    rules: bool,
}

/// Checks the files of the arguments. `program` is this program, whose help is also
/// checked.
pub(crate) fn run(arguments: &Arguments, program: clap::Command) -> anyhow::Result<Outcome> {
    if arguments.rules {
        for rule in rules() {
            println!("{:24} {}", rule.id, rule.asks);
        }
        return Ok(Outcome::Success);
    }
    let files = match arguments.files.as_slice() {
        [] => repository::yaml()?,
        files => files.to_vec(),
    };
    let mut all = Vec::new();
    let mut documents = Vec::new();
    for file in &files {
        let document = match repository::read_within(file, arguments.root.as_deref())? {
            Ok(document) => document,
            Err(refused) => {
                all.push((refused.source, refused.diagnostics));
                continue;
            }
        };
        let findings = match arguments.prose {
            true => of_prose(&document),
            false => findings(file, &document)?,
        };
        all.push((document.source.clone(), findings));
        documents.push(document);
    }
    if arguments.files.is_empty() {
        all.extend(crate::prose::findings(program)?);
    }
    if arguments.files.is_empty() && !arguments.prose {
        all.push(of_changelog(&documents)?);
        all.push(licenses::findings()?);
        // Only all documents together show whether a shared component is used.
        if documents.len() == files.len() {
            all.extend(lint::unused_in_shared_files(&documents));
        }
    }
    let count = print(&all);
    // Several checks read the changelog, and the shared files.
    let files: BTreeSet<&str> = all.iter().map(|(source, _)| &*source.name).collect();
    let files = match files.len() {
        1 => "1 file".to_owned(),
        n => format!("{n} files"),
    };
    let (outcome, findings) = match count {
        0 => (Outcome::Success, "no findings".to_owned()),
        1 => (Outcome::Failure, "1 finding".to_owned()),
        n => (Outcome::Failure, format!("{n} findings")),
    };
    println!("{files}: {findings}");
    Ok(outcome)
}

/// Prints the findings, those about a shared file only once. Returns their number.
fn print(all: &[(Source, Diagnostics)]) -> usize {
    let is_colored = color::is_wanted(std::io::stdout().is_terminal());
    let mut printed = BTreeSet::new();
    for (source, findings) in all {
        for text in findings.render_each(source, is_colored) {
            if !printed.contains(&text) {
                println!("{text}\n");
                printed.insert(text);
            }
        }
    }
    printed.len()
}

fn rules() -> impl Iterator<Item = &'static lint::Rule> {
    let documents = lint::RULES
        .iter()
        .chain(&prose::RULES)
        .chain(&release::RULES);
    let beside = decisions::RULES.iter().chain([
        &changelog::RULE,
        &format::RULE,
        &licenses::RULE,
        &links::RULE,
    ]);
    documents.chain(beside).chain([&lint::UNUSED])
}

/// The findings in one file, by its kind.
fn findings(file: &Path, document: &Document) -> anyhow::Result<Diagnostics> {
    let contract = repository::yaml()?;
    let is_of_contract = contract.contains(&repository::real(file));
    let source = &document.source;
    if !is_of_contract {
        return Ok(of_document(document));
    }
    let mut findings = Diagnostics::default();
    if file.ends_with("decisions.yaml") {
        findings.extend(of_decisions(document)?);
        findings.extend(of_prose(document));
    } else if repository::is_document(&source.text) {
        findings.extend(of_document(document));
        findings.extend(of_prose(document));
        let released = repository::released(&repository::area(file))?;
        findings.extend(release::check(released.as_ref(), document));
    }
    findings.extend(format::finding(source, &format::format(source)?));
    findings.sort();
    Ok(findings)
}

/// The findings of the rules and of the generator. A document without findings can be
/// generated.
fn of_document(document: &Document) -> Diagnostics {
    let generator = dropforge::diagnose(document);
    let mut findings = lint::lint(document);
    if generator.has_errors() {
        // The generator reports the errors of schemas with a correction.
        let follows = |finding: &Diagnostic| finding.message.starts_with(UNUSABLE);
        findings.0.retain(|finding| !follows(finding));
    }
    findings.extend(generator);
    findings.sort();
    findings
}

/// Checks the decisions and the pointers in them.
fn of_decisions(decisions: &Document) -> anyhow::Result<Diagnostics> {
    let mut documents = Vec::new();
    for path in repository::yaml()? {
        let name = format!("{}.yaml", repository::area(&path));
        match repository::read(&path)? {
            Ok(document) => documents.push((name, document)),
            // Its pointers would lead nowhere.
            Err(refused) => {
                let name = refused.source.name;
                let message = format!("{name} cannot be loaded, so the decisions are not checked");
                let finding = Diagnostic::error(decisions::RULES[1].id, Span::default(), message);
                return Ok(finding.help("correct the document first").into());
            }
        }
    }
    let documents: Vec<_> = documents
        .iter()
        .map(|(name, of)| (name.as_str(), of))
        .collect();
    Ok(decisions::check(decisions, &documents))
}

/// Checks the changelog by the revisions of these documents.
fn of_changelog(documents: &[Document]) -> anyhow::Result<(Source, Diagnostics)> {
    // A document without a revision has a finding of its own.
    let revisions: Vec<_> = documents
        .iter()
        .filter_map(|document| {
            let area = repository::area(Path::new(&document.source.name));
            Some((area, release::revision(document)?))
        })
        .collect();
    let source = repository::source(&repository::changelog())?;
    let findings = changelog::check(&source, &revisions);
    Ok((source, findings))
}

/// The prose of a document, or the choices of the decisions.
fn of_prose(document: &Document) -> Diagnostics {
    match repository::is_document(&document.source.text) {
        true => prose::check(document),
        false => prose::check_members(document, "choice"),
    }
}
