//! Finds the documents to try.

use std::path::PathBuf;

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
            matches!(extension, Some("json" | "yaml" | "yml"))
        });
        all.extend(found);
    }
    if !only.is_empty() {
        let is_named = |path: &PathBuf| {
            let names = [path.file_name(), path.file_stem()];
            let mut names = names.into_iter().flatten().filter_map(|name| name.to_str());
            names.any(|name| only.iter().any(|wanted| wanted == name))
        };
        all.retain(is_named);
    }
    anyhow::ensure!(
        !all.is_empty(),
        "there are no documents; name a .json, .yaml or .yml file, or a folder with some, and check --only"
    );
    Ok(all)
}
