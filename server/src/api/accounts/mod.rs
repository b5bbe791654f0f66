//! Translates between the operations of the accounts document and the area.

mod reject;

use std::sync::Arc;

use accord_accounts_server::{
    Accounts, CreateUserError, CreateUserResponse, LinkCollabProfileError,
    LinkCollabProfileResponse, ListApplicationInstancesError, ListApplicationInstancesResponse,
    ListOrganizationsError, ListOrganizationsResponse, Security, parameters, responses, types,
};
use dropforge_runtime::{Bearer, Call, Denied, Rejection, Reply};

use crate::accounts::RESPONSES;
use crate::accounts::directory::{self, Instance, Listed, Part};
use crate::accounts::profiles::Obstacle;
use crate::accounts::provisioning::{ProfileRequest, ProvisioningError};
use crate::accounts::requests::{self, Change, Requester};
use crate::api::call::{audit_context, retry_token};
use crate::app::App;
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
        let failed = |error| {
            let body = reject::failed(&call, CANNOT_CREATE_USER, error);
            CreateUserError::from(responses::CreateUserInternalServerError { body })
        };
        let keys = [parameters.idempotency_key, parameters.accord_retry_token];
        let requester = requester(&call, caller, keys, &body, failed)?;
        let Some(hub_user) = body.hub_user else {
            let text = "One or more required fields are missing: hubUser.";
            return Err(reject::invalid(text).into());
        };
        let profiles = body.collab_users.unwrap_or_default();
        let change = Change::create_user(call.context(), hub_user, profiles);
        let body = provision(&call, requester, change, failed).await?;
        Ok(responses::CreateUserOk { body }.into())
    }

    async fn link_collab_profile(
        call: Call<Arc<App>>,
        caller: Subject,
        parameters: parameters::LinkCollabProfile,
        body: types::PatchUserRequest,
    ) -> Result<LinkCollabProfileResponse, LinkCollabProfileError> {
        let failed = |error| {
            let body = reject::failed(&call, CANNOT_LINK_PROFILE, error);
            LinkCollabProfileError::from(responses::LinkCollabProfileInternalServerError { body })
        };
        let keys = [parameters.idempotency_key, parameters.accord_retry_token];
        let requester = requester(&call, caller, keys, &body, failed)?;
        let change = Change::LinkProfile {
            email_address: body.hub_user.email_address,
            profile: link_request(call.context(), body.collab_users).map_err(reject::invalid)?,
        };
        let body = provision(&call, requester, change, failed).await?;
        Ok(responses::LinkCollabProfileOk { body }.into())
    }

    async fn list_organizations(
        call: Call<Arc<App>>,
        caller: Subject,
        parameters: parameters::ListOrganizations,
        _context: Option<types::RequestContext>,
    ) -> Result<ListOrganizationsResponse, ListOrganizationsError> {
        let read = move |tx: &mut Tx<'_>, part| {
            directory::administered_organizations(tx, &caller.user_id, part)
        };
        let (found, accord_next_page) = list::<_, ListOrganizationsError>(
            &call,
            parameters.limit,
            parameters.page,
            read,
            |one| one.id,
        )
        .await?;
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
        let read =
            move |tx: &mut Tx<'_>, part| directory::accessible_instances(tx, &caller.user_id, part);
        let (found, accord_next_page) = list::<_, ListApplicationInstancesError>(
            &call,
            parameters.limit,
            parameters.page,
            read,
            |one| one.id,
        )
        .await?;
        let body = found.into_iter().map(application_instance).collect();
        Ok(responses::ListApplicationInstancesOk {
            accord_next_page,
            body,
        }
        .into())
    }
}

