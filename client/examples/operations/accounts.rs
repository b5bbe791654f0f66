// Each operation of the accounts area. The client has an access token.
use accord_client::{
    Accord,
    accounts::{
        CreateUserError, LinkCollabProfileError, ListApplicationInstancesError,
        ListOrganizationsError, types,
    },
};

/// Creates a user, and returns the name that others see.
pub async fn create_user(accord: &Accord) -> Result<String, CreateUserError> {
    let email = "mira.lund@north.example";
    let user = types::HubUserRequest::new(types::HubUserRequestRequired {
        email_address: email.to_owned(),
        first_name: "Mira".to_owned(),
        hub_organization_id: 3104,
        language: "en-GB".to_owned(),
        last_name: "Lund".to_owned(),
        set_password: false,
    });
    let request = types::CreateUserRequest::new().hub_user(user);
    let create = accord.accounts().create_user().body(request);
    let created = create.call().await?;
    Ok(created.hub_user.display_name.clone())
}

/// Links the profile of an application to a user, and returns the number of linked profiles.
pub async fn link_collab_profile(accord: &Accord) -> Result<usize, LinkCollabProfileError> {
    let email = "mira.lund@north.example";
    let profile = types::CollabUserDetailsRequest::new(types::CollabUserDetailsRequestRequired {
        app_instance_id: "71".to_owned(),
        collab_organization_id: "5201".to_owned(),
        communication_email: email.to_owned(),
        language: "en-GB".to_owned(),
    });
    let user = types::HubUserDetailsRequest::new(email);
    let request = types::PatchUserRequest::new(profile, user);
    let link = accord.accounts().link_collab_profile().body(request);
    Ok(link.call().await?.collab_user.len())
}

/// The names of the organizations that the user administers, of all pages.
pub async fn list_organizations(accord: &Accord) -> Result<Vec<String>, ListOrganizationsError> {
    let mut organizations = accord.accounts().list_organizations().items();
    let mut names = Vec::new();
    while let Some(organization) = organizations.next_item().await? {
        names.push(organization.name);
    }
    Ok(names)
}

/// The application instances that the user can use, of all pages.
pub async fn list_application_instances(
    accord: &Accord,
) -> Result<Vec<types::ApplicationInstance>, ListApplicationInstancesError> {
    let instances = accord.accounts().list_application_instances();
    instances.items().collect_all().await
}
