//! Provisioning at the request of a user: once for each key, with the audit trail and the counts.
//!
//! The operations of the document and the pages of the console are such requests.

use accord_accounts_server::types;
use chrono::{DateTime, Utc};

use super::provisioning::{
    self, NewAccount, ProfileOutcome, ProfileRequest, Provisioned, ProvisioningError,
};
use super::users::User;
use crate::audit::AuditContext;
use crate::identity::password_links::PasswordLink;
use crate::identity::users::full_name;
use crate::kernel::Kernel;
use crate::kernel::idempotency::IdempotencyKey;
use crate::store::{StoreError, Tx};

/// The user who requests a change.
pub struct Requester {
    /// The identifier of the user.
    pub user_id: String,
    /// The context for events of the audit trail.
    pub trail: AuditContext,
    /// The key of the request, if it can be repeated.
    pub key: Option<IdempotencyKey>,
}

/// A change to make.
pub enum Change {
    /// Create an account with its profiles.
    CreateUser(NewAccount),
    /// Create a profile for an existing account.
    LinkProfile {
        /// The username of the account.
        email_address: String,
        /// The profile.
        profile: ProfileRequest,
    },
}

impl Change {
    /// The change that creates an account. The identifiers are generated here, because the
    /// transaction may run more than once.
    pub fn create_user(
        kernel: &Kernel,
        hub_user: types::HubUserRequest,
        collab_users: Vec<types::CollabUserRequest>,
    ) -> Change {
        let types::HubUserRequest {
            email_address,
            first_name,
            middle_name,
            last_name,
            language,
            hub_organization_id,
            set_password,
            email_for_communication,
        } = hub_user;
        let profiles = collab_users
            .into_iter()
            .map(|collab_user| ProfileRequest {
                id: kernel.random.uuid().to_string(),
                mail_id: set_password.then(|| kernel.random.uuid().to_string()),
                instance_id: collab_user.app_instance_id,
                collab_organization_id: collab_user.collab_organization_id,
                user_name: collab_user.user_name,
                communication_email: None,
                language: None,
                project_ids: collab_user.project_ids.unwrap_or_default(),
            })
            .collect();
        Change::CreateUser(NewAccount {
            user: User {
                id: kernel.random.uuid().to_string(),
                communication_email: email_for_communication
                    .unwrap_or_else(|| email_address.clone()),
                email_address,
                first_name,
                middle_name,
                last_name,
                language,
                organization_id: hub_organization_id,
            },
            mail: PasswordLink::new(&kernel.server_keys, &kernel.random.uuid().to_string()),
            set_password,
            profiles,
        })
    }

    /// Checks that the user may make the change.
    fn check(&self, tx: &mut Tx<'_>, user_id: &str) -> Result<(), ProvisioningError> {
        match self {
            Change::CreateUser(new) => provisioning::may_create_account(tx, user_id, new),
            Change::LinkProfile {
                email_address,
                profile,
            } => provisioning::may_link_profile(tx, user_id, email_address, profile),
        }
    }

    /// Makes the change, and records it in the audit trail.
    fn make(
        &self,
        tx: &mut Tx<'_>,
        requester: &Requester,
        now: DateTime<Utc>,
    ) -> Result<Provisioned, ProvisioningError> {
        let Requester { user_id, trail, .. } = requester;
        let made = match self {
            Change::CreateUser(new) => {
                let made = provisioning::create_account(tx, user_id, new, now)?;
                let organization = format!("organization {}", made.user.organization_id);
                trail.record(tx, "accounts.user.created", &made.user.id, &organization)?;
                made
            }
            Change::LinkProfile {
                email_address,
                profile,
            } => provisioning::link_profile(tx, user_id, email_address, profile, now)?,
        };
        record_profiles(tx, trail, &made)?;
        Ok(made)
    }
}

/// Makes a change once for each key. Returns the response, and whether it is that of an earlier
/// request. Only a requester who still has the right to the change gets such a response.
///
/// # Errors
///
/// When the change cannot be made, or an object that the request names does not exist.
pub async fn execute(
    kernel: &Kernel,
    requester: Requester,
    change: Change,
) -> Result<(types::CreateUserResponse, bool), ProvisioningError> {
    let now = kernel.clock.now();
    let users = u64::from(matches!(change, Change::CreateUser(_)));
    let (body, fresh) = kernel
        .store
        .write_snapshot(move |tx| {
            let mut fresh = false;
            let allowed = |tx: &mut Tx<'_>| change.check(tx, &requester.user_id);
            let mut work = |tx: &mut Tx<'_>| {
                fresh = true;
                change.make(tx, &requester, now).map(created)
            };
            let body = match &requester.key {
                Some(key) => key.once_as_json(tx, now, allowed, work)?,
                None => work(tx)?,
            };
            Ok::<_, ProvisioningError>((body, fresh))
        })
        .await?;
    count(kernel, fresh, users, &body);
    Ok((body, !fresh))
}

/// The results of provisioning, by kind: `user`, `profile`, `profile-failed`, and `replay` for a
/// repeated response.
const PROVISIONED: &str = "accord_accounts_provisioned_total";

fn count(kernel: &Kernel, fresh: bool, users: u64, body: &types::CreateUserResponse) {
    let add = |kind: &'static str, number: u64| {
        if number > 0 {
            ::metrics::counter!(PROVISIONED, "kind" => kind).increment(number);
        }
    };
    let linked = body.collab_user.iter().filter(|one| one.account_linked);
    let linked = linked.count() as u64;
    kernel.metrics.record(|| match fresh {
        true => {
            add("user", users);
            add("profile", linked);
            add("profile-failed", body.collab_user.len() as u64 - linked);
        }
        false => add("replay", 1),
    });
}

/// Records the created profiles in the audit trail.
fn record_profiles(
    tx: &mut Tx<'_>,
    trail: &AuditContext,
    made: &Provisioned,
) -> Result<(), StoreError> {
    for profile in &made.profiles {
        if let Some(id) = &profile.profile_id {
            let place = profile.collab_organization_id;
            let detail = format!("user {}, collab organization {place}", made.user.id);
            trail.record(tx, "accounts.profile.created", id, &detail)?;
        }
    }
    Ok(())
}

fn created(provisioned: Provisioned) -> types::CreateUserResponse {
    let Provisioned {
        user,
        location,
        profiles,
    } = provisioned;
    types::CreateUserResponse {
        collab_user: profiles
            .into_iter()
            .map(|profile| collab_user(profile, &location))
            .collect(),
        hub_user: types::HubUserResponse {
            display_name: full_name([
                Some(&user.first_name),
                user.middle_name.as_deref(),
                Some(&user.last_name),
            ]),
            first_name: user.first_name,
            middle_name: user.middle_name,
            last_name: user.last_name,
            email_address: user.email_address,
            organization_id: user.organization_id,
            email_for_communication: user.communication_email,
        },
    }
}

fn collab_user(profile: ProfileOutcome, location: &str) -> types::CollabUserResponse {
    types::CollabUserResponse {
        account_linked: profile.profile_id.is_some(),
        app_instance_id: profile.instance_id,
        collab_organization_id: profile.collab_organization_id,
        user_id: profile.profile_id,
        user_name: profile.user_name,
        location: location.to_owned(),
        region: profile.region,
        project_ids: profile.project_ids,
        error_description: profile.problem,
        has_linked_accounts: profile.requester_has_profile,
        communication_email: profile.communication_email,
    }
}
