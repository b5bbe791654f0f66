//! The caller of a model, and whether policies allow its calls.

use std::sync::Arc;

use super::credential::Credential;
use super::policies::Ruling;
use super::policies::question::{Action, Question, Resource};
use super::snapshot::Snapshot;
use crate::inference::gateway::models::Model;
use crate::inference::keys::KeyError;

/// The caller of a model.
#[derive(Debug, Clone)]
pub struct Caller {
    /// The credential of the presented secret.
    pub credential: Arc<Credential>,
    pub(super) snapshot: Arc<Snapshot>,
}

impl Caller {
    /// Whether policies allow the caller's key an action on a model.
    pub fn may(&self, action: Action, model: &Model) -> bool {
        self.ruling(action, model) == Ruling::Allowed
    }

    /// The ruling of the policies about an action of the caller's key on a model.
    pub fn ruling(&self, action: Action, model: &Model) -> Ruling {
        let credential = &self.credential;
        let ask = || {
            self.snapshot.policies.ruling(&Question {
                key_id: &credential.key_id,
                compartment_id: &credential.compartment_id,
                action,
                model: Resource::of(model),
            })
        };
        credential.decisions.get(model.place, action, ask)
    }
}

/// Why a secret does not identify a caller.
#[derive(Debug, Clone, thiserror::Error)]
pub enum Rejected {
    /// No accepted secret. The text is the same for every reason.
    #[error("Incorrect API key provided: {mask}")]
    Secret {
        /// The ends of the presented text.
        mask: String,
    },
    /// The lookup failed.
    #[error(transparent)]
    Failed(#[from] KeyError),
}
