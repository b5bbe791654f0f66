//! All secrets and policies of the served regions, at one moment.

use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU8, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use crate::inference::gateway::models::Place;
use crate::inference::keys::KeyError;
use crate::inference::keys::rows::read_state;
use crate::inference::keys::secrets::{Digest, Presented};
use crate::inference::keys::state::{SecretState, StoredState};
use crate::inference::operator::{self, LIMIT_COLUMNS, read_limits};
use crate::inference::settings::Settings;
use crate::kernel::server_keys::KeyName;
use crate::kernel::{Kernel, ServerKeys, keyring};
use crate::params;
use crate::store::{StoreError, Tx, Value};
use chrono::{DateTime, TimeDelta, Utc};
use foldhash::{HashMap, HashSet};

use super::changes::Changes;
use super::meter::{Limits, Meter};
use super::policies::question::Action;
use super::policies::{Policies, Ruling};
use super::shared::LimitedKey;
use super::usage::{self, Spent};

/// The state of the database.
#[derive(Debug)]
pub struct Snapshot {
    /// Secrets by their public ids.
    pub credentials: HashMap<String, Arc<Credential>>,
    /// The credentials that this snapshot read. `None` if it read all.
    pub reread: Option<Vec<String>>,
    /// The policies.
    pub policies: Arc<Policies>,
    /// The used part of budgets, of the keys that this snapshot read.
    pub spent: Vec<Spent>,
    /// The database's counts of changes.
    pub changes: Changes,
    /// The replica's own count of changes.
    pub generation: u64,
    /// The number of the catalog of models that it was read for.
    pub catalog: u64,
    /// Whether a key has a budget.
    pub has_budgets: bool,
}

/// The key and the state of a secret.
#[derive(Debug, Clone)]
pub struct Credential {
    /// The public part of the secret.
    pub public_id: String,
    /// The key that has it.
    pub key_id: String,
    /// Its name in the key.
    pub secret_name: String,
    /// The compartment of the key.
    pub compartment_id: String,
    /// The region in which it is valid.
    pub region: String,
    digest: Digest,
    state: StoredState,
    expires_at: DateTime<Utc>,
    activated_at: Option<DateTime<Utc>>,
    deactivated_at: Option<DateTime<Utc>>,
    revoked_at: Option<DateTime<Utc>>,
    /// The time of its last use.
    pub last_use: Arc<Use>,
    /// The limits of its key.
    pub limits: Limits,
    /// The usage of its key.
    pub meter: Arc<Meter>,
    /// The cached decisions of policies about its key.
    pub decisions: Decisions,
}

/// The cached decisions for models and actions. They belong to one snapshot, so a change of
/// policies leaves none behind, and to the models of one catalog.
#[derive(Debug, Clone, Default)]
pub struct Decisions {
    /// The number of the catalog.
    catalog: u64,
    cells: Arc<[AtomicU8]>,
}

impl Decisions {
    const UNKNOWN: u8 = 0;
    const ALLOWED: u8 = 1;
    const REFUSED: u8 = 2;
    const FAILED: u8 = 3;

    fn of(catalog: u64, models: usize) -> Self {
        let places = models * Action::ALL.len();
        Decisions {
            catalog,
            cells: (0..places).map(|_| AtomicU8::new(Self::UNKNOWN)).collect(),
        }
    }

    /// The cached decision, else the result of `ask`. A decision about a model of another catalog
    /// is not cached.
    pub fn get(&self, model: Place, action: Action, ask: impl FnOnce() -> Ruling) -> Ruling {
        let cell = model.index * Action::ALL.len() + action as usize;
        let Some(place) = self
            .cells
            .get(cell)
            .filter(|_| model.catalog == self.catalog)
        else {
            return ask();
        };
        match place.load(Ordering::Relaxed) {
            Self::ALLOWED => Ruling::Allowed,
            Self::REFUSED => Ruling::Refused,
            Self::FAILED => Ruling::Failed,
            _ => {
                let ruling = ask();
                let said = match ruling {
                    Ruling::Allowed => Self::ALLOWED,
                    Ruling::Refused => Self::REFUSED,
                    Ruling::Failed => Self::FAILED,
                };
                place.store(said, Ordering::Relaxed);
                ruling
            }
        }
    }
}

