//! Logins in memory.

use super::{BoxError, LoginKey, LoginLock, LoginStore, lock::wait_until};
use crate::tokens::Login;
use std::{
    collections::BTreeMap,
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};
use tokio::sync::Mutex as TurnMutex;

/// A store in memory, which ends with the program. Clones share their logins: so several clients can have one login.
///
/// A client without another store has one of its own.
#[derive(Clone, Default)]
pub struct MemoryStore {
    logins: Arc<Mutex<BTreeMap<LoginKey, Login>>>,
    /// The lock of this mutex can move between threads.
    turn: Arc<TurnMutex<()>>,
}

impl MemoryStore {
    /// An empty store.
    pub fn new() -> Self {
        Self::default()
    }

    fn logins(&self) -> MutexGuard<'_, BTreeMap<LoginKey, Login>> {
        // Every change is complete before the lock ends.
        self.logins.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl LoginStore for MemoryStore {
    fn lock(&self) -> Result<LoginLock, BoxError> {
        let mut guard = None;
        wait_until(|| {
            guard = Arc::clone(&self.turn).try_lock_owned().ok();
            Ok(guard.is_some())
        })?;
        Ok(LoginLock::new(guard))
    }

    fn load(&self, key: &LoginKey) -> Result<Option<Login>, BoxError> {
        Ok(self.logins().get(key).cloned())
    }

    fn save(&self, key: &LoginKey, login: &Login) -> Result<(), BoxError> {
        self.logins().insert(key.clone(), login.clone());
        Ok(())
    }

    fn remove(&self, key: &LoginKey) -> Result<(), BoxError> {
        self.logins().remove(key);
        Ok(())
    }
}

impl fmt::Debug for MemoryStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MemoryStore")
            .field("keys", &self.logins().keys().collect::<Vec<_>>())
            .finish()
    }
}
