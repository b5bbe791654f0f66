//! What the operator set up: hub organizations, application instances, and the
//! collab organizations in them. Provisioning reads these and never changes
//! them.

use crate::params;
use crate::store::{Row, StoreError, Tx};

/// A hub organization.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Organization {
    /// Identifier.
    pub id: i64,
    /// Registered name.
    pub name: String,
    /// Name under which it trades.
    pub trading_name: String,
    /// City, state and country.
    pub location: String,
    /// It takes no new accounts and no new profiles.
    pub closed: bool,
}

/// An instance of the collab platform.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Instance {
    /// Identifier.
    pub id: i64,
    /// Name of the application.
    pub name: String,
    /// Region in which it runs.
    pub region: String,
    /// Where its users log in.
    pub base_url: String,
    /// It takes no new profiles.
    pub closed: bool,
}

/// An organization within an application instance.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CollabOrganization {
    /// Identifier.
    pub id: i64,
    /// The instance that it is in.
    pub instance_id: i64,
    /// The hub organization whose administrators may create profiles in it.
    pub hub_organization_id: i64,
}

/// The hub organization with this identifier.
///
/// # Errors
///
/// When the store fails.
pub fn organization(tx: &mut Tx<'_>, id: i64) -> Result<Option<Organization>, StoreError> {
    tx.query_opt(
        "SELECT id, name, trading_name, city, state, country, closed \
         FROM hub_organizations WHERE id = $1",
        params![id],
    )?
    .map(|row| organization_of(&row))
    .transpose()
}

/// Which part of a list that is ordered by identifier.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Part {
    /// Only what comes behind this identifier.
    pub after: Option<i64>,
    /// How many at most.
    pub limit: Option<i32>,
}

impl Part {
    fn after(self) -> i64 {
        self.after.unwrap_or(i64::MIN)
    }

    /// One more than is wanted, to know whether more follow.
    fn rows(self) -> i64 {
        self.limit.map_or(i64::MAX, |limit| i64::from(limit) + 1)
    }

    /// The part, and whether more follow.
    fn cut<T>(self, mut found: Vec<T>) -> (Vec<T>, bool) {
        let most = self.limit.map_or(usize::MAX, |limit| {
            usize::try_from(limit).unwrap_or_default()
        });
        let more = found.len() > most;
        found.truncate(most);
        (found, more)
    }
}

/// The organizations of which a user is hub administrator, by identifier, and
/// whether more follow.
///
/// # Errors
///
/// When the store fails.
pub fn administered_organizations(
    tx: &mut Tx<'_>,
    user_id: &str,
    part: Part,
) -> Result<(Vec<Organization>, bool), StoreError> {
    let found = tx
        .query(
            "SELECT o.id, o.name, o.trading_name, o.city, o.state, o.country, o.closed \
             FROM hub_administrators a \
             JOIN hub_organizations o ON o.id = a.organization_id \
             WHERE a.user_id = $1 AND a.organization_id > $2 \
             ORDER BY a.organization_id LIMIT $3",
            params![user_id, part.after(), part.rows()],
        )?
        .iter()
        .map(organization_of)
        .collect::<Result<_, _>>()?;
    Ok(part.cut(found))
}

/// The application instance with this identifier.
///
/// # Errors
///
/// When the store fails.
pub fn instance(tx: &mut Tx<'_>, id: i64) -> Result<Option<Instance>, StoreError> {
    tx.query_opt(
        "SELECT id, name, region, base_url, closed FROM application_instances WHERE id = $1",
        params![id],
    )?
    .map(|row| instance_of(&row))
    .transpose()
}

/// Who administers more organizations than this is likely to have access to any
/// instance by the first few organizations in it.
const MANY: i64 = 100;

/// The instances that a user can access, by identifier: those in which the user
/// has a profile, and those in which the user may create profiles for others.
/// Says too whether more follow.
///
/// Two ways give the same: from the user's organizations to their instances, and
/// from each instance to the first organization that the user administers. Which
/// one is short depends on the user.
///
/// # Errors
///
/// When the store fails.
pub fn accessible_instances(
    tx: &mut Tx<'_>,
    user_id: &str,
    part: Part,
) -> Result<(Vec<Instance>, bool), StoreError> {
    let administers = tx.query(
        "SELECT organization_id FROM hub_administrators WHERE user_id = $1 LIMIT $2",
        params![user_id, MANY + 1],
    )?;
    let administered = match administers.len() as i64 > MANY {
        true => {
            "EXISTS (SELECT 1 FROM collab_organizations c JOIN hub_administrators a \
                     ON a.organization_id = c.hub_organization_id AND a.user_id = $1 \
                     WHERE c.application_instance_id = i.id)"
        }
        false => {
            "i.id IN (SELECT c.application_instance_id FROM hub_administrators a \
                      JOIN collab_organizations c ON c.hub_organization_id = a.organization_id \
                      WHERE a.user_id = $1)"
        }
    };
    let sql = format!(
        "SELECT i.id, i.name, i.region, i.base_url, i.closed FROM application_instances i \
         WHERE i.id > $2 AND ({administered} \
         OR i.id IN (SELECT c.application_instance_id FROM collab_profiles p \
                     JOIN collab_organizations c ON c.id = p.collab_organization_id \
                     WHERE p.hub_user_id = $1)) \
         ORDER BY i.id LIMIT $3"
    );
    let found = tx
        .query(&sql, params![user_id, part.after(), part.rows()])?
        .iter()
        .map(instance_of)
        .collect::<Result<_, _>>()?;
    Ok(part.cut(found))
}

/// The collab organization with this identifier.
///
/// # Errors
///
/// When the store fails.
pub fn collab_organization(
    tx: &mut Tx<'_>,
    id: i64,
) -> Result<Option<CollabOrganization>, StoreError> {
    tx.query_opt(
        "SELECT id, application_instance_id, hub_organization_id \
         FROM collab_organizations WHERE id = $1",
        params![id],
    )?
    .map(|row| {
        Ok(CollabOrganization {
            id: row.get(0)?,
            instance_id: row.get(1)?,
            hub_organization_id: row.get(2)?,
        })
    })
    .transpose()
}

/// Name of a project, if the collab organization has it.
///
/// # Errors
///
/// When the store fails.
pub fn project_name(
    tx: &mut Tx<'_>,
    collab_organization_id: i64,
    project_id: &str,
) -> Result<Option<String>, StoreError> {
    tx.query_opt(
        "SELECT name FROM collab_projects WHERE collab_organization_id = $1 AND id = $2",
        params![collab_organization_id, project_id],
    )?
    .map(|row| row.get(0))
    .transpose()
}

fn organization_of(row: &Row) -> Result<Organization, StoreError> {
    let address: [String; 3] = [row.get(3)?, row.get(4)?, row.get(5)?];
    Ok(Organization {
        id: row.get(0)?,
        name: row.get(1)?,
        trading_name: row.get(2)?,
        location: address.join(", "),
        closed: row.get(6)?,
    })
}

fn instance_of(row: &Row) -> Result<Instance, StoreError> {
    Ok(Instance {
        id: row.get(0)?,
        name: row.get(1)?,
        region: row.get(2)?,
        base_url: row.get(3)?,
        closed: row.get(4)?,
    })
}
