//! The file that remembers a login.
//!
//! Its content lets its holder act as the user, so it is the owner's alone, and it is replaced as a whole: a crash
//! leaves the old login or the new one. Programs that share it take turns at a lock beside it, because a refresh token
//! is good once.

use chrono::{DateTime, TimeDelta, Utc};
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Serialize, Serializer};
use std::{
    fs::{self, File, OpenOptions},
    io::{self, Write},
    path::{Path, PathBuf},
};
use thiserror::Error;

/// A login: tokens, and what they are good for.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Login {
    /// Address of the identity service that gave the tokens.
    pub identity: String,
    /// The OAuth client that the user has approved.
    pub client_id: String,
    /// The scopes that were granted.
    pub scope: String,
    /// The access token.
    #[serde(serialize_with = "expose")]
    pub access_token: SecretString,
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
    /// Whether the access token is good for the next moments.
    pub fn is_fresh(&self, now: DateTime<Utc>) -> bool {
        self.expires_at - now > TimeDelta::seconds(60)
    }
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
pub enum TokenFileError {
    /// There is no place for it.
    #[error("no home directory is known; say where the login is to be remembered")]
    NoHome,
    /// The file system refuses.
    #[error("the login in {path}: {source}")]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// It is no login.
    #[error("{path} holds no login ({source}); remove it and log in again")]
    Content {
        /// The file.
        path: PathBuf,
        /// Why.
        source: serde_json::Error,
    },
}

/// Where a login is remembered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokenFile {
    path: PathBuf,
}

impl TokenFile {
    /// This file.
    pub fn at(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into() }
    }

    /// `accord/login.json` in the user's directory for state (`XDG_STATE_HOME`, else `~/.local/state`).
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

    /// The login; none if nobody has logged in.
    ///
    /// # Errors
    ///
    /// When the file is there and cannot be read.
    pub fn read(&self) -> Result<Option<Login>, TokenFileError> {
        let text = match fs::read(&self.path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(self.file(error)),
        };
        let login = serde_json::from_slice(&text);
        login.map(Some).map_err(|source| TokenFileError::Content {
            path: self.path.clone(),
            source,
        })
    }

    /// Remembers a login in place of the one that is there.
    ///
    /// # Errors
    ///
    /// When the file cannot be written; the login that is there is then unchanged.
    pub fn write(&self, login: &Login) -> Result<(), TokenFileError> {
        self.replace(login).map_err(|error| self.file(error))
    }

    fn replace(&self, login: &Login) -> io::Result<()> {
        let folder = self.folder()?;
        // In the same directory, so that it can be renamed; of a name that no other process has.
        let temporary = folder.join(format!(".login-{}.tmp", uuid::Uuid::new_v4()));
        let text = serde_json::to_string_pretty(login)?;
        let written = owner_only(OpenOptions::new().write(true).create_new(true))
            .open(&temporary)
            .and_then(|mut file| {
                file.write_all(text.as_bytes())?;
                file.sync_all()
            });
        let replaced = written.and_then(|()| fs::rename(&temporary, &self.path));
        if replaced.is_err() {
            // It may not be there; the first failure is the one to tell.
            let _ = fs::remove_file(&temporary);
        }
        replaced
    }

    /// Forgets the login.
    ///
    /// # Errors
    ///
    /// When there is one that cannot be removed.
    pub fn remove(&self) -> Result<(), TokenFileError> {
        match fs::remove_file(&self.path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(self.file(error)),
            _ => Ok(()),
        }
    }

    /// Waits until no other program changes the login. The lock ends when what is answered is dropped.
    pub(crate) fn lock(&self) -> Result<File, TokenFileError> {
        let lock = || {
            let path = self.folder()?.join(".login.lock");
            let file = owner_only(OpenOptions::new().write(true).create(true).truncate(false))
                .open(path)?;
            file.lock()?;
            Ok(file)
        };
        lock().map_err(|error| self.file(error))
    }

    /// The directory, made for the owner alone if it is not there.
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
            expires_at: "2026-11-21T09:00:00Z".parse().expect("a time"),
            refresh_token: Some("rt-1".into()),
        }
    }

    #[test]
    fn a_login_is_remembered_for_its_owner_alone() {
        let folder = tempfile::tempdir().expect("a directory");
        let file = TokenFile::at(folder.path().join("deep/login.json"));
        assert!(file.read().expect("no file is no error").is_none());
        file.write(&login("one")).expect("it can be written");
        file.write(&login("two")).expect("it can be replaced");
        let read = file.read().expect("it can be read").expect("a login");
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
        // Nothing is left beside it.
        assert_eq!(
            fs::read_dir(folder.path().join("deep"))
                .expect("a directory")
                .count(),
            1
        );
        file.remove().expect("it can be forgotten");
        file.remove().expect("and forgotten again");
        assert!(file.read().expect("no file is no error").is_none());
    }

    #[test]
    fn what_is_no_login_says_what_to_do() {
        let folder = tempfile::tempdir().expect("a directory");
        let file = TokenFile::at(folder.path().join("login.json"));
        fs::write(file.path(), "{").expect("it can be written");
        let error = file.read().expect_err("no login").to_string();
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
        assert!(login.is_fresh("2026-11-21T08:58:59Z".parse().expect("a time")));
        assert!(!login.is_fresh("2026-11-21T08:59:00Z".parse().expect("a time")));
    }
}
