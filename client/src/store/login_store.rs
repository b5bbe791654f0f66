//! The trait of stores of logins.

use super::{key::LoginKey, lock::LoginLock};
use crate::tokens::Login;
use std::{error::Error, fmt};

pub use dropforge_client::BoxError;

/// A place that remembers logins, such as a file ([`TokenFile`](crate::TokenFile)), memory ([`MemoryStore`](crate::MemoryStore)) or the keyring of the system.
///
/// The methods may block: the client calls them on threads for blocking work. It calls [`LoginStore::save`] and
/// [`LoginStore::remove`] only while it holds the lock. So does a program that calls them itself.
///
/// A store in the keyring of the system, by the crate `keyring`:
///
/// ```
/// # // The parts of the crate `keyring` that the example uses.
/// # mod keyring {
/// #     #[derive(Debug)]
/// #     pub enum Error { NoEntry }
/// #     impl std::fmt::Display for Error {
/// #         fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result { f.write_str("no entry") }
/// #     }
/// #     impl std::error::Error for Error {}
/// #     pub type Result<T> = std::result::Result<T, Error>;
/// #     pub struct Entry;
/// #     impl Entry {
/// #         pub fn new(_service: &str, _user: &str) -> Result<Self> { Ok(Self) }
/// #         pub fn get_password(&self) -> Result<String> { Err(Error::NoEntry) }
/// #         pub fn set_password(&self, _password: &str) -> Result<()> { Ok(()) }
/// #         pub fn delete_credential(&self) -> Result<()> { Ok(()) }
/// #     }
/// # }
/// use accord_client::{BoxError, Login, LoginKey, LoginLock, LoginStore};
///
/// struct Keyring;
///
/// fn entry(key: &LoginKey) -> keyring::Result<keyring::Entry> {
///     keyring::Entry::new("my-program", &format!("{} {}", key.profile, key.identity))
/// }
///
/// impl LoginStore for Keyring {
///     fn lock(&self) -> Result<LoginLock, BoxError> {
///         // A keyring has no lock, so programs share one of a file.
///         Ok(LoginLock::of_file(std::env::temp_dir().join("my-program.lock"))?)
///     }
///
///     fn load(&self, key: &LoginKey) -> Result<Option<Login>, BoxError> {
///         match entry(key)?.get_password() {
///             Ok(text) => Ok(Some(serde_json::from_str(&text)?)),
///             Err(keyring::Error::NoEntry) => Ok(None),
///             # #[allow(unreachable_patterns)]
///             Err(error) => Err(error.into()),
///         }
///     }
///
///     fn save(&self, key: &LoginKey, login: &Login) -> Result<(), BoxError> {
///         Ok(entry(key)?.set_password(&serde_json::to_string(login)?)?)
///     }
///
///     fn remove(&self, key: &LoginKey) -> Result<(), BoxError> {
///         Ok(entry(key)?.delete_credential()?)
///     }
/// }
///
/// let accord = accord_client::Accord::builder().login_store(Keyring).build()?;
/// # Ok::<(), accord_client::BuildError>(())
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
