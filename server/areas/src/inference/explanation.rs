//! Explains why a key may call a model, or may not: the decision, and the part of each policy in it.

use std::sync::Arc;

use super::Inference;
use super::admission::policies::error::PolicyError;
use super::admission::policies::question::{Action, Question, Resource};
use super::admission::policies::statement::{self, Statement};
use super::admission::policies::{Policies, Ruling, Verdict};
use super::gateway::models::Model;
use super::operator;
use crate::store::{StoreError, Tx};

/// A decision about a call, with its reasons.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Explanation {
    /// The id of the key.
    pub key_id: String,
    /// The compartment of the key.
    pub compartment_id: String,
    /// The name of the model.
    pub model: String,
    /// The region of the key and the model.
    pub region: String,
    /// The decision.
    pub verdict: Verdict,
    /// Every policy, by id.
    pub policies: Vec<Considered>,
}

/// A policy in a decision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Considered {
    /// Its id.
    pub id: String,
    /// `permit`, `forbid` or `unreadable`.
    pub effect: &'static str,
    /// Whether it is about the call.
    pub applies: bool,
    /// Whether it is a reason of the decision.
    pub decides: bool,
}

/// Why there is no explanation.
#[derive(Debug, thiserror::Error)]
pub enum ExplanationError {
    /// No key has the id, or the key is deleted.
    #[error("there is no API key {0}")]
    UnknownKey(String),
    /// The region of the key does not have the model.
    #[error("there is no model {0} in the region of the key")]
    UnknownModel(String),
    /// The policies cannot be evaluated.
    #[error(transparent)]
    Policy(#[from] PolicyError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Explanation {
    /// The decision as a sentence, such as `KEY in COMPARTMENT may call MODEL: POLICY permits it.`
    pub fn sentence(&self) -> String {
        let Explanation {
            key_id,
            compartment_id,
            model,
            verdict,
            ..
        } = self;
        let may = if verdict.is_allowed() {
            "may"
        } else {
            "may not"
        };
        let s = |ids: &[String]| if ids.len() == 1 { "s" } else { "" };
        let because = verdict.because.join(", ");
        let reason = match verdict.ruling {
            Ruling::Allowed => format!("{because} permit{} it", s(&verdict.because)),
            Ruling::Refused if because.is_empty() => "no policy permits it".to_owned(),
            Ruling::Refused => format!("{because} forbid{} it", s(&verdict.because)),
            Ruling::Failed => format!("{} cannot be evaluated", verdict.failed.join(", ")),
        };
        format!("{key_id} in {compartment_id} {may} call {model}: {reason}.")
    }
}

/// Explains whether a key may call a model of its region.
///
/// # Errors
///
/// When the key or the model does not exist, the policies cannot be evaluated, or the store fails.
pub async fn explain(
    inference: &Inference,
    key_id: &str,
    model: &str,
    action: Action,
) -> Result<Explanation, ExplanationError> {
    let settings = inference.settings();
    let region = inference.regions.of_key(key_id);
    let found = region.and_then(|region| settings.models.find_in(region, model));
    let (found, key_id, model) = (found.map(Arc::clone), key_id.to_owned(), model.to_owned());
    // A database thread evaluates the policies, because that takes longer than an async task may.
    let read = move |tx: &mut Tx<'_>| {
        let unknown_key = || ExplanationError::UnknownKey(key_id.clone());
        let unknown_model = || ExplanationError::UnknownModel(model.clone());
        let compartment = operator::compartment_of_key(tx, &key_id)?.ok_or_else(unknown_key)?;
        let model = found.as_deref().ok_or_else(unknown_model)?;
        explain_call(
            &operator::policies(tx)?,
            &key_id,
            compartment,
            action,
            model,
        )
    };
    inference.store.read(read).await
}

/// The decision about a call, and the part of each policy in it.
fn explain_call(
    all: &[Statement],
    key_id: &str,
    compartment_id: String,
    action: Action,
    model: &Model,
) -> Result<Explanation, ExplanationError> {
    let question = Question {
        key_id,
        compartment_id: &compartment_id,
        action,
        model: Resource::of(model),
    };
    let verdict = Policies::read(all)?.decide(&question)?;
    let mut policies = Vec::new();
    for policy in all {
        // The decision of this policy alone.
        let alone = Policies::read(std::slice::from_ref(policy))?.decide(&question)?;
        policies.push(Considered {
            id: policy.id.clone(),
            effect: statement::effect(policy),
            applies: !alone.because.is_empty() || !alone.failed.is_empty(),
            decides: match verdict.ruling {
                Ruling::Failed => verdict.failed.contains(&policy.id),
                Ruling::Allowed | Ruling::Refused => verdict.because.contains(&policy.id),
            },
        });
    }
    Ok(Explanation {
        model: model.name.clone(),
        region: model.region.clone(),
        key_id: key_id.to_owned(),
        compartment_id,
        verdict,
        policies,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sentence_names_the_policies_that_decide() {
        let ids = |ids: &[&str]| ids.iter().map(|&id| id.to_owned()).collect::<Vec<_>>();
        let sentence = |ruling, because: &[&str], failed: &[&str]| {
            let explanation = Explanation {
                key_id: "k".into(),
                compartment_id: "c".into(),
                model: "m".into(),
                region: "local".into(),
                verdict: Verdict {
                    ruling,
                    because: ids(because),
                    failed: ids(failed),
                },
                policies: Vec::new(),
            };
            explanation.sentence()
        };
        for (ruling, because, failed, end) in [
            (
                Ruling::Allowed,
                &["p"][..],
                &[][..],
                "may call m: p permits it.",
            ),
            (
                Ruling::Allowed,
                &["p", "q"],
                &[],
                "may call m: p, q permit it.",
            ),
            (
                Ruling::Refused,
                &[],
                &[],
                "may not call m: no policy permits it.",
            ),
            (
                Ruling::Refused,
                &["f"],
                &[],
                "may not call m: f forbids it.",
            ),
            // The policies that permit it do not decide.
            (
                Ruling::Failed,
                &["p"],
                &["f"],
                "may not call m: f cannot be evaluated.",
            ),
        ] {
            assert_eq!(sentence(ruling, because, failed), format!("k in c {end}"));
        }
    }
}
