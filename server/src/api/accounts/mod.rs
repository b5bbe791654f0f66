//! Translates between the operations of the accounts document and the area.

mod reject;

use std::sync::Arc;

use accord::accounts::server::{
    Accounts, CreateUserError, CreateUserResponse, LinkCollabProfileError,
    LinkCollabProfileResponse, ListApplicationInstancesError, ListApplicationInstancesResponse,
    ListOrganizationsError, ListOrganizationsResponse, Security, parameters, responses, types,
};
use dropforge_runtime::{Bearer, Call, Denied, Rejection, Reply};

use crate::accounts::RESPONSES;
use crate::accounts::directory::{self, Instance, Listed, Part};
use crate::accounts::profiles::Obstacle;
use crate::accounts::provisioning::{ProfileRequest, ProvisioningError};
use crate::accounts::requests::{self, Requester};
use crate::api::call::{audit_context, retry_token};
use crate::app::App;
use crate::identity::{Subject, verify_bearer};
use crate::kernel::idempotency::IdempotencyKey;
use crate::store::StoreError;
use reject::{CANNOT_CREATE_USER, CANNOT_LINK_PROFILE};

const DIFFERENT_TOKENS: &str = "Idempotency-Key and accord-retry-token have different values.";

/// The area, as an implementation of the generated trait.
pub struct Service;

impl Security for Service {
    type Context = Arc<App>;
    type AccessToken = Subject;

    async fn access_token(
        call: &Call<Arc<App>>,
        credentials: Bearer,
        scopes: &'static [&'static str],
    ) -> Result<Subject, Denied> {
        verify_bearer(&call.context().identity, &credentials, scopes).await
    }

    fn reject(call: &Call<Arc<App>>, rejection: Rejection) -> Reply {
        reject::reply(call, rejection)
    }
}

impl Accounts for Service {
    async fn create_user(
        call: Call<Arc<App>>,
        caller: Subject,
        parameters: parameters::CreateUser,
        body: types::CreateUserRequest,
    ) -> Result<CreateUserResponse, CreateUserError> {
        let app = call.context();
        let key = retry_token(parameters.idempotency_key, parameters.accord_retry_token)
            .map_err(|_| reject::invalid(DIFFERENT_TOKENS))?;
        let key = idempotency_key(&call, &caller, key, &body).map_err(|error| {
            responses::CreateUserInternalServerError {
                body: reject::failed(&call, CANNOT_CREATE_USER, error),
            }
        })?;
        let Some(hub_user) = body.hub_user else {
            let text = "One or more required fields are missing: hubUser.";
            return Err(reject::invalid(text).into());
        };
        let has_key = key.is_some();
        let requester = requester(&call, caller, key);
        let (body, _) = requests::create_user(app, requester, hub_user, body.collab_users)
            .await
            .map_err(|error| match Refusal::of(&error, has_key) {
                Refusal::Invalid => reject::invalid(format!("{error}.")).into(),
                Refusal::NoPrivilege => reject::no_privilege().into(),
                Refusal::Unavailable => reject::unavailable(&call, &error).into(),
                Refusal::Failed => {
                    CreateUserError::from(responses::CreateUserInternalServerError {
                        body: reject::failed(&call, CANNOT_CREATE_USER, error),
                    })
                }
            })?;
        Ok(responses::CreateUserOk { body }.into())
    }

    async fn link_collab_profile(
        call: Call<Arc<App>>,
        caller: Subject,
        parameters: parameters::LinkCollabProfile,
        body: types::PatchUserRequest,
    ) -> Result<LinkCollabProfileResponse, LinkCollabProfileError> {
        let app = call.context();
        let key = retry_token(parameters.idempotency_key, parameters.accord_retry_token)
            .map_err(|_| reject::invalid(DIFFERENT_TOKENS))?;
        let key = idempotency_key(&call, &caller, key, &body).map_err(|error| {
            responses::LinkCollabProfileInternalServerError {
                body: reject::failed(&call, CANNOT_LINK_PROFILE, error),
            }
        })?;
        let email_address = body.hub_user.email_address;
        let request = link_request(app, body.collab_users).map_err(reject::invalid)?;
        let has_key = key.is_some();
        let requester = requester(&call, caller, key);
        let (body, _) = requests::link_profile(app, requester, email_address, request)
            .await
            .map_err(|error| match Refusal::of(&error, has_key) {
                Refusal::Invalid => reject::invalid(format!("{error}.")).into(),
                Refusal::NoPrivilege => reject::no_privilege().into(),
                Refusal::Unavailable => reject::unavailable(&call, &error).into(),
                Refusal::Failed => {
                    LinkCollabProfileError::from(responses::LinkCollabProfileInternalServerError {
                        body: reject::failed(&call, CANNOT_LINK_PROFILE, error),
                    })
                }
            })?;
        Ok(responses::LinkCollabProfileOk { body }.into())
    }

    async fn list_organizations(
        call: Call<Arc<App>>,
        caller: Subject,
        parameters: parameters::ListOrganizations,
        _context: Option<types::RequestContext>,
    ) -> Result<ListOrganizationsResponse, ListOrganizationsError> {
        let part = part(parameters.limit, parameters.page).map_err(reject::invalid_parameter)?;
        let (found, more) = call
            .context()
            .store
            .read_one(move |tx| directory::administered_organizations(tx, &caller.user_id, part))
            .await
            .map_err(|error| reject::failed_list::<ListOrganizationsError>(&call, &error))?;
        let accord_next_page = found
            .last()
            .filter(|_| more)
            .map(|last| directory::cursor(last.id));
        let body = found.into_iter().map(organization_details).collect();
        Ok(responses::ListOrganizationsOk {
            accord_next_page,
            body,
        }
        .into())
    }

