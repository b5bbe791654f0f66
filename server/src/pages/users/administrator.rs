//! The user of a page as an administrator of organizations.

use accord_accounts_server::types;
use serde::Serialize;

use crate::accounts::RESPONSES;
use crate::accounts::directory::{self, Listed, Part};
use crate::accounts::provisioning::ProvisioningError;
use crate::accounts::requests::{self, Change, Requester};
use crate::identity::users::User;
use crate::kernel::idempotency::IdempotencyKey;
use crate::pages::page_request::PageRequest;
use crate::pages::response::PageError;
use crate::store::Tx;

/// All entries of a list.
const ALL: Part = Part {
    after: None,
    limit: None,
};

/// The user, and the organizations that the user administers.
pub struct Administrator {
    /// The user.
    pub user: User,
    /// The organizations, by identifier.
    pub organizations: Vec<Listed>,
}

/// An account as the operation `createUser` gets it.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct NewUser {
    /// The account.
    pub hub_user: types::HubUserRequest,
    /// Its profiles.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub collab_users: Vec<types::CollabUserRequest>,
}

impl Administrator {
    /// The signed-in user, whether they administer an organization or not.
    ///
    /// # Errors
    ///
    /// When nobody is signed in, or the store fails.
    pub async fn find(request: &PageRequest) -> Result<Administrator, PageError> {
        let user = request.signed_in()?;
        let id = user.id.clone();
        let read = move |tx: &mut Tx<'_>| directory::administered_organizations(tx, &id, ALL);
        let found = request.app.store.read(read).await?;
        Ok(Administrator {
            user,
            organizations: found.0,
        })
    }

    /// The same for a page that creates users.
    ///
    /// # Errors
    ///
    /// As [`Administrator::find`], and [`PageError::NotAdministrator`].
    pub async fn of(request: &PageRequest) -> Result<Administrator, PageError> {
        let administrator = Administrator::find(request).await?;
        match administrator.organizations.is_empty() {
            true => Err(PageError::NotAdministrator),
            false => Ok(administrator),
        }
    }

    /// Creates a user once for each `key`. Returns the response, and whether it is that of an
    /// earlier request.
    ///
    /// # Errors
    ///
    /// Those of the operation.
    pub async fn create(
        &self,
        request: &PageRequest,
        key: &str,
        new: NewUser,
    ) -> Result<(types::CreateUserResponse, bool), ProvisioningError> {
        let app = &request.app;
        let key = IdempotencyKey::new(
            &RESPONSES,
            &app.server_keys,
            &self.user.id,
            key,
            &("console", &new),
        )?;
        let requester = Requester {
            user_id: self.user.id.clone(),
            trail: request.trail(),
            key: Some(key),
        };
        let change = Change::create_user(app, new.hub_user, new.collab_users);
        requests::execute(app, requester, change).await
    }
}

/// The problems of a response: why profiles were not created, or invitations are missing.
pub fn profile_problems(response: &types::CreateUserResponse) -> Vec<String> {
    let profiles = response.collab_user.iter();
    profiles
        .filter_map(|profile| profile.error_description.clone())
        .collect()
}

/// A failed provisioning as a sentence, with the status of the page.
///
/// # Errors
///
/// When the store failed.
pub fn problem(error: ProvisioningError) -> Result<(http::StatusCode, String), PageError> {
    use http::StatusCode;
    Ok(match error {
        ProvisioningError::Store(error) => return Err(error.into()),
        ProvisioningError::NoPrivilege => (
            StatusCode::FORBIDDEN,
            "You do not administer this organization.".to_owned(),
        ),
        ProvisioningError::KeyReused(_) => (
            StatusCode::CONFLICT,
            "This form was used before. Open it again.".to_owned(),
        ),
        error => (StatusCode::BAD_REQUEST, format!("{error}.")),
    })
}
