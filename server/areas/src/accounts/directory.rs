//! The directory: hub organizations, application instances, and the collab organizations
//! in them. Operators manage it; provisioning only reads it.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

use crate::params;
use crate::store::{Row, StoreError, Tx, cut_page};

/// A hub organization.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Organization {
    /// Identifier.
    pub id: i64,
    /// Trading name.
    pub trading_name: String,
    /// City, state and country.
    pub location: String,
    /// Whether it rejects new accounts and profiles.
    pub closed: bool,
}

/// A hub organization in a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// Identifier.
    pub id: i64,
    /// Registered name.
    pub name: String,
    /// Trading name.
    pub trading_name: String,
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
    /// Address at which its users log in.
    pub base_url: String,
    /// Whether it rejects new profiles.
    pub closed: bool,
}

/// Whether a hub organization has this identifier.
pub fn has_organization(tx: &mut Tx<'_>, id: i64) -> Result<bool, StoreError> {
    tx.exists("SELECT 1 FROM hub_organizations WHERE id = $1", params![id])
}

/// The cursor after an identifier: opaque, and of the same length for every identifier.
pub fn cursor(id: i64) -> String {
    URL_SAFE_NO_PAD.encode(id.to_be_bytes())
}

/// The identifier after which a list continues; `None` if the text is not a cursor.
pub fn parse_cursor(text: &str) -> Option<i64> {
    let bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
    Some(i64::from_be_bytes(bytes.try_into().ok()?))
}

/// A part of a list that is ordered by identifier.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Part {
    /// Only entries after this identifier.
    pub after: Option<i64>,
    /// Maximum number of entries.
    pub limit: Option<i32>,
}

impl Part {
    fn after(self) -> i64 {
        self.after.unwrap_or(i64::MIN)
    }

    /// One row more than requested shows whether more follow.
    fn rows(self) -> i64 {
        self.limit.map_or(i64::MAX, |limit| i64::from(limit) + 1)
    }

    /// The part, and whether more follow.
    fn cut<T>(self, found: Vec<T>) -> (Vec<T>, bool) {
        cut_page(found, self.limit.map_or(i64::MAX, i64::from))
    }
}

/// The organizations of which a user is hub administrator, by identifier, and
/// whether more follow.
pub fn administered_organizations(
    tx: &mut Tx<'_>,
    user_id: &str,
    part: Part,
) -> Result<(Vec<Listed>, bool), StoreError> {
    let found = tx
        .query(
            "SELECT o.id, o.name, o.trading_name FROM hub_administrators a \
             JOIN hub_organizations o ON o.id = a.organization_id \
             WHERE a.user_id = $1 AND a.organization_id > $2 \
             ORDER BY a.organization_id LIMIT $3",
            params![user_id, part.after(), part.rows()],
        )?
        .iter()
        .map(|row| {
            Ok(Listed {
                id: row.get(0)?,
                name: row.get(1)?,
                trading_name: row.get(2)?,
            })
        })
        .collect::<Result<_, StoreError>>()?;
    Ok(part.cut(found))
}

/// A collab organization in which an administrator may create profiles.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Workplace {
    /// The application instance.
    pub instance_id: i64,
    /// Name of the instance.
    pub instance: String,
    /// The collab organization in it.
    pub id: i64,
    /// Name of the collab organization.
    pub name: String,
}

/// The maximum of collab organizations in a list.
const MAX_WORKPLACES: i64 = 1000;

/// The collab organizations in which `requester` can create profiles, by name: those of open
/// organizations in open instances.
pub fn workplaces(tx: &mut Tx<'_>, requester: &str) -> Result<Vec<Workplace>, StoreError> {
    let rows = tx.query(
        "SELECT i.id, i.name, c.id, c.name FROM hub_administrators a \
         JOIN hub_organizations o ON o.id = a.organization_id \
         JOIN collab_organizations c ON c.hub_organization_id = a.organization_id \
         JOIN application_instances i ON i.id = c.application_instance_id \
         WHERE a.user_id = $1 AND o.closed = 0 AND i.closed = 0 \
         ORDER BY c.name, c.id LIMIT $2",
        params![requester, MAX_WORKPLACES],
    )?;
    let workplace = |row: &Row| {
        Ok(Workplace {
            instance_id: row.get(0)?,
            instance: row.get(1)?,
            id: row.get(2)?,
            name: row.get(3)?,
        })
    };
    rows.iter().map(workplace).collect()
}

/// A user who administers more organizations than this probably has access to any
/// instance by one of its first few organizations.
const MANY_ORGANIZATIONS: i64 = 100;