    async fn list_application_instances(
        call: Call<Arc<App>>,
        caller: Subject,
        parameters: parameters::ListApplicationInstances,
        _context: Option<types::RequestContext>,
    ) -> Result<ListApplicationInstancesResponse, ListApplicationInstancesError> {
        let part = part(parameters.limit, parameters.page).map_err(reject::invalid_parameter)?;
        let (found, more) = call
            .context()
            .store
            .read_one(move |tx| directory::accessible_instances(tx, &caller.user_id, part))
            .await
            .map_err(|error| reject::failed_list::<ListApplicationInstancesError>(&call, &error))?;
        let accord_next_page = found
            .last()
            .filter(|_| more)
            .map(|last| directory::cursor(last.id));
        let body = found.into_iter().map(application_instance).collect();
        Ok(responses::ListApplicationInstancesOk {
            accord_next_page,
            body,
        }
        .into())
    }
}

/// The requested part of a list; `Err` is the text of a 400.
fn part(limit: Option<i32>, page: Option<String>) -> Result<Part, String> {
    let after = page.map(|page| {
        directory::parse_cursor(&page)
            .ok_or_else(|| "page is not a value of accord-next-page.".to_owned())
    });
    Ok(Part {
        after: after.transpose()?,
        limit,
    })
}

/// A failed provisioning in the document's terms.
enum Refusal {
    Invalid,
    NoPrivilege,
    Unavailable,
    Failed,
}

impl Refusal {
    /// `has_key` says whether the request has an idempotency key. Without a key, a client that
    /// repeats every 503 would report the 400 of a change that was made, so an unknown outcome is
    /// then a failure.
    fn of(error: &ProvisioningError, has_key: bool) -> Self {
        use ProvisioningError as Error;
        match error {
            Error::Store(StoreError::OutcomeUnknown(_)) if !has_key => Refusal::Failed,
            Error::Store(error) if error.is_temporary() => Refusal::Unavailable,
            Error::NoPrivilege => Refusal::NoPrivilege,
            Error::UnknownOrganization(_)
            | Error::UnknownInstance(_)
            | Error::UnknownCollabOrganization { .. }
            | Error::UnknownUser(_)
            | Error::UsernameTaken(_)
            | Error::KeyReused(_)
            | Error::Obstacle(Obstacle::AlreadyLinked(_) | Obstacle::UserNameTaken { .. }) => {
                Refusal::Invalid
            }
            Error::Obstacle(Obstacle::InstanceClosed(_) | Obstacle::OrganizationClosed(_))
            | Error::Store(_) => Refusal::Failed,
        }
    }
}

/// The caller, for the area.
fn requester(call: &Call<Arc<App>>, caller: Subject, key: Option<IdempotencyKey>) -> Requester {
    Requester {
        trail: audit_context(call, &caller),
        user_id: caller.user_id,
        key,
    }
}

/// The key of a request, bound to the whole request.
fn idempotency_key(
    call: &Call<Arc<App>>,
    caller: &Subject,
    key: Option<String>,
    body: &impl serde::Serialize,
) -> Result<Option<IdempotencyKey>, ProvisioningError> {
    let Some(key) = key else { return Ok(None) };
    let operation = call.operation().map_or("", |operation| operation.id);
    let server_keys = &call.context().server_keys;
    Ok(Some(IdempotencyKey::new(
        &RESPONSES,
        server_keys,
        &caller.user_id,
        &key,
        &(operation, body),
    )?))
}

/// `Err` is the text of a 400.
fn link_request(
    app: &App,
    profile: types::CollabUserDetailsRequest,
) -> Result<ProfileRequest, String> {
    let types::CollabUserDetailsRequest {
        app_instance_id,
        collab_organization_id,
        user_name,
        communication_email,
        language,
        project_ids,
    } = profile;
    Ok(ProfileRequest {
        id: app.random.uuid().to_string(),
        mail_id: Some(app.random.uuid().to_string()),
        instance_id: number("appInstanceId", &app_instance_id)?,
        collab_organization_id: number("collabOrganizationId", &collab_organization_id)?,
        user_name,
        communication_email: Some(communication_email),
        language: Some(language),
        project_ids: project_ids.unwrap_or_default(),
    })
}

/// The number of an identifier that may be written as a text; `Err` is the text of
/// a 400.
fn number(field: &str, id: &types::NumericId) -> Result<i64, String> {
    match id {
        types::NumericId::Integer(id) => Ok(*id),
        types::NumericId::String(text) => text
            .parse()
            .map_err(|_| format!("collabUsers.{field} must be at most {}.", i64::MAX)),
    }
}

fn organization_details(organization: Listed) -> types::OrganizationDetails {
    types::OrganizationDetails {
        id: organization.id,
        name: organization.name,
        trading_name: organization.trading_name,
    }
}

fn application_instance(instance: Instance) -> types::ApplicationInstance {
    types::ApplicationInstance {
        id: instance.id,
        name: instance.name,
        region: instance.region,
        base_url: instance.base_url,
    }
}
