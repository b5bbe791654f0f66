//! The states of a secret, and the changes between them.
//!
//! Nothing here reads a clock or a database. The rules are a pure function of the stored state, the
//! expiry and the time, so that tests cover the whole table. `STANDBY`, `ACTIVE`, `DEACTIVATED`
//! and `REVOKED` are stored. `EXPIRED` is computed and never stored: every state except `REVOKED`
//! becomes it at the expiry.

use std::fmt;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

/// The state of a secret in the database.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum StoredState {
    /// Created, never activated.
    Standby,
    /// Accepted.
    Active,
    /// Suspended; can become active again.
    Deactivated,
    /// The present value is rejected permanently.
    Revoked,
}

crate::names! {
    /// The state's name in the database.
    StoredState {
        Standby = "STANDBY",
        Active = "ACTIVE",
        Deactivated = "DEACTIVATED",
        Revoked = "REVOKED",
    }
}

impl StoredState {
    /// The state that callers see at `now`, of a secret that expires at `expiry`.
    pub fn observed(self, expiry: DateTime<Utc>, now: DateTime<Utc>) -> SecretState {
        match self {
            StoredState::Revoked => SecretState::Revoked,
            _ if expiry <= now => SecretState::Expired,
            StoredState::Standby => SecretState::Standby,
            StoredState::Active => SecretState::Active,
            StoredState::Deactivated => SecretState::Deactivated,
        }
    }
}

/// The state of a secret that callers see.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SecretState {
    /// Created, never activated.
    Standby,
    /// Accepted.
    Active,
    /// Suspended; can become active again.
    Deactivated,
    /// Rejected permanently.
    Revoked,
    /// Past its expiry; it can get a new value.
    Expired,
}

crate::names! {
    /// The word of the document.
    SecretState {
        Standby = "STANDBY",
        Active = "ACTIVE",
        Deactivated = "DEACTIVATED",
        Revoked = "REVOKED",
        Expired = "EXPIRED",
    }
}

impl fmt::Display for SecretState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The target of a requested change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum TargetState {
    /// Accepted.
    Active,
    /// Suspended.
    Deactivated,
    /// Rejected permanently.
    Revoked,
}

impl TargetState {
    /// Every target.
    pub const ALL: [TargetState; 3] = [
        TargetState::Active,
        TargetState::Deactivated,
        TargetState::Revoked,
    ];
}

/// The effect of a permitted change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Transition {
    /// The secret already has the requested state.
    Unchanged,
    /// The secret gets this state.
    To(StoredState),
}

/// Why a change is not permitted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// Revocation is final.
    #[error("is REVOKED; renew it to get a new value")]
    Revoked,
    /// An expired secret needs a new value.
    #[error("is EXPIRED; renew it first")]
    Expired,
    /// A secret that was never active cannot be suspended.
    #[error("is STANDBY and cannot be deactivated; activate or revoke it")]
    Standby,
}

/// Whether a secret may change from one state to another.
///
/// # Errors
///
/// Why it may not.
pub fn transition(from: SecretState, to: TargetState) -> Result<Transition, Refusal> {
    use SecretState as From;
    use TargetState as To;
    match (from, to) {
        (From::Active, To::Active)
        | (From::Deactivated, To::Deactivated)
        | (From::Revoked, To::Revoked) => Ok(Transition::Unchanged),
        (From::Standby | From::Deactivated, To::Active) => Ok(Transition::To(StoredState::Active)),
        (From::Active, To::Deactivated) => Ok(Transition::To(StoredState::Deactivated)),
        (From::Standby | From::Active | From::Deactivated | From::Expired, To::Revoked) => {
            Ok(Transition::To(StoredState::Revoked))
        }
        (From::Standby, To::Deactivated) => Err(Refusal::Standby),
        (From::Expired, To::Active | To::Deactivated) => Err(Refusal::Expired),
        (From::Revoked, To::Active | To::Deactivated) => Err(Refusal::Revoked),
    }
}

/// The state of a secret after it gets a new value. A revoked secret becomes STANDBY, so that
/// nobody can use a new value before somebody activates it.
pub fn renewal(from: SecretState) -> StoredState {
    match from {
        SecretState::Revoked => StoredState::Standby,
        SecretState::Standby
        | SecretState::Active
        | SecretState::Deactivated
        | SecretState::Expired => StoredState::Active,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chrono::TimeDelta;

    #[test]
    fn every_cell_of_the_state_table_is_as_documented() {
        use Refusal as No;
        use StoredState as S;
        use Transition::{To, Unchanged};
        let rows = [
            (
                SecretState::Standby,
                [Ok(To(S::Active)), Err(No::Standby), Ok(To(S::Revoked))],
            ),
            (
                SecretState::Active,
                [Ok(Unchanged), Ok(To(S::Deactivated)), Ok(To(S::Revoked))],
            ),
            (
                SecretState::Deactivated,
                [Ok(To(S::Active)), Ok(Unchanged), Ok(To(S::Revoked))],
            ),
            (
                SecretState::Expired,
                [Err(No::Expired), Err(No::Expired), Ok(To(S::Revoked))],
            ),
            (
                SecretState::Revoked,
                [Err(No::Revoked), Err(No::Revoked), Ok(Unchanged)],
            ),
        ];
        assert_eq!(rows.len(), SecretState::ALL.len());
        for (from, cells) in rows {
            for (to, expected) in TargetState::ALL.into_iter().zip(cells) {
                assert_eq!(transition(from, to), expected, "{from} -> {to:?}");
            }
        }
    }

    #[test]
    fn a_revoked_secret_is_renewed_into_standby_and_every_other_into_active() {
        for from in SecretState::ALL {
            let expected = match from {
                SecretState::Revoked => StoredState::Standby,
                _ => StoredState::Active,
            };
            assert_eq!(renewal(from), expected, "{from}");
        }
    }

    #[test]
    fn a_secret_expires_at_its_expiry_and_not_before() {
        let expiry = DateTime::UNIX_EPOCH + TimeDelta::days(1);
        let before = expiry - TimeDelta::milliseconds(1);
        for stored in [
            StoredState::Standby,
            StoredState::Active,
            StoredState::Deactivated,
        ] {
            assert_ne!(stored.observed(expiry, before), SecretState::Expired);
            assert_eq!(stored.observed(expiry, expiry), SecretState::Expired);
        }
        assert_eq!(
            StoredState::Revoked.observed(expiry, expiry),
            SecretState::Revoked
        );
    }
}