/// Reads the requested part of a list, and the cursor of the next part.
async fn list<T: Send + 'static, E>(
    call: &Call<Arc<App>>,
    limit: Option<i32>,
    page: Option<String>,
    read: impl Fn(&mut Tx<'_>, Part) -> Result<(Vec<T>, bool), StoreError> + Send + 'static,
    id: impl Fn(&T) -> i64,
) -> Result<(Vec<T>, Option<String>), E>
where
    E: From<responses::InvalidParameter>
        + From<responses::ServiceUnavailable>
        + From<responses::ServerError>,
{
    let after = page.map(|page| {
        directory::parse_cursor(&page)
            .ok_or_else(|| reject::invalid_parameter("page is not a value of accord-next-page."))
    });
    let after = after.transpose()?;
    let part = Part { after, limit };
    let store = &call.context().store;
    let (found, more) = store
        .read_one(move |tx| read(tx, part))
        .await
        .map_err(|error| reject::failed_list::<E>(call, &error))?;
    let last = found.last().filter(|_| more);
    let next = last.map(|last| directory::cursor(id(last)));
    Ok((found, next))
}

/// Makes a change, and returns its response. `failed` makes a 500.
async fn provision<E>(
    call: &Call<Arc<App>>,
    requester: Requester,
    change: Change,
    failed: impl Fn(ProvisioningError) -> E,
) -> Result<types::CreateUserResponse, E>
where
    E: From<responses::InvalidRequest>
        + From<responses::Unauthorized>
        + From<responses::ServiceUnavailable>,
{
    let has_key = requester.key.is_some();
    match requests::execute(call.context(), requester, change).await {
        Ok((body, _)) => Ok(body),
        Err(error) => Err(refuse(call, has_key, error, failed)),
    }
}

/// A failed provisioning as one of the responses that both operations list. `failed` makes a 500.
///
/// Without an idempotency key (`has_key`), an unknown outcome is a failure. After a 503, a client
/// would repeat the request, and get a 400 if the change was made.
fn refuse<E>(
    call: &Call<Arc<App>>,
    has_key: bool,
    error: ProvisioningError,
    failed: impl Fn(ProvisioningError) -> E,
) -> E
where
    E: From<responses::InvalidRequest>
        + From<responses::Unauthorized>
        + From<responses::ServiceUnavailable>,
{
    use ProvisioningError as Error;
    match &error {
        Error::Store(StoreError::OutcomeUnknown(_)) if !has_key => failed(error),
        Error::Store(reason) if reason.is_temporary() => reject::unavailable(call, &error).into(),
        Error::NoPrivilege => reject::no_privilege().into(),
        Error::UnknownOrganization(_)
        | Error::UnknownInstance(_)
        | Error::UnknownCollabOrganization { .. }
        | Error::UnknownUser(_)
        | Error::UsernameTaken(_)
        | Error::KeyReused(_)
        | Error::Obstacle(Obstacle::AlreadyLinked(_) | Obstacle::UserNameTaken { .. }) => {
            reject::invalid(format!("{error}.")).into()
        }
        Error::Obstacle(Obstacle::InstanceClosed(_) | Obstacle::OrganizationClosed(_))
        | Error::Store(_) => failed(error),
    }
}

/// The caller, with an idempotency key that is bound to the whole request. `failed` makes a 500.
fn requester<E: From<responses::InvalidRequest>>(
    call: &Call<Arc<App>>,
    caller: Subject,
    [idempotency_key, accord_retry_token]: [Option<String>; 2],
    body: &impl serde::Serialize,
    failed: impl Fn(ProvisioningError) -> E,
) -> Result<Requester, E> {
    let key = retry_token(idempotency_key, accord_retry_token)
        .map_err(|_| reject::invalid(DIFFERENT_TOKENS))?;
    let request = (call.operation().map_or("", |operation| operation.id), body);
    let server_keys = &call.context().server_keys;
    let key = key
        .map(|key| IdempotencyKey::new(&RESPONSES, server_keys, &caller.user_id, &key, &request))
        .transpose()
        .map_err(|error| failed(error.into()))?;
    Ok(Requester {
        trail: audit_context(call, &caller),
        user_id: caller.user_id,
        key,
    })
}

/// Converts the profile of a request; `Err` is the text of a 400.
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

/// The number of an identifier that may be written as a text; `Err` is the text of a 400.
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
