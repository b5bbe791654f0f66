//! The two changes that provisioning offers, each in one transaction: a hub account with
//! its collab profiles, and a profile for an existing hub account.
//!
//! Neither relies on the absence of a row: a unique index decides whether a username or a
//! profile exists, and foreign keys hold every row that they name. So a snapshot is enough
//! for their transactions
//! ([`Store::write_snapshot`](crate::store::Store::write_snapshot)).
//!
//! Both check in the same order: whether the requesting user administers
//! anything at all, so that nobody else learns what exists; whether everything
//! named exists; whether the user administers it; and then what stands in the
//! way.

use chrono::{DateTime, Utc};

use super::administrators;
use super::directory::{self, Organization, Place, PlaceQuery, PlaceResult};
use super::profiles::{self, NewProfile, Obstacle};
use super::users::{self, User};
use crate::kernel::idempotency::KeyReused;
use crate::mail::link::PasswordLink;
use crate::mail::outbox::{self, About, NewMail};
use crate::store::{StoreError, Tx};

/// Why nothing was created.
#[derive(Debug, thiserror::Error)]
pub enum ProvisioningError {
    /// The requesting user is not administrator where one has to be.
    #[error("not hub administrator")]
    NoPrivilege,
    /// A hub organization that does not exist.
    #[error("Hub organization {0} does not exist")]
    UnknownOrganization(i64),
    /// An application instance that does not exist.
    #[error("Application instance {0} does not exist")]
    UnknownInstance(i64),
    /// A collab organization that does not exist in the instance.
    #[error("Application instance {instance_id} has no collab organization {id}")]
    UnknownCollabOrganization {
        /// The instance that was named.
        instance_id: i64,
        /// The collab organization.
        id: i64,
    },
    /// A hub account that does not exist.
    #[error("Hub user {0} does not exist")]
    UnknownUser(String),
    /// An email address that is a username already.
    #[error("{0} is already a hub username")]
    UsernameTaken(String),
    /// The hub organization or the instance lets it not happen, or the profile
    /// exists.
    #[error("{}", sentence(.0))]
    Obstacle(#[from] Obstacle),
    /// The request's idempotency key came with another one before.
    #[error(transparent)]
    KeyReused(#[from] KeyReused),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// A hub account to create, and the profiles to link to it.
#[derive(Debug)]
pub struct NewAccount {
    /// The account.
    pub user: User,
    /// Identifier of the mail about it, as a link to set a password.
    pub mail: PasswordLink,
    /// Whether there is a mail that says how to set a password, with that link.
    pub set_password: bool,
    /// The profiles.
    pub profiles: Vec<ProfileRequest>,
}

/// A requested profile.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProfileRequest {
    /// Identifier for the profile, if it is created.
    pub id: String,
    /// Identifier for the mail with its invitations, if there are any; none to send no mail.
    pub mail_id: Option<String>,
    /// The application instance.
    pub instance_id: i64,
    /// The collab organization in it.
    pub collab_organization_id: i64,
    /// User name; the hub username when absent.
    pub user_name: Option<String>,
    /// Where mail of the collab platform goes; as for the hub when absent.
    pub communication_email: Option<String>,
    /// Language of that mail; as for the hub when absent.
    pub language: Option<String>,
    /// Projects to invite the user to.
    pub project_ids: Vec<String>,
}

impl ProfileRequest {
    fn place_query(&self) -> PlaceQuery<'_> {
        PlaceQuery {
            instance_id: self.instance_id,
            collab_organization_id: self.collab_organization_id,
            project_ids: &self.project_ids,
        }
    }

    fn require_place(&self, found: PlaceResult) -> Result<Place, ProvisioningError> {
        let instance_id = self.instance_id;
        let id = self.collab_organization_id;
        match found {
            PlaceResult::Place(place) => Ok(*place),
            PlaceResult::NoInstance => Err(ProvisioningError::UnknownInstance(instance_id)),
            PlaceResult::NoCollabOrganization => {
                Err(ProvisioningError::UnknownCollabOrganization { instance_id, id })
            }
        }
    }
}

/// A hub account and the outcome of each requested profile.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Provisioned {
    /// The account.
    pub user: User,
    /// City, state and country of its organization.
    pub location: String,
    /// The profiles, in the order of the request.
    pub profiles: Vec<ProfileOutcome>,
}

