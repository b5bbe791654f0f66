//! Stores of logins.
//!
//! A refresh token works once. Programs that share a login therefore take turns: each change of a store is made under
//! its lock, and a refresh holds the lock from reading the old token to writing the new one.

mod access;
mod content;
mod file;
mod file_error;
mod key;
#[cfg(feature = "keyring")]
mod keyring;
mod lock;
mod login_store;
mod memory;
mod private_file;
mod shared;

pub use file::TokenFile;
pub use file_error::TokenFileError;
pub use key::LoginKey;
pub(crate) use key::{DEFAULT_PROFILE, is_profile};
#[cfg(feature = "keyring")]
pub use keyring::KeyringStore;
pub use lock::LoginLock;
pub use login_store::{BoxError, LoginStore, LoginStoreError};
pub use memory::MemoryStore;
pub use private_file::PrivateFile;
pub(crate) use shared::SharedStore;
