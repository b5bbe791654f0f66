//! A collab profile, as people write it.

use accord_client::accounts::types;

/// Reads a profile: application instance, collab organization and projects.
pub(super) fn collab(text: &str) -> Result<types::CollabUserRequest, String> {
    let help = "write APP:ORG or APP:ORG:PROJECT,PROJECT";
    let mut parts = text.splitn(3, ':');
    let mut number = || parts.next().and_then(|part| part.parse().ok()).ok_or(help);
    let (app_instance_id, collab_organization_id) = (number()?, number()?);
    let project = |project: &str| match project.trim() {
        "" => Err(help),
        project => Ok(project.to_owned()),
    };
    let all = |projects: &str| {
        let projects = projects.split(',').map(project);
        projects.collect::<Result<Vec<String>, &str>>()
    };
    let project_ids = parts.next().map(all).transpose()?;
    let mut profile = types::CollabUserRequest::new(types::CollabUserRequestRequired {
        app_instance_id,
        collab_organization_id,
    });
    profile.project_ids = project_ids;
    Ok(profile)
}

#[cfg(test)]
mod tests {
    use super::collab;

    #[test]
    fn a_profile_is_written_with_colons() {
        let profile = collab("71:5201:LOCK-1,HARBOUR-2").expect("a profile");
        assert_eq!(
            (profile.app_instance_id, profile.collab_organization_id),
            (71, 5201)
        );
        assert_eq!(
            profile.project_ids.as_deref(),
            Some(&["LOCK-1".to_owned(), "HARBOUR-2".to_owned()][..])
        );
        let spaced = collab("71:5201: LOCK-1, HARBOUR-2 ").expect("a profile");
        assert_eq!(spaced.project_ids, profile.project_ids);
        assert_eq!(collab("71:5201").expect("a profile").project_ids, None);
        for incomplete in ["71", "71:5201:", "71:5201:LOCK-1,,HARBOUR-2"] {
            let error = collab(incomplete).expect_err(incomplete);
            assert!(error.starts_with("write APP:ORG"), "{error}");
        }
    }
}
