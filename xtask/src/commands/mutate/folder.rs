//! The folder of `mutate`.

use std::path::PathBuf;

use crate::repository;

/// The folder; it need not exist.
pub(super) fn path() -> PathBuf {
    repository::root().join("target/mutate")
}
