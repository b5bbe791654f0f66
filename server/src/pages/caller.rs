//! The user of a page as the caller of operations on keys.

use super::page_request::{Form, PageRequest};
use super::response::PageError;
use crate::inference::keys::access::{self, Manager, Verb};
use crate::inference::keys::change::Target;
use crate::inference::keys::key::KeyResponse;
use crate::inference::keys::list;

/// Who works with keys, and in which compartments.
pub struct Caller {
    /// The caller of operations, in the region of the page.
    pub manager: Manager,
    /// The compartments that the user has a verb on, by their ids.
    pub compartments: Vec<(String, Verb)>,
}

impl Caller {
    /// The user, in the region of the key that the path of the page names, or else in the first
    /// region. Takes one call from the user's allowance, as an operation does.
    ///
    /// # Errors
    ///
    /// When nobody is signed in, the allowance is exhausted, or the store fails.
    pub async fn of(request: &PageRequest) -> Result<Caller, PageError> {
        let inference = &request.app.inference;
        let user = request.signed_in()?;
        let regions = &inference.regions;
        let region = regions.of_key(request.variable());
        let region = region.or_else(|| regions.all().next()).unwrap_or_default();
        let manager = Manager {
            principal: user.id,
            origin: request.origin.clone(),
            region: region.to_owned(),
        };
        manager.take_call(inference).await?;
        let compartments = access::compartments(inference, &manager.principal).await?;
        Ok(Caller {
            manager,
            compartments,
        })
    }

    /// The same in another region.
    pub fn manager_in(&self, region: &str) -> Manager {
        Manager {
            region: region.to_owned(),
            ..self.manager.clone()
        }
    }

    /// The verb of the user on a compartment.
    pub fn verb(&self, compartment: &str) -> Option<Verb> {
        let mut held = self.compartments.iter();
        held.find(|(id, _)| id == compartment)
            .map(|(_, verb)| *verb)
    }

    /// The compartments whose keys the user manages.
    pub fn managed(&self) -> Vec<String> {
        let held = self.compartments.iter();
        let managed = held.filter(|(_, verb)| *verb >= Verb::Manage);
        managed.map(|(id, _)| id.clone()).collect()
    }

    /// The key that the path of the page names, if it is not deleted.
    ///
    /// # Errors
    ///
    /// When there is none, the user may not read it, or the store fails.
    pub async fn key(&self, request: &PageRequest) -> Result<KeyResponse, PageError> {
        let response = list::get(&request.app.inference, &self.manager, request.variable()).await?;
        match response.key.deleted_at {
            None => Ok(response),
            Some(_) => Err(PageError::Gone {
                heading: "Already deleted",
                text: "The API key is deleted. Its secrets are no longer accepted.",
                back: ("/ui/v1/keys", "API keys"),
            }),
        }
    }

    /// The key that the path of the page names, for a page that prepares a change.
    ///
    /// # Errors
    ///
    /// As [`Caller::key`], and when the user does not have the verb.
    pub async fn key_for(
        &self,
        request: &PageRequest,
        verb: Verb,
    ) -> Result<KeyResponse, PageError> {
        let response = self.key(request).await?;
        match self.verb(&response.key.compartment_id) {
            Some(held) if held >= verb => Ok(response),
            _ => Err(PageError::Unknown),
        }
    }

    /// The key that a form changes, in the version that the form shows.
    pub fn target(&self, request: &PageRequest, form: &Form) -> Target {
        let version = form.get("version");
        Target {
            manager: self.manager.clone(),
            id: request.variable().to_owned(),
            if_match: (!version.is_empty()).then(|| version.to_owned()),
            retry: None,
        }
    }
}