impl Credential {
    /// The key with its limits.
    pub fn key(&self) -> LimitedKey<'_> {
        LimitedKey {
            id: &self.key_id,
            limits: &self.limits,
            meter: &self.meter,
        }
    }

    /// Whether this is the secret, in constant time.
    pub fn is(&self, server_keys: &ServerKeys, secret: Presented<'_>) -> bool {
        secret.is(server_keys, &self.digest)
    }

    /// Makes a new keyed hash if the stored one is under an older server key. It is stored with the
    /// time of use. The secret itself is available only now.
    pub fn follow_key(&self, server_keys: &ServerKeys, secret: Presented<'_>) {
        if server_keys.is_outdated(&self.digest) {
            self.last_use
                .rehash(&self.digest, || secret.digest(server_keys));
        }
    }

    /// Whether the secret is accepted at `now`. If the operator has set a delay, it is still
    /// accepted for that time after it was suspended or revoked.
    pub fn accepted(&self, now: DateTime<Utc>, delay: TimeDelta) -> bool {
        match self.state.observed(self.expires_at, now) {
            SecretState::Active => true,
            SecretState::Standby | SecretState::Expired => false,
            SecretState::Deactivated | SecretState::Revoked => {
                self.expires_at > now && self.left_active_at().is_some_and(|at| now < at + delay)
            }
        }
    }

    /// The time at which the secret stopped being active. `None` if it never did.
    fn left_active_at(&self) -> Option<DateTime<Utc>> {
        let activated = self.activated_at?;
        self.deactivated_at
            .filter(|at| *at >= activated)
            .or(self.revoked_at)
    }
}

/// The time of a secret's last use, and whether it is in the database.
#[derive(Debug, Default)]
pub struct Use {
    at: AtomicI64,
    written: AtomicI64,
    /// Whether it is among those to write.
    is_listed: AtomicBool,
    rehashed: Mutex<Option<Rehashed>>,
}

/// The keyed hash of a secret under an older server key and under the current one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rehashed {
    /// The hash in the database, unless the other one has replaced it.
    pub from: Digest,
    /// The hash that replaces it.
    pub to: Digest,
}

impl Use {
    /// Records a use.
    pub fn touch(&self, now: DateTime<Utc>) {
        let now = now.timestamp_millis();
        // Most uses are in the same millisecond as another.
        if self.at.load(Ordering::Relaxed) < now {
            self.at.fetch_max(now, Ordering::Relaxed);
        }
    }

    /// The time, if it is not in the database yet.
    pub fn pending(&self) -> Option<DateTime<Utc>> {
        let at = self.at.load(Ordering::Relaxed);
        match at > self.written.load(Ordering::Relaxed) {
            true => DateTime::from_timestamp_millis(at),
            false => None,
        }
    }

    /// Records a keyed hash to be replaced, unless it is recorded already.
    fn rehash(&self, from: &Digest, to: impl FnOnce() -> Digest) {
        let mut rehashed = self.rehashed.lock().unwrap_or_else(PoisonError::into_inner);
        if rehashed.is_none_or(|known| known.from != *from) {
            *rehashed = Some(Rehashed {
                from: *from,
                to: to(),
            });
        }
    }

    /// Adds it to those to write. Returns whether it was not among them.
    pub fn list(&self) -> bool {
        // Nearly always listed already, and a load is cheaper than a swap.
        !self.is_listed.load(Ordering::Relaxed) && !self.is_listed.swap(true, Ordering::AcqRel)
    }

    /// Removes it from those to write. Uses after this list it again.
    pub fn unlist(&self) {
        self.is_listed.store(false, Ordering::Release);
    }

    /// Removes the recorded keyed hash. If storing it fails, the next use records it again.
    pub fn take_rehashed(&self) -> Option<Rehashed> {
        let mut rehashed = self.rehashed.lock().unwrap_or_else(PoisonError::into_inner);
        rehashed.take()
    }

    /// Whether there is a time to write.
    pub fn is_pending(&self) -> bool {
        self.pending().is_some()
    }

    /// Records the time in the database.
    pub fn written(&self, at: DateTime<Utc>) {
        self.written
            .fetch_max(at.timestamp_millis(), Ordering::Relaxed);
    }
}

