//! `format`: formats the YAML of the contract.

use std::path::PathBuf;

use crate::{Outcome, files, format, repository};

/// Format the YAML of the contract
///
/// Double quotes, two spaces, at most 120 columns, and one line for a value whose only
/// member is a reference. Comments and the text of block scalars stay as they are. The
/// values are compared before and after.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  cargo xtask format                        every YAML file of openapi/
  cargo xtask format openapi/patterns.yaml  one file
  cargo xtask format --check                name the files that are not formatted

Exit code: 0 when all files are formatted (with --check) or have been rewritten,
1 when --check found a file that is not formatted, 2 when a file cannot be read.")]
pub(crate) struct Arguments {
    /// Files to format [default: those of the contract]
    #[arg(value_name = "FILES")]
    files: Vec<PathBuf>,
    /// Write nothing; fail and show the first line that differs
    #[arg(long)]
    check: bool,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<Outcome> {
    let files = match arguments.files.as_slice() {
        [] => repository::yaml()?,
        files => files.to_vec(),
    };
    let mut outcome = Outcome::Success;
    for file in &files {
        let source = repository::source(file)?;
        let formatted = format::format(&source)?;
        let Some(finding) = format::finding(&source, &formatted) else {
            continue;
        };
        if arguments.check {
            print!("{}", finding.render(&source));
            outcome = Outcome::Failure;
        } else {
            files::write(file, formatted)?;
            println!("formatted {}", source.name);
        }
    }
    Ok(outcome)
}
