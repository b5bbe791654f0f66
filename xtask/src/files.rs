//! Writes files, with the folders that they are in.

use std::fs::{self, Permissions};
use std::io::{self, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use anyhow::Context;

/// Writes a file, and creates its folder if that does not exist. An interrupt or a full disk leaves the earlier file as
/// it was.
///
/// # Errors
///
/// When the folder cannot be created, or the file cannot be written.
pub(crate) fn write(path: &Path, content: impl AsRef<[u8]>) -> anyhow::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)
            .with_context(|| format!("cannot create {}", folder.display()))?;
    }
    replace(path, content.as_ref()).with_context(|| format!("cannot write {}", path.display()))
}

/// Writes a file beside another one, and moves it into its place.
fn replace(path: &Path, content: &[u8]) -> io::Result<()> {
    // A link stays, and leads to the new file.
    let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let earlier = fs::metadata(&path).ok();
    // A device cannot be replaced.
    if earlier.as_ref().is_some_and(|earlier| !earlier.is_file()) {
        return fs::write(&path, content);
    }
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let mut new = tempfile::Builder::new()
        .permissions(Permissions::from_mode(0o666))
        .tempfile_in(folder)?;
    new.write_all(content)?;
    if let Some(earlier) = earlier {
        new.as_file().set_permissions(earlier.permissions())?;
    }
    new.persist(&path)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn a_file_is_replaced_as_a_whole_and_keeps_its_mode_and_its_links() {
        let folder = tempfile::tempdir().expect("a folder");
        let (file, link) = (folder.path().join("a/file"), folder.path().join("link"));
        write(&file, "one").expect("a new file");
        fs::set_permissions(&file, Permissions::from_mode(0o640)).expect("a mode");
        symlink(&file, &link).expect("a link");
        let earlier = File::open(&file).expect("a file");
        write(&link, "two").expect("a file");
        assert_eq!(fs::read_to_string(&file).expect("a file"), "two");
        assert!(link.is_symlink());
        let mode = fs::metadata(&file).expect("a file").permissions().mode();
        assert_eq!(mode & 0o777, 0o640);
        // The earlier file was not emptied first.
        assert_eq!(io::read_to_string(earlier).expect("a text"), "one");
        let entries = fs::read_dir(folder.path().join("a")).expect("a folder");
        assert_eq!(entries.count(), 1);
    }
}