impl Snapshot {
    /// Reads the secrets of these regions, and policies, in one transaction. If only single keys
    /// have changed since the snapshot `before`, it reads those keys. The settings have the models
    /// for the cache of decisions, and the limits of keys without their own.
    pub async fn load(
        kernel: &Kernel,
        regions: Vec<String>,
        settings: &Settings,
        before: Option<Arc<Snapshot>>,
    ) -> Result<Snapshot, KeyError> {
        let defaults = Limits::configured(&settings.config);
        let (catalog, models) = (settings.models.number(), settings.models.iter().count());
        let before = before.filter(|before| before.catalog == catalog);
        let now = crate::inference::now(kernel);
        kernel
            .store
            .read(move |tx| {
                let changes = Changes::read(tx)?;
                let since = before.as_ref().and_then(|before| {
                    let since = changes.keys_since(before.changes)?;
                    Some((before, since))
                });
                let read = read_credentials(
                    tx,
                    &regions,
                    defaults,
                    (catalog, models),
                    since.map(|(_, since)| since),
                )?;
                let spent = usage::spent(tx, now, since.map(|(_, since)| since))?;
                Ok(match since {
                    None => Snapshot {
                        has_budgets: have_budgets(&read),
                        credentials: read,
                        reread: None,
                        policies: Arc::new(read_policies(tx)?),
                        spent,
                        changes,
                        generation: 0,
                        catalog,
                    },
                    Some((before, since)) => {
                        let changed = changed_keys(tx, since)?;
                        let mut credentials = before.credentials.clone();
                        credentials.retain(|_, credential| !changed.contains(&credential.key_id));
                        let reread = read.keys().cloned().collect();
                        credentials.extend(read);
                        Snapshot {
                            has_budgets: have_budgets(&credentials),
                            credentials,
                            reread: Some(reread),
                            policies: Arc::clone(&before.policies),
                            spent,
                            changes,
                            generation: 0,
                            catalog,
                        }
                    }
                })
            })
            .await
    }

    /// The database's counts of changes.
    pub async fn changes(kernel: &Kernel) -> Result<Changes, KeyError> {
        kernel.store.read_one(Changes::read).await
    }
}

fn have_budgets(credentials: &HashMap<String, Arc<Credential>>) -> bool {
    let mut credentials = credentials.values();
    credentials.any(|credential| credential.limits.budget.is_some())
}

/// The keys that changed, also the deleted ones.
fn changed_keys(tx: &mut Tx<'_>, since: i64) -> Result<HashSet<String>, KeyError> {
    let sql = "SELECT id FROM inference_keys WHERE changed > $1";
    let rows = tx.query(sql, params![since])?;
    let ids: Result<_, StoreError> = rows.iter().map(|row| row.get(0)).collect();
    Ok(ids?)
}

