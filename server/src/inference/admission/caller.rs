//! The caller of a model, by the secret of the call.

use std::sync::Arc;

use super::policies::Ruling;
use super::policies::question::{Action, Question};
use super::snapshot::{Credential, Snapshot};
use crate::inference::gateway::models::Model;
use crate::inference::keys::KeyError;

/// The caller of a model.
#[derive(Debug, Clone)]
pub struct Caller {
    /// The credential of the secret.
    pub credential: Arc<Credential>,
    pub(super) snapshot: Arc<Snapshot>,
}

impl Caller {
    /// Whether policies allow the caller's key an action on a model.
    pub fn may(&self, action: Action, model: &Model) -> bool {
        self.ruling(action, model) == Ruling::Allowed
    }

    /// The decision of policies about an action of the caller's key on a model.
    pub fn ruling(&self, action: Action, model: &Model) -> Ruling {
        let credential = &self.credential;
        let ask = || {
            self.snapshot.policies.ruling(&Question {
                key_id: &credential.key_id,
                compartment_id: &credential.compartment_id,
                action,
                model: model.resource(),
            })
        };
        credential.decisions.get(model.place, action, ask)
    }
}

/// Why a call has no caller.
#[derive(Debug, Clone, thiserror::Error)]
pub enum Rejected {
    /// No accepted secret. The text is the same for every reason.
    #[error("Incorrect API key provided: {mask}")]
    Secret {
        /// The first and last characters of the secret.
        mask: String,
    },
    /// The lookup failed.
    #[error(transparent)]
    Failed(#[from] KeyError),
}
