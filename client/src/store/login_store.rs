//! The trait of stores of logins.

use super::{key::LoginKey, lock::LoginLock};
use crate::tokens::Login;
use std::{error::Error, fmt};

pub use dropforge_client::BoxError;

/// A place that remembers logins, such as a file ([`TokenFile`](crate::TokenFile)), memory
/// ([`MemoryStore`](crate::MemoryStore)) or the keyring of the system (`KeyringStore`, with the feature `keyring`).
///
/// The methods may block: the client calls them on threads for blocking work. It calls [`LoginStore::save`] and
/// [`LoginStore::remove`] only while it holds the lock. So does a program that calls them itself.
///
/// A store in a database:
///
/// ```
/// use accord_client::{BoxError, Login, LoginKey, LoginLock, LoginStore};
/// # use accord_client::serde_json;
/// # struct Database;
/// # impl Database {
/// #     fn lock(&self) -> Result<(), BoxError> { Ok(()) }
/// #     fn select(&self, _profile: &str, _identity: &str) -> Result<Option<String>, BoxError> { Ok(None) }
/// #     fn upsert(&self, _profile: &str, _identity: &str, _text: String) -> Result<(), BoxError> { Ok(()) }
/// #     fn delete(&self, _profile: &str, _identity: &str) -> Result<(), BoxError> { Ok(()) }
/// # }
///
/// impl LoginStore for Database {
///     fn lock(&self) -> Result<LoginLock, BoxError> {
///         // The guard of the database releases its lock when it is dropped.
///         Ok(LoginLock::new(Database::lock(self)?))
///     }
///
///     fn load(&self, key: &LoginKey) -> Result<Option<Login>, BoxError> {
///         let text = self.select(&key.profile, &key.identity)?;
///         Ok(text.map(|text| serde_json::from_str(&text)).transpose()?)
///     }
///
///     fn save(&self, key: &LoginKey, login: &Login) -> Result<(), BoxError> {
///         self.upsert(&key.profile, &key.identity, serde_json::to_string(login)?)
///     }
///
///     fn remove(&self, key: &LoginKey) -> Result<(), BoxError> {
///         self.delete(&key.profile, &key.identity)
///     }
/// }
/// ```
pub trait LoginStore: Send + Sync + 'static {
    /// Waits until nobody else changes the store, and prevents changes by others until the result is dropped. The lock
    /// should work between all processes that share the store.
    ///
    /// # Errors
    ///
    /// When the lock does not become free, or cannot be created.
    fn lock(&self) -> Result<LoginLock, BoxError>;

    /// The login of this key; `None` if there is none.
    ///
    /// # Errors
    ///
    /// When the store cannot be read, or its content is not a login.
    fn load(&self, key: &LoginKey) -> Result<Option<Login>, BoxError>;

    /// Remembers a login in place of an earlier one of this key. The caller holds the lock.
    ///
    /// # Errors
    ///
    /// When the store cannot be changed. The earlier login should then remain.
    fn save(&self, key: &LoginKey, login: &Login) -> Result<(), BoxError>;

    /// Forgets the login of this key. The caller holds the lock. Nothing happens if there is no login.
    ///
    /// # Errors
    ///
    /// When the store cannot be changed.
    fn remove(&self, key: &LoginKey) -> Result<(), BoxError>;

    /// Makes sure that a login can be saved, before the user has to sign in. The caller holds the lock.
    ///
    /// # Errors
    ///
    /// When the store cannot be changed.
    fn check(&self) -> Result<(), BoxError> {
        Ok(())
    }
}

/// Why a login cannot be remembered, or found again: the error of the [`LoginStore`].
#[derive(Debug)]
pub struct LoginStoreError(BoxError);

impl fmt::Display for LoginStoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Error for LoginStoreError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.0.source()
    }
}

impl From<BoxError> for LoginStoreError {
    fn from(error: BoxError) -> Self {
        Self(error)
    }
}

impl LoginStoreError {
    /// The error of the store, such as a [`TokenFileError`](crate::TokenFileError).
    pub fn into_inner(self) -> BoxError {
        self.0
    }
}
