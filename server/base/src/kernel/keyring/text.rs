//! The text of server keys: in a file, or in the configuration.
//!
//! One key a line (or between commas, where lines are inconvenient), the oldest first. `retired`
//! before a key means that it is used only to verify the audit trail of its time. Most files have a
//! single key.

use std::fs::File;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use zeroize::Zeroizing;

use crate::kernel::Random;
use crate::kernel::files;
use crate::kernel::server_keys::{KeyName, ServerKey};

const RETIRED: &str = "retired ";

/// Why there are no keys.
#[derive(Debug, thiserror::Error)]
pub enum ServerKeyError {
    /// The file cannot be read or created.
    #[error("{path}: {source}")]
    File {
        /// The file.
        path: String,
        /// The error of the operating system.
        source: io::Error,
    },
    /// The required file is missing.
    #[error(
        "{0} is missing, and this database was written with a key in it: hashes made with it \
         cannot be verified. Put the file back, or copy it from another replica"
    )]
    Missing(String),
    /// The file of `server.key_file` is missing.
    #[error(
        "{0}, the file of server.key_file, does not exist. Put it back. Only a new database can have \
         a new key: openssl rand -base64 32"
    )]
    NotMounted(String),
    /// Other users than its owner may read the file.
    #[error("other users than the owner can read {0}: run chmod {1} {0}")]
    Open(String, &'static str),
    /// Not 32 bytes in base64.
    #[error("{0}: expected 32 bytes in base64")]
    Malformed(String),
    /// A key is repeated.
    #[error("{0}: key {1} is repeated")]
    Twice(String, KeyName),
}

/// Parses keys, of which there is at least one. `origin` is their place in messages.
pub fn parse(text: &str, origin: &str) -> Result<Vec<ServerKey>, ServerKeyError> {
    let mut keys: Vec<ServerKey> = Vec::new();
    let entries = text.split(['\n', ',']).map(str::trim);
    for entry in entries.filter(|entry| !entry.is_empty()) {
        let rest = entry.strip_prefix(RETIRED);
        let mut key = ServerKey::parse(rest.unwrap_or(entry).trim())
            .ok_or_else(|| ServerKeyError::Malformed(origin.to_owned()))?;
        key.is_retired = rest.is_some();
        if keys.iter().any(|one| one.name() == key.name()) {
            return Err(ServerKeyError::Twice(origin.to_owned(), key.name()));
        }
        keys.push(key);
    }
    match keys.is_empty() {
        true => Err(ServerKeyError::Malformed(origin.to_owned())),
        false => Ok(keys),
    }
}

/// A file of keys that only its owner may read.
#[derive(Debug, Clone)]
pub struct KeyFile {
    path: PathBuf,
    is_mounted: bool,
}

impl KeyFile {
    /// The file at this path, which need not exist.
    pub(super) fn new(path: PathBuf) -> Self {
        let is_mounted = false;
        KeyFile { path, is_mounted }
    }

    /// A file that the operator writes, and the service never does. Mounted secrets often belong to
    /// another user, so the group may read it as well.
    pub(super) fn mounted(path: PathBuf) -> Self {
        let is_mounted = true;
        KeyFile { path, is_mounted }
    }

    /// Whether the operator writes the file.
    pub fn is_mounted(&self) -> bool {
        self.is_mounted
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Reads its keys. Creates a missing file with one key, unless it is mounted.
    pub(super) fn read_or_make(
        &self,
        random: &dyn Random,
    ) -> Result<Vec<ServerKey>, ServerKeyError> {
        if !self.is_mounted && !self.path.exists() {
            self.make(random).map_err(|source| self.failed(source))?;
        }
        self.read()
    }

    /// Creates the file, unless another program does so at the same time. Each links a complete file
    /// to the path: one of them succeeds, and both read its key.
    fn make(&self, random: &dyn Random) -> io::Result<()> {
        let mut file = files::temporary(&self.path)?;
        file.write_all(new_line(random).as_bytes())?;
        match files::link(file, &self.path) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(()),
            linked => linked,
        }
    }

    /// Reads its keys, unless the file is open to others.
    pub(super) fn read(&self) -> Result<Vec<ServerKey>, ServerKeyError> {
        parse(&self.text()?, &self.path.display().to_string())
    }

