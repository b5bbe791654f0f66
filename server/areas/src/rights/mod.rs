//! Rights: who may do what with a compartment, a service instance or a project.
//!
//! A grant gives a hub user one [`Verb`] on one [`Resource`], and each verb includes the ones
//! before it. A grant on a service instance applies to all of its projects. Service instances
//! belong to a hub organization. A grant on one of them, or on a project of it, has an effect only
//! for users and administrators of that organization. Without an owner, grants have no effect.
//!
//! [`facts()`] reads all facts of a decision. The areas use its [verb](Facts::verb), and
//! `accord-server grants explain` prints the same facts, so that an explanation always matches the
//! decision. A caller without a right gets the response for a resource that does not exist.

pub mod administrators;
mod error;
mod facts;
pub mod operator;
mod principal;
mod resource;
mod rows;
mod verb;

use crate::params;
use crate::store::{StoreError, Tx};

pub use error::RightsError;
pub use facts::{Facts, facts, projects};
pub use principal::Principal;
pub use resource::{Reference, Resource};
pub use rows::{grant, remove, remove_all};
pub use verb::Verb;

/// The compartments that a principal has a verb on, by their ids.
pub fn compartments(tx: &mut Tx<'_>, principal: &str) -> Result<Vec<(String, Verb)>, StoreError> {
    let rows = tx.query(
        "SELECT resource, verb FROM grants WHERE kind = 'compartment' AND principal = $1 \
         ORDER BY resource",
        params![principal],
    )?;
    let mut held = Vec::new();
    for row in rows {
        let (id, verb): (String, String) = (row.get(0)?, row.get(1)?);
        // An unknown verb in the database is not a right.
        held.extend(Verb::parse(&verb).map(|verb| (id, verb)));
    }
    Ok(held)
}

/// A grant as operators see it.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Listed {
    /// Kind and name of the resource, in the format of commands.
    pub resource: String,
    /// The principal's id.
    pub principal: String,
    /// The principal's email address; `None` if no user has the id.
    pub email: Option<String>,
    /// The verb.
    pub verb: String,
}

/// All grants, by resource and principal.
pub fn list(tx: &mut Tx<'_>) -> Result<Vec<Listed>, StoreError> {
    let rows = tx.query(
        "SELECT g.kind, g.resource, g.principal, g.verb, u.email_address, p.instance, p.code \
         FROM grants g LEFT JOIN hub_users u ON u.id = g.principal \
         LEFT JOIN design_projects p ON g.kind = 'project' AND p.id = g.resource \
         ORDER BY g.kind, g.resource, g.principal",
        &[],
    )?;
    rows.iter()
        .map(|row| {
            let (kind, id): (String, String) = (row.get(0)?, row.get(1)?);
            let place: (Option<String>, Option<String>) = (row.get(5)?, row.get(6)?);
            Ok(Listed {
                resource: match place {
                    (Some(instance), Some(code)) => format!("{kind}:{instance}/{code}"),
                    _ => format!("{kind}:{id}"),
                },
                principal: row.get(2)?,
                email: row.get(4)?,
                verb: row.get(3)?,
            })
        })
        .collect()
}
