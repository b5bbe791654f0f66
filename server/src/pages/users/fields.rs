//! The notation of collab profiles in a row of a file, as `accord users import` reads it.

use accord_accounts_server::types::CollabUserRequest;

/// Reads profiles: `APP:ORG[:PROJECT,…]`, with semicolons between them.
///
/// # Errors
///
/// What is wrong, as a sentence.
pub fn profiles(text: &str) -> Result<Vec<CollabUserRequest>, String> {
    let parts = text.split(';').map(str::trim);
    parts.filter(|part| !part.is_empty()).map(profile).collect()
}

fn profile(text: &str) -> Result<CollabUserRequest, String> {
    let wrong = || format!("collab: {text} is not of the form APP:ORG or APP:ORG:PROJECT,PROJECT.");
    let mut parts = text.splitn(3, ':').map(str::trim);
    let mut number = || parts.next()?.parse().ok();
    let (instance, organization) = (number(), number());
    let projects = parts.next().map(projects).unwrap_or_default();
    Ok(CollabUserRequest {
        app_instance_id: instance.ok_or_else(wrong)?,
        collab_organization_id: organization.ok_or_else(wrong)?,
        project_ids: (!projects.is_empty()).then_some(projects),
        user_name: None,
    })
}

/// Reads the identifiers of projects, with commas between them.
pub fn projects(text: &str) -> Vec<String> {
    let ids = text.split(',').map(str::trim);
    ids.filter(|id| !id.is_empty()).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn profiles_are_numbers_with_projects_behind_them() {
        let read = profiles(" 71:5201:LOCK-1, HARBOUR-2; 72:5202 ;").unwrap();
        assert_eq!(read.len(), 2);
        assert_eq!(read[0].app_instance_id, 71);
        let expected = Some(vec!["LOCK-1".to_owned(), "HARBOUR-2".to_owned()]);
        assert_eq!(read[0].project_ids, expected);
        assert_eq!(
            (read[1].collab_organization_id, &read[1].project_ids),
            (5202, &None)
        );
        assert!(profiles("").is_ok_and(|none| none.is_empty()));
        for text in ["71", "x:5201", "71:", ":5201", "71;5201"] {
            assert!(
                profiles(text).is_err_and(|problem| problem.contains("APP:ORG")),
                "{text}"
            );
        }
    }
}
