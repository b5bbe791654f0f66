//! One policy: generated for a scope, parsed, and stored.

use cedar_policy::{Effect, PolicyId};
use chrono::{DateTime, Utc};

use super::error::PolicyError;
use super::question::uid;
use super::size::{self, on_deep_stack};
use crate::params;
use crate::store::{StoreError, Tx};

/// A stored policy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statement {
    /// Its id.
    pub id: String,
    /// One policy in Cedar's language.
    pub text: String,
}

/// The scope of the most frequent policy. An absent member does not restrict it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Scope {
    /// The compartment of the keys.
    pub compartment_id: Option<String>,
    /// The one key.
    pub key_id: Option<String>,
    /// The one model.
    pub model: Option<String>,
}

impl Scope {
    /// The policy that permits every call in this scope.
    pub fn permit(&self) -> String {
        let compartment = self.compartment_id.as_deref();
        let compartment = compartment.map(|id| format!("principal in {}", uid("Compartment", id)));
        let key = self.key_id.as_deref();
        let key = key.map(|id| format!("principal == {}", uid("Key", id)));
        let (principal, condition) = match (key, compartment) {
            (Some(key), Some(compartment)) => (key, format!(" when {{ {compartment} }}")),
            (Some(one), None) | (None, Some(one)) => (one, String::new()),
            (None, None) => ("principal".to_owned(), String::new()),
        };
        let resource = match &self.model {
            Some(name) => format!("resource == {}", uid("Model", name)),
            None => "resource".to_owned(),
        };
        let action = uid("Action", "call");
        format!("permit ({principal}, action in {action}, {resource}){condition};")
    }
}

/// The entities that a policy names, as kind and id: `("Key", "apikey.local.x")`.
///
/// # Errors
///
/// When it cannot be parsed.
pub fn named_entities(statement: &Statement) -> Result<Vec<(String, String)>, PolicyError> {
    let policy = parse(statement)?;
    let literals = on_deep_stack(|| policy.entity_literals()).into_iter();
    let mut named: Vec<_> = literals
        .map(|uid| (uid.type_name().to_string(), uid.id().unescaped().to_owned()))
        .collect();
    named.sort();
    named.dedup();
    Ok(named)
}

/// The effect of a policy: `permit` or `forbid`, or `unreadable` if it cannot be parsed.
pub fn effect(statement: &Statement) -> &'static str {
    match parse(statement).map(|policy| policy.effect()) {
        Ok(Effect::Permit) => "permit",
        Ok(Effect::Forbid) => "forbid",
        Err(_) => "unreadable",
    }
}

/// Stores a policy. Replicas follow once the change is announced.
pub fn insert(
    tx: &mut Tx<'_>,
    statement: &Statement,
    now: DateTime<Utc>,
) -> Result<(), StoreError> {
    tx.execute(
        "INSERT INTO inference_policies (id, statement, created_at) VALUES ($1, $2, $3)",
        params![&statement.id, &statement.text, now],
    )?;
    Ok(())
}

/// Parses a policy.
pub(super) fn parse(statement: &Statement) -> Result<cedar_policy::Policy, PolicyError> {
    let Statement { id, text } = statement;
    size::check(text).map_err(|message| PolicyError::TooLarge {
        id: id.clone(),
        message,
    })?;
    on_deep_stack(|| {
        let parsed = cedar_policy::Policy::parse(Some(PolicyId::new(id)), text);
        parsed.map_err(|error| PolicyError::Syntax {
            id: id.clone(),
            message: error.to_string(),
        })
    })
}
