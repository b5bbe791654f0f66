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
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};
use std::time::{Duration, Instant};

use jsonwebtoken::DecodingKey;

use super::tokens::{self, Changes, Claims};
use super::{SKEW, keys};
use crate::kernel::Kernel;
use crate::kernel::shared::SharedAttempt;
use crate::store::{StoreError, Tx};

/// For how long it is good to know something.
pub const LEASE: Duration = Duration::from_millis(900);
/// For how long it is not worth asking again about a key that nobody has: junk
/// must not become load of the database.
const UNKNOWN_KEY: Duration = Duration::from_millis(50);

/// What is known.
#[derive(Default)]
pub struct Known {
    facts: RwLock<Facts>,
    /// One caller reads; all who wait meanwhile share its failure.
    reading: SharedAttempt<StoreError>,
}

#[derive(Default)]
struct Facts {
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
struct News {
    changes: Changes,
    keys: HashMap<String, Key>,
    disabled: HashSet<String>,
}

impl Known {
    /// Makes sure that what is known was read no longer ago than this.
    ///
    /// # Errors
    ///
    /// When the store fails.
    pub async fn follow(&self, kernel: &Kernel, age: Duration) -> Result<(), StoreError> {
        let now = Instant::now();
        let oldest = now.checked_sub(age).unwrap_or(now);
        let fresh = || {
            let read_at = self.facts().read_at;
            read_at.is_some_and(|at| at >= oldest).then_some(())
        };
        match fresh() {
            Some(()) => Ok(()),
            None => self.reading.make(fresh, self.read(kernel)).await,
        }
    }

    async fn read(&self, kernel: &Kernel) -> Result<(), StoreError> {
        let read_at = Instant::now();
        let since = {
            let facts = self.facts();
            facts.read_at.map_or(-1, |_| facts.number)
        };
        let now = kernel.clock.now().timestamp_millis();
        let news = kernel
            .store
            .read(move |tx| News::since(tx, since, now))
            .await?;
        let mut facts = self.facts.write().unwrap_or_else(PoisonError::into_inner);
        facts.read_at = Some(read_at);
        if let Some(News {
            changes: Changes { number, revoked },
            keys,
            disabled,
        }) = news
        {
            facts.number = number;
            facts.keys = keys;
            facts.disabled = disabled;
            facts
                .revoked
                .retain(|_, expires_at| *expires_at > now - SKEW);
            let revoked = revoked.into_iter().map(|one| (one.jti, one.expires_at));
            facts.revoked.extend(revoked);
        }
        Ok(())
    }

    /// The same, for whoever has been shown a key that is not known: another
    /// replica may have made it a moment ago.
    ///
    /// # Errors
    ///
    /// When the store fails.
    pub async fn look_for(&self, kernel: &Kernel, kid: &str) -> Result<(), StoreError> {
        if self.facts().keys.contains_key(kid) {
            return Ok(());
        }
        self.follow(kernel, UNKNOWN_KEY).await
    }

    /// A key that verifies tokens now.
    pub fn key(&self, kid: &str, now: i64) -> Option<Arc<DecodingKey>> {
        let facts = self.facts();
        let key = facts.keys.get(kid)?;
        let good = key.expires_at.is_none_or(|expires_at| expires_at > now);
        good.then(|| Arc::clone(&key.verifier))
    }

    /// Whether a token with a good signature was revoked nevertheless.
    pub fn is_revoked(&self, claims: &Claims) -> bool {
        let facts = self.facts();
        facts.revoked.contains_key(&claims.jti) || facts.disabled.contains(&claims.client_id)
    }

    fn facts(&self) -> RwLockReadGuard<'_, Facts> {
        self.facts.read().unwrap_or_else(PoisonError::into_inner)
    }
}

impl News {
    fn since(tx: &mut Tx<'_>, since: i64, now: i64) -> Result<Option<News>, StoreError> {
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
        Ok(Some(News {
            changes,
            keys: keys.collect(),
            disabled,
        }))
    }
}
