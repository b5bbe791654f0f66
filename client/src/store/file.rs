//! The file that remembers logins: of several profiles, and of several identity services.
//!
//! Its content lets its holder act as the user, so only the owner can read it. It is replaced as a
//! whole: a crash leaves the old content or the new one. Each change locks a file beside it, reads,
//! changes and writes. So programs that share the file preserve each other's logins.

use super::{
    BoxError, LoginKey, LoginLock, LoginStore, content::Content, is_profile, lock::owner_only,
};
use crate::tokens::Login;
use std::{
    error::Error,
    fmt,
    fs::{self, OpenOptions},
    io::{self, Write},
    path::{Path, PathBuf},
};

/// Why a login cannot be remembered in a file, or found again.
#[derive(Debug)]
#[non_exhaustive]
pub enum TokenFileError {
    /// The directory for the file is unknown.
    NoHome,
    /// The file system refuses.
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The content is not that of a file of logins.
    Content {
        /// The file.
        path: PathBuf,
        /// Why.
        source: serde_json::Error,
    },
    /// The key has an invalid name of a profile.
    Profile {
        /// The name.
        name: String,
    },
}

impl fmt::Display for TokenFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoHome => {
                f.write_str("no home directory is known; set the path of the login's file")
            }
            Self::File { path, source } => write!(f, "the login in {}: {source}", path.display()),
            Self::Content { path, source } => write!(
                f,
                "{} has no valid login ({source}); remove it and log in again",
                path.display()
            ),
            Self::Profile { name } => write!(
                f,
                "{name:?} is not the name of a profile; use 1 to 64 letters, digits, '.', '_' or '-'"
            ),
        }
    }
}

impl Error for TokenFileError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::File { source, .. } => Some(source),
            Self::Content { source, .. } => Some(source),
            Self::NoHome | Self::Profile { .. } => None,
        }
    }
}

/// The file that remembers logins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokenFile {
    path: PathBuf,
}

impl TokenFile {
    /// The file at this path.
    pub fn at(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into() }
    }

    /// `accord/login.json` in the user's directory for state (`XDG_STATE_HOME`, else `~/.local/state`): the file of the
    /// command `accord`.
    ///
    /// A program that uses this file acts as the user who has logged in with `accord login`. If it
    /// logs in itself, its login replaces that of the command. A program with a login of its own
    /// needs a profile ([`Builder::profile`](crate::Builder::profile)) or a file of its own ([`TokenFile::at`]).
    ///
    /// # Errors
    ///
    /// When neither is known.
    pub fn of_user() -> Result<Self, TokenFileError> {
        // The specification: a relative path is to be ignored.
        let state = std::env::var_os("XDG_STATE_HOME")
            .map(PathBuf::from)
            .filter(|path| path.is_absolute());
        let state = state.or_else(|| std::env::home_dir().map(|home| home.join(".local/state")));
        let state = state.ok_or(TokenFileError::NoHome)?;
        Ok(Self::at(state.join("accord").join("login.json")))
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// All logins, by profile and identity service; none if the file does not exist. Those of the profile `default` are
    /// the first.
    ///
    /// # Errors
    ///
    /// When the file exists and cannot be read.
    pub fn logins(&self) -> Result<Vec<(LoginKey, Login)>, TokenFileError> {
        Ok(self.content()?.into_list())
    }

    fn content(&self) -> Result<Content, TokenFileError> {
        let text = match fs::read(&self.path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Content::default()),
            Err(error) => return Err(self.file(error)),
        };
        Content::parse(&text).map_err(|source| TokenFileError::Content {
            path: self.path.clone(),
            source,
        })
    }

    /// Reads, changes and replaces the content. The caller holds the lock.
    fn change(&self, change: impl FnOnce(&mut Content)) -> Result<(), TokenFileError> {
        let mut content = self.content()?;
        change(&mut content);
        let changed = match content.is_empty() {
            true => fs::remove_file(&self.path),
            false => self.replace(&content),
        };
        match changed {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(self.file(error)),
            _ => Ok(()),
        }
    }

    fn replace(&self, content: &Content) -> io::Result<()> {
        let text = serde_json::to_string_pretty(content)?;
        let temporary = self.temporary(text.as_bytes());
        temporary.and_then(|temporary| {
            let renamed = fs::rename(&temporary, &self.path);
            if renamed.is_err() {
                // The first failure is the one to report.
                let _ = fs::remove_file(&temporary);
            }
            renamed
        })
    }

    /// A new file with this content in the same directory, so that it can be renamed.
    fn temporary(&self, content: &[u8]) -> io::Result<PathBuf> {
        let path = self
            .folder()?
            .join(format!(".login-{}.tmp", dropforge_client::random_uuid()));
        let mut file = owner_only(OpenOptions::new().write(true).create_new(true)).open(&path)?;
        let written = file.write_all(content).and_then(|()| file.sync_all());
        if let Err(error) = written {
            let _ = fs::remove_file(&path);
            return Err(error);
        }
        Ok(path)
    }

    /// The directory, created for the owner alone if it does not exist.
    fn folder(&self) -> io::Result<&Path> {
        let folder = self
            .path
            .parent()
            .filter(|folder| !folder.as_os_str().is_empty())
            .unwrap_or(Path::new("."));
        let mut builder = fs::DirBuilder::new();
        builder.recursive(true);
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.create(folder)?;
        Ok(folder)
    }

    fn file(&self, source: io::Error) -> TokenFileError {
        TokenFileError::File {
            path: self.path.clone(),
            source,
        }
    }
}

