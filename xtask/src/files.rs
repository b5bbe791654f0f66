//! Writes files, with the folders that they are in.

use std::fs;
use std::path::Path;

use anyhow::Context;

/// Writes a file, and creates its folder if that does not exist.
///
/// # Errors
///
/// When the folder cannot be created, or the file cannot be written.
pub(crate) fn write(path: &Path, content: impl AsRef<[u8]>) -> anyhow::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)
            .with_context(|| format!("cannot create {}", folder.display()))?;
    }
    fs::write(path, content).with_context(|| format!("cannot write {}", path.display()))
}
