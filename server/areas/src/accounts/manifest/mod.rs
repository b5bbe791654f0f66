//! The directory as a file of the operator.
//!
//! The comparison of a [`Manifest`] with the store is a [`Plan`]: the rows to create, change
//! and remove. Rows that the file does not name stay, unless the operator asks to remove
//! them. A plan is applied in one transaction, and only if it is still the one that was
//! shown.

mod people;
mod plan;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::store::{Constraint, StoreError, Tx};

use people::People;
use plan::Cell::{self, Int, Text};
use plan::{
    ADMINISTRATORS, COLLAB_ORGANIZATIONS, COLLAB_PROJECTS, Cells, DESIGN_INSTANCES,
    DESIGN_PROJECTS, INSTANCES, ORGANIZATIONS, Rows, TABLES, changes,
};
pub use plan::{Action, Plan, Step, Waiting};

/// The directory, and the projects of agent patterns.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// Hub organizations.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub organizations: Vec<Organization>,
    /// Application instances.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub instances: Vec<Instance>,
    /// Collab organizations, with their projects.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub collab_organizations: Vec<CollabOrganization>,
    /// Service instances of the design service, with the projects that agent
    /// patterns are in.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub design_instances: Vec<DesignInstance>,
}

/// A hub organization.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Organization {
    /// Identifier.
    pub id: i64,
    /// Registered name.
    pub name: String,
    /// Trading name.
    pub trading_name: String,
    /// City.
    pub city: String,
    /// State or province.
    pub state: String,
    /// Country.
    pub country: String,
    /// Whether it rejects new accounts and profiles.
    #[serde(default)]
    pub closed: bool,
    /// Email addresses of its hub administrators. Without this list, the administrators stay
    /// unchanged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub administrators: Option<Vec<String>>,
}

/// An application instance.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Instance {
    /// Identifier.
    pub id: i64,
    /// Name.
    pub name: String,
    /// Region in which it runs.
    pub region: String,
    /// Address at which its users log in.
    pub base_url: String,
    /// Whether it rejects new profiles.
    #[serde(default)]
    pub closed: bool,
}

/// A collab organization.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CollabOrganization {
    /// Identifier.
    pub id: i64,
    /// The application instance that it is in.
    pub instance: i64,
    /// The hub organization whose administrators may create profiles in it.
    pub organization: i64,
    /// Name.
    pub name: String,
    /// Its projects.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub projects: Vec<Project>,
}

/// A project of a collab organization.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Project {
    /// Identifier.
    pub id: String,
    /// Name.
    pub name: String,
}

/// A service instance of the design service.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DesignInstance {
    /// Name.
    pub name: String,
    /// The hub organization that owns it and its projects. Without it, the owner stays unchanged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub organization: Option<i64>,
    /// Its projects.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub projects: Vec<DesignProject>,
}

/// A project of a service instance.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DesignProject {
    /// Identifier.
    pub id: String,
    /// Code, unique in the instance.
    pub code: String,
    /// Name.
    pub name: String,
    /// Version.
    pub version: String,
}

