//! Changes of grants by operators: checked, and recorded in the audit trail.

use super::{Principal, Reference, Resource, RightsError, Verb, facts, grant, remove};
use crate::audit::AuditContext;
use crate::store::Tx;

/// Sets the verb that a user, by id or email address, has on a resource. Returns both.
///
/// # Errors
///
/// When the resource or the user does not exist, the grant would have no effect, or the store fails.
pub fn set(
    tx: &mut Tx<'_>,
    by: &AuditContext,
    reference: &Reference,
    who: &str,
    verb: Verb,
) -> Result<(Resource, Principal), RightsError> {
    let resource = reference.resolve(tx)?;
    let principal = Principal::find(tx, who)?;
    require_effect(tx, &resource, &principal)?;
    grant(tx, &resource, &principal.id, verb)?;
    let detail = format!("{}: {}", principal.id, verb.as_str());
    by.record(tx, actions(&resource).0, &resource.to_string(), &detail)?;
    Ok((resource, principal))
}

/// Removes the grant that a user, by id or email address, has on a resource. Returns the resource
/// and the id of the user; `None` if there was no grant.
///
/// # Errors
///
/// When the resource does not exist, or the store fails.
pub fn unset(
    tx: &mut Tx<'_>,
    by: &AuditContext,
    reference: &Reference,
    who: &str,
) -> Result<Option<(Resource, String)>, RightsError> {
    let resource = reference.resolve(tx)?;
    // Grants of earlier versions may be of principals that are not users, such as an email address.
    let principal = match remove(tx, &resource, who)? {
        true => who.to_owned(),
        false => match Principal::find(tx, who) {
            Ok(user) if remove(tx, &resource, &user.id)? => user.id,
            Ok(_) | Err(RightsError::UnknownPrincipal(_)) => return Ok(None),
            Err(error) => return Err(error),
        },
    };
    by.record(tx, actions(&resource).1, &resource.to_string(), &principal)?;
    Ok(Some((resource, principal)))
}

/// The actions in the audit trail for setting and removing a grant, by the area of the resource.
fn actions(resource: &Resource) -> (&'static str, &'static str) {
    match resource {
        Resource::Compartment(_) => ("inference.grant.set", "inference.grant.removed"),
        Resource::Instance(_) | Resource::Project { .. } => {
            ("patterns.grant.set", "patterns.grant.removed")
        }
    }
}

/// Rejects a grant that would have no effect.
fn require_effect(
    tx: &mut Tx<'_>,
    resource: &Resource,
    principal: &Principal,
) -> Result<(), RightsError> {
    let facts = facts(tx, resource, &principal.id)?;
    let Some(instance) = facts.instance.filter(|one| !one.is_member) else {
        return Ok(());
    };
    Err(match instance.owner {
        None => RightsError::NoOwner(instance.name),
        Some(owner) => RightsError::Foreign {
            email: principal.email.clone(),
            organization: principal.organization,
            resource: resource.to_string(),
            owner,
        },
    })
}
