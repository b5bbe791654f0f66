//! The folder of a package: a workspace with one folder for each crate.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, ensure};
use toml::{Table, Value};

use super::list::{CRATES, Crate};
use super::{areas, manifest};
use crate::{files, repository, times};

/// Calls the fake service, whose crate depends on this one. The documentation has the other files of its folder.
const LEFT_OUT: &str = "examples/operations/main.rs";

/// Writes the package of a repository into a folder, which may have an earlier package.
///
/// # Errors
///
/// When a document does not generate, or the folder has something else than a package.
pub(super) fn write(root: &Path, into: &Path) -> anyhow::Result<()> {
    let staged = prepare(into)?;
    let top = manifest::read(&root.join(TOP))?;
    let workspace = top.get("workspace").and_then(Value::as_table);
    let workspace = workspace.context("Cargo.toml has no workspace")?;
    for one in &CRATES {
        let (from, folder) = (root.join(one.folder), staged.join(one.name));
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
        let written = manifest::read(&from.join(TOP))?;
        let packaged = manifest::packaged(written, workspace, &folder)?;
        files::write(&folder.join(TOP), toml::to_string(&packaged)?)?;
        times::keep(&into.join(one.name), &folder)?;
    }
    for one in &CRATES {
        replace(&into.join(one.name), &staged.join(one.name))?;
    }
    fs::remove_dir(&staged)?;
    let members: Vec<Value> = CRATES.iter().map(|one| one.name.into()).collect();
    let members = Table::from_iter([
        ("members".to_owned(), Value::Array(members)),
        ("resolver".to_owned(), workspace["resolver"].clone()),
    ]);
    let top = Table::from_iter([("workspace".to_owned(), Value::Table(members))]);
    files::write(&into.join(TOP), toml::to_string(&top)?)?;
    copy(&root.join("Cargo.lock"), &into.join("Cargo.lock"))?;
    lock(into)
}

/// The manifest of the workspace, and of each crate.
const TOP: &str = "Cargo.toml";

/// The folder of the new crates until all are written. So a failure leaves the earlier package as it was.
const STAGED: &str = ".accord-package";

/// Creates an empty folder for the new crates, if `folder` is empty or has an earlier package.
fn prepare(folder: &Path) -> anyhow::Result<PathBuf> {
    ensure!(
        !folder.is_file(),
        "{} is a file; choose a folder",
        folder.display()
    );
    fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    let staged = folder.join(STAGED);
    let names = repository::entries(folder)?;
    // A run that failed has left its crates there.
    let is_empty = names.iter().all(|path| *path == staged);
    // A run that was interrupted may have removed a crate before it moved the new one into its place.
    let is_package = |one: &Crate| {
        let mut folders = [folder, staged.as_path()].into_iter();
        folders.any(|folder| folder.join(one.name).join(TOP).is_file())
    };
    ensure!(
        is_empty || CRATES.iter().all(is_package),
        "{} is not empty and not a package; choose another folder",
        folder.display()
    );
    for one in &CRATES {
        let place = folder.join(one.name);
        // A failure of this run then leaves a package, too.
        if !is_empty && !place.join(TOP).is_file() {
            replace(&place, &staged.join(one.name))?;
        }
    }
    if staged.exists() {
        fs::remove_dir_all(&staged)
            .with_context(|| format!("cannot delete {}", staged.display()))?;
    }
    fs::create_dir(&staged).with_context(|| format!("cannot create {}", staged.display()))?;
    Ok(staged)
}

/// Moves a new crate into the place of an earlier one.
fn replace(folder: &Path, new: &Path) -> anyhow::Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder)
            .with_context(|| format!("cannot delete {}", folder.display()))?;
    }
    fs::rename(new, folder).with_context(|| format!("cannot move {}", new.display()))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_with_something_else_than_a_package_is_refused_and_stays() {
        let folder = tempfile::tempdir().expect("a folder");
        let folder = folder.path();
        let notes = folder.join(STAGED).join("notes");
        for file in [&notes, &folder.join("letter")] {
            fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
            fs::write(file, "mine").expect("a file");
        }
        let refused = prepare(folder).expect_err("not a package").to_string();
        assert!(refused.ends_with("choose another folder"), "{refused}");
        assert!(notes.is_file());
        let refused = prepare(&notes).expect_err("a file").to_string();
        assert!(refused.ends_with("is a file; choose a folder"), "{refused}");
    }

    #[test]
    fn a_run_after_a_failed_one_begins_again_beside_the_earlier_package() {
        let folder = tempfile::tempdir().expect("a folder");
        let folder = folder.path();
        let staged = prepare(folder).expect("an empty folder");
        fs::create_dir(staged.join("accord-client")).expect("a crate");
        // Without an earlier package.
        let staged = prepare(folder).expect("a folder of a failed run");
        assert!(!staged.join("accord-client").exists());
        for one in &CRATES {
            fs::create_dir(folder.join(one.name)).expect("a crate");
            fs::write(folder.join(one.name).join(TOP), "old").expect("a manifest");
        }
        let staged = prepare(folder).expect("a package");
        fs::create_dir(staged.join("accord-client")).expect("a crate");
        let staged = prepare(folder).expect("a package and a failed run");
        let (old, new) = (folder.join("accord-client"), staged.join("accord-client"));
        assert!(old.join(TOP).is_file());
        fs::create_dir(&new).expect("a crate");
        replace(&old, &new).expect("a move");
        assert!(old.is_dir() && !old.join(TOP).exists() && !new.exists());
    }

    #[test]
    fn a_run_after_one_that_was_interrupted_between_a_removal_and_a_move_begins_again() {
        let folder = tempfile::tempdir().expect("a folder");
        let folder = folder.path();
        let staged = folder.join(STAGED);
        for (number, one) in CRATES.iter().enumerate() {
            let at = if number == 0 { &*staged } else { folder };
            fs::create_dir_all(at.join(one.name)).expect("a crate");
            fs::write(at.join(one.name).join(TOP), "new").expect("a manifest");
        }
        prepare(folder).expect("a package");
        let is_package = |one: &Crate| folder.join(one.name).join(TOP).is_file();
        assert!(CRATES.iter().all(is_package));
        assert!(!staged.join(CRATES[0].name).exists());
    }
}
