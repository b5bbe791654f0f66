//! `licenses`: prints the texts of the licenses of all packages in the service.

use std::io::Write as _;

use crate::{Outcome, licenses};

/// Print the licenses of all packages in the service
///
/// Packages and images of the service must contain these texts. server/deploy/THIRD-PARTY.md lists
/// the packages.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  cargo xtask licenses > target/release/LICENSES.txt

Exit code: 0 printed, 2 a package has no license.")]
pub(crate) struct Arguments {}

pub(crate) fn run(_: &Arguments) -> anyhow::Result<Outcome> {
    std::io::stdout().write_all(licenses::texts()?.as_bytes())?;
    Ok(Outcome::Success)
}
