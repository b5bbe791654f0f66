//! The projects that a user has a grant on.

use crate::pages::page_request::PageRequest;
use crate::pages::response::PageError;
use crate::rights::{self, Resource, Verb};
use crate::store::Tx;

/// A project that a user has a grant on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The service instance.
    pub instance: String,
    /// Identifier of the project.
    pub id: String,
    /// Code of the project.
    pub code: String,
    /// The verb of the user.
    pub verb: Verb,
}

/// The user and all projects that the user has a grant on.
pub struct Places {
    /// The identifier of the user.
    pub user_id: String,
    /// The projects, by service instance and code.
    pub all: Vec<Place>,
}

impl Places {
    /// Those of the signed-in user.
    ///
    /// # Errors
    ///
    /// When nobody is signed in, or the store fails.
    pub async fn of(request: &PageRequest) -> Result<Places, PageError> {
        let user_id = request.signed_in()?.id;
        let id = user_id.clone();
        let read = move |tx: &mut Tx<'_>| rights::projects(tx, &id);
        let held = request.app.store.read(read).await?;
        let place = |(resource, verb)| match resource {
            Resource::Project { instance, id, code } => Some(Place {
                instance,
                id,
                code,
                verb,
            }),
            Resource::Compartment(_) | Resource::Instance(_) => None,
        };
        Ok(Places {
            user_id,
            all: held.into_iter().filter_map(place).collect(),
        })
    }

    /// The project that the query names, or else the first one. `None` if the user has none.
    ///
    /// # Errors
    ///
    /// When the user has no grant on the project that the query names.
    pub fn chosen(&self, request: &PageRequest) -> Result<Option<&Place>, PageError> {
        match request.query("project") {
            Some(id) => Ok(Some(self.find(id)?)),
            None => Ok(self.all.first()),
        }
    }

    /// The project with this identifier.
    ///
    /// # Errors
    ///
    /// When the user has no grant on it.
    pub fn find(&self, id: &str) -> Result<&Place, PageError> {
        let mut all = self.all.iter();
        all.find(|place| place.id == id).ok_or(PageError::Unknown)
    }

    /// The projects in which the user may create patterns.
    pub fn usable(&self) -> Vec<Place> {
        let all = self.all.iter();
        all.filter(|place| place.verb >= Verb::Use)
            .cloned()
            .collect()
    }
}
