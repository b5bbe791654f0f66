//! Collab profiles: accounts within a collab organization, each linked to the
//! hub account that it was created for.

use chrono::{DateTime, Utc};

use super::directory::Place;
use crate::mail::outbox::{self, About, NewMail, Project};
use crate::params;
use crate::store::{StoreError, Tx};

/// A profile to create.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewProfile {
    /// Identifier for the profile, if it is created.
    pub id: String,
    /// The hub account that it is linked to.
    pub hub_user_id: String,
    /// User name, unique in the collab organization without regard to case.
    pub user_name: String,
    /// Address for mail of the collab platform.
    pub communication_email: String,
    /// Language of that mail.
    pub language: String,
    /// Projects to invite the user to.
    pub project_ids: Vec<String>,
    /// Identifier for the mail with the invitations, if there are any; `None` to send no mail.
    pub mail_id: Option<String>,
}

/// The projects of a profile that was created.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Invitations {
    /// Projects to which the user is invited.
    pub invited: Vec<String>,
    /// Projects that the collab organization does not have.
    pub unknown: Vec<String>,
}

/// Why a profile was not created.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Obstacle {
    /// The instance rejects new profiles.
    #[error("application instance {0} is closed")]
    InstanceClosed(i64),
    /// The hub organization of the collab organization rejects new profiles.
    #[error("organization {0} is closed")]
    OrganizationClosed(i64),
    /// The hub account already has a profile in the collab organization.
    #[error("the account already has a profile in collab organization {0}")]
    AlreadyLinked(i64),
    /// Another profile in the collab organization has the user name.
    #[error("the user name {user_name} is taken in collab organization {collab_organization_id}")]
    UserNameTaken {
        /// The name.
        user_name: String,
        /// The collab organization.
        collab_organization_id: i64,
    },
}

/// Creates a profile with its invitations and the mail about them, or returns the obstacle.
pub fn create(
    tx: &mut Tx<'_>,
    place: &Place,
    profile: &NewProfile,
    now: DateTime<Utc>,
    created_by: &str,
) -> Result<Result<Invitations, Obstacle>, StoreError> {
    if place.instance.closed {
        return Ok(Err(Obstacle::InstanceClosed(place.instance.id)));
    }
    if place.owner.closed {
        return Ok(Err(Obstacle::OrganizationClosed(place.owner.id)));
    }
    let collab_organization_id = place.collab_organization_id;
    // A failed statement would also undo the hub account of the same transaction.
    let rows = tx.execute(
        "INSERT INTO collab_profiles (id, hub_user_id, collab_organization_id, user_name, \
         user_name_key, communication_email, language, created_at, created_by) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT DO NOTHING",
        params![
            &profile.id,
            &profile.hub_user_id,
            collab_organization_id,
            &profile.user_name,
            profile.user_name.to_lowercase(),
            &profile.communication_email,
            &profile.language,
            now,
            created_by,
        ],
    )?;
    if rows == 1 {
        return invite(tx, place, profile, now).map(Ok);
    }
    let is_linked = tx.exists(
        "SELECT 1 FROM collab_profiles WHERE hub_user_id = $1 AND collab_organization_id = $2",
        params![&profile.hub_user_id, collab_organization_id],
    )?;
    Ok(Err(match is_linked {
        true => Obstacle::AlreadyLinked(collab_organization_id),
        false => Obstacle::UserNameTaken {
            user_name: profile.user_name.clone(),
            collab_organization_id,
        },
    }))
}

/// Invites the user of a new profile to projects, and posts the mail about them.
fn invite(
    tx: &mut Tx<'_>,
    place: &Place,
    profile: &NewProfile,
    now: DateTime<Utc>,
) -> Result<Invitations, StoreError> {
    let mut invitations = Invitations::default();
    let mut projects = Vec::new();
    for (project_id, name) in profile.project_ids.iter().zip(&place.project_names) {
        let list = match name {
            Some(_) => &mut invitations.invited,
            None => &mut invitations.unknown,
        };
        if list.contains(project_id) {
            continue;
        }
        if let Some(name) = name.clone() {
            tx.add(
                "INSERT INTO collab_invitations (profile_id, position, project_id) \
                 VALUES ($1, $2, $3)",
                params![&profile.id, list.len() as i64, project_id],
            )?;
            let id = project_id.clone();
            projects.push(Project { id, name });
        }
        list.push(project_id.clone());
    }
    if let Some(mail_id) = profile.mail_id.as_deref().filter(|_| !projects.is_empty()) {
        let mail = NewMail {
            id: mail_id,
            user_id: &profile.hub_user_id,
            recipient: &profile.communication_email,
            language: &profile.language,
            about: About::Invited {
                organization: place.owner.trading_name.clone(),
                address: place.instance.base_url.clone(),
                projects,
            },
        };
        outbox::post(tx, &mail, now)?;
    }
    Ok(invitations)
}
