//! `check`: compiles both sides, and adds the places in the documents to the
//! messages.

use crate::{Outcome, compile, repository};

/// Compile server and client, and show the place of each error in the documents
///
/// As `cargo check` of both sides. Where an error points into generated code, or
/// names a generated item, its last lines are the source places in the documents:
/// file, line and text.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  cargo xtask check

Exit code: 0 when both sides compile, 1 when they do not.")]
pub(crate) struct Arguments {}

pub(crate) fn run(_: &Arguments) -> anyhow::Result<Outcome> {
    // An invalid document is reported without the compiler.
    for path in repository::documents()? {
        repository::judged(&path)?;
    }
    Ok(match compile::both_sides()? {
        true => Outcome::Success,
        false => Outcome::Failure,
    })
}
