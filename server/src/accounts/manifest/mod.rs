//! The directory as a file: what the operator wants there to be.
//!
//! A [`Manifest`] is compared with the store, which gives a [`Plan`]: what would
//! be created, changed and removed. What the file does not name is left alone
//! unless removal is asked for. A plan is carried out in one transaction, and
//! only if it is still the one that was shown.

mod plan;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::store::{StoreError, Tx};

pub use plan::{Action, Plan, Step};
use plan::{Cell, Cells, Rows, TABLES, changes};

/// The directory, and where agent patterns can be.
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
    /// Name under which it trades.
    pub trading_name: String,
    /// Where it is.
    pub city: String,
    /// State or province.
    pub state: String,
    /// Country.
    pub country: String,
    /// It takes no new accounts and no new profiles.
    #[serde(default)]
    pub closed: bool,
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
    /// Where its users log in.
    pub base_url: String,
    /// It takes no new profiles.
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
    /// Two entries for one thing.
    #[error("{0} is in the file twice")]
    Twice(String),
    /// Something refers to what would not be there, or what would be removed is
    /// still in use.
    #[error("{subject}: {problem}")]
    Refused {
        /// What cannot be done.
        subject: String,
        /// Why.
        problem: String,
    },
    /// The store changed since the plan was made.
    #[error("the directory was changed meanwhile; look at the plan again")]
    Outdated,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Manifest {
    /// The directory as it is.
    ///
    /// # Errors
    ///
    /// When the store fails.
    pub fn export(tx: &mut Tx<'_>) -> Result<Manifest, StoreError> {
        use Cell::{Int, Text};
        let rows = |tx: &mut Tx<'_>, table: usize| -> Result<Vec<Cells>, StoreError> {
            let rows = TABLES[table].read(tx)?;
            Ok(rows
                .into_iter()
                .map(|(key, values)| [key, values].concat())
                .collect())
        };
        let mut manifest = Manifest::default();
        for row in rows(tx, 0)? {
            if let [
                Int(id),
                Text(name),
                Text(trading_name),
                Text(city),
                Text(state),
                Text(country),
                Int(closed),
            ] = row.as_slice()
            {
                manifest.organizations.push(Organization {
                    id: *id,
                    name: name.clone(),
                    trading_name: trading_name.clone(),
                    city: city.clone(),
                    state: state.clone(),
                    country: country.clone(),
                    closed: *closed != 0,
                });
            }
        }
        for row in rows(tx, 1)? {
            if let [
                Int(id),
                Text(name),
                Text(region),
                Text(base_url),
                Int(closed),
            ] = row.as_slice()
            {
                manifest.instances.push(Instance {
                    id: *id,
                    name: name.clone(),
                    region: region.clone(),
                    base_url: base_url.clone(),
                    closed: *closed != 0,
                });
            }
        }
        let mut projects: BTreeMap<i64, Vec<Project>> = BTreeMap::new();
        for row in rows(tx, 3)? {
            if let [Int(organization), Text(id), Text(name)] = row.as_slice() {
                let (id, name) = (id.clone(), name.clone());
                projects
                    .entry(*organization)
                    .or_default()
                    .push(Project { id, name });
            }
        }
        for row in rows(tx, 2)? {
            if let [Int(id), Int(instance), Int(organization), Text(name)] = row.as_slice() {
                manifest.collab_organizations.push(CollabOrganization {
                    id: *id,
                    instance: *instance,
                    organization: *organization,
                    name: name.clone(),
                    projects: projects.remove(id).unwrap_or_default(),
                });
            }
        }
        let mut projects: BTreeMap<String, Vec<DesignProject>> = BTreeMap::new();
        for row in rows(tx, 5)? {
            if let [
                Text(id),
                Text(instance),
                Text(code),
                Text(name),
                Text(version),
            ] = row.as_slice()
            {
                let [id, code, name, version] = [id, code, name, version].map(String::clone);
                let project = DesignProject {
                    id,
                    code,
                    name,
                    version,
                };
                projects.entry(instance.clone()).or_default().push(project);
            }
        }
        for row in rows(tx, 4)? {
            if let [Text(name)] = row.as_slice() {
                manifest.design_instances.push(DesignInstance {
                    name: name.clone(),
                    projects: projects.remove(name).unwrap_or_default(),
                });
            }
        }
        Ok(manifest)
    }

    fn rows(&self) -> Result<[Rows; 6], ManifestError> {
        use Cell::Int;
        let text = |text: &String| Cell::Text(text.clone());
        let mut tables: [Rows; 6] = std::array::from_fn(|_| Rows::new());
        let mut add = |table: usize, key: Cells, values: Cells| {
            let subject = TABLES[table].subject(&key);
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
            add(0, vec![Int(one.id)], values)?;
        }
        for one in &self.instances {
            let mut values: Cells = [&one.name, &one.region, &one.base_url].map(text).into();
            values.push(Int(one.closed.into()));
            add(1, vec![Int(one.id)], values)?;
        }
        for one in &self.collab_organizations {
            let values = vec![Int(one.instance), Int(one.organization), text(&one.name)];
            add(2, vec![Int(one.id)], values)?;
            for project in &one.projects {
                let key = vec![Int(one.id), text(&project.id)];
                add(3, key, vec![text(&project.name)])?;
            }
        }
        for one in &self.design_instances {
            add(4, vec![text(&one.name)], Vec::new())?;
            for project in &one.projects {
                let names = [&one.name, &project.code, &project.name, &project.version];
                add(5, vec![text(&project.id)], names.map(text).into())?;
            }
        }
        Ok(tables)
    }

    /// What has to happen for the store to be as the file says. With `remove`,
    /// what the file does not name goes.
    ///
    /// # Errors
    ///
    /// When the file contradicts itself, or the store fails.
    pub fn plan(&self, tx: &mut Tx<'_>, remove: bool) -> Result<Plan, ManifestError> {
        let mut plan = Plan::default();
        let mut removals = Vec::new();
        for (index, wanted) in self.rows()?.into_iter().enumerate() {
            let table = &TABLES[index];
            let mut present = table.read(tx)?;
            let step = |key: Cells, values: Cells, action: Action| Step {
                subject: table.subject(&key),
                action,
                table: index,
                key,
                values,
            };
            for (key, values) in wanted {
                match present.remove(&key) {
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
        // What refers to others goes first.
        plan.steps.extend(removals.into_iter().rev());
        Ok(plan)
    }

    /// Does what `shown` says, if that is what has to happen still.
    ///
    /// # Errors
    ///
    /// When it is not, and when something is referred to that is not there.
    /// Nothing was done then, once the transaction is rolled back.
    pub fn apply(&self, tx: &mut Tx<'_>, remove: bool, shown: &Plan) -> Result<(), ManifestError> {
        if self.plan(tx, remove)? != *shown {
            return Err(ManifestError::Outdated);
        }
        for step in &shown.steps {
            TABLES[step.table]
                .carry_out(tx, step)
                .map_err(|error| match error {
                    StoreError::Constraint { .. } => ManifestError::Refused {
                        subject: step.subject.clone(),
                        problem: match step.action {
                            Action::Remove => "still in use, so it cannot be removed".into(),
                            _ => "it refers to what is neither in the file nor in the store".into(),
                        },
                    },
                    error => error.into(),
                })?;
        }
        Ok(())
    }
}
