//! Who calls a model, by the secret of the call.

use std::sync::Arc;

use super::policies::Ruling;
use super::policies::question::{Action, Question, Resource};
use super::snapshot::{Credential, Snapshot};
use crate::inference::gateway::models::Model;
use crate::inference::keys::KeyError;

/// Who calls a model.
#[derive(Debug, Clone)]
pub struct Caller {
    /// What the secret proved.
    pub credential: Arc<Credential>,
    pub(super) snapshot: Arc<Snapshot>,
}

impl Caller {
    /// Whether policies let the caller's key do something with a model.
    pub fn may(&self, action: Action, model: &Model) -> bool {
        self.ruling(action, model) == Ruling::Allowed
    }

    /// What policies say of the caller's key doing something with a model.
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

/// Why nobody calls.
#[derive(Debug, Clone, thiserror::Error)]
pub enum Rejected {
    /// No accepted secret. The text is the same for every reason.
    #[error("Incorrect API key provided: {mask}")]
    Secret {
        /// The ends of what was presented.
        mask: String,
    },
    /// The lookup failed.
    #[error(transparent)]
    Failed(#[from] KeyError),
}
