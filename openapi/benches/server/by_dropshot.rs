//! The same operations, written by hand on dropshot.

use std::net::SocketAddr;

use dropshot::{
    ApiDescription, ClientErrorStatusCode, ConfigDropshot, HttpError, HttpResponseOk, Query,
    RequestContext, ServerBuilder, TypedBody, endpoint,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::data;

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CreateUserRequest {
    hub_user: Option<HubUserRequest>,
    collab_users: Option<Vec<CollabUserRequest>>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[allow(dead_code)]
struct HubUserRequest {
    email_address: String,
    first_name: String,
    middle_name: Option<String>,
    last_name: String,
    language: Option<String>,
    hub_organization_id: i64,
    set_password: bool,
    email_for_communication: Option<String>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct CollabUserRequest {
    app_instance_id: i64,
    collab_organization_id: i64,
    project_ids: Option<Vec<String>>,
    user_name: Option<String>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CreateUserResponse {
    hub_user: HubUserResponse,
    collab_user: Vec<CollabUserResponse>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct HubUserResponse {
    first_name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    middle_name: Option<String>,
    last_name: String,
    email_address: String,
    display_name: String,
    organization_id: i64,
    email_for_communication: String,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct CollabUserResponse {
    account_linked: bool,
    app_instance_id: i64,
    collab_organization_id: i64,
    user_name: String,
    location: String,
    region: String,
    project_ids: Vec<String>,
    has_linked_accounts: bool,
    communication_email: String,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct OrganizationDetails {
    id: i64,
    name: String,
    trading_name: String,
}

#[derive(Deserialize, JsonSchema)]
#[allow(dead_code)]
pub struct ListQuery {
    pub limit: Option<i32>,
    page: Option<String>,
}

/// What both of the servers that are written by hand do with a creation.
pub fn created(body: CreateUserRequest) -> Option<CreateUserResponse> {
    let user = body.hub_user?;
    let mail = user
        .email_for_communication
        .unwrap_or_else(|| user.email_address.clone());
    let profiles = body.collab_users.unwrap_or_default().into_iter();
    let collab_user = profiles.map(|profile| CollabUserResponse {
        account_linked: true,
        app_instance_id: profile.app_instance_id,
        collab_organization_id: profile.collab_organization_id,
        user_name: profile.user_name.unwrap_or_default(),
        location: "Bergen".to_owned(),
        region: "eu-north".to_owned(),
        project_ids: profile.project_ids.unwrap_or_default(),
        has_linked_accounts: true,
        communication_email: mail.clone(),
    });
    Some(CreateUserResponse {
        collab_user: collab_user.collect(),
        hub_user: HubUserResponse {
            display_name: format!("{} {}", user.first_name, user.last_name),
            first_name: user.first_name,
            middle_name: user.middle_name,
            last_name: user.last_name,
            email_address: user.email_address,
            organization_id: user.hub_organization_id,
            email_for_communication: mail,
        },
    })
}

/// And with a list.
pub fn listed(query: &ListQuery) -> Vec<OrganizationDetails> {
    let numbers = 0..query.limit.unwrap_or(data::MANY);
    numbers
        .map(|number| OrganizationDetails {
            id: 3000 + i64::from(number),
            name: data::name(number),
            trading_name: data::name(number),
        })
        .collect()
}

fn authorized(rqctx: &RequestContext<()>) -> Result<(), HttpError> {
    match data::is_authorized(rqctx.request.headers()) {
        true => Ok(()),
        false => Err(HttpError::for_client_error_with_status(
            None,
            ClientErrorStatusCode::UNAUTHORIZED,
        )),
    }
}

#[endpoint { method = POST, path = "/api/user" }]
async fn create_user(
    rqctx: RequestContext<()>,
    body: TypedBody<CreateUserRequest>,
) -> Result<HttpResponseOk<CreateUserResponse>, HttpError> {
    authorized(&rqctx)?;
    let answer = created(body.into_inner());
    let refused = || HttpError::for_bad_request(None, "no hubUser".to_owned());
    answer.map(HttpResponseOk).ok_or_else(refused)
}

#[endpoint { method = GET, path = "/api/user/organizations" }]
async fn list_organizations(
    rqctx: RequestContext<()>,
    query: Query<ListQuery>,
) -> Result<HttpResponseOk<Vec<OrganizationDetails>>, HttpError> {
    authorized(&rqctx)?;
    Ok(HttpResponseOk(listed(&query.into_inner())))
}

/// The request log is off, for the generated server as well.
pub fn log() -> slog::Logger {
    slog::Logger::root(slog::Discard, slog::o!())
}

pub fn config(address: SocketAddr) -> ConfigDropshot {
    ConfigDropshot {
        bind_address: address,
        default_request_body_max_bytes: 1 << 20,
        ..ConfigDropshot::default()
    }
}

pub async fn serve(address: SocketAddr) {
    let mut description = ApiDescription::new();
    description.register(create_user).expect("a route");
    description.register(list_organizations).expect("a route");
    let server = ServerBuilder::new(description, (), log())
        .config(config(address))
        .start()
        .expect("a server");
    server.await.expect("it serves");
}
