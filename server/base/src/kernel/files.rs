//! Files and directories that only their owner may read.
//!
//! A file gets its name when its content is on disk, so every file with a name is complete.

use std::fs::{DirBuilder, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::Random;

/// Options that open a file for writing. Only its owner may read a file that they create.
pub fn private() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

/// Creates a missing directory that only its owner may read.
pub fn make_private(path: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
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

/// The path of a file that is removed when this value is dropped.
pub struct Temporary(PathBuf);

impl Temporary {
    /// An unused path in the same directory.
    pub fn beside(path: &Path, random: &dyn Random) -> Temporary {
        let mut name = path.as_os_str().to_owned();
        name.push(format!(".{}", random.uuid().simple()));
        Temporary(name.into())
    }

    /// Creates the file.
    ///
    /// # Errors
    ///
    /// When the file exists, or cannot be created.
    pub fn create(&self) -> io::Result<File> {
        private().create_new(true).open(&self.0)
    }

    /// Creates the file with this content, which is on disk afterwards.
    ///
    /// # Errors
    ///
    /// When the file exists, or cannot be written.
    pub fn write(&self, content: &[u8]) -> io::Result<()> {
        let mut file = self.create()?;
        file.write_all(content)?;
        file.sync_all()
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Links a complete file to its final path, which must not exist.
    ///
    /// # Errors
    ///
    /// When the path exists, or the link cannot be created.
    pub fn link(&self, path: &Path) -> io::Result<()> {
        std::fs::hard_link(&self.0, path)?;
        flush_names(directory_of(path))
    }

    /// Renames a complete file to its final path, where it replaces another one.
    ///
    /// # Errors
    ///
    /// When the file cannot be renamed, or its new name cannot be flushed to disk.
    pub fn replace(&self, path: &Path) -> io::Result<()> {
        std::fs::rename(&self.0, path)?;
        flush_names(directory_of(path))
    }

    /// Removes the file. Dropping this value does the same, but ignores errors.
    ///
    /// # Errors
    ///
    /// When the file does not exist, or cannot be removed.
    pub fn remove(&self) -> io::Result<()> {
        std::fs::remove_file(&self.0)
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        // The file may not exist, and an error has no remedy.
        let _ = std::fs::remove_file(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::super::SystemRandom;
    use super::*;

    #[test]
    fn the_directory_of_a_bare_name_is_the_current_one() {
        for (path, directory) in [("a", "."), ("./a", "."), ("a/b", "a"), ("/a", "/")] {
            assert_eq!(directory_of(Path::new(path)), Path::new(directory));
        }
    }

    #[test]
    fn a_complete_file_replaces_another_one_and_leaves_no_temporary_one() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("file");
        for content in ["old", "new"] {
            let temporary = Temporary::beside(&path, &SystemRandom);
            temporary.write(content.as_bytes()).expect("a file");
            temporary.replace(&path).expect("a new name");
            assert_eq!(std::fs::read_to_string(&path).expect("a text"), content);
        }
        let files = std::fs::read_dir(directory.path()).expect("the files");
        assert_eq!(files.count(), 1);
    }
}
