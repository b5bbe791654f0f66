// The names of the organizations that the user administers.
use accord_client::{Accord, accounts::ListOrganizationsError};

pub async fn organizations(accord: &Accord) -> Result<Vec<String>, ListOrganizationsError> {
    let mut names = Vec::new();
    // The client requests one page after the other, when the loop needs it.
    let mut organizations = accord.accounts().list_organizations().limit(100).items();
    while let Some(organization) = organizations.next_item().await? {
        names.push(organization.name);
    }
    Ok(names)
}
