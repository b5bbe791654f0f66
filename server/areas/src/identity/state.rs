//! The state of identity in memory.

use std::ops::Deref;
use std::sync::Arc;

use tokio::sync::OnceCell;

use super::error::ServerError;
use super::keys::{
    CACHED_SECONDS, KeyError, KeyListing, NewKey, SigningKeys, has_key, newest, remove_others,
};
use super::metrics;
use super::passwords::Passwords;
use super::throttle::Attempts;
use super::time::CLOCK_SKEW;
use super::token_cache::TokenCache;
use crate::audit::{Actor, AuditContext};
use crate::kernel::Kernel;
use crate::store::Turn;

/// The area: a kernel, and its state in memory.
pub struct Identity {
    /// The signing keys.
    pub keys: Arc<SigningKeys>,
    /// The cache with which the other areas verify tokens.
    pub token_cache: TokenCache,
    /// The password hasher.
    pub passwords: Passwords,
    /// The turn of device requests, which conflict in the quota of their client.
    pub(super) device_requests: Turn,
    /// Password attempts in progress.
    pub attempts: Attempts,
    /// Locked while the demo's robot gets its key.
    pub(super) making_robot_key: tokio::sync::Mutex<()>,
    has_key: OnceCell<()>,
    kernel: Arc<Kernel>,
}

impl Identity {
    /// The area of a starting service.
    pub fn new(kernel: Arc<Kernel>) -> Identity {
        metrics::describe(&kernel);
        Identity {
            keys: Arc::new(SigningKeys::new(&kernel.server_keys)),
            token_cache: TokenCache::default(),
            passwords: Passwords::default(),
            device_requests: Turn::default(),
            attempts: Attempts::default(),
            making_robot_key: tokio::sync::Mutex::default(),
            has_key: OnceCell::new(),
            kernel,
        }
    }
}

impl Deref for Identity {
    type Target = Kernel;

    fn deref(&self) -> &Kernel {
        &self.kernel
    }
}

/// Ensures that there is a signing key. A new store has none. Generating one takes a while,
/// so it happens in the background, or at the first use.
///
/// # Errors
///
/// When the store or the cryptographic library fails.
pub async fn ensure_key(identity: &Identity) -> Result<(), ServerError> {
    let make = async {
        if identity.store.read(has_key).await? {
            return Ok(());
        }
        let key = generate().await?;
        let keys = Arc::clone(&identity.keys);
        let now = identity.clock.now().timestamp_millis();
        identity
            .store
            .write(move |tx| keys.add_first(tx, &key, now).map_err(ServerError::from))
            .await
    };
    identity.has_key.get_or_try_init(|| make).await.map(drop)
}

/// Creates a signing key. The service publishes it at once, and signs with it when every
/// cached JWK Set must contain it, or immediately if `at_once`. Without an `operator`, the
/// service rotates the key itself.
///
/// # Errors
///
/// When the store or the cryptographic library fails.
pub async fn rotate_key(
    identity: &Arc<Identity>,
    at_once: bool,
    operator: Option<&str>,
) -> Result<KeyListing, ServerError> {
    let start = match at_once {
        true => Start::AtOnce,
        false => Start::Cached,
    };
    rotate_if(identity, start, operator, |_| true).await
}

/// Creates a signing key that signs at once, and removes all others after a leak: every token under
/// them becomes invalid.
///
/// # Errors
///
/// When the store or the cryptographic library fails.
pub async fn replace_keys(
    identity: &Arc<Identity>,
    operator: Option<&str>,
) -> Result<KeyListing, ServerError> {
    rotate_if(identity, Start::Alone, operator, |_| true).await
}

/// When a new key begins to sign, and whether the other keys stay.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Start {
    /// When every cached JWK Set must contain it.
    Cached,
    /// At once.
    AtOnce,
    /// At once, and the other keys are removed.
    Alone,
}

impl Start {
    /// The time from which the key signs.
    fn time(self, now: i64) -> i64 {
        match self {
            Start::Cached => now + CACHED_SECONDS * 1000,
            Start::AtOnce => now,
            // A replica whose clock is behind has no other key to sign with.
            Start::Alone => now - CLOCK_SKEW,
        }
    }

    /// For the audit trail.
    fn detail(self) -> &'static str {
        match self {
            Start::Cached => "",
            Start::AtOnce => "signs at once",
            Start::Alone => "signs at once; the other keys are removed",
        }
    }
}

/// Rotates the key if `due` accepts the time from which the newest key signs. The transaction that
/// stores the new key calls `due`, because another replica may have been faster.
async fn rotate_if(
    identity: &Arc<Identity>,
    start: Start,
    operator: Option<&str>,
    due: impl Fn(i64) -> bool + Send + 'static,
) -> Result<KeyListing, ServerError> {
    ensure_key(identity).await?;
    let key = generate().await?;
    let keys = Arc::clone(&identity.keys);
    let now = identity.clock.now().timestamp_millis();
    let active_from = start.time(now);
    let context = Arc::clone(identity);
    let operator = operator.map(str::to_owned);
    let listing = KeyListing {
        key: key.public().clone(),
        created_at: now,
        active_from,
        expires_at: None,
    };
    identity
        .store
        .write(move |tx| {
            if !newest(tx)?.is_none_or(&due) {
                return Ok(());
            }
            keys.add(tx, &key, active_from, now)?;
            if start == Start::Alone {
                remove_others(tx, &key.public().kid)?;
            }
            let actor = operator.as_deref().map_or(Actor::Service, Actor::Operator);
            AuditContext::new(&context.server_keys, actor, "console", now)
                .record(
                    tx,
                    "identity.signing_key.rotated",
                    &key.public().kid,
                    start.detail(),
                )
                .map_err(ServerError::from)
        })
        .await?;
    identity.token_cache.refresh(identity).await?;
    Ok(listing)
}

/// Rotates keys by schedule: after a number of days in use, one of the replicas replaces the newest
/// key.
///
/// # Errors
///
/// When the store or the cryptographic library fails.
pub async fn rotate_when_due(identity: &Arc<Identity>) -> Result<(), ServerError> {
    let days = identity.config.identity.signing_key_days;
    let newest = identity.store.read(newest).await?;
    let now = identity.clock.now().timestamp_millis();
    let due = move |active_from: i64| days > 0 && now - active_from > days * 86_400_000;
    match newest {
        Some(active_from) if due(active_from) => rotate_if(identity, Start::Cached, None, due)
            .await
            .map(drop),
        _ => Ok(()),
    }
}

/// Generates a key pair on a thread that serves no requests.
pub(super) async fn generate() -> Result<NewKey, KeyError> {
    tokio::task::spawn_blocking(NewKey::generate)
        .await
        .unwrap_or(Err(KeyError::Crypto("no key pair could be made")))
}
