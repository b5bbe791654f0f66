//! Translates between the operations of the accounts document and the area.

mod reject;

use std::sync::Arc;

use accord::accounts::server::{
    Accounts, CreateUserError, CreateUserResponse, LinkCollabProfileError,
    LinkCollabProfileResponse, ListApplicationInstancesError, ListApplicationInstancesResponse,
    ListOrganizationsError, ListOrganizationsResponse, Security, parameters, responses, types,
};
use chrono::{DateTime, Utc};
use dropforge_runtime::{Bearer, Call, Denied, Rejection, Reply};

use crate::accounts::RESPONSES;
use crate::accounts::directory::{self, Instance, Listed, Part};
use crate::accounts::profiles::Obstacle;
use crate::accounts::provisioning::{
    self, NewAccount, ProfileOutcome, ProfileRequest, Provisioned, ProvisioningError,
};
use crate::accounts::users::User;
use crate::api::call::{audit_context, retry_token};
use crate::app::App;
use crate::audit::AuditContext;
use crate::identity::password_links::PasswordLink;
use crate::identity::{Subject, verify_bearer};
use crate::kernel::idempotency::IdempotencyKey;
use crate::store::{StoreError, Tx};
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
        let new = new_account(app, hub_user, body.collab_users.unwrap_or_default());
        let now = app.clock.now();
        let trail = audit_context(&call, &caller);
        let (body, fresh) = app
            .store
            .write_snapshot(move |tx| {
                let mut fresh = false;
                let requester = &caller.user_id;
                let allowed =
                    |tx: &mut Tx<'_>| provisioning::may_create_account(tx, requester, &new);
                let body = once(key.as_ref(), tx, now, allowed, |tx| {
                    fresh = true;
                    let made = provisioning::create_account(tx, requester, &new, now)?;
                    let organization = format!("organization {}", made.user.organization_id);
                    trail.record(tx, "accounts.user.created", &made.user.id, &organization)?;
                    record_profiles(tx, &trail, &made)?;
                    Ok(made)
                })?;
                Ok((body, fresh))
            })
            .await
            .map_err(|error| match Refusal::of(&error) {
                Refusal::Invalid => reject::invalid(format!("{error}.")).into(),
                Refusal::NoPrivilege => reject::no_privilege().into(),
                Refusal::Failed => {
                    CreateUserError::from(responses::CreateUserInternalServerError {
                        body: reject::failed(&call, CANNOT_CREATE_USER, error),
                    })
                }
            })?;
        count(app, fresh, 1, &body);
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
        let now = app.clock.now();
        let trail = audit_context(&call, &caller);
        let (body, fresh) = app
            .store
            .write_snapshot(move |tx| {
                let mut fresh = false;
                let (requester, email) = (&caller.user_id, &email_address);
                let allowed = |tx: &mut Tx<'_>| {
                    provisioning::may_link_profile(tx, requester, email, &request)
                };
                let body = once(key.as_ref(), tx, now, allowed, |tx| {
                    fresh = true;
                    let made = provisioning::link_profile(tx, requester, email, &request, now)?;
                    record_profiles(tx, &trail, &made)?;
                    Ok(made)
                })?;
                Ok((body, fresh))
            })
            .await
            .map_err(|error| match Refusal::of(&error) {
                Refusal::Invalid => reject::invalid(format!("{error}.")).into(),
                Refusal::NoPrivilege => reject::no_privilege().into(),
                Refusal::Failed => {
                    LinkCollabProfileError::from(responses::LinkCollabProfileInternalServerError {
                        body: reject::failed(&call, CANNOT_LINK_PROFILE, error),
                    })
                }
            })?;
        count(app, fresh, 0, &body);
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
            .map_err(|error| responses::ServerError {
                body: reject::unexpected(&call, &error),
            })?;
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
            .map_err(|error| responses::ServerError {
                body: reject::unexpected(&call, &error),
            })?;
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

/// The results of provisioning, by kind: `user`, `profile`, `profile-failed`, and `replay` for a
/// repeated response.
const PROVISIONED: &str = "accord_accounts_provisioned_total";

