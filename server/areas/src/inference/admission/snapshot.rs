//! All secrets and policies of the served regions, at one moment.

use std::sync::Arc;

use foldhash::HashMap;

use super::changes::Changes;
use super::credential::{self, Credential};
use super::credentials::Credentials;
use super::decisions::Decisions;
use super::limits::Limits;
use super::meter::Meter;
use super::names::Names;
use super::policies::Policies;
use crate::inference::keys::KeyError;
use crate::inference::operator;
use crate::inference::settings::Settings;
use crate::kernel::{Kernel, keyring};
use crate::params;
use crate::store::{Row, StoreError, Tx};

/// The number of keys whose secrets one statement reads.
const PAGE: i64 = 5_000;
/// The number of changed keys that are read in one round trip.
const CHANGED_AT_ONCE: usize = 500;
/// The statement that finds the keys whose changes exceed `$1`.
pub const CHANGED_KEYS: &str = "SELECT id FROM inference_keys WHERE changed > $1";

/// The condition of keys that are not deleted.
const LIVE: &str = "k.deleted_at IS NULL";
/// The same in a form that no index has. Otherwise PostgreSQL without statistics goes through the
/// index of all such keys for each range of keys.
const LIVE_IN_RANGE: &str = "COALESCE(k.deleted_at, 0) = 0";

/// The state of the database.
#[derive(Debug)]
pub struct Snapshot {
    /// The secrets of all keys.
    pub credentials: Credentials,
    /// The policies.
    pub policies: Arc<Policies>,
    /// The database's counts of changes.
    pub changes: Changes,
    /// The replica's own count of changes.
    pub generation: u64,
    /// The number of the catalog of models that it was read for.
    pub catalog: u64,
}

/// The data that one transaction has read for a snapshot.
#[derive(Debug)]
pub struct Reading {
    /// The snapshot that the data changes. `None` if the transaction has read everything.
    before: Option<Arc<Snapshot>>,
    /// The secrets of each key that was read, none of a deleted one.
    keys: HashMap<Arc<str>, Vec<Credential>>,
    policies: Arc<Policies>,
    changes: Changes,
    generation: u64,
    catalog: u64,
}

impl Reading {
    /// Reads the secrets of these regions, and policies, in one transaction. If only single keys
    /// have changed since the snapshot `before`, it reads those keys. The settings have the models
    /// for the cache of decisions, and the limits of keys without their own. `generation` is the
    /// replica's own count of changes before the transaction.
    ///
    /// # Errors
    ///
    /// When the store fails.
    pub async fn load(
        kernel: &Kernel,
        regions: Vec<String>,
        settings: &Settings,
        before: Option<Arc<Snapshot>>,
        generation: u64,
    ) -> Result<Reading, KeyError> {
        let defaults = Limits::configured(&settings.config);
        let (catalog, models) = (settings.models.number(), settings.models.iter().count());
        let before = before.filter(|before| before.catalog == catalog);
        let read = move |tx: &mut Tx<'_>| {
            let changes = Changes::read(tx)?;
            let since = before
                .as_ref()
                .and_then(|before| changes.keys_since(before.changes));
            let before = before.as_ref().filter(|_| since.is_some());
            let changed = since.map(|since| changed_keys(tx, since)).transpose()?;
            // Deleted keys among them have no secrets.
            let ids = changed.iter().flatten().cloned();
            let mut keys: HashMap<Arc<str>, Vec<Credential>> =
                ids.map(|id| (id, Vec::new())).collect();
            read_credentials(tx, &regions, defaults, changed, |mut credential| {
                credential.decisions = Decisions::of(catalog, models);
                let secrets = keys.entry(Arc::clone(&credential.key_id)).or_default();
                secrets.push(credential);
            })?;
            Ok(Reading {
                keys,
                policies: match before {
                    None => Arc::new(read_policies(tx)?),
                    Some(before) => Arc::clone(&before.policies),
                },
                before: before.cloned(),
                changes,
                generation,
                catalog,
            })
        };
        kernel.store.read(read).await
    }

    /// The snapshot with this data. Meters and times of last use are those of the `current`
    /// snapshot, and `new_meter` makes the meter of a key that it does not have.
    pub fn into_snapshot(
        self,
        current: Option<&Snapshot>,
        new_meter: impl Fn(&str) -> Meter,
    ) -> Snapshot {
        let mut credentials = self.before.map_or_else(Credentials::default, |before| {
            // This shares all that does not change.
            before.credentials.clone()
        });
        for (key_id, mut secrets) in self.keys {
            let known = current.map_or(&[][..], |current| current.credentials.of_key(&key_id));
            let meter = match known.first() {
                Some(known) => Arc::clone(&known.meter),
                None => Arc::new(new_meter(&key_id)),
            };
            for secret in &mut secrets {
                secret.meter = Arc::clone(&meter);
                let known = known
                    .iter()
                    .find(|known| known.public_id == secret.public_id);
                if let Some(known) = known {
                    secret.last_use = Arc::clone(&known.last_use);
                }
            }
            credentials.replace(&key_id, secrets);
        }
        Snapshot {
            credentials,
            policies: self.policies,
            changes: self.changes,
            generation: self.generation,
            catalog: self.catalog,
        }
    }
}

impl Snapshot {
    /// The database's counts of changes.
    pub async fn changes(kernel: &Kernel) -> Result<Changes, KeyError> {
        kernel.store.read_one(Changes::read).await
    }
}

/// The keys that changed, also the deleted ones.
fn changed_keys(tx: &mut Tx<'_>, since: i64) -> Result<Vec<Arc<str>>, StoreError> {
    let rows = tx.query(CHANGED_KEYS, params![since])?;
    let ids = rows.iter().map(|row| Ok(row.get::<String>(0)?.into()));
    ids.collect()
}

