//! A document that is edited for a while.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, ensure};

use crate::{files, repository};

/// A document with an edit, which is reverted when this value is dropped.
pub(crate) struct Edited {
    path: PathBuf,
    text: String,
}

impl Edited {
    /// Replaces all of `from` by `to` in a document, named as in `openapi/patterns.yaml`.
    ///
    /// # Errors
    ///
    /// When the document does not contain `from`, cannot be read, or cannot be written.
    pub(crate) fn save(document: &str, from: &str, to: &str) -> anyhow::Result<Edited> {
        let saved = Edited::by_others(document)?;
        ensure!(saved.text.contains(from), "{document} has no `{from}`");
        files::write(&saved.path, saved.text.replace(from, to))?;
        Ok(saved)
    }

    /// Restores a document to its present text when the value is dropped.
    ///
    /// # Errors
    ///
    /// When the document cannot be read.
    pub(crate) fn by_others(document: &str) -> anyhow::Result<Edited> {
        let path = repository::root().join(document);
        let text = fs::read_to_string(&path).with_context(|| format!("cannot read {document}"))?;
        Ok(Edited { path, text })
    }
}

impl Drop for Edited {
    fn drop(&mut self) {
        if let Err(error) = files::write(&self.path, &self.text) {
            eprintln!("an edit of a document is not reverted: {error:#}");
        }
    }
}

/// Fails while `openapi/` has edits that are not committed: an interrupt could lose them.
pub(crate) fn ensure_committed() -> anyhow::Result<()> {
    let status = Command::new("git")
        .args(["status", "--porcelain", "openapi"])
        .current_dir(repository::root())
        .output()
        .context("cannot run git")?;
    ensure!(
        status.status.success(),
        "git status failed: {}",
        String::from_utf8_lossy(&status.stderr).trim()
    );
    ensure!(
        status.stdout.is_empty(),
        "openapi/ has edits that this command could lose: commit or stash them first"
    );
    Ok(())
}
