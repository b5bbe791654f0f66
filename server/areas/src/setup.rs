//! The first contents of an empty store: enough to sign in, create an API key and call a model.
//!
//! These are one organization, its administrator, the client of the command line, and a compartment
//! whose keys may call every model. Operators add the rest with the other commands.

use crate::accounts::administrators;
use crate::accounts::manifest::{Manifest, ManifestError, Organization};
use crate::accounts::users::{self, User};
use crate::audit::AuditContext;
use crate::identity::clients::{Client, Grant, Kind, Role};
use crate::identity::registry::{self, Proof, RegistryError};
use crate::inference::admission::policies::statement::{Scope, Statement};
use crate::inference::operator;
use crate::rights::{self, Resource, Verb};
use crate::store::{StoreError, Tx};

/// The identifier of the organization.
pub const ORGANIZATION: i64 = 1;
/// The client of the command line.
pub const CLIENT: &str = "accord-cli";
/// The compartment of the first API keys.
pub const COMPARTMENT: &str = "compartment.main";
/// The policy that lets these keys call every model.
pub const POLICY: &str = "policy.main";

/// The values that the operator chooses.
#[derive(Debug, Clone)]
pub struct Setup {
    /// The name of the organization.
    pub organization: String,
    /// The administrator. The organization of this value is ignored.
    pub administrator: User,
    /// The hash of the administrator's password.
    pub password_hash: String,
    /// The lifetime of access tokens of the command line.
    pub access_token_seconds: i64,
}

/// Why a store cannot be set up.
#[derive(Debug, thiserror::Error)]
pub enum SetupError {
    /// The store has users, organizations, clients or compartments.
    #[error(
        "the database is not empty, so nothing was changed: add to it with the commands apply, users, \
         clients, compartments and policy"
    )]
    NotEmpty,
    /// The organization cannot be created.
    #[error(transparent)]
    Organization(#[from] ManifestError),
    /// The client cannot be registered.
    #[error(transparent)]
    Client(#[from] RegistryError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Writes the first contents of an empty store.
///
/// # Errors
///
/// When the store is not empty or fails. The transaction must then be rolled back.
pub fn write(tx: &mut Tx<'_>, by: &AuditContext, setup: &Setup) -> Result<(), SetupError> {
    if !is_empty(tx)? {
        return Err(SetupError::NotEmpty);
    }
    write_organization(tx, by, &setup.organization)?;
    write_administrator(tx, by, setup)?;
    let client = Client {
        id: CLIENT.into(),
        name: "Accord command line".into(),
        kind: Kind::Public,
        roles: Role::ALL.to_vec(),
        grants: vec![Grant::DeviceCode, Grant::RefreshToken],
        introspects: false,
        access_token_seconds: setup.access_token_seconds,
        strict: false,
        saml_issuer: None,
    };
    registry::register(tx, by, &client, &Proof::None)?;
    write_compartment(tx, by, &setup.administrator.id)?;
    Ok(())
}

/// Whether a store has no users, organizations, clients and compartments.
pub fn is_empty(tx: &mut Tx<'_>) -> Result<bool, StoreError> {
    let any = "SELECT 1 WHERE EXISTS (SELECT 1 FROM hub_users) \
         OR EXISTS (SELECT 1 FROM hub_organizations) OR EXISTS (SELECT 1 FROM oauth_clients) \
         OR EXISTS (SELECT 1 FROM inference_compartments)";
    Ok(!tx.exists(any, &[])?)
}

fn write_organization(tx: &mut Tx<'_>, by: &AuditContext, name: &str) -> Result<(), SetupError> {
    let manifest = Manifest {
        organizations: vec![Organization {
            id: ORGANIZATION,
            name: name.to_owned(),
            trading_name: name.to_owned(),
            city: String::new(),
            state: String::new(),
            country: String::new(),
            closed: false,
            administrators: None,
        }],
        ..Manifest::default()
    };
    let plan = manifest.plan(tx, false)?;
    manifest.apply(tx, false, &plan)?;
    let detail = plan.summary();
    by.record(tx, "accounts.directory.applied", "directory", &detail)?;
    Ok(())
}

fn write_administrator(
    tx: &mut Tx<'_>,
    by: &AuditContext,
    setup: &Setup,
) -> Result<(), StoreError> {
    let user = User {
        organization_id: ORGANIZATION,
        ..setup.administrator.clone()
    };
    users::insert(tx, &user, by.time(), None)?;
    by.record(tx, "identity.user.added", &user.id, "")?;
    administrators::add(tx, ORGANIZATION, &user.id)?;
    let detail = format!("organization {ORGANIZATION}");
    by.record(tx, "accounts.administrator.added", &user.id, &detail)?;
    crate::identity::users::User::set_password(tx, &user.id, &setup.password_hash)?;
    by.record(tx, "identity.password.set", &user.id, "by an operator")
}

fn write_compartment(
    tx: &mut Tx<'_>,
    by: &AuditContext,
    administrator: &str,
) -> Result<(), StoreError> {
    operator::put_compartment(tx, COMPARTMENT, None, None, by.time())?;
    by.record(tx, "inference.compartment.set", COMPARTMENT, "")?;
    let compartment = Resource::Compartment(COMPARTMENT.into());
    rights::grant(tx, &compartment, administrator, Verb::Manage)?;
    let detail = format!("{administrator}: {}", Verb::Manage.as_str());
    by.record(tx, "inference.grant.set", &compartment.to_string(), &detail)?;
    let scope = Scope {
        compartment_id: Some(COMPARTMENT.into()),
        ..Scope::default()
    };
    let policy = Statement {
        id: POLICY.into(),
        text: scope.permit(),
    };
    operator::add_policy(tx, by, &policy)?;
    Ok(())
}
