//! `check`: compiles both sides, and adds the places in the documents to the
//! messages.

use crate::{Outcome, compile, repository};

/// Compile server and client, and show the place of each error in the documents
///
/// As `cargo check` of both sides. Where an error points into generated code, or
/// names a generated item, its last lines are the source places in the documents:
/// file, line and text. Invalid documents are reported without the compiler.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  cargo xtask check

Exit code: 0 when both sides compile, 1 when they do not or a document is invalid.")]
pub(crate) struct Arguments {}

pub(crate) fn run(_: &Arguments) -> anyhow::Result<Outcome> {
    let mut are_valid = true;
    for path in repository::documents()? {
        if let Err(refused) = repository::load_valid(&path) {
            eprintln!("{refused:#}");
            are_valid = false;
        }
    }
    Ok(match are_valid && compile::both_sides()? {
        true => Outcome::Success,
        false => Outcome::Failure,
    })
}
