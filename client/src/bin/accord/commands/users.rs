//! Users, organizations, application instances.

use super::collab::collab;
use crate::failure::failed;
use crate::output::Output;
use accord_client::{Accord, accounts::types};
use clap::{Args, Subcommand};

#[derive(Subcommand)]
pub enum Users {
    Create(Create),
    Link(Link),
    Import(super::import::Import),
}

/// Create a hub user, and collab profiles linked to it
#[derive(Args)]
#[command(after_help = "\
Example:
  accord users create --email eva@north.example --first-name Eva --last-name North \\
    --organization 3104 --collab 71:5201:LOCK-1,HARBOUR-2")]
pub struct Create {
    /// Email address, which is also the name to sign in with
    #[arg(long, value_name = "ADDRESS")]
    email: String,
    /// First name
    #[arg(long, value_name = "NAME")]
    first_name: String,
    /// Middle name
    #[arg(long, value_name = "NAME")]
    middle_name: Option<String>,
    /// Last name
    #[arg(long, value_name = "NAME")]
    last_name: String,
    /// Hub organization of the user; `accord orgs list` shows yours
    #[arg(long, value_name = "ID")]
    organization: i64,
    /// Language of the emails
    #[arg(long, value_name = "TAG", default_value = "en")]
    language: String,
    /// Send an email with a link to set a password
    #[arg(long)]
    set_password: bool,
    /// Another address for emails
    #[arg(long, value_name = "ADDRESS")]
    emails_to: Option<String>,
    /// A collab profile: application instance, collab organization and projects; may be given several times
    #[arg(long = "collab", value_name = "APP:ORG[:PROJECT,…]", value_parser = collab)]
    collab: Vec<types::CollabUserRequest>,
}

/// Create a collab profile and link it to a hub user
#[derive(Args)]
pub struct Link {
    /// The hub user's email address
    #[arg(long, value_name = "ADDRESS")]
    email: String,
    /// Application instance
    #[arg(long, value_name = "ID")]
    app: i64,
    /// Collab organization
    #[arg(long, value_name = "ID")]
    organization: i64,
    /// Email address of the profile [default: the hub user's]
    #[arg(long, value_name = "ADDRESS")]
    emails_to: Option<String>,
    /// Language of the emails
    #[arg(long, value_name = "TAG", default_value = "en")]
    language: String,
    /// Name of the profile
    #[arg(long, value_name = "NAME")]
    user_name: Option<String>,
    /// A project to invite to; may be given several times
    #[arg(long = "project", value_name = "ID")]
    projects: Vec<String>,
}

impl Users {
    pub async fn run(self, accord: &Accord, output: &Output) -> anyhow::Result<()> {
        let created = match self {
            Users::Import(import) => return import.run(accord, output).await,
            Users::Create(create) => {
                let mut hub_user = types::HubUserRequest::new(types::HubUserRequestRequired {
                    email_address: create.email,
                    first_name: create.first_name,
                    hub_organization_id: create.organization,
                    language: create.language,
                    last_name: create.last_name,
                    set_password: create.set_password,
                });
                hub_user.email_for_communication = create.emails_to;
                hub_user.middle_name = create.middle_name;
                let mut request = types::CreateUserRequest::new().hub_user(hub_user);
                request.collab_users = (!create.collab.is_empty()).then_some(create.collab);
                accord
                    .accounts()
                    .create_user()
                    .body(request)
                    .call()
                    .await
                    .map_err(failed)
            }
            Users::Link(link) => {
                let mut collab_users =
                    types::CollabUserDetailsRequest::new(types::CollabUserDetailsRequestRequired {
                        app_instance_id: link.app.to_string(),
                        collab_organization_id: link.organization.to_string(),
                        communication_email: link.emails_to.unwrap_or_else(|| link.email.clone()),
                        language: link.language,
                    });
                collab_users.user_name = link.user_name;
                collab_users.project_ids = (!link.projects.is_empty()).then_some(link.projects);
                let hub_user = types::HubUserDetailsRequest::new(link.email);
                let request = types::PatchUserRequest::new(collab_users, hub_user);
                accord
                    .accounts()
                    .link_collab_profile()
                    .body(request)
                    .call()
                    .await
                    .map_err(failed)
            }
        };
        show(output, &created?.into_inner())
    }
}

fn show(output: &Output, created: &types::CreateUserResponse) -> anyhow::Result<()> {
    let user = &created.hub_user;
    if output.json {
        return output.value(created);
    }
    output.one(
        user,
        &[
            ("user", Some(user.display_name.clone())),
            ("email", Some(user.email_address.clone())),
            ("organization", Some(user.organization_id.to_string())),
        ],
    )?;
    if created.collab_user.is_empty() {
        return Ok(());
    }
    crate::output::line("")?;
    output.list(
        &created.collab_user,
        "There are no collab profiles; `accord users link` creates one.",
        ["app", "organization", "user", "projects", "linked"],
        |profile| {
            [
                profile.app_instance_id.to_string(),
                profile.collab_organization_id.to_string(),
                profile.user_name.clone(),
                profile.project_ids.join(", "),
                match &profile.error_description {
                    Some(problem) => format!("no: {problem}"),
                    None if profile.account_linked => "yes".to_owned(),
                    None => "no".to_owned(),
                },
            ]
        },
    )
}

/// The text of an empty list of organizations.
const NO_ORGANIZATION: &str =
    "You administer no organization; the operator adds one with `accord-server apply`.";

#[derive(Subcommand, Default)]
pub enum Organizations {
    /// List the organizations that you administer
    #[default]
    List,
}

impl Organizations {
    pub async fn run(self, accord: &Accord, output: &Output) -> anyhow::Result<()> {
        let Self::List = self;
        let request = accord.accounts().list_organizations();
        let all = request.items().collect_all().await.map_err(failed)?;
        output.list(
            &all,
            NO_ORGANIZATION,
            ["id", "name", "trading name"],
            |organization| {
                [
                    organization.id.to_string(),
                    organization.name.clone(),
                    organization.trading_name.clone(),
                ]
            },
        )
    }
}

/// The text of an empty list of application instances.
const NO_APPLICATION: &str =
    "You can use no application instance; the operator adds one with `accord-server apply`.";

#[derive(Subcommand, Default)]
pub enum Applications {
    /// List the application instances that you can use
    #[default]
    List,
}

impl Applications {
    pub async fn run(self, accord: &Accord, output: &Output) -> anyhow::Result<()> {
        let Self::List = self;
        let request = accord.accounts().list_application_instances();
        let all = request.items().collect_all().await.map_err(failed)?;
        output.list(
            &all,
            NO_APPLICATION,
            ["id", "name", "region", "address"],
            |instance| {
                [
                    instance.id.to_string(),
                    instance.name.clone(),
                    instance.region.clone(),
                    instance.base_url.clone(),
                ]
            },
        )
    }
}
