//! `corpus`: the generator, tried on documents that nobody wrote for it.
//!
//! Each document ends in one of two ways: it is generated, or it is refused
//! with a reason and a position. A third way, a panic or code that is no Rust,
//! is a defect of the generator, and the run fails.

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::Context;
use dropforge::Generated;
use dropforge::document::{Diagnostics, Document, Severity, Source};
use serde_json::{Value, json};

use crate::{Outcome, panics};

/// Run the generator over a folder of documents
///
/// Prints for each: generated, or refused and why, with positions.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  cargo xtask corpus DIR             a line for each document, and its first reasons
  cargo xtask corpus DIR --verbose   every reason, with the lines it speaks of
  cargo xtask corpus FILE --verbose  the same for one document
  cargo xtask corpus DIR --json      everything, for programs

Exit code: 0 when every document was generated or refused with a reason,
1 when the generator panicked or wrote what is no Rust, 2 when there is
nothing to read.")]
pub(crate) struct Arguments {
    /// Folders of documents (.json, .yaml, .yml), or documents
    #[arg(required = true, value_name = "DIR")]
    paths: Vec<PathBuf>,
    /// Print JSON
    #[arg(long, conflicts_with = "verbose")]
    json: bool,
    /// Print every reason in full
    #[arg(long, short)]
    verbose: bool,
}

/// How many reasons of a refusal are shown without `--verbose`.
const SHOWN: usize = 3;

/// What became of a document on one side.
enum Fate {
    Generated(Diagnostics),
    Refused(Diagnostics),
    /// A defect of the generator, not of the document.
    Defect(String),
}

