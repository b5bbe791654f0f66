//! Compares the public API of the client with that of an earlier package or revision.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, ensure};

use super::api::Api;
use super::areas::{self, AREAS, Side};
use super::changelog::Changelog;
use super::list::CRATES;
use crate::{Outcome, repository};

/// Lists the changes that can break a caller of `before`: the folder of a package, or a revision of this repository.
pub(super) fn since(before: &str) -> anyhow::Result<Outcome> {
    let folder = Path::new(before);
    let older = match folder.join("accord-client").is_dir() {
        true => of_package(folder)?,
        // The present generator is applied to the documents of then.
        false => of_sources(&unpacked(before)?)?,
    };
    let newer = of_sources(&repository::root())?;
    let breaks = newer.breaks(&older);
    for one in &breaks {
        println!("{one}");
    }
    println!(
        "{} items, {} breaking changes since {before}",
        newer.len(),
        breaks.len()
    );
    Ok(outcome(breaks.is_empty()))
}

/// Lists the changes that can break a caller of the revision in the changelog, and that the changelog does not name.
pub(super) fn with_changelog() -> anyhow::Result<Outcome> {
    let root = repository::root();
    let changelog = Changelog::read(&root)?;
    let sources = unpacked(&changelog.revision)?;
    let breaks = of_sources(&root)?.breaks(&of_sources(&sources)?);
    let changelog = changelog.without_those_of(&sources);
    let (named, unnamed): (Vec<_>, Vec<_>) =
        breaks.iter().partition(|one| changelog.names(&one.path));
    for one in &unnamed {
        println!("{one}");
    }
    println!(
        "{} named and {} unnamed breaking changes since {}",
        named.len(),
        unnamed.len(),
        changelog.revision
    );
    if !unnamed.is_empty() {
        println!(
            "Avoid them, or add an entry to client/CHANGELOG.md that begins with **Breaking:** and has the name of the \
             type or function in backticks."
        );
    }
    Ok(outcome(unnamed.is_empty()))
}

fn outcome(holds: bool) -> Outcome {
    match holds {
        true => Outcome::Success,
        false => Outcome::Failure,
    }
}

/// The API of a package in a folder.
fn of_package(folder: &Path) -> anyhow::Result<Api> {
    let mut all = Api::default();
    for one in CRATES.iter().filter(|one| one.is_for_callers) {
        all.extend(Api::of_crate(one.name, &folder.join(one.name).join("src"))?);
    }
    Ok(all)
}

/// The API that the package of a repository would have.
fn of_sources(root: &Path) -> anyhow::Result<Api> {
    let mut all = Api::default();
    for one in CRATES.iter().filter(|one| one.is_for_callers) {
        let sources = root.join(one.folder).join("src");
        if sources.is_dir() {
            all.extend(Api::of_crate(one.name, &sources)?);
        }
        if one.generated == Some(Side::Client) {
            for area in AREAS {
                let document = areas::document(root, area)?;
                let code = syn::parse2(Side::Client.tokens(&document, area)?)?;
                all.extend(Api::of_code(&format!("{}::{area}", one.name), &code));
            }
        }
    }
    Ok(all)
}

/// Writes the files of a revision below `target`, and returns their folder.
fn unpacked(revision: &str) -> anyhow::Result<PathBuf> {
    let folder = repository::target().join("sources-of-revision");
    let root = repository::root();
    let known = Command::new("git")
        .args(["cat-file", "-e", &format!("{revision}^{{commit}}")])
        .current_dir(&root)
        .stderr(Stdio::null())
        .status()
        .context("cannot run git")?;
    ensure!(
        known.success(),
        "{revision} is neither a package nor a revision in this clone; if the clone is shallow, run `git fetch \
         --unshallow`"
    );
    if folder.exists() {
        std::fs::remove_dir_all(&folder)?;
    }
    std::fs::create_dir_all(&folder)?;
    let mut archive = Command::new("git")
        .args(["archive", "--format=tar", revision, "client", "openapi"])
        .current_dir(&root)
        .stdout(Stdio::piped())
        .spawn()
        .context("cannot run git")?;
    let content = archive.stdout.take().context("git has no output")?;
    let unpacked = Command::new("tar")
        .arg("-x")
        .current_dir(&folder)
        .stdin(content)
        .status()
        .context("cannot run tar")?;
    ensure!(
        archive.wait()?.success() && unpacked.success(),
        "{revision} has no client"
    );
    Ok(folder)
}
