//! Which keys may call which models.
//!
//! Nothing is allowed unless a policy allows it. A policy names a compartment,
//! a key and a model, and each of the three can be left open.

use std::collections::HashMap;

use chrono::{DateTime, Utc};

use crate::params;
use crate::store::{StoreError, Tx};

/// One permission.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Policy {
    /// The compartment whose keys it is for; absent for the whole tenancy.
    pub compartment_id: Option<String>,
    /// The one key it is for; absent for all.
    pub key_id: Option<String>,
    /// The one model it is for; absent for all.
    pub model: Option<String>,
}

impl Policy {
    /// What it names that is not so in this call; nothing when it allows it.
    pub fn mismatch(
        &self,
        compartment_id: &str,
        key_id: &str,
        model: &str,
    ) -> Option<&'static str> {
        let differs =
            |named: &Option<String>, actual: &str| named.as_deref().is_some_and(|n| n != actual);
        if differs(&self.compartment_id, compartment_id) {
            Some("compartment")
        } else if differs(&self.key_id, key_id) {
            Some("key")
        } else if differs(&self.model, model) {
            Some("model")
        } else {
            None
        }
    }
}

/// All permissions.
#[derive(Debug, Default)]
pub struct Policies {
    of_tenancy: Vec<Policy>,
    of_compartments: HashMap<String, Vec<Policy>>,
}

impl Policies {
    /// Sorts permissions by compartment.
    pub fn new(all: Vec<Policy>) -> Self {
        let mut policies = Policies::default();
        for policy in all {
            match &policy.compartment_id {
                None => policies.of_tenancy.push(policy),
                Some(id) => {
                    let place = policies.of_compartments.entry(id.clone());
                    place.or_default().push(policy);
                }
            }
        }
        policies
    }

    /// Whether a key of a compartment may call a model.
    pub fn allow(&self, compartment_id: &str, key_id: &str, model: &str) -> bool {
        let of_compartment = self.of_compartments.get(compartment_id);
        let mut policies = of_compartment.into_iter().flatten().chain(&self.of_tenancy);
        policies.any(|policy| policy.mismatch(compartment_id, key_id, model).is_none())
    }
}

/// Writes a policy. Replicas follow once the change is announced.
///
/// # Errors
///
/// When the store fails.
pub fn insert(
    tx: &mut Tx<'_>,
    id: &str,
    policy: &Policy,
    now: DateTime<Utc>,
) -> Result<(), StoreError> {
    tx.execute(
        "INSERT INTO inference_policies (id, compartment_id, key_id, model, created_at) \
         VALUES ($1, $2, $3, $4, $5)",
        params![
            id,
            policy.compartment_id.clone(),
            policy.key_id.clone(),
            policy.model.clone(),
            now
        ],
    )?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn policy(compartment: Option<&str>, key: Option<&str>, model: Option<&str>) -> Policy {
        Policy {
            compartment_id: compartment.map(Into::into),
            key_id: key.map(Into::into),
            model: model.map(Into::into),
        }
    }

    #[test]
    fn nothing_is_allowed_without_a_policy() {
        assert!(!Policies::default().allow("c", "k", "m"));
    }

    #[test]
    fn what_a_policy_names_must_match_and_what_it_leaves_open_need_not() {
        let allows = |p: Policy| Policies::new(vec![p]).allow("c", "k", "m");
        assert!(allows(policy(Some("c"), None, None)));
        assert!(allows(policy(None, None, None)));
        assert!(allows(policy(Some("c"), Some("k"), Some("m"))));
        assert!(!allows(policy(Some("d"), None, None)));
        assert!(!allows(policy(Some("c"), Some("l"), None)));
        assert!(!allows(policy(Some("c"), None, Some("n"))));
    }
}