fn read_credentials(
    tx: &mut Tx<'_>,
    regions: &[String],
    defaults: Limits,
    (catalog, models): (u64, usize),
    since: Option<i64>,
) -> Result<HashMap<String, Arc<Credential>>, KeyError> {
    let only_changed = since.map_or("", |_| " AND k.changed > $1");
    let sql = format!(
        "SELECT s.public_id, s.key_id, s.name, k.compartment_id, s.state, s.expires_at, \
         s.activated_at, s.deactivated_at, s.revoked_at, s.digest, k.region, {LIMIT_COLUMNS} \
         FROM inference_secrets s JOIN inference_keys k ON k.id = s.key_id \
         LEFT JOIN inference_limits l ON l.key_id = k.id \
         WHERE k.deleted_at IS NULL{only_changed}"
    );
    let mut retired = keyring::promoted(tx)?;
    retired.retain(|key| key.retired_at.is_some());
    let mut credentials = HashMap::default();
    let parameters: Vec<Value> = since.map(Value::from).into_iter().collect();
    for row in tx.query(&sql, &parameters)? {
        let (region, digest): (String, Digest) = (row.get(10)?, row.get(9)?);
        let key = KeyName::of(&digest);
        let is_retired = retired.iter().any(|retired| Some(retired.name) == key);
        if is_retired || !regions.contains(&region) {
            continue;
        }
        let credential = Credential {
            public_id: row.get(0)?,
            key_id: row.get(1)?,
            secret_name: row.get(2)?,
            compartment_id: row.get(3)?,
            state: read_state(&row.get::<String>(4)?)?,
            expires_at: row.get(5)?,
            activated_at: row.get(6)?,
            deactivated_at: row.get(7)?,
            revoked_at: row.get(8)?,
            digest,
            region,
            last_use: Arc::default(),
            limits: read_limits(&row, 11)?.or(defaults),
            meter: Arc::default(),
            decisions: Decisions::of(catalog, models),
        };
        credentials.insert(credential.public_id.clone(), Arc::new(credential));
    }
    Ok(credentials)
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
    use std::sync::LazyLock;

    use super::*;
    use crate::inference::keys::secrets::PlainSecret;
    use crate::kernel::SystemRandom;

    fn credential(state: StoredState) -> Credential {
        Credential {
            public_id: "x".into(),
            key_id: "apikey.local.x".into(),
            secret_name: "key-one".into(),
            compartment_id: "compartment.demo".into(),
            region: "local".into(),
            digest: secret().digest(&ServerKeys::new([1; 32])),
            state,
            expires_at: at(1000),
            activated_at: Some(at(0)),
            deactivated_at: None,
            revoked_at: None,
            last_use: Arc::default(),
            limits: Limits::default(),
            meter: Arc::default(),
            decisions: Decisions::of(7, 2),
        }
    }

    fn secret() -> Presented<'static> {
        static SECRET: LazyLock<PlainSecret> =
            LazyLock::new(|| PlainSecret::generate(&SystemRandom));
        SECRET.presented()
    }

    fn at(seconds: i64) -> DateTime<Utc> {
        DateTime::UNIX_EPOCH + TimeDelta::seconds(seconds)
    }

    const DELAY: TimeDelta = TimeDelta::seconds(10);

    #[test]
    fn a_delay_keeps_a_revoked_secret_open_for_that_long() {
        let mut revoked = credential(StoredState::Revoked);
        revoked.revoked_at = Some(at(100));
        assert!(revoked.accepted(at(109), DELAY));
        assert!(!revoked.accepted(at(110), DELAY));
        assert!(!revoked.accepted(at(100), TimeDelta::zero()));
    }

    #[test]
    fn revoking_a_suspended_secret_does_not_open_it_again() {
        let mut revoked = credential(StoredState::Revoked);
        revoked.deactivated_at = Some(at(50));
        revoked.revoked_at = Some(at(100));
        assert!(!revoked.accepted(at(101), DELAY));
    }

    #[test]
    fn a_secret_that_was_never_active_is_never_accepted() {
        let mut revoked = credential(StoredState::Revoked);
        revoked.activated_at = None;
        revoked.revoked_at = Some(at(100));
        assert!(!revoked.accepted(at(101), DELAY));
        assert!(!credential(StoredState::Standby).accepted(at(1), DELAY));
    }

    #[test]
    fn a_decision_is_asked_for_once() {
        let decisions = Decisions::of(7, 2);
        let at = |index| Place { catalog: 7, index };
        let (allowed, refused) = (|| Ruling::Allowed, || Ruling::Refused);
        for (model, action, said) in [
            (1, Action::Chat, Ruling::Allowed),
            (1, Action::Respond, Ruling::Refused),
            (0, Action::Respond, Ruling::Failed),
        ] {
            let model = at(model);
            assert_eq!(decisions.get(model, action, || said), said);
            assert_eq!(decisions.get(model, action, allowed), said);
            assert_eq!(decisions.get(model, action, refused), said);
        }
        // A model outside of this catalog is not cached, as after a reload.
        let other = Place {
            catalog: 8,
            index: 0,
        };
        for elsewhere in [at(2), other] {
            for ruling in [Ruling::Allowed, Ruling::Refused] {
                let asked = decisions.get(elsewhere, Action::Respond, || ruling);
                assert_eq!(asked, ruling);
            }
        }
    }

    #[test]
    fn a_known_public_id_alone_proves_nothing() {
        let server_keys = ServerKeys::new([1; 32]);
        assert!(credential(StoredState::Active).is(&server_keys, secret()));
        let mut other = credential(StoredState::Active);
        other.digest = PlainSecret::generate(&SystemRandom).digest(&server_keys);
        assert!(!other.is(&server_keys, secret()));
        assert!(!credential(StoredState::Active).is(&ServerKeys::new([2; 32]), secret()));
    }

    #[test]
    fn no_delay_outlives_the_expiry() {
        let mut suspended = credential(StoredState::Deactivated);
        suspended.deactivated_at = Some(at(995));
        assert!(suspended.accepted(at(999), DELAY));
        assert!(!suspended.accepted(at(1000), DELAY));
        assert!(!credential(StoredState::Active).accepted(at(1000), DELAY));
    }
}
