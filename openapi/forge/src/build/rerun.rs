//! Makes cargo run the build script again when a file changes.

use std::path::Path;

/// Prints the absolute path: cargo resolves a relative one in the folder of the package, which need
/// not be the working directory.
pub(super) fn rerun_if_changed(file: &Path) {
    let path = std::path::absolute(file).unwrap_or_else(|_| file.to_owned());
    println!("cargo::rerun-if-changed={}", path.display());
}
