//! The next safe step of a rotation: replacing a secret without a rejected request.
//!
//! A rotation has four steps: the spare secret gets a new value, it is activated, applications
//! change to it and the old secret is deactivated, and the old secret is revoked.

use chrono::{DateTime, Utc};

use super::slot::last_use;
use crate::inference::keys::key::{Key, Secret};
use crate::inference::keys::state::SecretState;

/// The steps of a rotation.
pub const STEPS: [&str; 4] = [
    "Get a new value for the spare secret",
    "Activate it",
    "Change applications to it, then deactivate the old secret",
    "Revoke the old secret",
];

/// What the next step does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Act {
    /// Adds a second secret.
    Add,
    /// Gives a secret a new value.
    Renew(String),
    /// Moves a secret to another state.
    Set(String, &'static str),
}

/// The next step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// The position in [`STEPS`], from 1.
    pub number: usize,
    /// What to do and why it is safe.
    pub text: String,
    /// The text of the button.
    pub label: String,
    /// What the button does.
    pub act: Act,
}

/// The next step of a key.
pub fn next_step(key: &Key, now: DateTime<Utc>) -> Option<Step> {
    let step = |number, text: String, label: String, act| {
        Some(Step {
            number,
            text,
            label,
            act,
        })
    };
    let set = |secret: &Secret, state| Act::Set(secret.name.clone(), state);
    let mut active = key
        .secrets
        .iter()
        .filter(|one| is(one, SecretState::Active, now));
    let others = || {
        key.secrets
            .iter()
            .filter(|one| !is(one, SecretState::Active, now))
    };
    match (active.next(), active.next(), others().next()) {
        (Some(one), Some(two), _) => {
            let (old, new) = older_first(one, two);
            let used = last_use(old.last_used_at, now);
            let text = format!(
                "Both secrets are accepted. Change your applications to {}. When {} is no longer \
                 used, deactivate it: you can reactivate it at any time. Last use of {}: {used}.",
                new.name, old.name, old.name
            );
            step(
                3,
                text,
                format!("Deactivate {}", old.name),
                set(old, "DEACTIVATED"),
            )
        }
        (Some(active), None, Some(other)) => match other.observed(now) {
            SecretState::Standby => step(
                2,
                format!("Activate {}. {} stays active.", other.name, active.name),
                format!("Activate {}", other.name),
                set(other, "ACTIVE"),
            ),
            SecretState::Deactivated => step(
                4,
                format!(
                    "If no application fails since you deactivated {}, revoke it. Otherwise \
                     reactivate it.",
                    other.name
                ),
                format!("Revoke {}", other.name),
                set(other, "REVOKED"),
            ),
            SecretState::Revoked | SecretState::Expired | SecretState::Active => step(
                1,
                format!(
                    "Renew {} when {} is to be replaced. {} stays active.",
                    other.name, active.name, active.name
                ),
                format!("Renew {}", other.name),
                Act::Renew(other.name.clone()),
            ),
        },
        (Some(active), None, None) => step(
            1,
            format!(
                "Add a second secret, so that you can replace {} without an interruption.",
                active.name
            ),
            "Add a second secret".to_owned(),
            Act::Add,
        ),
        (None, ..) => revive(key, now),
    }
}

/// The step of a key without an active secret.
fn revive(key: &Key, now: DateTime<Utc>) -> Option<Step> {
    let find = |state| key.secrets.iter().find(|one| is(one, state, now));
    let text = "No secret of this key is accepted.";
    if let Some(one) = find(SecretState::Standby).or_else(|| find(SecretState::Deactivated)) {
        return Some(Step {
            number: 2,
            text: text.to_owned(),
            label: format!("Activate {}", one.name),
            act: Act::Set(one.name.clone(), "ACTIVE"),
        });
    }
    let one = find(SecretState::Expired).or_else(|| key.secrets.first())?;
    Some(Step {
        number: 1,
        text: text.to_owned(),
        label: format!("Renew {}", one.name),
        act: Act::Renew(one.name.clone()),
    })
}

