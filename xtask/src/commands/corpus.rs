//! `corpus`: the generator, tried on documents that nobody wrote for it.
//!
//! Each document ends in one of two ways, as a server and as a client: it is
//! generated, or it is refused with a reason and a position. A third way, a
//! panic or code that is no Rust, is a defect of the generator, and the run
//! fails.

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::Context;
use dropforge::document::{Diagnostics, Document, Severity, Source};
use dropforge::emit::client;
use proc_macro2::TokenStream;
use serde_json::{Value, json};

use crate::{Outcome, panics};

/// Run the generator over a folder of documents
///
/// Prints for each, as a server and as a client: generated, or refused and why,
/// with positions.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  cargo xtask corpus DIR             a line for each document, and its first reasons
  cargo xtask corpus DIR --verbose   every reason, with the lines it speaks of
  cargo xtask corpus FILE --verbose  the same for one document
  cargo xtask corpus DIR --json      everything, for programs

Exit code: 0 when every document was generated or refused with a reason,
1 when the generator panicked or wrote invalid Rust, 2 when there is
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
    client: Fate,
}

impl Row {
    /// Both sides, with their names.
    fn sides(&self) -> [(&'static str, &Fate); 2] {
        [("server", &self.server), ("client", &self.client)]
    }
}

/// How many of one side ended in which way.
struct Count {
    generated: usize,
    refused: usize,
    defects: usize,
}

impl Count {
    fn of<'r>(fates: impl Iterator<Item = &'r Fate>) -> Count {
        let mut count = Count {
            generated: 0,
            refused: 0,
            defects: 0,
        };
        for fate in fates {
            match fate {
                Fate::Generated(_) => count.generated += 1,
                Fate::Refused(_) => count.refused += 1,
                Fate::Defect(_) => count.defects += 1,
            }
        }
        count
    }

    fn to_json(&self) -> Value {
        json!({"generated": self.generated, "refused": self.refused, "defects": self.defects})
    }
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
    let server = Count::of(rows.iter().map(|row| &row.server));
    let client = Count::of(rows.iter().map(|row| &row.client));
    if arguments.json {
        let report = json!({
            "documents": rows.iter().map(to_json).collect::<Vec<_>>(),
            "server": server.to_json(),
            "client": client.to_json(),
        });
        println!("{report:#}");
    } else {
        println!("\n{} documents", rows.len());
        for (side, count) in [("servers", &server), ("clients", &client)] {
            let Count {
                generated,
                refused,
                defects,
            } = count;
            println!("{side}: {generated} generated, {refused} refused, {defects} defects");
        }
    }
    Ok(if server.defects + client.defects == 0 {
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
    let loaded = panics::catch(|| Document::load(&source.name, &source.text));
    let (operations, server, client) = match loaded {
        Ok(Ok(document)) => (
            count_operations(&document),
            fate(|| {
                let generated = dropforge::generate_server(&document, "document")?;
                Ok((generated.tokens, generated.warnings))
            }),
            // What a client leaves out is in its loss report, and no warning.
            fate(|| Ok((client::generate(&document)?.tokens, Diagnostics::default()))),
        ),
        // Neither side is tried on what cannot be read.
        Ok(Err(diagnostics)) => (
            0,
            Fate::Refused(diagnostics.clone()),
            Fate::Refused(diagnostics),
        ),
        Err(panic) => (0, Fate::Defect(panic.clone()), Fate::Defect(panic)),
    };
    Ok(Row {
        source,
        operations,
        milliseconds: started.elapsed().as_millis(),
        server,
        client,
    })
}

/// Generates, and reads what was generated as a compiler would begin to.
fn fate(generate: impl FnOnce() -> Result<(TokenStream, Diagnostics), Diagnostics>) -> Fate {
    let tried = panics::catch(|| {
        let (tokens, warnings) = generate()?;
        Ok::<_, Diagnostics>((syn::parse2::<syn::File>(tokens), warnings))
    });
    match tried {
        Err(panic) => Fate::Defect(panic),
        Ok(Err(diagnostics)) if diagnostics.is_empty() => {
            Fate::Defect("refused without a reason".into())
        }
        Ok(Err(diagnostics)) => Fate::Refused(diagnostics),
        Ok(Ok((Err(error), _))) => Fate::Defect(format!("the output is not valid Rust: {error}")),
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
    println!("{} ({} operations)", row.source.name, row.operations);
    for (side, fate) in row.sides() {
        print_side(&row.source, side, fate, verbose);
    }
}

fn print_side(source: &Source, side: &str, fate: &Fate, verbose: bool) {
    match fate {
        Fate::Generated(warnings) => {
            let warned = match warnings.len() {
                0 => String::new(),
                1 => ", 1 warning".to_owned(),
                n => format!(", {n} warnings"),
            };
            println!("  {side}: generated{warned}");
            if verbose {
                print!("{}", warnings.render(source));
            }
        }
        Fate::Refused(diagnostics) => {
            println!("  {side}: refused: {}", summary(diagnostics));
            if verbose {
                print!("{}", diagnostics.render(source));
                return;
            }
            for diagnostic in errors(diagnostics).take(SHOWN) {
                let (line, column) = source.line_column(diagnostic.span.start);
                let name = &source.name;
                println!("    {name}:{line}:{column}: {}", diagnostic.message);
            }
        }
        Fate::Defect(what) => println!("  {side}: DEFECT: {what}"),
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
    let side = |fate: &Fate| match fate {
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
        "server": side(&row.server),
        "client": side(&row.client),
    })
}
