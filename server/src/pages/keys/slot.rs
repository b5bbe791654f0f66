//! The two places for secrets that a key has, as the page of the key draws them.

use chrono::{DateTime, Utc};

use crate::inference::keys::key::{Key, Secret};
use crate::inference::keys::state::{SecretState, TargetState, Transition, transition};
use crate::pages::day::day;
use crate::pages::texts::english;

/// A place for a secret.
#[derive(Debug)]
pub enum Slot {
    /// A secret.
    Filled(Filled),
    /// No secret yet.
    Empty,
}

/// A secret as the page shows it.
#[derive(Debug)]
pub struct Filled {
    /// The name.
    pub name: String,
    /// The ends of the value.
    pub mask: String,
    /// The state.
    pub state: SecretState,
    /// The time of the expiry.
    pub expiry: String,
    /// The time of the last use.
    pub last_use: String,
    /// The buttons of the states that the secret can change to.
    pub changes: Vec<Change>,
}

/// A state that a secret can change to.
#[derive(Debug)]
pub struct Change {
    /// The word for it in forms.
    pub state: &'static str,
    /// The text of the button.
    pub label: &'static str,
}

impl Filled {
    /// A secret at `now`.
    pub fn of(secret: &Secret, now: DateTime<Utc>) -> Filled {
        let state = secret.observed(now);
        let can = |to: &TargetState| matches!(transition(state, *to), Ok(Transition::To(_)));
        let button = |to: TargetState| {
            let (word, label) = match (to, state) {
                (TargetState::Active, SecretState::Deactivated) => ("ACTIVE", "Reactivate"),
                (TargetState::Active, _) => ("ACTIVE", "Activate"),
                (TargetState::Deactivated, _) => ("DEACTIVATED", "Deactivate"),
                (TargetState::Revoked, _) => ("REVOKED", "Revoke"),
            };
            Change { state: word, label }
        };
        Filled {
            name: secret.name.clone(),
            mask: secret.mask.clone(),
            state,
            expiry: expiry(secret.expires_at, now),
            last_use: last_use(secret.last_used_at, now),
            changes: TargetState::ALL
                .into_iter()
                .filter(can)
                .map(button)
                .collect(),
        }
    }

    /// The state as a word for people.
    pub fn word(&self) -> &'static str {
        match self.state {
            SecretState::Standby => "Standby",
            SecretState::Active => "Active",
            SecretState::Deactivated => "Deactivated",
            SecretState::Revoked => "Revoked",
            SecretState::Expired => "Expired",
        }
    }

    /// The class of the state in the stylesheet.
    pub fn class(&self) -> &'static str {
        match self.state {
            SecretState::Standby => "standby",
            SecretState::Active => "active",
            SecretState::Deactivated => "deactivated",
            SecretState::Revoked => "revoked",
            SecretState::Expired => "expired",
        }
    }

    /// The meaning of the state.
    pub fn meaning(&self) -> &'static str {
        match self.state {
            SecretState::Active => "Requests with it are accepted.",
            SecretState::Standby => "Not accepted yet. Activate it before you use it.",
            SecretState::Deactivated => "Suspended. Requests with it are rejected.",
            SecretState::Revoked => "Rejected permanently. Renew it to get a new value.",
            SecretState::Expired => "Past its expiry. Renew it to get a new value.",
        }
    }
}

/// Both places of a key.
pub fn slots(key: &Key, now: DateTime<Utc>) -> Vec<Slot> {
    let filled = key
        .secrets
        .iter()
        .map(|secret| Slot::Filled(Filled::of(secret, now)));
    filled.chain([Slot::Empty, Slot::Empty]).take(2).collect()
}

/// The last use for people.
pub fn last_use(at: Option<DateTime<Utc>>, now: DateTime<Utc>) -> String {
    at.map_or("never".to_owned(), |at| {
        english().age((now - at).num_milliseconds())
    })
}

fn expiry(at: DateTime<Utc>, now: DateTime<Utc>) -> String {
    let days = (at - now).num_days();
    let day = day(at.date_naive());
    match days {
        _ if at <= now => format!("{day}, past"),
        0 => format!("{day}, within a day"),
        1 => format!("{day}, in 1 day"),
        days => format!("{day}, in {days} days"),
    }
}
