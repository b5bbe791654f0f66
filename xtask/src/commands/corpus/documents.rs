//! Finds the documents to try.

use std::path::{Path, PathBuf};

use anyhow::{bail, ensure};

use crate::repository;

/// The documents that the arguments name, in order.
pub(super) fn documents(paths: &[PathBuf], only: &[String]) -> anyhow::Result<Vec<PathBuf>> {
    let mut all = Vec::new();
    for path in paths {
        if !path.is_dir() {
            all.push(path.clone());
            continue;
        }
        let mut found = repository::entries(path)?;
        found.retain(|path| {
            let extension = path.extension().and_then(|e| e.to_str());
            matches!(extension, Some("json" | "yaml" | "yml")) && !repository::is_hidden(path)
        });
        all.extend(found);
    }
    ensure!(
        !all.is_empty(),
        "there are no documents; name a .json, .yaml or .yml file, or a folder with some"
    );
    let is_there = |name: &&String| all.iter().any(|path| is_named(path, name));
    if let Some(name) = only.iter().find(|name| !is_there(name)) {
        bail!("no document has the name `{name}` of --only");
    }
    all.retain(|path| only.is_empty() || only.iter().any(|name| is_named(path, name)));
    Ok(all)
}

/// Whether a document has this name, with or without its extension.
fn is_named(path: &Path, name: &str) -> bool {
    let names = [path.file_name(), path.file_stem()];
    names.into_iter().flatten().any(|own| *own == *name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_name_must_be_that_of_a_document_which_is_not_hidden() {
        let folder = tempfile::tempdir().expect("a folder");
        for name in ["a.yaml", "b.json", "c.txt", ".#a.yaml"] {
            std::fs::write(folder.path().join(name), "").expect("a file");
        }
        let found = |only: &[&str]| {
            let only: Vec<String> = only.iter().map(|name| (*name).to_owned()).collect();
            documents(&[folder.path().to_owned()], &only).map(|found| found.len())
        };
        assert_eq!(found(&[]).expect("documents"), 2);
        assert_eq!(found(&["a", "b.json"]).expect("documents"), 2);
        assert_eq!(found(&["b"]).expect("documents"), 1);
        let error = found(&["a", "c"]).expect_err("no such document");
        assert!(error.to_string().contains("`c`"), "{error}");
    }
}