    /// Makes a new key, which [`NewKey::save`] adds to the file. Other programs do not change the
    /// file until then.
    ///
    /// # Errors
    ///
    /// When the file cannot be read or locked, is open to others, or has invalid content.
    pub fn new_key(&self, random: &dyn Random) -> Result<NewKey<'_>, ServerKeyError> {
        let lock = self.lock()?;
        let mut text = self.text()?;
        if !text.ends_with('\n') {
            text.push('\n');
        }
        text.push_str(&new_line(random));
        let origin = self.path.display().to_string();
        let keys = parse(&text, &origin)?;
        let last = keys.last().map(ServerKey::name);
        Ok(NewKey {
            name: last.ok_or(ServerKeyError::Malformed(origin))?,
            file: self,
            text,
            _lock: lock,
        })
    }

    /// Marks a key as retired, if the file has it.
    ///
    /// # Errors
    ///
    /// When the file cannot be read or written, is open to others, or has invalid content.
    pub fn retire(&self, name: KeyName) -> Result<(), ServerKeyError> {
        let _lock = self.lock()?;
        let mut text = Zeroizing::new(String::new());
        for entry in self.text()?.split(['\n', ',']).map(str::trim) {
            if ServerKey::parse(entry).is_some_and(|key| key.name() == name) {
                text.push_str(RETIRED);
            }
            if !entry.is_empty() {
                text.push_str(entry);
                text.push('\n');
            }
        }
        self.replace(&text)
    }

    pub(super) fn text(&self) -> Result<Zeroizing<String>, ServerKeyError> {
        if let Ok(false) = self.path.try_exists() {
            let path = self.path.display().to_string();
            return Err(match self.is_mounted {
                true => ServerKeyError::NotMounted(path),
                false => ServerKeyError::Missing(path),
            });
        }
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let metadata = std::fs::metadata(&self.path).map_err(|source| self.failed(source))?;
            let (forbidden, remedy) = match self.is_mounted {
                true => (0o037, "g-wx,o="),
                false => (0o077, "600"),
            };
            if metadata.permissions().mode() & forbidden != 0 {
                let path = self.path.display().to_string();
                return Err(ServerKeyError::Open(path, remedy));
            }
        }
        let text = std::fs::read_to_string(&self.path).map_err(|source| self.failed(source))?;
        Ok(Zeroizing::new(text))
    }

    /// Locks the keys against changes by other programs, until the returned file is dropped. A change
    /// replaces the file of the keys, so the lock is on a file beside it, of the same owner.
    fn lock(&self) -> Result<File, ServerKeyError> {
        // A missing file of keys has an error of its own.
        self.text()?;
        let mut path = self.path.clone();
        path.add_extension("lock");
        let mut options = files::private();
        let opened = options.create(true).truncate(false).open(&path);
        let locked = opened.and_then(|lock| {
            self.give_to_owner(&path)?;
            lock.lock()?;
            Ok(lock)
        });
        locked.map_err(|source| ServerKeyError::File {
            path: path.display().to_string(),
            source,
        })
    }

    /// A program that reads the file meanwhile gets the old file or the new one. The new file keeps
    /// the owner of the old one, even if another user runs this.
    fn replace(&self, text: &str) -> Result<(), ServerKeyError> {
        let replaced = files::temporary(&self.path).and_then(|mut file| {
            file.write_all(text.as_bytes())?;
            self.give_to_owner(file.path())?;
            files::replace(file, &self.path)
        });
        replaced.map_err(|source| self.failed(source))
    }

    #[cfg(unix)]
    fn give_to_owner(&self, created: &Path) -> io::Result<()> {
        use std::os::unix::fs::MetadataExt;
        let (old, new) = (std::fs::metadata(&self.path)?, std::fs::metadata(created)?);
        match (old.uid(), old.gid()) == (new.uid(), new.gid()) {
            true => Ok(()),
            false => std::os::unix::fs::chown(created, Some(old.uid()), Some(old.gid())),
        }
    }

    #[cfg(not(unix))]
    fn give_to_owner(&self, _created: &Path) -> io::Result<()> {
        Ok(())
    }

    fn failed(&self, source: io::Error) -> ServerKeyError {
        ServerKeyError::File {
            path: self.path.display().to_string(),
            source,
        }
    }
}

/// A key that is not in its file yet. The file is locked until this is dropped.
pub struct NewKey<'f> {
    name: KeyName,
    file: &'f KeyFile,
    /// The text of the file with the key.
    text: Zeroizing<String>,
    _lock: File,
}

impl NewKey<'_> {
    /// Its name.
    pub fn name(&self) -> KeyName {
        self.name
    }

    /// Adds the key to the file.
    ///
    /// # Errors
    ///
    /// When the file cannot be written.
    pub fn save(self) -> Result<(), ServerKeyError> {
        self.file.replace(&self.text)
    }
}

fn new_line(random: &dyn Random) -> Zeroizing<String> {
    let key = Zeroizing::new(random.bytes::<32>());
    Zeroizing::new(STANDARD.encode(key.as_slice()) + "\n")
}

#[cfg(test)]
mod tests {
    use super::super::super::SystemRandom;
    use super::*;

    fn file() -> (tempfile::TempDir, KeyFile) {
        let directory = tempfile::tempdir().unwrap();
        let file = KeyFile::new(directory.path().join("server.key"));
        (directory, file)
    }

    fn add(file: &KeyFile) -> KeyName {
        let key = file.new_key(&SystemRandom).unwrap();
        let name = key.name();
        key.save().unwrap();
        name
    }

    fn names(keys: &[ServerKey]) -> Vec<(KeyName, bool)> {
        let names = keys.iter().map(|one| (one.name(), one.is_retired));
        names.collect()
    }