fn is(secret: &Secret, state: SecretState, now: DateTime<Utc>) -> bool {
    secret.observed(now) == state
}

/// The secret that became active first comes first.
fn older_first<'a>(one: &'a Secret, two: &'a Secret) -> (&'a Secret, &'a Secret) {
    match one.activated_at <= two.activated_at {
        true => (one, two),
        false => (two, one),
    }
}

#[cfg(test)]
mod tests {
    use chrono::TimeDelta;
    use serde_json::Map;

    use super::*;
    use crate::inference::keys::secrets::Digest;
    use crate::inference::keys::state::StoredState;

    /// A secret with its state at [`now`].
    fn secret(name: &str, state: SecretState, minutes: i64) -> Secret {
        let begin = DateTime::UNIX_EPOCH;
        let stored = match state {
            SecretState::Standby => StoredState::Standby,
            SecretState::Active | SecretState::Expired => StoredState::Active,
            SecretState::Deactivated => StoredState::Deactivated,
            SecretState::Revoked => StoredState::Revoked,
        };
        Secret {
            name: name.into(),
            public_id: String::new(),
            digest: [0; size_of::<Digest>()],
            mask: String::new(),
            state: stored,
            created_at: begin,
            expires_at: match state {
                SecretState::Expired => begin,
                _ => now() + TimeDelta::days(1),
            },
            activated_at: Some(begin + TimeDelta::minutes(minutes)),
            deactivated_at: None,
            revoked_at: None,
            last_used_at: None,
        }
    }

    fn now() -> DateTime<Utc> {
        DateTime::UNIX_EPOCH + TimeDelta::days(1)
    }

    fn key(secrets: Vec<Secret>) -> Key {
        Key {
            id: "apikey.local.x".into(),
            region: "local".into(),
            compartment_id: "compartment.demo".into(),
            display_name: "x".into(),
            description: None,
            freeform_tags: Map::new(),
            defined_tags: Map::new(),
            version: 1,
            created_at: DateTime::UNIX_EPOCH,
            updated_at: DateTime::UNIX_EPOCH,
            deleted_at: None,
            secrets,
        }
    }

    #[test]
    fn the_next_step_never_takes_the_only_active_secret_away() {
        use SecretState as S;
        let set = |name: &str, state| Act::Set(name.into(), state);
        for (one, two, number, act) in [
            (S::Active, Some(S::Standby), 2, set("two", "ACTIVE")),
            (S::Active, Some(S::Active), 3, set("one", "DEACTIVATED")),
            (S::Deactivated, Some(S::Active), 4, set("one", "REVOKED")),
            (S::Revoked, Some(S::Active), 1, Act::Renew("one".into())),
            (S::Active, Some(S::Expired), 1, Act::Renew("two".into())),
            (S::Active, None, 1, Act::Add),
            (S::Standby, Some(S::Revoked), 2, set("one", "ACTIVE")),
            (S::Revoked, Some(S::Deactivated), 2, set("two", "ACTIVE")),
            (S::Revoked, Some(S::Expired), 1, Act::Renew("two".into())),
            (S::Revoked, None, 1, Act::Renew("one".into())),
        ] {
            let secrets = [Some(one), two].into_iter().flatten().zip(["one", "two"]);
            let secrets = secrets
                .map(|(state, name)| secret(name, state, 1))
                .collect();
            let step = next_step(&key(secrets), now()).unwrap();
            assert_eq!((step.number, step.act), (number, act), "{one} {two:?}");
        }
    }

    #[test]
    fn of_two_active_secrets_the_one_that_was_activated_first_is_the_old_one() {
        let secrets = vec![
            secret("one", SecretState::Active, 5),
            secret("two", SecretState::Active, 1),
        ];
        let step = next_step(&key(secrets), now()).unwrap();
        assert_eq!(step.act, Act::Set("two".into(), "DEACTIVATED"));
    }
}
