//! Keeps the times of files that are written again with the same content, since cargo compiles files that are newer than
//! its results.
//!
//! The tests of projects include this file.

use std::fs::{self, File};
use std::io;
use std::path::Path;

/// Gives the files of a folder the times of equal files in `before`, which has an earlier state of the folder.
///
/// # Errors
///
/// When a file of the folder cannot be read or changed.
pub(crate) fn keep(before: &Path, folder: &Path) -> io::Result<()> {
    for entry in folder.read_dir()? {
        let entry = entry?;
        let (path, earlier) = (entry.path(), before.join(entry.file_name()));
        if path.is_dir() {
            keep(&earlier, &path)?;
        } else if fs::read(&earlier).is_ok_and(|content| is_content(&path, &content)) {
            let time = fs::metadata(&earlier)?.modified()?;
            File::options()
                .write(true)
                .open(&path)?
                .set_modified(time)?;
        }
    }
    Ok(())
}

fn is_content(path: &Path, content: &[u8]) -> bool {
    fs::read(path).is_ok_and(|present| present == content)
}

#[test]
fn equal_files_keep_their_times_and_others_do_not() {
    let folder = tempfile::tempdir().expect("a folder");
    let [before, after] = ["before", "after"].map(|name| folder.path().join(name));
    for (state, text) in [(&before, "1"), (&after, "2")] {
        fs::create_dir_all(state.join("src")).expect("a folder");
        fs::write(state.join("src/same"), "a").expect("a file");
        fs::write(state.join("changed"), text).expect("a file");
        fs::write(state.join(text), "new").expect("a file");
    }
    let long_ago = std::time::UNIX_EPOCH + std::time::Duration::from_secs(1_000_000_000);
    for name in ["src/same", "changed"] {
        let file = File::options().write(true).open(before.join(name));
        let changed = file.and_then(|file| file.set_modified(long_ago));
        changed.expect("a time");
    }
    keep(&before, &after).expect("times");
    let is_old = |name: &str| {
        let metadata = fs::metadata(after.join(name)).expect("a file");
        metadata.modified().expect("a time") == long_ago
    };
    assert!(is_old("src/same") && !is_old("changed") && !is_old("2"));
}
