//! `check`: both sides compiled, with messages that end in the documents.

use crate::{Outcome, compile};

/// Compile server and client, and lead each error to the document
///
/// As `cargo check` of both sides. Where an error points into generated code, or
/// names something generated, its last lines are the places of the documents
/// that this comes from: file, line, and what stands there.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  cargo xtask check

Exit code: 0 when both sides compile, 1 when they do not.")]
pub(crate) struct Arguments {}

pub(crate) fn run(_: &Arguments) -> anyhow::Result<Outcome> {
    Ok(match compile::both_sides()? {
        true => Outcome::Success,
        false => Outcome::Failure,
    })
}