    #[cfg(unix)]
    fn mode(file: &KeyFile) -> u32 {
        use std::os::unix::fs::PermissionsExt;
        std::fs::metadata(file.path()).unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn a_key_file_is_made_once_and_for_its_owner_only() {
        let (directory, file) = file();
        let first = file.read_or_make(&SystemRandom).unwrap();
        let second = file.read_or_make(&SystemRandom).unwrap();
        assert_eq!(names(&first), names(&second));
        assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 1);
        #[cfg(unix)]
        assert_eq!(mode(&file), 0o600);
    }

    #[test]
    fn a_file_that_cannot_be_created_is_an_error() {
        let (directory, _) = file();
        let file = KeyFile::new(directory.path().join("missing/server.key"));
        match file.read_or_make(&SystemRandom) {
            Err(ServerKeyError::File { source, .. }) => {
                assert_eq!(source.kind(), ErrorKind::NotFound);
            }
            other => panic!("{:?}", other.map(|keys| names(&keys))),
        }
    }

    #[test]
    fn of_two_programs_that_create_the_file_both_read_the_same_key() {
        let (directory, file) = file();
        file.make(&SystemRandom).unwrap();
        let first = names(&file.read().unwrap());
        file.make(&SystemRandom).unwrap();
        assert_eq!(names(&file.read().unwrap()), first);
        assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 1);
    }

    #[test]
    fn keys_are_added_behind_those_that_are_there_and_stay_when_they_retire() {
        let (directory, file) = file();
        let first = names(&file.read_or_make(&SystemRandom).unwrap())[0].0;
        // A key that is not saved is not in the file.
        drop(file.new_key(&SystemRandom).unwrap());
        let second = add(&file);
        assert_eq!(
            names(&file.read().unwrap()),
            [(first, false), (second, false)]
        );
        file.retire(first).unwrap();
        file.retire(first).unwrap();
        assert_eq!(
            names(&file.read().unwrap()),
            [(first, true), (second, false)]
        );
        let files = std::fs::read_dir(directory.path()).unwrap();
        let mut files: Vec<_> = files.map(|file| file.unwrap().file_name()).collect();
        files.sort();
        assert_eq!(files, ["server.key", "server.key.lock"]);
        #[cfg(unix)]
        assert_eq!(mode(&file), 0o600);
    }

    #[test]
    fn no_key_is_lost_of_those_that_are_added_at_once() {
        let (_directory, file) = file();
        file.read_or_make(&SystemRandom).unwrap();
        let added = std::thread::scope(|scope| {
            let adding = [(); 8].map(|()| scope.spawn(|| add(&file)));
            adding.map(|one| one.join().unwrap())
        });
        let held = names(&file.read().unwrap());
        assert_eq!(held.len(), 1 + added.len());
        assert!(added.iter().all(|name| held.contains(&(*name, false))));
    }

    #[cfg(unix)]
    #[test]
    fn a_key_file_that_others_can_read_is_refused() {
        use std::os::unix::fs::PermissionsExt;
        let (_directory, file) = file();
        file.read_or_make(&SystemRandom).unwrap();
        for mode in [0o640, 0o604] {
            let permissions = std::fs::Permissions::from_mode(mode);
            std::fs::set_permissions(file.path(), permissions).unwrap();
            let error = file.read().unwrap_err().to_string();
            assert!(error.contains("chmod 600"), "{error}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_mounted_file_is_readable_by_its_group_and_never_created() {
        use std::os::unix::fs::PermissionsExt;
        let (_directory, file) = file();
        let mounted = KeyFile::mounted(file.path().to_owned());
        let error = mounted.read().unwrap_err().to_string();
        assert!(error.contains("server.key_file, does not exist"), "{error}");
        file.read_or_make(&SystemRandom).unwrap();
        for (mode, is_accepted) in [(0o400, true), (0o440, true), (0o444, false), (0o460, false)] {
            let permissions = std::fs::Permissions::from_mode(mode);
            std::fs::set_permissions(file.path(), permissions).unwrap();
            assert_eq!(mounted.read().is_ok(), is_accepted, "{mode:o}");
        }
    }

    #[test]
    fn keys_in_the_configuration_stand_between_commas() {
        let (one, two) = (STANDARD.encode([1; 32]), STANDARD.encode([2; 32]));
        let keys = parse(&format!("retired {one}, {two}"), "server.key").unwrap();
        assert_eq!(keys.len(), 2);
        assert!(keys[0].is_retired && !keys[1].is_retired);
        let error = parse(&format!("{one},{one}"), "server.key").unwrap_err();
        assert!(error.to_string().ends_with("is repeated"), "{error}");
    }

    #[test]
    fn a_malformed_key_is_refused_by_the_name_of_its_origin() {
        for text in ["c2hvcnQ=", "", "retired", "key"] {
            let error = parse(text, "server.key").unwrap_err();
            assert_eq!(error.to_string(), "server.key: expected 32 bytes in base64");
        }
    }
}
