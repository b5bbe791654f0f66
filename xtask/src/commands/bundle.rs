//! `bundle`: prints one self-contained document from several files.

use std::path::PathBuf;

use crate::{Outcome, repository};

/// Print one self-contained document
///
/// Copies referenced parts of other files into `components`, and prints the result in the
/// document's own version of OpenAPI. The generator reads such documents directly; this is for
/// tools that do not.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  cargo xtask bundle openapi.yaml > bundled.yaml
  cargo xtask bundle openapi.yaml --json > bundled.json
  cargo xtask bundle api/openapi/main.yaml --root api > bundled.yaml

Exit code: 0 when the document was printed, 2 when a file or a reference is wrong.")]
pub(crate) struct Arguments {
    /// The document that refers to other files
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// References may lead to all files below DIR [default: the folder of the document]
    #[arg(long, value_name = "DIR")]
    root: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<Outcome> {
    let read = repository::read_within(&arguments.file, arguments.root.as_deref())?;
    let document = repository::loaded(read)?;
    let value = document.to_written_json();
    match arguments.json {
        true => println!("{value:#}"),
        false => print!("{}", dropforge::publish::yaml(&value)),
    }
    Ok(Outcome::Success)
}
