//! `package`: writes the client as crates that a registry takes, without the generator.

#[cfg(test)]
mod additive;
mod api;
mod areas;
mod compare;
mod crates;
mod list;
mod manifest;
mod measure;

use std::path::{Path, PathBuf};

use crate::{Outcome, repository};

/// Create crates of the client that a registry takes
///
/// The repository generates the code of the client when it is built. A package contains that code, and
/// has neither a build script nor the generator in its dependencies. The folder is a workspace of
/// accord-client and the libraries that it calls; cargo publish --workspace publishes it. Files that
/// the folder has already are deleted.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  cargo xtask package              into target/package
  cargo xtask package ../package
  cargo xtask package --measure    what consumers compile, and how long that takes
  cargo xtask package --compare v1.0.0    which changes since this revision break callers

Exit code: 0 when the package was written, 1 when --compare found a breaking change, 2 when a document cannot be loaded or the folder is not a
package.")]
pub(crate) struct Arguments {
    /// The folder [default: target/package]
    #[arg(value_name = "DIR")]
    folder: Option<PathBuf>,
    /// Build consumers of the package, and count their crates and the time
    #[arg(long)]
    measure: bool,
    /// Write the counts into client/README.md
    #[arg(long, requires = "measure")]
    write: bool,
    /// List changes that break callers, since a package in a folder or since a revision of git
    #[arg(long, value_name = "DIR|REVISION", conflicts_with = "measure")]
    compare: Option<String>,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<Outcome> {
    let folder = folder(arguments.folder.as_deref());
    crates::write(&repository::root(), &folder)?;
    println!("{}", folder.display());
    if arguments.measure {
        measure::run(&folder, arguments.write)?;
    }
    match &arguments.compare {
        Some(before) => compare::run(&folder, before),
        None => Ok(Outcome::Success),
    }
}

fn folder(chosen: Option<&Path>) -> PathBuf {
    chosen.map_or_else(|| repository::target().join("package"), Path::to_owned)
}
