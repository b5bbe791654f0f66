//! Files and directories that only their owner may read.
//!
//! A file gets its name when its content is on disk, so every file with a name is complete.

use std::fs::{DirBuilder, File, OpenOptions};
use std::io;
use std::path::Path;

use tempfile::NamedTempFile;

/// Options that open a file for writing. Only its owner may read a file that they create.
pub fn private() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

/// Creates a missing directory that only its owner may read.
///
/// # Errors
///
/// When the directory cannot be created, or the path is a file.
pub fn make_private(path: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path).map_err(|error| match error.kind() {
        // The operating system only says that the file exists.
        io::ErrorKind::AlreadyExists => {
            let message = "this is a file: choose a directory, or a path that does not exist";
            io::Error::new(io::ErrorKind::NotADirectory, message)
        }
        _ => error,
    })
}

/// Flushes the names in a directory, on systems where a directory is a file.
pub fn flush_names(directory: &Path) -> io::Result<()> {
    match cfg!(unix) {
        true => File::open(directory)?.sync_all(),
        false => Ok(()),
    }
}

/// The directory of a file.
fn directory_of(path: &Path) -> &Path {
    let directory = path.parent().filter(|path| !path.as_os_str().is_empty());
    directory.unwrap_or(Path::new("."))
}

/// Creates a file in the directory of `path`. It is removed when the returned value is dropped.
///
/// # Errors
///
/// When the file cannot be created.
pub fn temporary(path: &Path) -> io::Result<NamedTempFile> {
    let mut prefix = path.file_name().unwrap_or_default().to_owned();
    prefix.push(".");
    let mut builder = tempfile::Builder::new();
    builder.prefix(&prefix).tempfile_in(directory_of(path))
}

/// Links a complete file to its final path, which must not exist.
///
/// # Errors
///
/// When the path exists, the file cannot be linked or flushed to disk, or its temporary name cannot be
/// removed: a copy of a secret must not remain without an error.
pub fn link(file: NamedTempFile, path: &Path) -> io::Result<()> {
    file.as_file().sync_all()?;
    let linked = std::fs::hard_link(file.path(), path);
    file.close()?;
    linked?;
    flush_names(directory_of(path))
}

/// Renames a complete file to its final path, where it replaces another one.
///
/// # Errors
///
/// When the file cannot be renamed or flushed to disk.
pub fn replace(file: NamedTempFile, path: &Path) -> io::Result<()> {
    file.as_file().sync_all()?;
    file.persist(path)?;
    flush_names(directory_of(path))
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn the_directory_of_a_bare_name_is_the_current_one() {
        for (path, directory) in [("a", "."), ("./a", "."), ("a/b", "a"), ("/a", "/")] {
            assert_eq!(directory_of(Path::new(path)), Path::new(directory));
        }
    }

    #[test]
    fn a_file_in_place_of_a_directory_is_an_error_that_says_so() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("file");
        make_private(directory.path()).expect("an existing directory");
        std::fs::write(&path, "").expect("a file");
        let error = make_private(&path).expect_err("a file").to_string();
        assert!(error.starts_with("this is a file: "), "{error}");
    }

    #[test]
    fn a_complete_file_replaces_another_one_and_leaves_no_temporary_one() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("file");
        for content in ["old", "new"] {
            let mut file = temporary(&path).expect("a file");
            file.write_all(content.as_bytes()).expect("a text");
            replace(file, &path).expect("a new name");
            assert_eq!(std::fs::read_to_string(&path).expect("a text"), content);
        }
        let files = std::fs::read_dir(directory.path()).expect("the files");
        assert_eq!(files.count(), 1);
    }
}
