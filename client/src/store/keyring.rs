//! Logins in the keyring of the system: feature `keyring`.

use super::{BoxError, LoginKey, LoginLock, LoginStore, file::TokenFile};
use crate::tokens::Login;
use keyring_core::{CredentialStore, Entry, Error};
use std::{fmt, path::PathBuf, sync::Arc};

/// The keyring of the system, or another store of the crate [`keyring_core`].
///
/// A crate for each system has its store, such as `zbus-secret-service-keyring-store`, `apple-native-keyring-store` and
/// `windows-native-keyring-store`. The program chooses one:
///
/// ```
/// # mod zbus_secret_service_keyring_store { pub use accord_client::keyring_core::mock::Store; }
/// use accord_client::{Accord, KeyringStore};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let keyring = zbus_secret_service_keyring_store::Store::new()?;
/// let accord = Accord::builder().login_store(KeyringStore::new("my-program", keyring)).build()?;
/// # Ok(())
/// # }
/// ```
///
/// Each login is an entry of its own: its user is the profile and the address of the identity service. A keyring has no
/// lock, so all programs of the user share one of a file.
///
/// Some keyrings limit the size of an entry, such as that of Windows. If a login is larger, it lasts as long as the client,
/// and [`PendingLogin::wait`](crate::PendingLogin::wait) says so.
#[derive(Clone)]
pub struct KeyringStore {
    service: String,
    store: Arc<CredentialStore>,
    lock_file: Option<PathBuf>,
}

impl KeyringStore {
    /// Logins in this keyring, in entries of this service: the name of the program.
    pub fn new(service: impl Into<String>, keyring: Arc<CredentialStore>) -> Self {
        Self {
            service: service.into(),
            store: keyring,
            lock_file: None,
        }
    }

    /// The file that is locked, whose directory must exist. By default, it is beside the file of the command `accord`
    /// ([`TokenFile::of_user`]).
    #[must_use]
    pub fn lock_file(mut self, path: impl Into<PathBuf>) -> Self {
        self.lock_file = Some(path.into());
        self
    }

    fn entry(&self, user: &str) -> Result<Entry, BoxError> {
        Entry::new_in_store(&self.store, &self.service, user).map_err(failed)
    }

    fn entry_of(&self, key: &LoginKey) -> Result<Entry, BoxError> {
        self.entry(&format!("{} {}", key.profile, key.identity))
    }
}

impl LoginStore for KeyringStore {
    fn lock(&self) -> Result<LoginLock, BoxError> {
        match &self.lock_file {
            Some(path) => Ok(LoginLock::of_file(path)?),
            None => TokenFile::of_user()?.lock(),
        }
    }

    fn load(&self, key: &LoginKey) -> Result<Option<Login>, BoxError> {
        match self.entry_of(key)?.get_secret() {
            Ok(login) => serde_json::from_slice(&login)
                .map_err(|_| invalid())
                .map(Some),
            Err(Error::NoEntry) => Ok(None),
            Err(error) => Err(failed(error)),
        }
    }

    fn save(&self, key: &LoginKey, login: &Login) -> Result<(), BoxError> {
        let login = serde_json::to_vec(login)?;
        self.entry_of(key)?.set_secret(&login).map_err(failed)
    }

    fn remove(&self, key: &LoginKey) -> Result<(), BoxError> {
        match self.entry_of(key)?.delete_credential() {
            Ok(()) | Err(Error::NoEntry) => Ok(()),
            Err(error) => Err(failed(error)),
        }
    }

    /// Writes an entry, and removes it. So the user is asked to unlock the keyring before the login.
    fn check(&self) -> Result<(), BoxError> {
        let entry = self.entry("check")?;
        let written = entry.set_secret(b"check");
        written
            .and_then(|()| entry.delete_credential())
            .map_err(failed)
    }
}

/// An error of the keyring. Those that have the content of an entry are replaced.
fn failed(error: Error) -> BoxError {
    match error {
        Error::BadEncoding(_) | Error::BadDataFormat(..) | Error::Ambiguous(_) => invalid(),
        error => error.into(),
    }
}

fn invalid() -> BoxError {
    "the entry of the keyring has no valid login; remove it and log in again".into()
}

/// A keyring may print its content.
impl fmt::Debug for KeyringStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KeyringStore")
            .field("service", &self.service)
            .field("lock_file", &self.lock_file)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use keyring_core::mock;
    use secrecy::ExposeSecret;

    fn login(access_token: &str) -> Login {
        let expires_at = "2026-11-21T09:00:00Z".parse().expect("a time");
        let identity = "https://id.example";
        Login::new(
            identity,
            "accord-cli",
            "accounts.read",
            access_token,
            expires_at,
        )
        .refresh_token("rt-1")
    }

    fn token(store: &KeyringStore, key: &LoginKey) -> Option<String> {
        let login = store.load(key).expect("it can be read");
        login.map(|login| login.access_token.expose_secret().to_owned())
    }

    #[test]
    fn each_login_is_an_entry_of_its_own() {
        let folder = tempfile::tempdir().expect("a directory");
        let keyring = mock::Store::new().expect("it is in memory");
        let store = KeyringStore::new("test", keyring).lock_file(folder.path().join("lock"));
        let own = LoginKey::new("https://id.example");
        let ops = own.clone().profile("ops");
        {
            let _lock = store.lock().expect("it is free");
            store.check().expect("it can be written");
            for (key, text) in [(&own, "a-1"), (&own, "a-2"), (&ops, "b-1")] {
                store.save(key, &login(text)).expect("it can be written");
            }
            assert_eq!(token(&store, &own).as_deref(), Some("a-2"));
            assert_eq!(token(&store, &ops).as_deref(), Some("b-1"));
            for _ in 0..2 {
                store.remove(&own).expect("it can be forgotten");
            }
        }
        assert!(folder.path().join("lock").exists());
        assert_eq!(token(&store, &own), None);
        assert_eq!(token(&store, &ops).as_deref(), Some("b-1"));
        assert!(!format!("{store:?}").contains("b-1"));
    }

    #[test]
    fn an_entry_without_a_login_is_not_printed() {
        let keyring = mock::Store::new().expect("it is in memory");
        let store = KeyringStore::new("test", keyring);
        let key = LoginKey::new("https://id.example");
        let entry = store.entry_of(&key).expect("an entry");
        for content in [&b"\"very-secret\""[..], b"very-secret", b"\xffvery-secret"] {
            entry.set_secret(content).expect("it is in memory");
            let error = store.load(&key).expect_err("no login");
            let printed = format!("{error} {error:?}");
            assert!(printed.contains("log in again"), "{printed}");
            assert!(!printed.contains("secret"), "{printed}");
        }
    }
}
