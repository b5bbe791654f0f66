//! A store that all clones of a client share.

use super::{login_store::LoginStore, memory::MemoryStore};
use std::{fmt, sync::Arc};

/// A store that prints nothing of its content.
#[derive(Clone)]
pub(crate) struct SharedStore(pub(crate) Arc<dyn LoginStore>);

impl fmt::Debug for SharedStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("LoginStore")
    }
}

impl Default for SharedStore {
    fn default() -> Self {
        Self(Arc::new(MemoryStore::default()))
    }
}
