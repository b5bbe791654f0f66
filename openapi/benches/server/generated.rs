//! The operations as the generator makes them; only the answers are written here.

use std::net::SocketAddr;

use accord::accounts::server as api;
use api::{responses, types};
use dropforge_runtime::{Bearer, Call, Denied, Observe, Rejection, Reply};
use dropshot::{ApiDescription, ServerBuilder};

use crate::data;

struct State;
struct Service;

impl Observe for State {}

impl api::Security for Service {
    type Context = State;
    type AccessToken = ();

    async fn access_token(
        _: &Call<State>,
        credentials: Bearer,
        _: &'static [&'static str],
    ) -> Result<(), Denied> {
        match credentials.expose() == data::TOKEN {
            true => Ok(()),
            false => Err(Denied::unauthenticated("unknown")),
        }
    }

    fn reject(_: &Call<State>, rejection: Rejection) -> Reply {
        Reply::empty(rejection.status())
    }
}

impl api::Accounts for Service {
    async fn create_user(
        _: Call<State>,
        (): (),
        _: api::parameters::CreateUser,
        body: types::CreateUserRequest,
    ) -> Result<api::CreateUserResponse, api::CreateUserError> {
        let Some(user) = body.hub_user else {
            let body = not_measured();
            return Err(responses::InvalidRequest { body }.into());
        };
        let mail = user
            .email_for_communication
            .unwrap_or_else(|| user.email_address.clone());
        let profiles = body.collab_users.unwrap_or_default().into_iter();
        let collab_user = profiles.map(|profile| types::CollabUserResponse {
            account_linked: true,
            app_instance_id: profile.app_instance_id,
            collab_organization_id: profile.collab_organization_id,
            user_id: None,
            user_name: profile.user_name.unwrap_or_default(),
            location: "Bergen".to_owned(),
            region: "eu-north".to_owned(),
            project_ids: profile.project_ids.unwrap_or_default(),
            error_description: None,
            has_linked_accounts: true,
            communication_email: mail.clone(),
        });
        let collab_user = collab_user.collect();
        let body = types::CreateUserResponse {
            hub_user: types::HubUserResponse {
                display_name: format!("{} {}", user.first_name, user.last_name),
                first_name: user.first_name,
                middle_name: user.middle_name,
                last_name: user.last_name,
                email_address: user.email_address,
                organization_id: user.hub_organization_id,
                email_for_communication: mail,
            },
            collab_user,
        };
        Ok(responses::CreateUserOk { body }.into())
    }

    async fn link_collab_profile(
        _: Call<State>,
        (): (),
        _: api::parameters::LinkCollabProfile,
        _: types::PatchUserRequest,
    ) -> Result<api::LinkCollabProfileResponse, api::LinkCollabProfileError> {
        let body = not_measured();
        Err(responses::InvalidRequest { body }.into())
    }

    async fn list_organizations(
        _: Call<State>,
        (): (),
        parameters: api::parameters::ListOrganizations,
        _: Option<types::RequestContext>,
    ) -> Result<api::ListOrganizationsResponse, api::ListOrganizationsError> {
        let numbers = 0..parameters.limit.unwrap_or(data::MANY);
        let body = numbers.map(|number| types::OrganizationDetails {
            id: 3000 + i64::from(number),
            name: data::name(number),
            trading_name: data::name(number),
        });
        Ok(responses::ListOrganizationsOk {
            accord_next_page: None,
            body: body.collect(),
        }
        .into())
    }

    async fn list_application_instances(
        _: Call<State>,
        (): (),
        _: api::parameters::ListApplicationInstances,
        _: Option<types::RequestContext>,
    ) -> Result<api::ListApplicationInstancesResponse, api::ListApplicationInstancesError> {
        let body = not_measured();
        Err(responses::InvalidParameter { body }.into())
    }
}

fn not_measured() -> types::OAuthError {
    types::OAuthError {
        error: types::OAuthErrorCode::InvalidRequest,
        error_description: "Not measured.".to_owned(),
    }
}

pub async fn serve(address: SocketAddr) {
    let mut description = ApiDescription::new();
    api::register::<Service>(&mut description).expect("the routes");
    let server = ServerBuilder::new(description, State, crate::by_dropshot::log())
        .config(crate::by_dropshot::config(address))
        .start()
        .expect("a server");
    server.await.expect("it serves");
}