/// What became of one profile.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProfileOutcome {
    /// The application instance.
    pub instance_id: i64,
    /// Its region.
    pub region: String,
    /// The collab organization.
    pub collab_organization_id: i64,
    /// The profile, if it was created.
    pub profile_id: Option<String>,
    /// Its user name, or the requested one.
    pub user_name: String,
    /// Where mail of the collab platform goes.
    pub communication_email: String,
    /// The projects that the user is invited to.
    pub project_ids: Vec<String>,
    /// What went wrong.
    pub problem: Option<String>,
    /// Whether the requesting user has a profile in the collab organization.
    pub requester_has_profile: bool,
}

/// Creates a hub account for `requester`, with as many of its profiles as can
/// be created.
///
/// # Errors
///
/// When the account cannot be created, or what the request names is wrong for
/// any of the profiles. The transaction has to be rolled back then.
pub fn create_account(
    tx: &mut Tx<'_>,
    requester: &str,
    new: &NewAccount,
    now: DateTime<Utc>,
) -> Result<Provisioned, ProvisioningError> {
    let mut session = Session { tx, requester };
    let user = &new.user;
    let (organization, places) = session.authorize(user.organization_id, &new.profiles)?;
    let taken = || ProvisioningError::UsernameTaken(user.email_address.clone());
    if organization.closed {
        return Err(match users::find(session.tx, &user.email_address)? {
            Some(_) => taken(),
            None => Obstacle::OrganizationClosed(organization.id).into(),
        });
    }
    if !users::insert(session.tx, user, now, Some(requester))? {
        return Err(taken());
    }
    post_mail(session.tx, new, &organization.trading_name, now)?;
    let mut profiles = Vec::with_capacity(new.profiles.len());
    for (request, place) in new.profiles.iter().zip(&places) {
        let (outcome, _) = session.create_profile(user, place, request, now)?;
        profiles.push(outcome);
    }
    Ok(Provisioned {
        user: user.clone(),
        location: organization.location,
        profiles,
    })
}

/// Posts the mail with the link to set a password, if the request asks for it.
fn post_mail(
    tx: &mut Tx<'_>,
    new: &NewAccount,
    organization: &str,
    now: DateTime<Utc>,
) -> Result<(), StoreError> {
    if !new.set_password {
        return Ok(());
    }
    let mail = NewMail {
        id: new.mail.mail_id(),
        user_id: &new.user.id,
        recipient: &new.user.communication_email,
        language: &new.user.language,
        about: About::SetPassword {
            organization: organization.to_owned(),
        },
    };
    outbox::post_password_link(tx, &new.mail, &mail, now)
}

/// Creates a profile for `requester` and links it to the hub account with this
/// username.
///
/// # Errors
///
/// When the profile cannot be created. The transaction has to be rolled back
/// then.
pub fn link_profile(
    tx: &mut Tx<'_>,
    requester: &str,
    email_address: &str,
    request: &ProfileRequest,
    now: DateTime<Utc>,
) -> Result<Provisioned, ProvisioningError> {
    let mut session = Session { tx, requester };
    let (user, organization, places) = session.authorize_for(email_address, request)?;
    let (outcome, obstacle) = session.create_profile(&user, &places[0], request, now)?;
    if let Some(obstacle) = obstacle {
        return Err(obstacle.into());
    }
    Ok(Provisioned {
        user,
        location: organization.location,
        profiles: vec![outcome],
    })
}

/// Whether `requester` may do what [`create_account`] does.
///
/// # Errors
///
/// When the user may not, or something that the request names does not exist.
pub fn may_create_account(
    tx: &mut Tx<'_>,
    requester: &str,
    new: &NewAccount,
) -> Result<(), ProvisioningError> {
    let mut session = Session { tx, requester };
    let authorized = session.authorize(new.user.organization_id, &new.profiles);
    authorized.map(drop)
}

/// Whether `requester` may do what [`link_profile`] does.
///
/// # Errors
///
/// When the user may not, or something that the request names does not exist.
pub fn may_link_profile(
    tx: &mut Tx<'_>,
    requester: &str,
    email_address: &str,
    request: &ProfileRequest,
) -> Result<(), ProvisioningError> {
    let mut session = Session { tx, requester };
    session.authorize_for(email_address, request).map(drop)
}

/// One transaction on behalf of a hub administrator.
struct Session<'a, 'b> {
    tx: &'a mut Tx<'b>,
    requester: &'a str,
}