/// The instances that a user can access, by identifier: those in which the user has a
/// profile, and those in which the user may create profiles for others. Also returns
/// whether more follow.
///
/// Two queries have the same result: from each instance to the first organization that
/// the user administers, and from the user's organizations to their instances. The number
/// of organizations decides which one is faster.
pub fn accessible_instances(
    tx: &mut Tx<'_>,
    user_id: &str,
    part: Part,
) -> Result<(Vec<Instance>, bool), StoreError> {
    // The first query is written so that the database does not plan it as a join of whole
    // tables.
    let sql = format!(
        "SELECT i.id, i.name, i.region, i.base_url, i.closed FROM application_instances i \
         WHERE i.id > $2 AND (CASE \
         WHEN (SELECT COUNT(*) FROM (SELECT 1 FROM hub_administrators \
               WHERE user_id = $1 LIMIT {MANY_ORGANIZATIONS} + 1) m) > {MANY_ORGANIZATIONS} \
         THEN (SELECT 1 FROM collab_organizations c WHERE c.application_instance_id = i.id \
               AND (SELECT 1 FROM hub_administrators a WHERE a.user_id = $1 \
                    AND a.organization_id = c.hub_organization_id) = 1 LIMIT 1) = 1 \
         ELSE i.id IN (SELECT c.application_instance_id FROM hub_administrators a \
                       JOIN collab_organizations c ON c.hub_organization_id = a.organization_id \
                       WHERE a.user_id = $1) END \
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

/// The place of a requested profile.
#[derive(Debug, Clone, Copy)]
pub struct PlaceQuery<'a> {
    /// The application instance.
    pub instance_id: i64,
    /// The collab organization in it.
    pub collab_organization_id: i64,
    /// Projects of the collab organization.
    pub project_ids: &'a [String],
}

/// A place where a profile can be created, as one user sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The application instance.
    pub instance: Instance,
    /// The collab organization in it.
    pub collab_organization_id: i64,
    /// The hub organization that the collab organization belongs to.
    pub owner: Organization,
    /// Whether the user administers the hub organization.
    pub administered: bool,
    /// Whether the user has a profile in the collab organization.
    pub joined: bool,
    /// Names of the requested projects, in their order; `None` for one that does not exist.
    pub project_names: Vec<Option<String>>,
}

/// The result of a query for a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PlaceResult {
    /// The place exists.
    Place(Box<Place>),
    /// The instance does not exist.
    NoInstance,
    /// The instance does not have the collab organization.
    NoCollabOrganization,
}

/// A hub organization and places, as one user sees them.
#[derive(Debug)]
pub struct DirectoryLookup {
    /// The hub organization, and whether the user administers it.
    pub organization: Option<(Organization, bool)>,
    /// The places, in the order of the queries.
    pub places: Vec<PlaceResult>,
}

const ORGANIZATION: &str = "SELECT o.id, o.trading_name, o.city, o.state, o.country, o.closed, \
     (SELECT 1 FROM hub_administrators a \
      WHERE a.user_id = $2 AND a.organization_id = o.id) \
     FROM hub_organizations o WHERE o.id = $1";

const PLACE: &str = "SELECT i.id, i.name, i.region, i.base_url, i.closed, \
     o.id, o.trading_name, o.city, o.state, o.country, o.closed, \
     (SELECT 1 FROM hub_administrators a \
      WHERE a.user_id = $3 AND a.organization_id = o.id), \
     (SELECT 1 FROM collab_profiles p \
      WHERE p.hub_user_id = $3 AND p.collab_organization_id = c.id) \
     FROM application_instances i LEFT JOIN collab_organizations c \
     ON c.id = $2 AND c.application_instance_id = i.id \
     LEFT JOIN hub_organizations o ON o.id = c.hub_organization_id WHERE i.id = $1";

const PROJECT: &str =
    "SELECT name FROM collab_projects WHERE collab_organization_id = $1 AND id = $2";

/// Looks up all objects that a user's request names, in one round trip.
pub fn look_up(
    tx: &mut Tx<'_>,
    organization_id: i64,
    requested: &[PlaceQuery<'_>],
    user_id: &str,
) -> Result<DirectoryLookup, StoreError> {
    let mut queries = vec![(ORGANIZATION, params![organization_id, user_id].to_vec())];
    for one in requested {
        let id = one.collab_organization_id;
        queries.push((PLACE, params![one.instance_id, id, user_id].to_vec()));
        let projects = one.project_ids.iter();
        queries.extend(projects.map(|project_id| (PROJECT, params![id, project_id].to_vec())));
    }
    let mut found = tx.query_each(&queries)?.into_iter();
    // There is one result for each query.
    let mut next = || found.next().and_then(|rows| rows.into_iter().next());
    let organization = next().map(|row| {
        let administered = row.get::<Option<bool>>(6)?.is_some();
        Ok::<_, StoreError>((organization_of(&row, 0)?, administered))
    });
    let places = requested.iter().map(|one| {
        let row = next();
        let names = one
            .project_ids
            .iter()
            .map(|_| next().map(|row| row.get(0)).transpose());
        let names = names.collect::<Result<_, StoreError>>()?;
        place_of(row, one.collab_organization_id, names)
    });
    Ok(DirectoryLookup {
        places: places.collect::<Result<_, StoreError>>()?,
        organization: organization.transpose()?,
    })
}

fn place_of(
    row: Option<Row>,
    collab_organization_id: i64,
    project_names: Vec<Option<String>>,
) -> Result<PlaceResult, StoreError> {
    let Some(row) = row else {
        return Ok(PlaceResult::NoInstance);
    };
    if row.get::<Option<i64>>(5)?.is_none() {
        return Ok(PlaceResult::NoCollabOrganization);
    }
    Ok(PlaceResult::Place(Box::new(Place {
        instance: instance_of(&row)?,
        collab_organization_id,
        owner: organization_of(&row, 5)?,
        administered: row.get::<Option<bool>>(11)?.is_some(),
        joined: row.get::<Option<bool>>(12)?.is_some(),
        project_names,
    })))
}

/// Reads an organization from the columns that begin at `first`.
fn organization_of(row: &Row, first: usize) -> Result<Organization, StoreError> {
    let text = |index: usize| row.get::<String>(first + index);
    Ok(Organization {
        id: row.get(first)?,
        trading_name: text(1)?,
        location: location([text(2)?, text(3)?, text(4)?]),
        closed: row.get(first + 5)?,
    })
}

/// City, state and country in one text, without the empty ones.
fn location(parts: [String; 3]) -> String {
    let parts: Vec<_> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    parts.join(", ")
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
