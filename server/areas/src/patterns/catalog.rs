//! The catalog of service instances and their projects. Operators manage it, and the operations of
//! the document only read it.

use super::error::PatternError;
use crate::params;
use crate::rights::{self, Resource, Verb};
use crate::store::{Row, StoreError, Tx};

/// A project of a service instance.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Project {
    /// Identifier.
    pub id: String,
    /// Code, unique within the instance.
    pub code: String,
    /// Name.
    pub name: String,
    /// Version.
    pub version: String,
}

/// The project of an instance with this identifier or code, for operators. A match of the
/// identifier takes precedence.
///
/// # Errors
///
/// When the instance or the project does not exist, or the store fails.
pub fn project(tx: &mut Tx<'_>, instance: &str, reference: &str) -> Result<Project, PatternError> {
    if let Some(project) = find_project(tx, instance, reference)? {
        return Ok(project);
    }
    Err(match instance_exists(tx, instance)? {
        true => unknown_project(instance, reference),
        false => PatternError::UnknownInstance(instance.to_owned()),
    })
}

/// [`project`] for a caller, who needs `verb` on the project or its instance.
///
/// # Errors
///
/// When the project does not exist, or `principal` does not have the verb: the error is
/// the same. An instance without any grant of the principal is treated as missing.
pub fn project_for(
    tx: &mut Tx<'_>,
    principal: &str,
    verb: Verb,
    instance: &str,
    reference: &str,
) -> Result<Project, PatternError> {
    if let Some(project) = find_project(tx, instance, reference)? {
        let resource = Resource::Project {
            instance: instance.to_owned(),
            id: project.id.clone(),
            code: project.code.clone(),
        };
        if rights::facts(tx, &resource, principal)?.allow(verb) {
            return Ok(project);
        }
    }
    Err(match is_visible(tx, principal, instance)? {
        true => unknown_project(instance, reference),
        false => PatternError::UnknownInstance(instance.to_owned()),
    })
}

fn unknown_project(instance: &str, reference: &str) -> PatternError {
    PatternError::UnknownProject {
        instance: instance.to_owned(),
        project: reference.to_owned(),
    }
}

fn instance_exists(tx: &mut Tx<'_>, name: &str) -> Result<bool, StoreError> {
    if !is_storable(name) {
        return Ok(false);
    }
    tx.exists(
        "SELECT 1 FROM design_instances WHERE name = $1",
        params![name],
    )
}

fn find_project(
    tx: &mut Tx<'_>,
    instance: &str,
    reference: &str,
) -> Result<Option<Project>, StoreError> {
    if !is_storable(instance) || !is_storable(reference) {
        return Ok(None);
    }
    let row = tx.query_opt(
        "SELECT id, code, name, version FROM design_projects \
         WHERE instance = $1 AND (id = $2 OR code = $2) \
         ORDER BY CASE WHEN id = $2 THEN 0 ELSE 1 END",
        params![instance, reference],
    )?;
    let read = |row: Row| {
        Ok(Project {
            id: row.get(0)?,
            code: row.get(1)?,
            name: row.get(2)?,
            version: row.get(3)?,
        })
    };
    row.map(read).transpose()
}

/// Whether a principal may do anything in the instance or in one of its projects.
fn is_visible(tx: &mut Tx<'_>, principal: &str, instance: &str) -> Result<bool, StoreError> {
    if !is_storable(instance) {
        return Ok(false);
    }
    let resource = Resource::Instance(instance.to_owned());
    let facts = rights::facts(tx, &resource, principal)?;
    if facts.verb().is_some() {
        return Ok(true);
    }
    let is_member = facts.instance.is_some_and(|instance| instance.is_member);
    let has_grant = tx.exists(
        "SELECT 1 FROM grants g JOIN design_projects p ON p.id = g.resource \
         WHERE g.kind = 'project' AND g.principal = $1 AND p.instance = $2 LIMIT 1",
        params![principal, instance],
    )?;
    Ok(is_member && has_grant)
}

/// A service instance as operators see it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Instance {
    /// Name.
    pub name: String,
    /// The hub organization that owns it; `None` until an operator assigns one.
    pub organization: Option<i64>,
    /// Number of projects.
    pub projects: i64,
}

/// All service instances, by name.
pub fn instances(tx: &mut Tx<'_>) -> Result<Vec<Instance>, StoreError> {
    let rows = tx.query(
        "SELECT name, organization_id, \
         (SELECT COUNT(*) FROM design_projects p WHERE p.instance = i.name) \
         FROM design_instances i ORDER BY name",
        &[],
    )?;
    let read = |row: &Row| {
        Ok(Instance {
            name: row.get(0)?,
            organization: row.get(1)?,
            projects: row.get(2)?,
        })
    };
    rows.iter().map(read).collect()
}

/// Sets the owner of a service instance and of its projects. Returns whether the instance
/// exists.
///
/// # Errors
///
/// When the organization does not exist, or the store fails.
pub fn set_owner(tx: &mut Tx<'_>, instance: &str, organization: i64) -> Result<bool, StoreError> {
    let rows = tx.execute(
        "UPDATE design_instances SET organization_id = $2 WHERE name = $1",
        params![instance, organization],
    )?;
    Ok(rows == 1)
}

/// Whether a text can be stored in a row. No row has a name that cannot.
fn is_storable(text: &str) -> bool {
    !text.contains('\0')
}
