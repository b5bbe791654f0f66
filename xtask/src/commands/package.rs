//! `package`: writes the client as crates that a registry takes, without the generator.

#[cfg(test)]
mod additive;
mod api;
mod areas;
mod changelog;
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
/// accord-client and the libraries that it calls; cargo publish --workspace publishes it. An earlier
/// package in the folder is replaced.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  cargo xtask package              into target/package
  cargo xtask package ../package
  cargo xtask package --measure    what consumers compile, and how long that takes
  cargo xtask package --compare v1.0.0    which changes since this revision break callers
  cargo xtask package --compare           which of them client/CHANGELOG.md does not name

--compare with a revision applies the present generator to the documents of then. With the folder of
a package, it also finds changes of the generator.

Exit code: 0 when the package was written, 1 when --compare found a breaking change, 2 when a
document cannot be loaded, the folder is not a package, or the revision is missing.")]
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
    /// List changes that break callers, and write nothing [default: since the revision in client/CHANGELOG.md, those that it
    /// does not name]
    #[arg(
        long,
        value_name = "DIR|REVISION",
        num_args = 0..=1,
        conflicts_with_all = ["folder", "measure"]
    )]
    compare: Option<Option<String>>,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<Outcome> {
    match &arguments.compare {
        Some(Some(before)) => return compare::since(before),
        Some(None) => return compare::with_changelog(),
        None => {}
    }
    let folder = folder(arguments.folder.as_deref());
    crates::write(&repository::root(), &folder)?;
    println!("{}", folder.display());
    if arguments.measure {
        measure::run(&folder, arguments.write)?;
    }
    Ok(Outcome::Success)
}

fn folder(chosen: Option<&Path>) -> PathBuf {
    chosen.map_or_else(|| repository::target().join("package"), Path::to_owned)
}
