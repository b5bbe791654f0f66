//! The resources of grants, and their names in commands.

use std::convert::Infallible;
use std::fmt;
use std::str::FromStr;

use super::RightsError;
use crate::params;
use crate::store::Tx;

/// A compartment, a service instance or a project that exists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Resource {
    /// A compartment, by its id.
    Compartment(String),
    /// A service instance, by its name.
    Instance(String),
    /// A project of a service instance.
    Project {
        /// Name of the service instance.
        instance: String,
        /// Identifier of the project.
        id: String,
        /// Code of the project.
        code: String,
    },
}

impl Resource {
    /// The kind, as in the database.
    pub fn kind(&self) -> &'static str {
        match self {
            Resource::Compartment(_) => "compartment",
            Resource::Instance(_) => "instance",
            Resource::Project { .. } => "project",
        }
    }

    /// The identifier within the kind, as in the database.
    pub fn id(&self) -> &str {
        match self {
            Resource::Compartment(id) | Resource::Instance(id) | Resource::Project { id, .. } => id,
        }
    }

    /// The service instance whose owner and grants also apply.
    pub fn instance(&self) -> Option<&str> {
        match self {
            Resource::Compartment(_) => None,
            Resource::Instance(instance) | Resource::Project { instance, .. } => Some(instance),
        }
    }
}

/// The format of commands.
impl fmt::Display for Resource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Resource::Compartment(id) => write!(f, "compartment:{id}"),
            Resource::Instance(name) => write!(f, "instance:{name}"),
            Resource::Project { instance, code, .. } => write!(f, "project:{instance}/{code}"),
        }
    }
}

/// A resource as a command names it: `compartment:ID`, `instance:NAME` or `project:INSTANCE/PROJECT`.
/// A name without a kind is the id of a compartment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reference {
    /// The id of a compartment.
    Compartment(String),
    /// The name of a service instance.
    Instance(String),
    /// The name of a service instance, and the id or code of a project.
    Project(String, String),
}

impl FromStr for Reference {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        let owned = str::to_owned;
        Ok(match text.split_once(':') {
            Some(("compartment", id)) => Reference::Compartment(owned(id)),
            Some(("instance", name)) => Reference::Instance(owned(name)),
            Some(("project", place)) => match place.split_once('/') {
                Some((instance, project)) => Reference::Project(owned(instance), owned(project)),
                None => Reference::Project(owned(place), String::new()),
            },
            _ => Reference::Compartment(owned(text)),
        })
    }
}

impl Reference {
    /// Finds the resource.
    ///
    /// # Errors
    ///
    /// [`RightsError::UnknownResource`] when it does not exist; when the store fails.
    pub fn resolve(&self, tx: &mut Tx<'_>) -> Result<Resource, RightsError> {
        let (row, what, hint) = match self {
            Reference::Compartment(id) => (
                tx.query_opt(
                    "SELECT id FROM inference_compartments WHERE id = $1",
                    params![id],
                )?,
                format!("compartment {id}"),
                "create it with `accord-server compartments set ID`, or write another resource as \
                 instance:NAME or project:INSTANCE/CODE",
            ),
            Reference::Instance(name) => (
                tx.query_opt(
                    "SELECT name FROM design_instances WHERE name = $1",
                    params![name],
                )?,
                format!("service instance {name}"),
                "`accord-server design-instances list` lists them",
            ),
            Reference::Project(instance, project) => (
                tx.query_opt(
                    "SELECT id, code FROM design_projects \
                     WHERE instance = $1 AND (id = $2 OR code = $2) \
                     ORDER BY CASE WHEN id = $2 THEN 0 ELSE 1 END",
                    params![instance, project],
                )?,
                format!("project {instance}/{project}"),
                "write it as project:INSTANCE/CODE; `accord-server export` lists them",
            ),
        };
        let Some(row) = row else {
            return Err(RightsError::UnknownResource { what, hint });
        };
        Ok(match self {
            Reference::Compartment(id) => Resource::Compartment(id.clone()),
            Reference::Instance(name) => Resource::Instance(name.clone()),
            Reference::Project(instance, _) => Resource::Project {
                instance: instance.clone(),
                id: row.get(0)?,
                code: row.get(1)?,
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reference_names_a_kind_and_is_a_compartment_without_one() {
        for (text, expected) in [
            (
                "compartment.demo",
                Reference::Compartment("compartment.demo".into()),
            ),
            ("compartment:a:b", Reference::Compartment("a:b".into())),
            (
                "instance:design-eu-1",
                Reference::Instance("design-eu-1".into()),
            ),
            (
                "project:design-eu-1/RETAIL",
                Reference::Project("design-eu-1".into(), "RETAIL".into()),
            ),
            (
                "project:RETAIL",
                Reference::Project("RETAIL".into(), String::new()),
            ),
        ] {
            assert_eq!(text.parse::<Reference>().unwrap(), expected, "{text}");
        }
    }
}