/// Why a manifest cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ManifestError {
    /// Two entries are about the same object.
    #[error("{0} is in the file twice")]
    Twice(String),
    /// An object refers to one that would not exist, or an object to remove is still in use.
    #[error("{subject}: {problem}")]
    Refused {
        /// The impossible step.
        subject: String,
        /// Why the step is impossible.
        problem: String,
    },
    /// The store changed since the plan was made.
    #[error("the directory changed meanwhile; review the new plan")]
    Outdated,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Manifest {
    /// The current directory.
    pub fn export(tx: &mut Tx<'_>) -> Result<Manifest, StoreError> {
        let mut manifest = Manifest {
            collab_organizations: export_collab_organizations(tx)?,
            design_instances: export_design_instances(tx)?,
            ..Manifest::default()
        };
        let mut people = People::read(tx)?;
        let sql = "SELECT id, name, trading_name, city, state, country, closed \
                   FROM hub_organizations ORDER BY id";
        for row in tx.query(sql, &[])? {
            let id: i64 = row.get(0)?;
            manifest.organizations.push(Organization {
                id,
                name: row.get(1)?,
                trading_name: row.get(2)?,
                city: row.get(3)?,
                state: row.get(4)?,
                country: row.get(5)?,
                closed: row.get(6)?,
                administrators: Some(people.take_administrators(id)),
            });
        }
        let sql =
            "SELECT id, name, region, base_url, closed FROM application_instances ORDER BY id";
        for row in tx.query(sql, &[])? {
            manifest.instances.push(Instance {
                id: row.get(0)?,
                name: row.get(1)?,
                region: row.get(2)?,
                base_url: row.get(3)?,
                closed: row.get(4)?,
            });
        }
        Ok(manifest)
    }

    fn rows(&self, people: &People) -> Result<([Rows; 7], Vec<Waiting>), ManifestError> {
        let text = |text: &String| Text(text.clone());
        let mut waiting = Vec::new();
        let mut tables: [Rows; 7] = std::array::from_fn(|_| Rows::new());
        let mut add = |table: usize, key: Cells, values: Cells| {
            let subject = people.subject(table, &key);
            match tables[table].insert(key, values) {
                Some(_) => Err(ManifestError::Twice(subject)),
                None => Ok(()),
            }
        };
        for one in &self.organizations {
            let names = [
                &one.name,
                &one.trading_name,
                &one.city,
                &one.state,
                &one.country,
            ];
            let mut values: Cells = names.map(text).into();
            values.push(Int(one.closed.into()));
            add(ORGANIZATIONS, vec![Int(one.id)], values)?;
            let listed = one.administrators.as_ref();
            for email in listed.unwrap_or(&people.administrators(one.id)) {
                match people.id(email) {
                    Some(user) => {
                        let key = vec![Int(one.id), Text(user.to_owned())];
                        add(ADMINISTRATORS, key, Vec::new())?;
                    }
                    None => waiting.push(Waiting {
                        organization: one.id,
                        email: email.clone(),
                    }),
                }
            }
        }
        for one in &self.instances {
            let mut values: Cells = [&one.name, &one.region, &one.base_url].map(text).into();
            values.push(Int(one.closed.into()));
            add(INSTANCES, vec![Int(one.id)], values)?;
        }
        for one in &self.collab_organizations {
            let values = vec![Int(one.instance), Int(one.organization), text(&one.name)];
            add(COLLAB_ORGANIZATIONS, vec![Int(one.id)], values)?;
            for project in &one.projects {
                let key = vec![Int(one.id), text(&project.id)];
                add(COLLAB_PROJECTS, key, vec![text(&project.name)])?;
            }
        }
        for one in &self.design_instances {
            let owner = one.organization.map_or(Cell::Nothing, Int);
            add(DESIGN_INSTANCES, vec![text(&one.name)], vec![owner])?;
            for project in &one.projects {
                let names = [&one.name, &project.code, &project.name, &project.version];
                add(
                    DESIGN_PROJECTS,
                    vec![text(&project.id)],
                    names.map(text).into(),
                )?;
            }
        }
        Ok((tables, waiting))
    }

    /// The steps that make the store equal to the file. With `remove`, they include the removal of
    /// objects that the file does not name.
    ///
    /// # Errors
    ///
    /// When the file contradicts itself, or the store fails.
    pub fn plan(&self, tx: &mut Tx<'_>, remove: bool) -> Result<Plan, ManifestError> {
        let mut plan = Plan::default();
        let mut removals = Vec::new();
        let people = People::read(tx)?;
        let (tables, waiting) = self.rows(&people)?;
        plan.waiting = waiting;
        for (index, wanted) in tables.into_iter().enumerate() {
            let table = &TABLES[index];
            let mut present = table.read(tx)?;
            let step = |key: Cells, values: Cells, action: Action| Step {
                subject: people.subject(index, &key),
                action,
                table: index,
                key,
                values,
            };
            for (key, mut values) in wanted {
                let now = present.remove(&key);
                for (value, now) in values.iter_mut().zip(now.iter().flatten()) {
                    if *value == Cell::Nothing {
                        value.clone_from(now);
                    }
                }
                match now {
                    None => plan.steps.push(step(key, values, Action::Create)),
                    Some(now) if now == values => plan.unchanged += 1,
                    Some(now) => {
                        let changes = changes(table, &now, &values);
                        plan.steps.push(step(key, values, Action::Change(changes)));
                    }
                }
            }
            match remove {
                true => removals.extend(
                    present
                        .into_iter()
                        .map(|(key, values)| step(key, values, Action::Remove)),
                ),
                false => plan.unnamed += present.len(),
            }
        }
        // Objects that refer to others are removed first.
        plan.steps.extend(removals.into_iter().rev());
        Ok(plan)
    }

    /// Applies the plan `shown`, if it is still up to date.
    ///
    /// # Errors
    ///
    /// When the plan is outdated, or an object refers to a missing one. The transaction must then
    /// be rolled back.
    pub fn apply(&self, tx: &mut Tx<'_>, remove: bool, shown: &Plan) -> Result<(), ManifestError> {
        if self.plan(tx, remove)? != *shown {
            return Err(ManifestError::Outdated);
        }
        for step in &shown.steps {
            let done = TABLES[step.table].carry_out(tx, step);
            done.map_err(|error| match problem(&error, &step.action) {
                Some(problem) => ManifestError::Refused {
                    subject: step.subject.clone(),
                    problem: problem.into(),
                },
                None => error.into(),
            })?;
        }
        Ok(())
    }
}

