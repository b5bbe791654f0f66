//! The file that remembers logins, one for each identity service.
//!
//! Its content lets its holder act as the user, so only the owner can read it. It is replaced as a
//! whole: a crash leaves the old content or the new one. Each change locks a file beside it, reads,
//! changes and writes. So programs that share the file preserve each other's logins. They also take
//! turns to use a refresh token, which works once.

use chrono::{DateTime, TimeDelta, Utc};
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Serialize, Serializer};
use std::{
    collections::BTreeMap,
    fs::{self, File, OpenOptions, TryLockError},
    io::{self, Write},
    path::{Path, PathBuf},
    time::{Duration, Instant},
};
use thiserror::Error;

/// How long a program waits for another one to release the file.
const LOCK_TIMEOUT: Duration = Duration::from_secs(60);

/// The longest time before its end at which an access token is renewed.
const MAX_MARGIN: TimeDelta = TimeDelta::seconds(60);

/// A login: tokens with their client, scope and lifetime.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Login {
    /// Address of the identity service that issued the tokens.
    pub identity: String,
    /// The OAuth client that the user has approved.
    pub client_id: String,
    /// The scopes that were granted.
    pub scope: String,
    /// The access token.
    #[serde(serialize_with = "expose")]
    pub access_token: SecretString,
    /// When the access token was issued; unknown in files of earlier versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub issued_at: Option<DateTime<Utc>>,
    /// When the access token expires.
    pub expires_at: DateTime<Utc>,
    /// The refresh token, if `offline_access` was granted.
    #[serde(
        default,
        serialize_with = "expose_option",
        skip_serializing_if = "Option::is_none"
    )]
    pub refresh_token: Option<SecretString>,
}

impl Login {
    /// Whether the access token need not be renewed yet: more than a fifth of its lifetime is left, or more than a
    /// minute.
    pub fn is_fresh(&self, now: DateTime<Utc>) -> bool {
        let fifth = self.issued_at.map(|issued| (self.expires_at - issued) / 5);
        let margin = fifth.map_or(MAX_MARGIN, |fifth| fifth.min(MAX_MARGIN));
        self.expires_at - now > margin
    }

    /// Whether the access token is known to be younger than `age`.
    pub(crate) fn is_younger_than(&self, age: TimeDelta, now: DateTime<Utc>) -> bool {
        let own = self.issued_at.map(|issued| now - issued);
        own.is_some_and(|own| own >= TimeDelta::zero() && own < age)
    }

    /// Whether both have the same tokens.
    pub(crate) fn is(&self, other: &Login) -> bool {
        let refresh = |login: &Login| {
            let token = login.refresh_token.as_ref();
            token.map(|token| token.expose_secret().to_owned())
        };
        self.access_token.expose_secret() == other.access_token.expose_secret()
            && refresh(self) == refresh(other)
    }
}

/// The content of the file: logins by the address of their identity service.
#[derive(Default, Serialize, Deserialize)]
struct Content {
    logins: BTreeMap<String, Login>,
}

/// The formats of the file.
#[derive(Deserialize)]
#[serde(untagged)]
enum AnyContent {
    Many(Content),
    /// Earlier versions stored one login.
    One(Box<Login>),
}

fn expose<S: Serializer>(secret: &SecretString, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(secret.expose_secret())
}

fn expose_option<S: Serializer>(
    secret: &Option<SecretString>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    match secret {
        Some(secret) => serializer.serialize_some(secret.expose_secret()),
        None => serializer.serialize_none(),
    }
}