/// One document, and what became of it.
struct Row {
    source: Source,
    operations: usize,
    milliseconds: u128,
    server: Fate,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<Outcome> {
    let mut rows = Vec::new();
    for path in documents(&arguments.paths)? {
        let row = try_document(&path)?;
        if !arguments.json {
            print(&row, arguments.verbose);
        }
        rows.push(row);
    }
    let count = |wanted: fn(&Fate) -> bool| rows.iter().filter(|row| wanted(&row.server)).count();
    let generated = count(|fate| matches!(fate, Fate::Generated(_)));
    let refused = count(|fate| matches!(fate, Fate::Refused(_)));
    let defects = count(|fate| matches!(fate, Fate::Defect(_)));
    if arguments.json {
        let report = json!({
            "documents": rows.iter().map(to_json).collect::<Vec<_>>(),
            "generated": generated,
            "refused": refused,
            "defects": defects,
        });
        println!("{report:#}");
    } else {
        println!(
            "\n{} documents: {generated} generated, {refused} refused, {defects} defects",
            rows.len()
        );
    }
    Ok(if defects == 0 {
        Outcome::Success
    } else {
        Outcome::Failure
    })
}

/// The documents that the arguments name, in order.
fn documents(paths: &[PathBuf]) -> anyhow::Result<Vec<PathBuf>> {
    let mut all = Vec::new();
    for path in paths {
        if !path.is_dir() {
            all.push(path.clone());
            continue;
        }
        let entries = path
            .read_dir()
            .with_context(|| format!("cannot list {}", path.display()))?;
        let mut found = Vec::new();
        for entry in entries {
            let path = entry?.path();
            let extension = path.extension().and_then(|e| e.to_str());
            if matches!(extension, Some("json" | "yaml" | "yml")) {
                found.push(path);
            }
        }
        found.sort();
        all.extend(found);
    }
    anyhow::ensure!(!all.is_empty(), "no documents there");
    Ok(all)
}

fn try_document(path: &Path) -> anyhow::Result<Row> {
    let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let name = path.file_name().unwrap_or(path.as_os_str());
    let source = Source::new(name.to_string_lossy(), text);
    let started = Instant::now();
    let (operations, server) = match panics::catch(|| Document::load(&source.name, &source.text)) {
        Ok(Ok(document)) => (
            count_operations(&document),
            fate(|| dropforge::generate_server(&document, "document")),
        ),
        Ok(Err(diagnostics)) => (0, Fate::Refused(diagnostics)),
        Err(panic) => (0, Fate::Defect(panic)),
    };
    Ok(Row {
        source,
        operations,
        milliseconds: started.elapsed().as_millis(),
        server,
    })
}

/// Generates, and reads what was generated as a compiler would begin to.
fn fate(generate: impl FnOnce() -> Result<Generated, Diagnostics>) -> Fate {
    let tried = panics::catch(|| {
        let Generated { tokens, warnings } = generate()?;
        Ok::<_, Diagnostics>((syn::parse2::<syn::File>(tokens), warnings))
    });
    match tried {
        Err(panic) => Fate::Defect(panic),
        Ok(Err(diagnostics)) if diagnostics.is_empty() => {
            Fate::Defect("refused without a reason".into())
        }
        Ok(Err(diagnostics)) => Fate::Refused(diagnostics),
        Ok(Ok((Err(error), _))) => Fate::Defect(format!("what it wrote is no Rust: {error}")),
        Ok(Ok((Ok(_), warnings))) => Fate::Generated(warnings),
    }
}

fn count_operations(document: &Document) -> usize {
    const METHODS: [&str; 8] = [
        "get", "put", "post", "delete", "options", "head", "patch", "trace",
    ];
    let paths = document.at("/paths").and_then(|paths| paths.as_object());
    paths.map_or(0, |paths| {
        paths
            .iter()
            .filter_map(|(_, item)| item.value.as_object())
            .flat_map(|item| item.keys())
            .filter(|key| METHODS.contains(key))
            .count()
    })
}

fn print(row: &Row, verbose: bool) {
    let name = &row.source.name;
    let head = format!("{name:32} {:4} operations", row.operations);
    match &row.server {
        Fate::Generated(warnings) => {
            let warned = match warnings.len() {
                0 => String::new(),
                1 => ", 1 warning".to_owned(),
                n => format!(", {n} warnings"),
            };
            println!("{head}  generated{warned}");
            if verbose {
                print!("{}", warnings.render(&row.source));
            }
        }
        Fate::Refused(diagnostics) => {
            println!("{head}  refused: {}", summary(diagnostics));
            if verbose {
                print!("{}", diagnostics.render(&row.source));
                return;
            }
            for diagnostic in errors(diagnostics).take(SHOWN) {
                let (line, column) = row.source.line_column(diagnostic.span.start);
                println!("    {name}:{line}:{column}: {}", diagnostic.message);
            }
        }
        Fate::Defect(what) => println!("{head}  DEFECT: {what}"),
    }
}

fn errors(diagnostics: &Diagnostics) -> impl Iterator<Item = &dropforge::document::Diagnostic> {
    diagnostics
        .iter()
        .filter(|diagnostic| diagnostic.severity == Severity::Error)
}

/// How often each rule was broken: `2 unresolved-reference, 1 too-deep`.
fn summary(diagnostics: &Diagnostics) -> String {
    let mut counts: Vec<(&str, usize)> = Vec::new();
    for diagnostic in errors(diagnostics) {
        match counts.iter_mut().find(|(code, _)| *code == diagnostic.code) {
            Some((_, count)) => *count += 1,
            None => counts.push((diagnostic.code, 1)),
        }
    }
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let counts: Vec<_> = counts
        .iter()
        .map(|(code, count)| format!("{count} {code}"))
        .collect();
    counts.join(", ")
}

fn to_json(row: &Row) -> Value {
    let findings = |diagnostics: &Diagnostics| -> Value {
        let finding = |d: &dropforge::document::Diagnostic| {
            let (line, column) = row.source.line_column(d.span.start);
            let severity = match d.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
            };
            json!({"code": d.code, "severity": severity, "message": d.message,
                "line": line, "column": column, "help": d.help})
        };
        diagnostics.iter().map(finding).collect()
    };
    let server = match &row.server {
        Fate::Generated(warnings) => {
            json!({"outcome": "generated", "findings": findings(warnings)})
        }
        Fate::Refused(diagnostics) => {
            json!({"outcome": "refused", "findings": findings(diagnostics)})
        }
        Fate::Defect(what) => json!({"outcome": "defect", "message": what}),
    };
    json!({
        "document": row.source.name,
        "operations": row.operations,
        "milliseconds": row.milliseconds as u64,
        "server": server,
    })
}