fn count(app: &App, fresh: bool, users: u64, body: &types::CreateUserResponse) {
    let add = |kind: &'static str, number: u64| {
        if number > 0 {
            ::metrics::counter!(PROVISIONED, "kind" => kind).increment(number);
        }
    };
    let linked = body.collab_user.iter().filter(|one| one.account_linked);
    let linked = linked.count() as u64;
    app.metrics.record(|| match fresh {
        true => {
            add("user", users);
            add("profile", linked);
            add("profile-failed", body.collab_user.len() as u64 - linked);
        }
        false => add("replay", 1),
    });
}

/// A failed provisioning in the document's terms.
enum Refusal {
    Invalid,
    NoPrivilege,
    Failed,
}

impl Refusal {
    fn of(error: &ProvisioningError) -> Self {
        use ProvisioningError as Error;
        match error {
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

/// Records the created profiles in the audit trail.
fn record_profiles(
    tx: &mut Tx<'_>,
    trail: &AuditContext,
    made: &Provisioned,
) -> Result<(), StoreError> {
    for profile in &made.profiles {
        if let Some(id) = &profile.profile_id {
            let place = profile.collab_organization_id;
            let detail = format!("user {}, collab organization {place}", made.user.id);
            trail.record(tx, "accounts.profile.created", id, &detail)?;
        }
    }
    Ok(())
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

/// Executes a request once for each key, and returns the document's response. Only a caller that
/// still has the right to the operation gets a stored response.
fn once(
    key: Option<&IdempotencyKey>,
    tx: &mut Tx<'_>,
    now: DateTime<Utc>,
    allowed: impl FnOnce(&mut Tx<'_>) -> Result<(), ProvisioningError>,
    work: impl FnOnce(&mut Tx<'_>) -> Result<Provisioned, ProvisioningError>,
) -> Result<types::CreateUserResponse, ProvisioningError> {
    match key {
        Some(key) => key.once_as_json(tx, now, allowed, |tx| work(tx).map(created)),
        None => work(tx).map(created),
    }
}

/// The identifiers are generated here, because the transaction may run more than once.
fn new_account(
    app: &App,
    hub_user: types::HubUserRequest,
    collab_users: Vec<types::CollabUserRequest>,
) -> NewAccount {
    let types::HubUserRequest {
        email_address,
        first_name,
        middle_name,
        last_name,
        language,
        hub_organization_id,
        set_password,
        email_for_communication,
    } = hub_user;
    let profiles = collab_users
        .into_iter()
        .map(|collab_user| ProfileRequest {
            id: app.random.uuid().to_string(),
            mail_id: set_password.then(|| app.random.uuid().to_string()),
            instance_id: collab_user.app_instance_id,
            collab_organization_id: collab_user.collab_organization_id,
            user_name: collab_user.user_name,
            communication_email: None,
            language: None,
            project_ids: collab_user.project_ids.unwrap_or_default(),
        })
        .collect();
    NewAccount {
        user: User {
            id: app.random.uuid().to_string(),
            communication_email: email_for_communication.unwrap_or_else(|| email_address.clone()),
            email_address,
            first_name,
            middle_name,
            last_name,
            language,
            organization_id: hub_organization_id,
        },
        mail: PasswordLink::new(&app.server_keys, &app.random.uuid().to_string()),
        set_password,
        profiles,
    }
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

fn created(provisioned: Provisioned) -> types::CreateUserResponse {
    let Provisioned {
        user,
        location,
        profiles,
    } = provisioned;
    types::CreateUserResponse {
        collab_user: profiles
            .into_iter()
            .map(|profile| collab_user(profile, &location))
            .collect(),
        hub_user: types::HubUserResponse {
            display_name: user.display_name(),
            first_name: user.first_name,
            middle_name: user.middle_name,
            last_name: user.last_name,
            email_address: user.email_address,
            organization_id: user.organization_id,
            email_for_communication: user.communication_email,
        },
    }
}

fn collab_user(profile: ProfileOutcome, location: &str) -> types::CollabUserResponse {
    types::CollabUserResponse {
        account_linked: profile.profile_id.is_some(),
        app_instance_id: profile.instance_id,
        collab_organization_id: profile.collab_organization_id,
        user_id: profile.profile_id,
        user_name: profile.user_name,
        location: location.to_owned(),
        region: profile.region,
        project_ids: profile.project_ids,
        error_description: profile.problem,
        has_linked_accounts: profile.requester_has_profile,
        communication_email: profile.communication_email,
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
