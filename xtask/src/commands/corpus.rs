//! `corpus`: the generator, tried on documents that nobody wrote for it.
//!
//! Each document ends in one of two ways, as a server and as a client: it is
//! generated, or it is refused with a reason and a position. A third way, a
//! panic or code that is no Rust, is a defect of the generator, and the run
//! fails. With `--compile`, generated code that does not compile or start is one
//! as well.

pub(super) mod compile;
pub(super) mod memory;
mod report;

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::Context;
use dropforge::document::{Diagnostics, Document, Source};
use dropforge::emit::client;
use dropforge::quarantine::{self, LeftOut};
use dropforge::{Purpose, lower};
use proc_macro2::TokenStream;
use serde_json::{Value, json};

use crate::{Outcome, panics};
use compile::{Build, Workbench};

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
  cargo xtask corpus DIR --compile   compile the generated code, and start each server
  cargo xtask corpus DIR --compile --only petstore --side server
  cargo xtask corpus DIR --keep-going       leave out broken operations, and name them

Exit code: 0 when every document was generated or refused with a reason,
1 when the generator panicked or wrote invalid Rust, or code that does not
compile or start, 2 when there is nothing to read.")]
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
    /// Compile the generated code, register the operations and start each server
    #[arg(long)]
    compile: bool,
    /// Try only the documents of this file name, with or without its extension; may be given several times
    #[arg(long, value_name = "NAME")]
    only: Vec<String>,
    /// Leave out operations with errors, and generate the rest
    #[arg(long)]
    keep_going: bool,
    /// Generate one side only
    #[arg(long, value_name = "SIDE")]
    side: Option<Side>,
}

/// A half of what is generated.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Side {
    Server,
    Client,
}

/// What became of a document on one side.
enum Fate {
    Generated {
        warnings: Diagnostics,
        /// What became of the code, if it was compiled.
        build: Option<Build>,
    },
    Refused(Diagnostics),
    /// A defect of the generator, not of the document.
    Defect(String),
    /// This side was not asked for.
    Skipped,
}

impl Fate {
    fn build(&self) -> Option<&Build> {
        match self {
            Fate::Generated { build, .. } => build.as_ref(),
            _ => None,
        }
    }

    fn does_not_work(&self) -> bool {
        self.build().is_some_and(|build| build.result.is_err())
    }
}

/// One document, and what became of it.
struct Row {
    source: Source,
    operations: usize,
    milliseconds: u128,
    server: Fate,
    client: Fate,
    /// What was left out of the document.
    left_out: Vec<LeftOut>,
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
    /// How many compile and start, of those that were compiled.
    working: usize,
}

impl Count {
    fn of<'r>(fates: impl Iterator<Item = &'r Fate>) -> Count {
        let mut count = Count {
            generated: 0,
            refused: 0,
            defects: 0,
            working: 0,
        };
        for fate in fates {
            match fate {
                Fate::Generated { .. } => count.generated += 1,
                Fate::Refused(_) => count.refused += 1,
                Fate::Defect(_) => count.defects += 1,
                Fate::Skipped => {}
            }
            if fate.build().is_some_and(|build| build.result.is_ok()) {
                count.working += 1;
            }
        }
        count
    }

    fn to_json(&self, compiled: bool) -> Value {
        let mut value =
            json!({"generated": self.generated, "refused": self.refused, "defects": self.defects});
        if compiled {
            value["working"] = self.working.into();
        }
        value
    }
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<Outcome> {
    let (server, client) = (
        arguments.side != Some(Side::Client),
        arguments.side != Some(Side::Server),
    );
    let mut workbench = match arguments.compile {
        true => Some(Workbench::new()?),
        false => None,
    };
    if let Some(workbench) = &mut workbench {
        eprintln!("compiling what generated code depends on");
        compile::warm_up(workbench, server, client)?;
    }
    let documents = documents(&arguments.paths, &arguments.only)?;
    let mut rows = Vec::new();
    for (index, path) in documents.iter().enumerate() {
        if arguments.compile {
            eprintln!("[{}/{}] {}", index + 1, documents.len(), path.display());
        }
        let sides = (server, client);
        let row = try_document(path, sides, arguments.keep_going, workbench.as_mut())?;
        if !arguments.json {
            report::print(&row, arguments.verbose);
        }
        rows.push(row);
    }
    let server = Count::of(rows.iter().map(|row| &row.server));
    let client = Count::of(rows.iter().map(|row| &row.client));
    if arguments.json {
        let report = json!({
            "documents": rows.iter().map(report::to_json).collect::<Vec<_>>(),
            "server": server.to_json(arguments.compile),
            "client": client.to_json(arguments.compile),
        });
        println!("{report:#}");
    } else {
        println!("\n{} documents", rows.len());
        if arguments.compile {
            report::table(&rows);
        }
        for (side, count) in [("servers", &server), ("clients", &client)] {
            let Count {
                generated,
                refused,
                defects,
                working,
            } = count;
            let working = match (arguments.compile, side) {
                (false, _) => String::new(),
                (true, "servers") => format!(", {working} compile and start"),
                (true, _) => format!(", {working} compile"),
            };
            println!(
                "{side}: {generated} generated, {refused} refused, {defects} defects{working}"
            );
        }
    }
    let is_broken = |row: &Row| {
        row.sides()
            .into_iter()
            .any(|(_, fate)| fate.does_not_work())
    };
    Ok(
        match server.defects + client.defects == 0 && !rows.iter().any(is_broken) {
            true => Outcome::Success,
            false => Outcome::Failure,
        },
    )
}