/// Reads the secrets of the keys in these regions, or of the `changed` ones. All secrets are read in
/// pages of keys, so that their rows are never in memory together.
fn read_credentials(
    tx: &mut Tx<'_>,
    regions: &[String],
    defaults: Limits,
    changed: Option<Vec<Arc<str>>>,
    mut found: impl FnMut(Credential),
) -> Result<(), KeyError> {
    let mut retired = keyring::promoted(tx)?;
    retired.retain(|key| key.retired_at.is_some());
    let mut names = Names::default();
    let mut read = |rows: &[Row]| -> Result<(), KeyError> {
        for row in rows {
            let credential = Credential::read(row, defaults, &mut names)?;
            let key = credential.server_key();
            let is_retired = retired.iter().any(|retired| Some(retired.name) == key);
            if !is_retired && regions.iter().any(|region| **region == *credential.region) {
                found(credential);
            }
        }
        Ok(())
    };
    if let Some(changed) = changed {
        // A join with the changed keys would read all secrets: PostgreSQL plans a statement before
        // it knows how few they are.
        let of_key = secrets_of_key();
        for page in changed.chunks(CHANGED_AT_ONCE) {
            let query = |id: &Arc<str>| (of_key.as_str(), params![&**id].to_vec());
            let queries: Vec<_> = page.iter().map(query).collect();
            for rows in tx.query_each(&queries)? {
                read(&rows)?;
            }
        }
        return Ok(());
    }
    // Each page is a range in both tables. A limit in its place would let a database without
    // statistics join all secrets for each page.
    let last_of_page = "SELECT MAX(id) FROM \
        (SELECT id FROM inference_keys WHERE id > $1 ORDER BY id LIMIT $2) page";
    let page = secrets(LIVE_IN_RANGE)
        + " AND k.id > $1 AND k.id <= $2 AND s.key_id > $1 AND s.key_id <= $2 \
           ORDER BY s.key_id, s.position";
    let mut after = String::new();
    loop {
        let row = tx.query_opt(last_of_page, params![&after, PAGE])?;
        let last: Option<String> = row.map_or(Ok(None), |row| row.get(0))?;
        let Some(last) = last else {
            return Ok(());
        };
        read(&tx.query(&page, params![&after, &last])?)?;
        after = last;
    }
}

/// The statement that reads the secrets of keys.
fn secrets(of_keys: &str) -> String {
    format!(
        "SELECT {} FROM inference_secrets s JOIN inference_keys k ON k.id = s.key_id \
         LEFT JOIN inference_limits l ON l.key_id = k.id WHERE {of_keys}",
        credential::columns(),
    )
}

/// The statement that reads the secrets of the key `$1`.
pub fn secrets_of_key() -> String {
    secrets(LIVE) + " AND s.key_id = $1"
}

fn read_policies(tx: &mut Tx<'_>) -> Result<Policies, KeyError> {
    let read = Policies::read(&operator::policies(tx)?);
    Ok(read.unwrap_or_else(|error| {
        tracing::error!(%error, "no model call is allowed; see accord-server policy check");
        Policies::default()
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A snapshot with these secrets of these keys, read after `before`.
    fn snapshot(
        before: Option<&Arc<Snapshot>>,
        current: Option<&Arc<Snapshot>>,
        keys: &[(&str, &[&str])],
    ) -> Arc<Snapshot> {
        let keys = keys.iter().map(|(key_id, public_ids)| {
            let secrets = public_ids.iter();
            let secret = |id: &&str| Credential::example(key_id, id, Limits::default());
            (Arc::from(*key_id), secrets.map(secret).collect())
        });
        let read = Reading {
            before: before.cloned(),
            keys: keys.collect(),
            policies: Arc::default(),
            changes: Changes::default(),
            generation: 0,
            catalog: 0,
        };
        Arc::new(read.into_snapshot(current.map(|one| &**one), |_| Meter::default()))
    }

    #[test]
    fn meters_and_times_of_last_use_outlive_snapshots() {
        let first = snapshot(None, None, &[("x", &["a", "b"]), ("y", &["c"])]);
        let changed = [("x", &["b", "d"][..]), ("z", &["e"])];
        let part = snapshot(Some(&first), Some(&first), &changed);
        let all = [("x", &["b", "d"][..]), ("y", &["c"]), ("z", &["e"])];
        let whole = snapshot(None, Some(&part), &all);
        // It was read before the others, and is published after them.
        let late = snapshot(Some(&first), Some(&whole), &changed);
        let get = |snapshot: &Arc<Snapshot>, id| snapshot.credentials.get(id).cloned();
        for later in [&part, &whole, &late] {
            assert!(get(later, "a").is_none());
            for (id, earlier) in [("b", &first), ("c", &first), ("d", &part), ("e", &part)] {
                let [later, earlier] = [later, earlier].map(|one| get(one, id).expect("known"));
                assert!(Arc::ptr_eq(&later.meter, &earlier.meter), "{id}");
                assert!(Arc::ptr_eq(&later.last_use, &earlier.last_use), "{id}");
            }
            let [one, other] = ["b", "d"].map(|id| get(later, id).expect("known"));
            assert!(Arc::ptr_eq(&one.meter, &other.meter));
            assert!(!Arc::ptr_eq(&one.last_use, &other.last_use));
        }
        // Nothing of the other key was read or copied.
        let [before, after] = [&first, &part].map(|one| get(one, "c").expect("known"));
        assert!(Arc::ptr_eq(&before, &after));
    }
}
