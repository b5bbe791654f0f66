//! Compares the public API of two packages.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, ensure};

use super::api::Api;
use super::crates;
use super::list::CRATES;
use crate::{Outcome, repository};

/// Lists the changes to the package in `now` that can break a caller of the package `before`: a folder, or a revision of
/// this repository, whose package this tool generates.
pub(super) fn run(now: &Path, before: &str) -> anyhow::Result<Outcome> {
    let folder = Path::new(before);
    let older = match folder.join("accord-client").is_dir() {
        true => api(folder)?,
        false => api(&of_revision(before)?)?,
    };
    let newer = api(now)?;
    let breaks = newer.breaks(&older);
    for one in &breaks {
        println!("{one}");
    }
    println!(
        "{} items, {} breaking changes since {before}",
        newer.len(),
        breaks.len()
    );
    Ok(match breaks.is_empty() {
        true => Outcome::Success,
        false => Outcome::Failure,
    })
}

/// The API of all crates of a package.
fn api(package: &Path) -> anyhow::Result<Api> {
    let mut all = Api::default();
    for one in &CRATES {
        all.extend(Api::of_crate(
            one.name,
            &package.join(one.name).join("src"),
        )?);
    }
    Ok(all)
}

/// Writes the package of a revision below `target`, and returns its folder.
fn of_revision(revision: &str) -> anyhow::Result<PathBuf> {
    let folder = repository::target().join("package-of-revision");
    let (sources, package) = (folder.join("sources"), folder.join("package"));
    if sources.exists() {
        std::fs::remove_dir_all(&sources)?;
    }
    std::fs::create_dir_all(&sources)?;
    let mut archive = Command::new("git")
        .args(["archive", "--format=tar", revision])
        .current_dir(repository::root())
        .stdout(Stdio::piped())
        .spawn()
        .context("cannot run git")?;
    let content = archive.stdout.take().context("git has no output")?;
    let unpacked = Command::new("tar")
        .arg("-x")
        .current_dir(&sources)
        .stdin(content)
        .status();
    let unpacked = unpacked.context("cannot run tar")?;
    ensure!(
        archive.wait()?.success() && unpacked.success(),
        "{revision} is neither a package nor a revision"
    );
    crates::write(&sources, &package)?;
    Ok(package)
}