impl LoginStore for TokenFile {
    fn lock(&self) -> Result<LoginLock, BoxError> {
        let folder = self.folder().map_err(|error| self.file(error))?;
        let lock = LoginLock::of_file(folder.join(".login.lock"));
        Ok(lock.map_err(|error| self.file(error))?)
    }

    fn load(&self, key: &LoginKey) -> Result<Option<Login>, BoxError> {
        Ok(self.content()?.get(key).cloned())
    }

    fn save(&self, key: &LoginKey, login: &Login) -> Result<(), BoxError> {
        if !is_profile(&key.profile) {
            let name = key.profile.clone();
            return Err(TokenFileError::Profile { name }.into());
        }
        Ok(self.change(|content| content.insert(key, login.clone()))?)
    }

    fn remove(&self, key: &LoginKey) -> Result<(), BoxError> {
        Ok(self.change(|content| content.remove(key))?)
    }

    fn check(&self) -> Result<(), BoxError> {
        self.content()?;
        let written = self.temporary(b"");
        let removed = written.and_then(fs::remove_file);
        Ok(removed.map_err(|error| self.file(error))?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use secrecy::ExposeSecret;

    const IDENTITY: &str = "http://id.example";

    fn login(access_token: &str) -> Login {
        Login {
            identity: IDENTITY.to_owned(),
            client_id: "accord-cli".to_owned(),
            scope: "accounts.read".to_owned(),
            access_token: access_token.into(),
            issued_at: None,
            expires_at: "2026-11-21T09:00:00Z".parse().expect("a time"),
            refresh_token: Some("rt-1".into()),
        }
    }

    fn file() -> (tempfile::TempDir, TokenFile) {
        let folder = tempfile::tempdir().expect("a directory");
        let file = TokenFile::at(folder.path().join("deep/login.json"));
        (folder, file)
    }

    fn save(file: &TokenFile, key: &LoginKey, login: &Login) {
        let _lock = file.lock().expect("it can be locked");
        file.save(key, login).expect("it can be written");
    }

    fn remove(file: &TokenFile, key: &LoginKey) {
        let _lock = file.lock().expect("it can be locked");
        file.remove(key).expect("it can be forgotten");
    }

    fn token(file: &TokenFile, key: &LoginKey) -> Option<String> {
        let login = file.load(key).expect("it can be read");
        login.map(|login| login.access_token.expose_secret().to_owned())
    }

    #[test]
    fn a_login_is_remembered_for_its_owner_alone() {
        let (folder, file) = file();
        let key = LoginKey::new(IDENTITY);
        assert_eq!(token(&file, &key), None);
        save(&file, &key, &login("one"));
        save(&file, &key, &login("two"));
        assert_eq!(token(&file, &key).as_deref(), Some("two"));
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = |path: &Path| {
                let found = fs::metadata(path).expect("it is there");
                found.permissions().mode() & 0o777
            };
            assert_eq!(mode(file.path()), 0o600);
            assert_eq!(mode(&folder.path().join("deep")), 0o700);
        }
        // Nothing is left beside it but the lock.
        let left = || {
            let entries = fs::read_dir(folder.path().join("deep")).expect("a directory");
            let mut names: Vec<_> = entries
                .map(|entry| entry.expect("an entry").file_name())
                .collect();
            names.sort();
            names
        };
        assert_eq!(left(), [".login.lock", "login.json"]);
        file.check().expect("it can be written");
        assert_eq!(left(), [".login.lock", "login.json"]);
        remove(&file, &key);
        remove(&file, &key);
        assert_eq!(token(&file, &key), None);
        assert_eq!(left(), [".login.lock"]);
    }

    #[test]
    fn each_profile_has_a_login_of_its_own_at_each_identity_service() {
        let (_folder, file) = file();
        let keys = [
            LoginKey::new(IDENTITY),
            LoginKey::new("http://staging.example"),
            LoginKey::new(IDENTITY).profile("ops"),
        ];
        for (key, token) in keys.iter().zip(["own", "staging", "ops"]) {
            save(&file, key, &login(token));
        }
        let listed = file.logins().expect("it can be read");
        let listed: Vec<LoginKey> = listed.into_iter().map(|(key, _)| key).collect();
        assert_eq!(listed, keys);
        remove(&file, &keys[1]);
        remove(&file, &LoginKey::new(IDENTITY).profile("nobody"));
        assert_eq!(token(&file, &keys[0]).as_deref(), Some("own"));
        assert_eq!(token(&file, &keys[1]), None);
        remove(&file, &keys[0]);
        assert_eq!(token(&file, &keys[2]).as_deref(), Some("ops"));
        remove(&file, &keys[2]);
        assert!(!file.path().exists());
    }

    #[test]
    fn a_profile_without_a_valid_name_is_not_written() {
        let (_folder, file) = file();
        let key = LoginKey::new(IDENTITY).profile("a b");
        let error = file.save(&key, &login("one")).expect_err("no such name");
        assert!(error.to_string().contains("letters, digits"), "{error}");
        assert!(!file.path().exists());
    }

    #[test]
    fn the_files_of_earlier_versions_are_read_and_kept() {
        let folder = tempfile::tempdir().expect("a directory");
        let file = TokenFile::at(folder.path().join("login.json"));
        let one = serde_json::to_value(login("old")).expect("JSON");
        let many = serde_json::json!({ "logins": { IDENTITY: one } });
        for text in [one, many] {
            fs::write(file.path(), text.to_string()).expect("it can be written");
            assert_eq!(
                token(&file, &LoginKey::new(IDENTITY)).as_deref(),
                Some("old")
            );
            assert_eq!(token(&file, &LoginKey::new("http://other.example")), None);
            save(
                &file,
                &LoginKey::new(IDENTITY).profile("ops"),
                &login("new"),
            );
            assert_eq!(
                token(&file, &LoginKey::new(IDENTITY)).as_deref(),
                Some("old")
            );
        }
    }

    #[test]
    fn the_error_for_an_invalid_login_says_what_to_do() {
        let folder = tempfile::tempdir().expect("a directory");
        let file = TokenFile::at(folder.path().join("login.json"));
        fs::write(file.path(), "{").expect("it can be written");
        let error = file.load(&LoginKey::new(IDENTITY)).expect_err("no login");
        let error = error.to_string();
        assert!(error.ends_with("remove it and log in again"), "{error}");
    }
}
