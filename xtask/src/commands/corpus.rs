//! `corpus`: tries the generator on documents of others.
//!
//! Each document has one of two outcomes, as a server and as a client: it is generated, or it is refused with a reason
//! and a position. A panic or invalid Rust is a defect of the generator, and the run fails. With `--compile`, generated
//! code that does not compile or start is a defect as well.

pub(super) mod compile;
mod count;
mod documents;
pub(super) mod memory;
pub(super) mod others;
mod page;
mod report;
mod trial;

use std::path::PathBuf;

use serde_json::json;

use crate::project::Sides;
use crate::{Outcome, files, pages, repository};
use compile::Workbench;
use count::{Bar, Count};
use documents::documents;
use others::Others;
use trial::Row;
pub(super) use trial::count_operations;

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
  cargo xtask corpus DIR --compile --write   and write CORPUS.md, and a line of the README
  cargo xtask corpus DIR --openapi-to-rust PATH   and count its clients, too
  cargo xtask corpus DIR --keep-going       leave out broken operations, and name them

Exit code: 0 when every document was generated or refused with a reason,
1 when the generator panicked or wrote invalid Rust, or code that does not
compile or start, 2 when there is nothing to read.

The last line says whether the set of documents meets the bar: at most 3 % are
refused, and nothing else fails. The bar does not change the exit code.
With --compile, --json or --openapi-to-rust, the clients that other generators make of
the documents are counted, too.")]
pub(crate) struct Arguments {
    /// Folders of documents (.json, .yaml, .yml), or documents
    #[arg(required = true, value_name = "DIR")]
    paths: Vec<PathBuf>,
    /// References may lead to all files below ROOT [default: the folder of each document]
    #[arg(long, value_name = "ROOT")]
    root: Option<PathBuf>,
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
    /// Write the page openapi/forge/CORPUS.md, and a line of the README
    #[arg(long, requires = "compile", conflicts_with_all = ["only", "keep_going", "root", "side"])]
    write: bool,
    /// Generate one side only
    #[arg(long, value_name = "SIDE")]
    side: Option<Side>,
    /// The program openapi-to-rust, to count its clients as well
    #[arg(long, value_name = "PATH")]
    openapi_to_rust: Option<PathBuf>,
    /// Generate a client with progenitor alone; for the processes of this command
    #[arg(long, hide = true)]
    progenitor_alone: bool,
}

/// A side of the generated code.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Side {
    Server,
    Client,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<Outcome> {
    if arguments.progenitor_alone {
        for path in &arguments.paths {
            others::progenitor_alone(path)?;
        }
        return Ok(Outcome::Success);
    }
    let (rows, others) = try_all(arguments)?;
    summarize(arguments, &rows, others.as_ref());
    if let (true, Some(others)) = (arguments.write, &others) {
        let others = others.sentence();
        let file = repository::root().join("openapi/forge/CORPUS.md");
        files::write(&file, page::page(&rows, &others))?;
        pages::write(page::README, page::LINES, &page::summary_of(&rows, &others))?;
    }
    Ok(match rows.iter().any(Row::has_defect) {
        true => Outcome::Failure,
        false => Outcome::Success,
    })
}

/// Tries all documents, and counts the clients of other generators if that was requested.
fn try_all(arguments: &Arguments) -> anyhow::Result<(Vec<Row>, Option<Others<'_>>)> {
    let sides = Sides {
        server: arguments.side != Some(Side::Client),
        client: arguments.side != Some(Side::Server),
    };
    let documents = documents(&arguments.paths, &arguments.only)?;
    let mut workbench = match arguments.compile {
        true => Some(Workbench::new("corpus")?),
        false => None,
    };
    if let Some(workbench) = &mut workbench {
        eprintln!("compiling the dependencies of generated code");
        compile::warm_up(workbench, sides)?;
    }
    let tool = arguments.openapi_to_rust.as_deref();
    // A plain run is fast, and other generators are not.
    let compares = arguments.compile || arguments.json || tool.is_some();
    let mut others = (compares && sides.client).then(|| Others::new(tool));
    let mut rows = Vec::new();
    for (index, path) in documents.iter().enumerate() {
        if arguments.compile {
            eprintln!("[{}/{}] {}", index + 1, documents.len(), path.display());
        }
        let root = arguments.root.as_deref();
        let keep_going = arguments.keep_going;
        let row = trial::try_document(path, root, sides, keep_going, workbench.as_mut())?;
        if !arguments.json {
            report::print(&row, arguments.verbose);
        }
        rows.push(row);
        if let Some(others) = &mut others {
            others.try_document(path)?;
        }
    }
    Ok((rows, others))
}

/// Prints the counts: for people below the documents, or all as JSON.
fn summarize(arguments: &Arguments, rows: &[Row], others: Option<&Others<'_>>) {
    let server = Count::of(rows.iter().map(|row| &row.server));
    let client = Count::of(rows.iter().map(|row| &row.client));
    let bar = Bar::of(rows);
    if arguments.json {
        let report = json!({
            "documents": rows.iter().map(report::to_json).collect::<Vec<_>>(),
            "server": server.to_json(arguments.compile),
            "client": client.to_json(arguments.compile),
            "others": others.map(Others::to_json),
            "bar": bar.to_json(),
        });
        println!("{report:#}");
        return;
    }
    report::close(rows, [&server, &client], arguments.compile);
    if let Some(others) = others {
        println!("{}", others.sentence());
    }
    println!("{}", bar.line(arguments.compile));
}
