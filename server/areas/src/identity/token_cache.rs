//! The cache with which a replica verifies access tokens without a query for each: the
//! published keys, the revoked tokens that have not expired, and the disabled clients.
//!
//! The cache is valid for [`LEASE`], a little less than the second within which every
//! replica applies a revocation. A caller that needs it later waits for one read, which all
//! waiting callers share; it reads one number if nothing has changed. If the read fails, no
//! token is valid. Notices of other replicas ([`Store::notices`]) make the usual case
//! faster, and nothing depends on them. A replica reads its own changes before it
//! acknowledges them.
//!
//! [`Store::notices`]: crate::store::Store::notices

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};
use std::time::{Duration, Instant};

use jsonwebtoken::DecodingKey;

use super::tokens::{self, Changes, Claims};
use super::{CLOCK_SKEW, keys};
use crate::kernel::Kernel;
use crate::kernel::shared::SharedAttempt;
use crate::store::{StoreError, Tx};

/// The time for which the cache is valid after a read.
pub const LEASE: Duration = Duration::from_millis(900);
/// The time for which an unknown key is not read again: tokens with invented keys must not cause
/// queries.
const UNKNOWN_KEY: Duration = Duration::from_millis(50);

/// The cache.
#[derive(Default)]
pub struct TokenCache {
    state: RwLock<State>,
    /// One caller reads; all who wait meanwhile share its failure.
    reading: SharedAttempt<StoreError>,
}

#[derive(Default)]
struct State {
    /// The start of the last read.
    read_at: Option<Instant>,
    /// The number of the last change in the cache.
    number: i64,
    keys: HashMap<String, Key>,
    /// Revoked tokens by `jti`, with their expiry.
    revoked: HashMap<String, i64>,
    disabled: HashSet<String>,
}

struct Key {
    verifier: Arc<DecodingKey>,
    expires_at: Option<i64>,
}

/// The changes since the last read.
struct Update {
    changes: Changes,
    keys: HashMap<String, Key>,
    disabled: HashSet<String>,
}

impl TokenCache {
    /// Reads the cache again if it is older than `age`.
    pub async fn follow(&self, kernel: &Kernel, age: Duration) -> Result<(), StoreError> {
        let now = Instant::now();
        let oldest = now.checked_sub(age).unwrap_or(now);
        let fresh = || {
            let read_at = self.state().read_at;
            read_at.is_some_and(|at| at >= oldest).then_some(())
        };
        match fresh() {
            Some(()) => Ok(()),
            None => self.reading.make(fresh, self.read(kernel)).await,
        }
    }

    /// Reads the cache again, so that a change by this replica holds before it is acknowledged.
    pub async fn refresh(&self, kernel: &Kernel) -> Result<(), StoreError> {
        self.follow(kernel, Duration::ZERO).await
    }

    async fn read(&self, kernel: &Kernel) -> Result<(), StoreError> {
        let read_at = Instant::now();
        let since = {
            let state = self.state();
            state.read_at.map_or(-1, |_| state.number)
        };
        let now = kernel.clock.now().timestamp_millis();
        let update = kernel
            .store
            .read(move |tx| Update::since(tx, since, now))
            .await?;
        let mut state = self.state.write().unwrap_or_else(PoisonError::into_inner);
        state.read_at = Some(read_at);
        if let Some(Update {
            changes: Changes { number, revoked },
            keys,
            disabled,
        }) = update
        {
            state.number = number;
            state.keys = keys;
            state.disabled = disabled;
            state
                .revoked
                .retain(|_, expires_at| *expires_at > now - CLOCK_SKEW);
            state.revoked.extend(revoked);
        }
        Ok(())
    }

    /// Reads the cache again if it does not have the key `kid`: another replica may have
    /// created it a moment ago.
    pub async fn refresh_for_key(&self, kernel: &Kernel, kid: &str) -> Result<(), StoreError> {
        if self.state().keys.contains_key(kid) {
            return Ok(());
        }
        self.follow(kernel, UNKNOWN_KEY).await
    }

    /// A key that verifies tokens now.
    pub fn key(&self, kid: &str, now: i64) -> Option<Arc<DecodingKey>> {
        let state = self.state();
        let key = state.keys.get(kid)?;
        let good = key.expires_at.is_none_or(|expires_at| expires_at > now);
        good.then(|| Arc::clone(&key.verifier))
    }

    /// Whether a token with a valid signature was revoked, or its client disabled.
    pub fn is_revoked(&self, claims: &Claims) -> bool {
        let state = self.state();
        state.revoked.contains_key(&claims.jti) || state.disabled.contains(&claims.client_id)
    }

    fn state(&self) -> RwLockReadGuard<'_, State> {
        self.state.read().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Update {
    fn since(tx: &mut Tx<'_>, since: i64, now: i64) -> Result<Option<Update>, StoreError> {
        let Some(changes) = tokens::changes(tx, since)? else {
            return Ok(None);
        };
        let keys = keys::published(tx, now)?.into_iter().filter_map(|listing| {
            let key = Key {
                verifier: listing.key.verifier()?,
                expires_at: listing.expires_at,
            };
            Some((listing.key.kid, key))
        });
        let rows = tx.query("SELECT id FROM oauth_clients WHERE disabled = 1", &[])?;
        let disabled = rows
            .iter()
            .map(|row| row.get(0))
            .collect::<Result<_, _>>()?;
        Ok(Some(Update {
            changes,
            keys: keys.collect(),
            disabled,
        }))
    }
}
