//! The folder of a package: a workspace with one folder for each crate.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, ensure};
use toml::{Table, Value};

use super::list::CRATES;
use super::{areas, manifest};
use crate::{repository, times};

/// Calls the fake service, whose crate depends on this one. The documentation has the other files of its folder.
const LEFT_OUT: &str = "examples/operations/main.rs";

/// Writes the package of a repository into a folder, which may have an earlier package.
///
/// # Errors
///
/// When a document does not generate, or the folder has something else than a package.
pub(super) fn write(root: &Path, into: &Path) -> anyhow::Result<()> {
    let before = into.join(BEFORE);
    put_aside(into, &before)?;
    let top = manifest::read(&root.join("Cargo.toml"))?;
    let workspace = top.get("workspace").and_then(Value::as_table);
    let workspace = workspace.context("Cargo.toml has no workspace")?;
    for one in &CRATES {
        let (from, folder) = (root.join(one.folder), into.join(one.name));
        for content in one.content {
            copy(&from.join(content), &folder.join(content))?;
        }
        copy(&root.join("LICENSE"), &folder.join("LICENSE"))?;
        if one.name == "accord-client" {
            fs::remove_file(folder.join(LEFT_OUT)).context(LEFT_OUT)?;
        }
        if let Some(side) = one.generated {
            areas::write(root, &folder.join("src"), side)?;
        }
        let written = manifest::read(&from.join("Cargo.toml"))?;
        let packaged = manifest::packaged(written, workspace, &folder)?;
        fs::write(folder.join("Cargo.toml"), toml::to_string(&packaged)?)?;
        times::keep(&before.join(one.name), &folder)?;
    }
    fs::remove_dir_all(&before)?;
    let members: Vec<Value> = CRATES.iter().map(|one| one.name.into()).collect();
    let members = Table::from_iter([
        ("members".to_owned(), Value::Array(members)),
        ("resolver".to_owned(), workspace["resolver"].clone()),
    ]);
    let top = Table::from_iter([("workspace".to_owned(), Value::Table(members))]);
    fs::write(into.join(TOP), toml::to_string(&top)?)?;
    copy(&root.join("Cargo.lock"), &into.join("Cargo.lock"))?;
    lock(into)
}

/// The manifest of the workspace, by which a package is recognized.
const TOP: &str = "Cargo.toml";

/// The folder of the crates of an earlier package, until the new ones are written.
const BEFORE: &str = ".before";

/// Moves the crates of an earlier package into `before`, but not what cargo has compiled of it.
fn put_aside(folder: &Path, before: &Path) -> anyhow::Result<()> {
    if before.exists() {
        fs::remove_dir_all(before)
            .with_context(|| format!("cannot delete {}", before.display()))?;
    }
    fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    let is_empty = folder.read_dir()?.next().is_none();
    ensure!(
        is_empty
            || CRATES
                .iter()
                .all(|one| folder.join(one.name).join(TOP).is_file()),
        "{} is not empty and not a package; choose another folder",
        folder.display()
    );
    fs::create_dir(before).with_context(|| format!("cannot create {}", before.display()))?;
    for one in &CRATES {
        let folder = folder.join(one.name);
        if folder.exists() {
            fs::rename(&folder, before.join(one.name))
                .with_context(|| format!("cannot move {}", folder.display()))?;
        }
    }
    Ok(())
}

/// Copies a file, or a folder with all that is in it.
fn copy(from: &Path, to: &Path) -> anyhow::Result<()> {
    if from.is_dir() {
        for entry in from.read_dir()? {
            let name = entry?.file_name();
            copy(&from.join(&name), &to.join(&name))?;
        }
        return Ok(());
    }
    if let Some(folder) = to.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::copy(from, to)
        .map(drop)
        .with_context(|| format!("cannot copy {} to {}", from.display(), to.display()))
}

/// Reduces the lock file of the repository to the packages that are needed, in the same versions.
fn lock(folder: &Path) -> anyhow::Result<()> {
    let status = Command::new(repository::cargo())
        .args(["update", "--workspace", "--offline", "--quiet"])
        .current_dir(folder)
        .stdout(Stdio::null())
        .status()
        .context("cannot run cargo")?;
    ensure!(status.success(), "the manifests of the package are invalid");
    Ok(())
}