/// Why a login cannot be remembered, or found again.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TokenFileError {
    /// The directory for the file is unknown.
    #[error("no home directory is known; set the path of the login's file")]
    NoHome,
    /// The file system refuses.
    #[error("the login in {path}: {source}")]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The entry is not a login.
    #[error("{path} has no valid login ({source}); remove it and log in again")]
    Content {
        /// The file.
        path: PathBuf,
        /// Why.
        source: serde_json::Error,
    },
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
    /// needs a file of its own ([`TokenFile::at`]).
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

    /// The login for an identity service; none if nobody has logged in.
    ///
    /// # Errors
    ///
    /// When the file exists and cannot be read.
    pub fn read(&self, identity: &str) -> Result<Option<Login>, TokenFileError> {
        Ok(self.content()?.logins.remove(identity))
    }

    /// Remembers a login in place of the one for the same identity service.
    ///
    /// # Errors
    ///
    /// When the file cannot be read or written; its content is then unchanged.
    pub fn write(&self, login: &Login) -> Result<(), TokenFileError> {
        self.lock()?.write(login)
    }

    /// Forgets the login for an identity service.
    ///
    /// # Errors
    ///
    /// When there is one that cannot be removed.
    pub fn remove(&self, identity: &str) -> Result<(), TokenFileError> {
        if !self.path.exists() {
            return Ok(());
        }
        self.lock()?.remove(identity)
    }

    fn content(&self) -> Result<Content, TokenFileError> {
        let text = match fs::read(&self.path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Content::default()),
            Err(error) => return Err(self.file(error)),
        };
        match serde_json::from_slice(&text) {
            Ok(AnyContent::Many(content)) => Ok(content),
            Ok(AnyContent::One(login)) => Ok(Content {
                logins: BTreeMap::from([(login.identity.clone(), *login)]),
            }),
            Err(source) => Err(TokenFileError::Content {
                path: self.path.clone(),
                source,
            }),
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
            .join(format!(".login-{}.tmp", uuid::Uuid::new_v4()));
        let mut file = owner_only(OpenOptions::new().write(true).create_new(true)).open(&path)?;
        let written = file.write_all(content).and_then(|()| file.sync_all());
        if let Err(error) = written {
            let _ = fs::remove_file(&path);
            return Err(error);
        }
        Ok(path)
    }

    /// Waits until no other program changes the file. The lock ends when the result is dropped.
    pub(crate) fn lock(&self) -> Result<Locked, TokenFileError> {
        let lock = || {
            let path = self.folder()?.join(".login.lock");
            let lock = owner_only(OpenOptions::new().write(true).create(true).truncate(false))
                .open(path)?;
            let began = Instant::now();
            loop {
                match lock.try_lock() {
                    Ok(()) => return Ok(lock),
                    Err(TryLockError::Error(error)) => return Err(error),
                    Err(TryLockError::WouldBlock) if began.elapsed() > LOCK_TIMEOUT => {
                        let message = "another program has locked it for a minute";
                        return Err(io::Error::new(io::ErrorKind::TimedOut, message));
                    }
                    Err(TryLockError::WouldBlock) => {
                        std::thread::sleep(Duration::from_millis(20));
                    }
                }
            }
        };
        match lock() {
            Ok(lock) => Ok(Locked {
                file: self.clone(),
                _lock: lock,
            }),
            Err(error) => Err(self.file(error)),
        }
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

/// The file while no other program changes it.
pub(crate) struct Locked {
    file: TokenFile,
    _lock: File,
}

impl Locked {
    pub(crate) fn read(&self, identity: &str) -> Result<Option<Login>, TokenFileError> {
        self.file.read(identity)
    }

    pub(crate) fn write(&self, login: &Login) -> Result<(), TokenFileError> {
        self.change(|content| {
            content.logins.insert(login.identity.clone(), login.clone());
        })
    }

    fn remove(&self, identity: &str) -> Result<(), TokenFileError> {
        self.change(|content| {
            content.logins.remove(identity);
        })
    }

    /// Makes sure that the file can be read and replaced.
    pub(crate) fn check(&self) -> Result<(), TokenFileError> {
        self.file.content()?;
        let written = self.file.temporary(b"");
        let removed = written.and_then(fs::remove_file);
        removed.map_err(|error| self.file.file(error))
    }

    fn change(&self, change: impl FnOnce(&mut Content)) -> Result<(), TokenFileError> {
        let mut content = self.file.content()?;
        change(&mut content);
        let changed = match content.logins.is_empty() {
            true => fs::remove_file(&self.file.path),
            false => self.file.replace(&content),
        };
        match changed {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(self.file.file(error)),
            _ => Ok(()),
        }
    }
}

fn owner_only(options: &mut OpenOptions) -> &mut OpenOptions {
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(options, 0o600);
    options
}

#[cfg(test)]
mod tests {
    use super::*;

    fn login(access_token: &str) -> Login {
        Login {
            identity: "http://id.example".to_owned(),
            client_id: "accord-cli".to_owned(),
            scope: "accounts.read".to_owned(),
            access_token: access_token.into(),
            issued_at: None,
            expires_at: "2026-11-21T09:00:00Z".parse().expect("a time"),
            refresh_token: Some("rt-1".into()),
        }
    }

    const IDENTITY: &str = "http://id.example";

    #[test]
    fn a_login_is_remembered_for_its_owner_alone() {
        let folder = tempfile::tempdir().expect("a directory");
        let file = TokenFile::at(folder.path().join("deep/login.json"));
        assert!(file.read(IDENTITY).expect("no file is no error").is_none());
        file.write(&login("one")).expect("it can be written");
        file.write(&login("two")).expect("it can be replaced");
        let read = file
            .read(IDENTITY)
            .expect("it can be read")
            .expect("a login");
        assert_eq!(read.access_token.expose_secret(), "two");
        assert_eq!(
            read.refresh_token.as_ref().map(ExposeSecret::expose_secret),
            Some("rt-1")
        );
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = |path: &Path| {
                fs::metadata(path)
                    .expect("it is there")
                    .permissions()
                    .mode()
                    & 0o777
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
        file.lock()
            .and_then(|locked| locked.check())
            .expect("it can be written");
        assert_eq!(left(), [".login.lock", "login.json"]);
        file.remove(IDENTITY).expect("it can be forgotten");
        file.remove(IDENTITY).expect("and forgotten again");
        assert!(file.read(IDENTITY).expect("no file is no error").is_none());
        assert_eq!(left(), [".login.lock"]);
    }

    #[test]
    fn each_identity_service_has_a_login_of_its_own() {
        let folder = tempfile::tempdir().expect("a directory");
        let file = TokenFile::at(folder.path().join("login.json"));
        let other = Login {
            identity: "http://staging.example".to_owned(),
            ..login("staging")
        };
        file.write(&login("production")).expect("it can be written");
        file.write(&other).expect("and another one");
        let token = |identity: &str| {
            let login = file.read(identity).expect("it can be read");
            login.map(|login| login.access_token.expose_secret().to_owned())
        };
        assert_eq!(token(IDENTITY).as_deref(), Some("production"));
        file.remove(&other.identity).expect("it can be forgotten");
        assert_eq!(token(IDENTITY).as_deref(), Some("production"));
        assert_eq!(token(&other.identity), None);
    }

    #[test]
    fn the_file_of_an_earlier_version_is_read() {
        let folder = tempfile::tempdir().expect("a directory");
        let file = TokenFile::at(folder.path().join("login.json"));
        let text = serde_json::to_string(&login("old")).expect("JSON");
        fs::write(file.path(), text).expect("it can be written");
        let read = file
            .read(IDENTITY)
            .expect("it can be read")
            .expect("a login");
        assert_eq!(read.access_token.expose_secret(), "old");
        assert!(
            file.read("http://other.example")
                .expect("no error")
                .is_none()
        );
    }

    #[test]
    fn the_error_for_an_invalid_login_says_what_to_do() {
        let folder = tempfile::tempdir().expect("a directory");
        let file = TokenFile::at(folder.path().join("login.json"));
        fs::write(file.path(), "{").expect("it can be written");
        let error = file.read(IDENTITY).expect_err("no login").to_string();
        assert!(error.ends_with("remove it and log in again"), "{error}");
    }

    #[test]
    fn a_login_does_not_print_its_secrets() {
        let printed = format!("{:?}", login("very-secret"));
        assert!(
            !printed.contains("very-secret") && !printed.contains("rt-1"),
            "{printed}"
        );
    }

    #[test]
    fn a_token_about_to_expire_is_not_fresh() {
        let login = login("one");
        let at = |time: &str| time.parse().expect("a time");
        assert!(login.is_fresh(at("2026-11-21T08:58:59Z")));
        assert!(!login.is_fresh(at("2026-11-21T08:59:00Z")));
    }

    #[test]
    fn a_short_token_is_fresh_for_most_of_its_lifetime() {
        let at = |time: &str| time.parse().expect("a time");
        let login = Login {
            issued_at: Some(at("2026-11-21T08:59:00Z")),
            ..login("one")
        };
        assert!(login.is_fresh(at("2026-11-21T08:59:47Z")));
        assert!(!login.is_fresh(at("2026-11-21T08:59:48Z")));
    }
}
