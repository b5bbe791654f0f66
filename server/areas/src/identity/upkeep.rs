//! The background tasks of identity: creates keys before they are needed, and deletes expired rows.

use std::sync::{Arc, Weak};
use std::time::Duration;

use super::state::{ensure_key, rotate_when_due};
use super::{assertions, demo, grants, passkeys, quota, sessions, throttle, tokens};
use crate::identity::Identity;
use crate::kernel::expiry;
use crate::kernel::upkeep::{self, IDENTITY_EXPIRY};
use crate::store::{StoreError, Tx};

/// The interval at which expired rows are deleted.
const SWEEP: Duration = Duration::from_secs(60);

/// Runs until dropped. Nothing depends on it: a missing key is created on demand, and an expired
/// row counts as deleted.
pub async fn upkeep(identity: Arc<Identity>) {
    let notices = follow(Arc::downgrade(&identity));
    tokio::join!(notices, work(identity));
}

/// Reads the cache at each notice of another replica, until the context is dropped.
async fn follow(identity: Weak<Identity>) {
    let notices = identity
        .upgrade()
        .and_then(|identity| identity.store.notices());
    let Some(mut notices) = notices else {
        // There are no other replicas, or the database sends no notices.
        return;
    };
    while notices.changed().await.is_ok() {
        let Some(identity) = identity.upgrade() else {
            return;
        };
        if let Err(error) = identity.token_cache.refresh(&identity).await {
            tracing::warn!(%error, "revocations cannot be read");
        }
    }
}

async fn work(identity: Arc<Identity>) {
    if let Err(error) = ensure_key(&identity).await {
        tracing::error!(%error, "there is no signing key");
    }
    if let Err(error) = demo::make_robot_key(&identity).await {
        tracing::error!(%error, "the demo's robot has no key");
    }
    let mut ticks = tokio::time::interval(SWEEP);
    loop {
        ticks.tick().await;
        if let Err(error) = rotate_when_due(&identity).await {
            tracing::warn!(%error, "the signing key could not be rotated");
        }
        let swept = upkeep::measure(&identity.metrics, IDENTITY_EXPIRY, sweep(&identity));
        if let Err(error) = swept.await {
            tracing::warn!(%error, "expired rows could not be removed");
        }
    }
}

type Sweep = fn(&mut Tx<'_>, i64) -> Result<u64, StoreError>;

/// Each deletes a batch of expired rows of one kind.
const SWEEPS: [Sweep; 8] = [
    grants::sweep,
    quota::sweep,
    tokens::sweep_access_tokens,
    tokens::sweep_refresh_tokens,
    tokens::sweep_revocations,
    assertions::sweep,
    sessions::sweep,
    passkeys::sweep,
];

/// Deletes the expired rows, and returns their number.
pub async fn sweep(identity: &Identity) -> Result<u64, StoreError> {
    let now = identity.clock.now().timestamp_millis();
    let config = Arc::clone(&identity.config);
    let mut deleted = 0;
    for sweep in SWEEPS {
        deleted += expiry::in_batches(identity, IDENTITY_EXPIRY, move |tx| sweep(tx, now)).await?;
    }
    let sweep = move |tx: &mut Tx<'_>| throttle::sweep(tx, &config.identity, now);
    deleted += expiry::in_batches(identity, IDENTITY_EXPIRY, sweep).await?;
    Ok(deleted)
}
