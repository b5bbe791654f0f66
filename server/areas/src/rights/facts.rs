//! The facts that decide whether a principal may do something with a resource.

use super::{Resource, Verb};
use crate::params;
use crate::store::{Row, StoreError, Tx};

/// All facts about one principal and one resource.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Facts {
    /// The grant on the resource itself.
    pub own: Option<Verb>,
    /// For a project, the grant on its service instance.
    pub inherited: Option<Verb>,
    /// The service instance and its owner; `None` for compartments, which have no owner.
    pub instance: Option<InstanceFacts>,
}

/// The facts about a service instance and its projects, beside grants.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InstanceFacts {
    /// Name of the service instance.
    pub name: String,
    /// The hub organization that owns it.
    pub owner: Option<i64>,
    /// Whether the principal is a user or an administrator of the owner.
    pub is_member: bool,
}

impl Facts {
    /// The highest verb of the principal; `None` if it has none.
    pub fn verb(&self) -> Option<Verb> {
        match &self.instance {
            Some(instance) if !instance.is_member => None,
            _ => self.own.max(self.inherited),
        }
    }

    /// Whether the principal has the verb.
    pub fn allow(&self, verb: Verb) -> bool {
        self.verb().is_some_and(|held| held >= verb)
    }
}

/// Reads the facts about a principal, by its id, and a resource.
pub fn facts(tx: &mut Tx<'_>, resource: &Resource, principal: &str) -> Result<Facts, StoreError> {
    let Some(instance) = resource.instance() else {
        let row = tx.query_opt(
            "SELECT verb FROM grants WHERE kind = $1 AND resource = $2 AND principal = $3",
            params![resource.kind(), resource.id(), principal],
        )?;
        return Ok(Facts {
            own: row.map_or(Ok(None), |row| verb(&row, 0))?,
            inherited: None,
            instance: None,
        });
    };
    let row = tx.query_opt(
        "SELECT i.organization_id, \
         (SELECT verb FROM grants WHERE kind = $1 AND resource = $2 AND principal = $3), \
         (SELECT verb FROM grants WHERE kind = 'instance' AND resource = i.name AND principal = $3), \
         (SELECT 1 FROM hub_users u WHERE u.id = $3 AND u.organization_id = i.organization_id), \
         (SELECT 1 FROM hub_administrators a \
          WHERE a.user_id = $3 AND a.organization_id = i.organization_id) \
         FROM design_instances i WHERE i.name = $4",
        params![resource.kind(), resource.id(), principal, instance],
    )?;
    let mut facts = Facts {
        own: None,
        inherited: None,
        instance: Some(InstanceFacts {
            name: instance.to_owned(),
            owner: None,
            is_member: false,
        }),
    };
    if let (Some(row), Some(instance)) = (row, &mut facts.instance) {
        instance.owner = row.get(0)?;
        instance.is_member =
            row.get::<Option<i64>>(3)?.is_some() || row.get::<Option<i64>>(4)?.is_some();
        facts.own = verb(&row, 1)?;
        facts.inherited = verb(&row, 2)?;
    }
    Ok(facts)
}

/// The projects that a principal has a verb on, by service instance and code.
pub fn projects(tx: &mut Tx<'_>, principal: &str) -> Result<Vec<(Resource, Verb)>, StoreError> {
    let rows = tx.query(
        "SELECT p.instance, p.id, p.code, i.organization_id, \
         (SELECT verb FROM grants WHERE kind = 'project' AND resource = p.id AND principal = $1), \
         (SELECT verb FROM grants WHERE kind = 'instance' AND resource = i.name AND principal = $1), \
         (SELECT 1 FROM hub_users u WHERE u.id = $1 AND u.organization_id = i.organization_id), \
         (SELECT 1 FROM hub_administrators a \
          WHERE a.user_id = $1 AND a.organization_id = i.organization_id) \
         FROM design_projects p JOIN design_instances i ON i.name = p.instance \
         WHERE p.id IN (SELECT resource FROM grants WHERE kind = 'project' AND principal = $1) \
         OR i.name IN (SELECT resource FROM grants WHERE kind = 'instance' AND principal = $1) \
         ORDER BY p.instance, p.code",
        params![principal],
    )?;
    let mut held = Vec::new();
    for row in rows {
        let instance: String = row.get(0)?;
        let facts = Facts {
            own: verb(&row, 4)?,
            inherited: verb(&row, 5)?,
            instance: Some(InstanceFacts {
                name: instance.clone(),
                owner: row.get(3)?,
                is_member: row.get::<Option<i64>>(6)?.is_some()
                    || row.get::<Option<i64>>(7)?.is_some(),
            }),
        };
        if let Some(verb) = facts.verb() {
            let project = Resource::Project {
                instance,
                id: row.get(1)?,
                code: row.get(2)?,
            };
            held.push((project, verb));
        }
    }
    Ok(held)
}

/// An unknown verb in the database is not a right.
fn verb(row: &Row, index: usize) -> Result<Option<Verb>, StoreError> {
    let text: Option<String> = row.get(index)?;
    Ok(text.as_deref().and_then(Verb::parse))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(own: Option<Verb>, inherited: Option<Verb>, is_member: bool) -> Facts {
        Facts {
            own,
            inherited,
            instance: Some(InstanceFacts {
                name: "design-eu-1".into(),
                owner: Some(1),
                is_member,
            }),
        }
    }

    #[test]
    fn the_higher_of_two_grants_decides_and_each_verb_includes_the_ones_before_it() {
        let facts = of(Some(Verb::Read), Some(Verb::Use), true);
        assert_eq!(facts.verb(), Some(Verb::Use));
        assert!(facts.allow(Verb::Inspect) && facts.allow(Verb::Use) && !facts.allow(Verb::Manage));
        assert_eq!(of(None, None, true).verb(), None);
    }

    #[test]
    fn grants_of_principals_outside_of_the_owner_have_no_effect() {
        assert_eq!(
            of(Some(Verb::Manage), Some(Verb::Manage), false).verb(),
            None
        );
    }
}