/// Texts are ordered here, because the order of a database depends on its collation.
fn export_collab_organizations(tx: &mut Tx<'_>) -> Result<Vec<CollabOrganization>, StoreError> {
    let mut projects: BTreeMap<i64, Vec<Project>> = BTreeMap::new();
    let sql = "SELECT collab_organization_id, id, name FROM collab_projects";
    for row in tx.query(sql, &[])? {
        let (id, name) = (row.get(1)?, row.get(2)?);
        let of_organization = projects.entry(row.get(0)?).or_default();
        of_organization.push(Project { id, name });
    }
    let sql = "SELECT id, application_instance_id, hub_organization_id, name \
               FROM collab_organizations ORDER BY id";
    let mut organizations = Vec::new();
    for row in tx.query(sql, &[])? {
        let id: i64 = row.get(0)?;
        let mut projects = projects.remove(&id).unwrap_or_default();
        projects.sort_by(|one, other| one.id.cmp(&other.id));
        organizations.push(CollabOrganization {
            id,
            instance: row.get(1)?,
            organization: row.get(2)?,
            name: row.get(3)?,
            projects,
        });
    }
    Ok(organizations)
}

fn export_design_instances(tx: &mut Tx<'_>) -> Result<Vec<DesignInstance>, StoreError> {
    let mut projects: BTreeMap<String, Vec<DesignProject>> = BTreeMap::new();
    let sql = "SELECT instance, id, code, name, version FROM design_projects";
    for row in tx.query(sql, &[])? {
        let of_instance = projects.entry(row.get(0)?).or_default();
        of_instance.push(DesignProject {
            id: row.get(1)?,
            code: row.get(2)?,
            name: row.get(3)?,
            version: row.get(4)?,
        });
    }
    let mut instances = Vec::new();
    for row in tx.query("SELECT name, organization_id FROM design_instances", &[])? {
        let name: String = row.get(0)?;
        let mut projects = projects.remove(&name).unwrap_or_default();
        projects.sort_by(|one, other| one.id.cmp(&other.id));
        instances.push(DesignInstance {
            name,
            organization: row.get(1)?,
            projects,
        });
    }
    instances.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(instances)
}

/// Why an action is impossible. `None` if the store failed.
fn problem(error: &StoreError, action: &Action) -> Option<&'static str> {
    let StoreError::Constraint { kind, .. } = error else {
        return None;
    };
    Some(match (action, kind) {
        (Action::Remove, _) => "still in use, so it cannot be removed",
        // The key of a row in the store is never created again.
        (_, Constraint::Unique) => "another project of its instance has the same code",
        _ => "it refers to an object that is neither in the file nor in the store",
    })
}