impl Session<'_, '_> {
    fn require_anything(&mut self) -> Result<(), ProvisioningError> {
        match administrators::administers_anything(self.tx, self.requester)? {
            true => Ok(()),
            false => Err(ProvisioningError::NoPrivilege),
        }
    }

    /// Finds the organization and the place of each request, and requires that the
    /// requesting user administers them all. Who administers one of them administers
    /// something, which is therefore only asked when something is wrong.
    fn authorize(
        &mut self,
        organization_id: i64,
        requests: &[ProfileRequest],
    ) -> Result<(Organization, Vec<Place>), ProvisioningError> {
        let found = self.find(organization_id, requests);
        match found {
            Ok((organization, true, places)) if places.iter().all(|place| place.administered) => {
                Ok((organization, places))
            }
            Ok(_) => Err(ProvisioningError::NoPrivilege),
            Err(error @ ProvisioningError::Store(_)) => Err(error),
            Err(error) => self.require_anything().and(Err(error)),
        }
    }

    /// As [`Session::authorize`], for the hub account with this username.
    fn authorize_for(
        &mut self,
        email_address: &str,
        request: &ProfileRequest,
    ) -> Result<(User, Organization, Vec<Place>), ProvisioningError> {
        let Some(user) = users::find(self.tx, email_address)? else {
            self.require_anything()?;
            return Err(ProvisioningError::UnknownUser(email_address.to_owned()));
        };
        let requests = std::slice::from_ref(request);
        let (organization, places) = self.authorize(user.organization_id, requests)?;
        Ok((user, organization, places))
    }

    fn find(
        &mut self,
        organization_id: i64,
        requests: &[ProfileRequest],
    ) -> Result<(Organization, bool, Vec<Place>), ProvisioningError> {
        let requested: Vec<_> = requests.iter().map(ProfileRequest::place_query).collect();
        let lookup = directory::look_up(self.tx, organization_id, &requested, self.requester)?;
        let (organization, administered) = lookup
            .organization
            .ok_or(ProvisioningError::UnknownOrganization(organization_id))?;
        let places = requests.iter().zip(lookup.places);
        let places = places.map(|(request, found)| request.require_place(found));
        Ok((
            organization,
            administered,
            places.collect::<Result<_, _>>()?,
        ))
    }

    fn create_profile(
        &mut self,
        user: &User,
        place: &Place,
        request: &ProfileRequest,
        now: DateTime<Utc>,
    ) -> Result<(ProfileOutcome, Option<Obstacle>), StoreError> {
        let or = |given: &Option<String>, default: &str| {
            given.clone().unwrap_or_else(|| default.to_owned())
        };
        let profile = NewProfile {
            id: request.id.clone(),
            hub_user_id: user.id.clone(),
            user_name: or(&request.user_name, &user.email_address),
            communication_email: or(&request.communication_email, &user.communication_email),
            language: or(&request.language, &user.language),
            project_ids: request.project_ids.clone(),
            mail_id: request.mail_id.clone(),
        };
        let created = profiles::create(self.tx, place, &profile, now, Some(self.requester))?;
        let (profile_id, project_ids, problem, obstacle) = match created {
            Ok(invitations) => {
                let unknown = (!invitations.unknown.is_empty()).then(|| {
                    let list = invitations.unknown.join(", ");
                    format!("Not invited to unknown projects: {list}.")
                });
                (Some(profile.id), invitations.invited, unknown, None)
            }
            Err(obstacle) => (
                None,
                Vec::new(),
                Some(format!("{}.", sentence(&obstacle))),
                Some(obstacle),
            ),
        };
        let outcome = ProfileOutcome {
            instance_id: place.instance.id,
            region: place.instance.region.clone(),
            collab_organization_id: place.collab_organization_id,
            // Those who administer may give themselves one.
            requester_has_profile: place.joined
                || (profile_id.is_some() && user.id == self.requester),
            profile_id,
            user_name: profile.user_name,
            communication_email: profile.communication_email,
            project_ids,
            problem,
        };
        Ok((outcome, obstacle))
    }
}

/// An obstacle as a text that stands alone.
fn sentence(obstacle: &Obstacle) -> String {
    let text = obstacle.to_string();
    let mut characters = text.chars();
    match characters.next() {
        Some(first) => first.to_uppercase().chain(characters).collect(),
        None => text,
    }
}
