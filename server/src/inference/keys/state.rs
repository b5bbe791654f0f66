//! The states of a secret, and which change leads from one to another.
//!
//! Nothing here reads a clock or a database: the rules are a pure function of
//! the stored state, the expiry and the moment, so that the whole table can be
//! tested cell by cell. `STANDBY`, `ACTIVE`, `DEACTIVATED` and `REVOKED` are
//! stored; `EXPIRED` is what all of them but the last become by the passing of
//! time, and is therefore computed and never stored.

use std::fmt;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

/// What the database says of a secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum StoredState {
    /// Made, never activated.
    Standby,
    /// Accepted.
    Active,
    /// Suspended; can come back.
    Deactivated,
    /// The present value is rejected for good.
    Revoked,
}

impl StoredState {
    /// The text in the database.
    pub fn as_str(self) -> &'static str {
        match self {
            StoredState::Standby => "STANDBY",
            StoredState::Active => "ACTIVE",
            StoredState::Deactivated => "DEACTIVATED",
            StoredState::Revoked => "REVOKED",
        }
    }

    /// Reads the text in the database.
    pub fn parse(text: &str) -> Option<Self> {
        Some(match text {
            "STANDBY" => StoredState::Standby,
            "ACTIVE" => StoredState::Active,
            "DEACTIVATED" => StoredState::Deactivated,
            "REVOKED" => StoredState::Revoked,
            _ => return None,
        })
    }

    /// What a caller sees at `now` of a secret that expires at `expiry`.
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

/// What a caller sees of a secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SecretState {
    /// Made, never activated.
    Standby,
    /// Accepted.
    Active,
    /// Suspended; can come back.
    Deactivated,
    /// Rejected for good.
    Revoked,
    /// Past its expiry; a new value can be made.
    Expired,
}

impl SecretState {
    /// Every state.
    pub const ALL: [SecretState; 5] = [
        SecretState::Standby,
        SecretState::Active,
        SecretState::Deactivated,
        SecretState::Revoked,
        SecretState::Expired,
    ];
}

/// The word of the document.
impl fmt::Display for SecretState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            SecretState::Standby => "STANDBY",
            SecretState::Active => "ACTIVE",
            SecretState::Deactivated => "DEACTIVATED",
            SecretState::Revoked => "REVOKED",
            SecretState::Expired => "EXPIRED",
        })
    }
}

/// What a caller can ask a secret to become.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum TargetState {
    /// Accepted.
    Active,
    /// Suspended.
    Deactivated,
    /// Rejected for good.
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

/// What a permitted change does.
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
    /// An expired secret comes back with a new value only.
    #[error("is EXPIRED; renew it first")]
    Expired,
    /// What was never accepted cannot be suspended.
    #[error("is STANDBY and cannot be deactivated; activate or revoke it")]
    Standby,
}

/// Whether a secret may go from one state to another.
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

/// The state in which a secret gets a new value. A revoked secret comes back as STANDBY, so
/// that a new value never serves before somebody activates it.
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
