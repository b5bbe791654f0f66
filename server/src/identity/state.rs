//! What identity keeps in memory.

use std::sync::Arc;

use tokio::sync::OnceCell;

use super::error::ServerError;
use super::keys::{KeyError, KeyRing, NewKey, has_key};
use super::passwords::Passwords;
use crate::app::{App, Pepper};

/// The area's field of the context.
pub struct State {
    /// The signing keys.
    pub keys: Arc<KeyRing>,
    /// The password hasher.
    pub passwords: Passwords,
    has_key: OnceCell<()>,
}

impl State {
    /// The state of a service that starts.
    pub fn new(pepper: &Pepper) -> State {
        State {
            keys: Arc::new(KeyRing::new(pepper)),
            passwords: Passwords::default(),
            has_key: OnceCell::new(),
        }
    }
}

/// Makes sure that there is a key to sign with. A new store has none, and
/// making one takes a while, so it is done when one is needed first, or in the
/// background before.
///
/// # Errors
///
/// When the store or the cryptographic library fails.
pub async fn ensure_key(app: &App) -> Result<(), ServerError> {
    let make = async {
        if app.store.read(has_key).await? {
            return Ok(());
        }
        let key = tokio::task::spawn_blocking(NewKey::generate)
            .await
            .unwrap_or(Err(KeyError::Crypto("no key pair could be made")))?;
        let keys = Arc::clone(&app.identity.keys);
        let now = app.clock.now().timestamp_millis();
        app.store
            .write(move |tx| keys.add_first(tx, &key, now).map_err(ServerError::from))
            .await
    };
    app.identity
        .has_key
        .get_or_try_init(|| make)
        .await
        .map(drop)
}