/// The documents that the arguments name, in order.
fn documents(paths: &[PathBuf], only: &[String]) -> anyhow::Result<Vec<PathBuf>> {
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
    if !only.is_empty() {
        let is_named = |path: &PathBuf| {
            let names = [path.file_name(), path.file_stem()];
            let mut names = names.into_iter().flatten().filter_map(|name| name.to_str());
            names.any(|name| only.iter().any(|wanted| wanted == name))
        };
        all.retain(is_named);
    }
    anyhow::ensure!(!all.is_empty(), "no documents there");
    Ok(all)
}

fn try_document(
    path: &Path,
    (wants_server, wants_client): (bool, bool),
    keep_going: bool,
    mut workbench: Option<&mut Workbench>,
) -> anyhow::Result<Row> {
    let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let name = path.file_name().unwrap_or(path.as_os_str());
    let mut source = Source::new(name.to_string_lossy(), text);
    let started = Instant::now();
    // A document may refer to the files beside it.
    let neighbor = |file: &str| {
        let text = std::fs::read_to_string(path.with_file_name(file));
        text.map_err(|error| error.to_string())
    };
    let loaded = panics::catch(|| Document::load_with(&source.name, &source.text, neighbor));
    let mut milliseconds = None;
    let mut left_out = Vec::new();
    let (operations, server, client) = match loaded {
        Ok(Ok(mut document)) => {
            source = document.source.clone();
            if keep_going && let Ok(Ok(kept)) = panics::catch(|| keep_both(&document)) {
                document = kept.document;
                left_out = kept.left_out;
            }
            let purpose = match workbench {
                Some(_) => Purpose::Prototype,
                None => Purpose::Complete,
            };
            let (mut server, server_code) = fate(wants_server, || {
                let generated = dropforge::generate_server_for(&document, "document", purpose)?;
                Ok((generated.tokens, generated.warnings))
            });
            // What a client leaves out is in its loss report, and no warning.
            let (mut client, client_code) = fate(wants_client, || {
                Ok((client::generate(&document)?.tokens, Diagnostics::default()))
            });
            milliseconds = Some(started.elapsed().as_millis());
            if let Some(workbench) = &mut workbench {
                if let (Fate::Generated { build, .. }, Some(tokens)) = (&mut server, server_code)
                    && let Ok(lowered) = lower::lower(&document, "document")
                {
                    *build = Some(workbench.server(&lowered.api, &dropforge::pretty(tokens))?);
                }
                if let (Fate::Generated { build, .. }, Some(tokens)) = (&mut client, client_code) {
                    *build = Some(workbench.client(&dropforge::pretty(tokens))?);
                }
            }
            (count_operations(&document), server, client)
        }
        // Neither side is tried on what cannot be read.
        Ok(Err(refused)) => {
            source = refused.source;
            let diagnostics = refused.diagnostics;
            (
                0,
                Fate::Refused(diagnostics.clone()),
                Fate::Refused(diagnostics),
            )
        }
        Err(panic) => (0, Fate::Defect(panic.clone()), Fate::Defect(panic)),
    };
    Ok(Row {
        source,
        operations,
        milliseconds: milliseconds.unwrap_or_else(|| started.elapsed().as_millis()),
        server,
        client,
        left_out,
    })
}

/// Finds the operations that neither side can be generated from.
fn keep_both(document: &Document) -> Result<quarantine::Kept<()>, Diagnostics> {
    quarantine::keep_going(document, |document| {
        lower::lower(document, "document")?;
        client::generate(document).map(|_| ())
    })
}

/// Generates, and reads what was generated as a compiler would begin to; the code comes beside.
fn fate(
    wanted: bool,
    generate: impl FnOnce() -> Result<(TokenStream, Diagnostics), Diagnostics>,
) -> (Fate, Option<TokenStream>) {
    if !wanted {
        return (Fate::Skipped, None);
    }
    let tried = panics::catch(|| {
        let (tokens, warnings) = generate()?;
        Ok::<_, Diagnostics>((syn::parse2::<syn::File>(tokens.clone()), tokens, warnings))
    });
    let fate = match tried {
        Err(panic) => Fate::Defect(panic),
        Ok(Err(diagnostics)) if diagnostics.is_empty() => {
            Fate::Defect("refused without a reason".into())
        }
        Ok(Err(diagnostics)) => Fate::Refused(diagnostics),
        Ok(Ok((Err(error), ..))) => Fate::Defect(format!("the output is not valid Rust: {error}")),
        Ok(Ok((Ok(_), tokens, warnings))) => {
            return (
                Fate::Generated {
                    warnings,
                    build: None,
                },
                Some(tokens),
            );
        }
    };
    (fate, None)
}

/// How many operations a document has.
pub(super) fn count_operations(document: &Document) -> usize {
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
