//! A secret of an API key, as the snapshot has it.

use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};

use super::decisions::Decisions;
use super::last_use::Use;
use super::limits::Limits;
use super::meter::Meter;
use super::names::Names;
use super::shared::LimitedKey;
use crate::inference::keys::KeyError;
use crate::inference::keys::rows::read_state;
use crate::inference::keys::secrets::{Digest, Presented};
use crate::inference::keys::state::{SecretState, StoredState};
use crate::inference::operator::{LIMIT_COLUMNS, read_limits};
use crate::kernel::ServerKeys;
use crate::kernel::server_keys::KeyName;
use crate::store::Row;

/// A secret: its keyed hash, its state, and the limits of its key.
#[derive(Debug)]
pub struct Credential {
    /// The public part of the secret.
    pub public_id: Arc<str>,
    /// The key that has it.
    pub key_id: Arc<str>,
    /// The compartment of the key.
    pub compartment_id: Arc<str>,
    /// The region in which it is valid.
    pub region: Arc<str>,
    /// The keyed hash of the secret.
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

/// The primary key of a secret, then the columns of a credential, for [`Credential::read`]: of
/// secrets `s`, keys `k` and limits `l`.
pub(super) fn columns() -> String {
    format!(
        "s.key_id, s.position, s.public_id, k.compartment_id, s.state, s.expires_at, \
         s.activated_at, s.deactivated_at, s.revoked_at, s.digest, k.region, {LIMIT_COLUMNS}"
    )
}

impl Credential {
    /// Reads one row of [`columns`], without usage and decisions. The key has the `defaults` for
    /// limits that it does not have. Credentials that are read with the same `names` share them.
    ///
    /// # Errors
    ///
    /// When a column has an invalid value.
    pub(super) fn read(row: &Row, defaults: Limits, names: &mut Names) -> Result<Self, KeyError> {
        Ok(Credential {
            key_id: names.key(row.get(0)?),
            public_id: row.get::<String>(2)?.into(),
            compartment_id: names.common(row.get(3)?),
            state: read_state(&row.get::<String>(4)?)?,
            expires_at: row.get(5)?,
            activated_at: row.get(6)?,
            deactivated_at: row.get(7)?,
            revoked_at: row.get(8)?,
            digest: row.get(9)?,
            region: names.common(row.get(10)?),
            last_use: Arc::default(),
            limits: read_limits(row, 11)?.or(defaults),
            meter: Arc::clone(&names.no_meter),
            decisions: Decisions::default(),
        })
    }

    /// The name of the server key of the keyed hash.
    pub(super) fn server_key(&self) -> Option<KeyName> {
        KeyName::of(&self.digest)
    }

    /// The key with its limits.
    pub fn key(&self) -> LimitedKey<'_> {
        LimitedKey {
            id: &self.key_id,
            limits: &self.limits,
            meter: &self.meter,
        }
    }

    /// Whether a caller presents this secret. Compares in constant time.
    pub fn is_presented(&self, server_keys: &ServerKeys, secret: Presented<'_>) -> bool {
        secret.has_digest(server_keys, &self.digest)
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
    pub fn is_accepted(&self, now: DateTime<Utc>, delay: TimeDelta) -> bool {
        match self.state.observed(self.expires_at, now) {
            SecretState::Active => true,
            SecretState::Standby | SecretState::Expired => false,
            SecretState::Deactivated | SecretState::Revoked => {
                // A clock that is further behind must not make the secret valid again.
                let is_recent = |at: DateTime<Utc>| (now - at).abs() < delay;
                self.expires_at > now && self.left_active_at().is_some_and(is_recent)
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

#[cfg(test)]
mod tests {
    use std::sync::LazyLock;

    use super::*;
    use crate::inference::keys::secrets::PlainSecret;
    use crate::kernel::SystemRandom;

    impl Credential {
        /// An active secret, for tests.
        pub(in crate::inference::admission) fn example(
            key_id: &str,
            public_id: &str,
            limits: Limits,
        ) -> Self {
            Credential {
                public_id: public_id.into(),
                key_id: key_id.into(),
                compartment_id: "compartment.demo".into(),
                region: "local".into(),
                digest: secret().digest(&ServerKeys::new([1; 32])),
                state: StoredState::Active,
                expires_at: at(1000),
                activated_at: Some(at(0)),
                deactivated_at: None,
                revoked_at: None,
                last_use: Arc::default(),
                limits,
                meter: Arc::default(),
                decisions: Decisions::default(),
            }
        }
    }

    fn credential(state: StoredState) -> Credential {
        Credential {
            state,
            ..Credential::example("apikey.local.x", "x", Limits::default())
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
    fn a_revoked_secret_is_accepted_until_the_delay_ends() {
        let mut revoked = credential(StoredState::Revoked);
        revoked.revoked_at = Some(at(100));
        assert!(revoked.is_accepted(at(109), DELAY));
        assert!(!revoked.is_accepted(at(110), DELAY));
        assert!(!revoked.is_accepted(at(100), TimeDelta::zero()));
    }

    #[test]
    fn a_clock_that_is_set_back_does_not_make_a_revoked_secret_valid() {
        let mut revoked = credential(StoredState::Revoked);
        revoked.revoked_at = Some(at(100));
        assert!(revoked.is_accepted(at(95), DELAY));
        assert!(!revoked.is_accepted(at(90), DELAY));
        assert!(!revoked.is_accepted(at(99), TimeDelta::zero()));
    }

    #[test]
    fn a_suspended_secret_stays_rejected_when_it_is_revoked() {
        let mut revoked = credential(StoredState::Revoked);
        revoked.deactivated_at = Some(at(50));
        revoked.revoked_at = Some(at(100));
        assert!(!revoked.is_accepted(at(101), DELAY));
    }

    #[test]
    fn a_secret_that_was_never_active_is_never_accepted() {
        let mut revoked = credential(StoredState::Revoked);
        revoked.activated_at = None;
        revoked.revoked_at = Some(at(100));
        assert!(!revoked.is_accepted(at(101), DELAY));
        assert!(!credential(StoredState::Standby).is_accepted(at(1), DELAY));
    }

    #[test]
    fn a_public_id_with_another_secret_is_rejected() {
        let server_keys = ServerKeys::new([1; 32]);
        assert!(credential(StoredState::Active).is_presented(&server_keys, secret()));
        let mut other = credential(StoredState::Active);
        other.digest = PlainSecret::generate(&SystemRandom).digest(&server_keys);
        assert!(!other.is_presented(&server_keys, secret()));
        assert!(!credential(StoredState::Active).is_presented(&ServerKeys::new([2; 32]), secret()));
    }

    #[test]
    fn the_delay_ends_at_the_expiry() {
        let mut suspended = credential(StoredState::Deactivated);
        suspended.deactivated_at = Some(at(995));
        assert!(suspended.is_accepted(at(999), DELAY));
        assert!(!suspended.is_accepted(at(1000), DELAY));
        assert!(!credential(StoredState::Active).is_accepted(at(1000), DELAY));
    }
}
