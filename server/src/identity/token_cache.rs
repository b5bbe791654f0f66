//! What a replica knows of tokens, so that the other areas verify them without
//! a look-up: the published keys, the tokens that were revoked before they
//! expired, and the clients that are disabled.
//!
//! What is known is good for [`LEASE`], a little less than the second in which a
//! revocation is promised to be honoured everywhere. Whoever needs it after that
//! waits until it has been read again, which is one number when nothing has
//! changed, for all who wait at once; when it cannot be read, no token is good.
//! Word of other replicas ([`Store::notices`]) makes the usual case faster, and
//! nothing depends on it. A change that this replica makes itself is read before
//! it is acknowledged.
//!
//! [`Store::notices`]: crate::store::Store::notices

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, Weak};
use std::time::{Duration, Instant};

use jsonwebtoken::DecodingKey;

use super::tokens::{self, Changes, Claims};
use super::{SKEW, keys};
use crate::identity::Identity;
use crate::kernel::shared::SharedAttempt;
use crate::store::{StoreError, Tx};

/// For how long it is good to know something.
pub const LEASE: Duration = Duration::from_millis(900);
/// For how long it is not worth asking again about a key that nobody has: junk
/// must not become load of the database.
const UNKNOWN_KEY: Duration = Duration::from_millis(50);

/// What is known.
#[derive(Default)]
pub struct TokenCache {
    state: RwLock<State>,
    /// One caller reads; all who wait meanwhile share its failure.
    reading: SharedAttempt<StoreError>,
}

#[derive(Default)]
struct State {
    /// When the reading began that they come from.
    read_at: Option<Instant>,
    /// The number of the last change they hold.
    number: i64,
    keys: HashMap<String, Key>,
    /// When the tokens would have expired.
    revoked: HashMap<String, i64>,
    disabled: HashSet<String>,
}

struct Key {
    verifier: Arc<DecodingKey>,
    expires_at: Option<i64>,
}

/// What has changed.
struct Update {
    changes: Changes,
    keys: HashMap<String, Key>,
    disabled: HashSet<String>,
}

impl TokenCache {
    /// Makes sure that what is known was read no longer ago than this.
    ///
    /// # Errors
    ///
    /// When the store fails.
    pub async fn follow(&self, identity: &Identity, age: Duration) -> Result<(), StoreError> {
        let now = Instant::now();
        let oldest = now.checked_sub(age).unwrap_or(now);
        let fresh = || {
            let read_at = self.state().read_at;
            read_at.is_some_and(|at| at >= oldest).then_some(())
        };
        match fresh() {
            Some(()) => Ok(()),
            None => self.reading.make(fresh, self.read(identity)).await,
        }
    }

    async fn read(&self, identity: &Identity) -> Result<(), StoreError> {
        let read_at = Instant::now();
        let since = {
            let state = self.state();
            state.read_at.map_or(-1, |_| state.number)
        };
        let now = identity.clock.now().timestamp_millis();
        let update = identity
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
                .retain(|_, expires_at| *expires_at > now - SKEW);
            let revoked = revoked.into_iter().map(|one| (one.jti, one.expires_at));
            state.revoked.extend(revoked);
        }
        Ok(())
    }

    /// The same, for whoever has been shown a key that is not known: another
    /// replica may have made it a moment ago.
    ///
    /// # Errors
    ///
    /// When the store fails.
    pub async fn refresh_for_key(&self, identity: &Identity, kid: &str) -> Result<(), StoreError> {
        if self.state().keys.contains_key(kid) {
            return Ok(());
        }
        self.follow(identity, UNKNOWN_KEY).await
    }

    /// A key that verifies tokens now.
    pub fn key(&self, kid: &str, now: i64) -> Option<Arc<DecodingKey>> {
        let state = self.state();
        let key = state.keys.get(kid)?;
        let good = key.expires_at.is_none_or(|expires_at| expires_at > now);
        good.then(|| Arc::clone(&key.verifier))
    }

    /// Whether a token with a good signature was revoked nevertheless.
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

/// Follows word of other replicas until the context is gone.
pub async fn run(identity: Weak<Identity>) {
    let notices = identity
        .upgrade()
        .and_then(|identity| identity.store.notices());
    let Some(mut notices) = notices else {
        // There are no other replicas, or no word of them.
        return;
    };
    while notices.changed().await.is_ok() {
        let Some(identity) = identity.upgrade() else {
            return;
        };
        if let Err(error) = identity.known.follow(&identity, Duration::ZERO).await {
            tracing::warn!(%error, "revocations cannot be followed");
        }
    }
}
