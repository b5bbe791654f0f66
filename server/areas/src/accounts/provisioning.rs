//! The two changes of provisioning, each in one transaction: a hub account with its collab
//! profiles, and a profile for an existing hub account.
//!
//! Neither relies on the absence of a row: a unique index decides whether a username or a profile
//! exists, and foreign keys protect every row that they refer to. So snapshot isolation is enough
//! for their transactions ([`Store::write_snapshot`](crate::store::Store::write_snapshot)).
//!
//! Both check in the same order. First, whether the requesting user administers any organization,
//! so that other users do not learn which objects exist. Then, whether all named objects exist,
//! whether the user administers them, and whether there are obstacles.

use chrono::{DateTime, Utc};

use super::administrators;
use super::directory::{self, Organization, Place, PlaceQuery, PlaceResult};
use super::profiles::{self, NewProfile, Obstacle};
use super::users::{self, User};
use crate::identity::password_links::PasswordLink;
use crate::kernel::idempotency::KeyReused;
use crate::kernel::texts;
use crate::mail::outbox::{self, About, NewMail};
use crate::store::{StoreError, Tx};

/// Why nothing was created.
#[derive(Debug, thiserror::Error)]
pub enum ProvisioningError {
    /// The requesting user is not an administrator of the organization.
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
    /// The hub organization or the instance is closed, or the profile exists.
    #[error("{}", texts::capitalized(&.0.to_string()))]
    Obstacle(#[from] Obstacle),
    /// The idempotency key was used for another request.
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
    /// The link to set a password, with the identifier of its mail.
    pub mail: PasswordLink,
    /// Whether to send a mail with that link.
    pub set_password: bool,
    /// The profiles.
    pub profiles: Vec<ProfileRequest>,
}

/// A requested profile.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProfileRequest {
    /// Identifier for the profile, if it is created.
    pub id: String,
    /// Identifier for the mail with its invitations, if there are any; `None` to send no mail.
    pub mail_id: Option<String>,
    /// The application instance.
    pub instance_id: i64,
    /// The collab organization in it.
    pub collab_organization_id: i64,
    /// User name [default: the hub username].
    pub user_name: Option<String>,
    /// Address for mail of the collab platform [default: that of the hub account].
    pub communication_email: Option<String>,
    /// Language of that mail [default: that of the hub account].
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

/// The outcome of one requested profile.
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
    /// Address for mail of the collab platform.
    pub communication_email: String,
    /// The projects that the user is invited to.
    pub project_ids: Vec<String>,
    /// Why the profile was not created, or which invitations are missing.
    pub problem: Option<String>,
    /// Whether the requesting user has a profile in the collab organization.
    pub requester_has_profile: bool,
}

/// Creates a hub account for `requester`, with all possible profiles.
///
/// # Errors
///
/// When the account cannot be created, or an object that a profile names is invalid. The
/// transaction must then be rolled back.
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

/// Posts the mail with the link to set a password, if it is requested.
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
    outbox::post_with_link(tx, &new.mail, &mail, now)
}

/// Creates a profile for `requester` and links it to the hub account with this
/// username.
///
/// # Errors
///
/// When the profile cannot be created. The transaction must then be rolled back.
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

/// Checks that `requester` may call [`create_account`].
///
/// # Errors
///
/// When the user may not, or an object that the request names does not exist.
pub fn may_create_account(
    tx: &mut Tx<'_>,
    requester: &str,
    new: &NewAccount,
) -> Result<(), ProvisioningError> {
    let mut session = Session { tx, requester };
    let authorized = session.authorize(new.user.organization_id, &new.profiles);
    authorized.map(drop)
}

/// Checks that `requester` may call [`link_profile`].
///
/// # Errors
///
/// When the user may not, or an object that the request names does not exist.
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
    /// Requires that the requesting user administers any organization.
    fn require_administrator(&mut self) -> Result<(), ProvisioningError> {
        match administrators::administers_anything(self.tx, self.requester)? {
            true => Ok(()),
            false => Err(ProvisioningError::NoPrivilege),
        }
    }

    /// Finds the organization and the place of each request, and requires that the requesting user
    /// administers all of them. Only if this fails, a further query checks whether the user
    /// administers any organization.
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
            Err(error) => self.require_administrator().and(Err(error)),
        }
    }

    /// As [`Session::authorize`], for the hub account with this username.
    fn authorize_for(
        &mut self,
        email_address: &str,
        request: &ProfileRequest,
    ) -> Result<(User, Organization, Vec<Place>), ProvisioningError> {
        let Some(user) = users::find(self.tx, email_address)? else {
            self.require_administrator()?;
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
        let created = profiles::create(self.tx, place, &profile, now, self.requester)?;
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
                Some(texts::sentence(&obstacle.to_string())),
                Some(obstacle),
            ),
        };
        let outcome = ProfileOutcome {
            instance_id: place.instance.id,
            region: place.instance.region.clone(),
            collab_organization_id: place.collab_organization_id,
            // Administrators may create a profile for themselves.
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
