//! An agent pattern: its creation from an accelerator, and its row. [`change`](super::change) has
//! its later changes.

use chrono::{DateTime, Utc};

use super::accelerator::{self, Integration, RecipeSource, Role};
use super::catalog::{self, Project};
use super::error::{CreateError, PatternError};
use super::id::PatternId;
use crate::audit::AuditContext;
use crate::kernel::Metrics;
use crate::params;
use crate::rights::Verb;
use crate::store::{Row, Tx};

/// Maximum length of a description, in characters.
pub const MAX_DESCRIPTION: usize = 4000;
/// Maximum length of guidelines, in characters.
pub const MAX_GUIDELINES: usize = 20_000;
/// Maximum length of a name, in characters.
const MAX_NAME: usize = 255;
/// The metric of changes of patterns, by the kind of change.
const CHANGES: &str = "accord_patterns_total";

/// Whether a text is a valid name by the document: 1 to 255 characters, not only spaces, and no
/// control characters of terminals or text direction.
pub fn is_name(text: &str) -> bool {
    let is_hidden = |c: char| {
        c.is_control()
            || matches!(c, '\u{200B}' | '\u{2028}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
    };
    text.chars().count() <= MAX_NAME
        && !text.chars().any(is_hidden)
        && text.chars().any(|c| c != ' ')
}

/// Whether a text is a valid description or guidelines of at most this many characters.
pub fn is_text(text: &str, longest: usize) -> bool {
    text.chars().count() <= longest && !text.contains('\0')
}

/// An agent pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pattern {
    /// Code and version.
    pub id: PatternId,
    /// Its project.
    pub project: Project,
    /// Name.
    pub name: String,
    /// Description.
    pub description: String,
    /// Guidelines that the agent follows.
    pub guidelines: String,
    /// Status.
    pub status: Status,
    /// The source of the recipe of its accelerator.
    pub recipe_source: RecipeSource,
    /// Maximum number of iterations of one run.
    pub max_iteration: i32,
    /// The number of uses.
    pub usage_count: i32,
    /// Who locked it and when, if it is locked.
    pub lock: Option<(String, DateTime<Utc>)>,
    /// When and by whom it was created.
    pub created: (DateTime<Utc>, String),
    /// When and by whom it was last changed.
    pub updated: (DateTime<Utc>, String),
    /// The roles of connections.
    pub roles: Vec<Role>,
    /// Its integrations.
    pub integrations: Vec<Integration>,
    /// The number of changes.
    pub revision: i64,
}

impl Pattern {
    /// The key of the order of lists: the bytes of the name in lower case, the code and
    /// the version.
    pub(super) fn sort_key(&self) -> Vec<u8> {
        let name_key = self.name.to_lowercase();
        let PatternId { code, version } = &self.id;
        [name_key.as_bytes(), code.as_bytes(), version.as_bytes()].join(&0)
    }
}

/// Status of a pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// The state after creation.
    Configured,
    /// Reserved: no operation sets it.
    Activated,
}

crate::names! {
    /// The text in the store and the document.
    Status { Configured = "CONFIGURED", Activated = "ACTIVATED" }
}

/// A pattern to create.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewPattern {
    /// Code and version.
    pub id: PatternId,
    /// Code of the project, which must be the one in the path.
    pub project_code: String,
    /// The accelerator from which to create it.
    pub accelerator: uuid::Uuid,
    /// A name instead of the accelerator's.
    pub name: Option<String>,
    /// A description instead of the accelerator's.
    pub description: Option<String>,
    /// Guidelines instead of the accelerator's.
    pub guidelines: Option<String>,
    /// A limit instead of the accelerator's.
    pub max_iteration: Option<i32>,
}

/// Creates a pattern in a project for `subject`.
///
/// # Errors
///
/// When the accelerator does not exist, the projects of body and path differ, the project
/// already has the pattern, or the store fails.
pub fn create(
    tx: &mut Tx<'_>,
    project: Project,
    new: &NewPattern,
    subject: &str,
    now: DateTime<Utc>,
) -> Result<Pattern, CreateError> {
    if project.code != new.project_code {
        return Err(CreateError::OtherProject);
    }
    let accelerator = accelerator::find(tx, new.accelerator)?
        .ok_or(CreateError::UnknownAccelerator(new.accelerator))?;
    // The response has the same time as the store, which has milliseconds.
    let now = chrono::SubsecRound::trunc_subsecs(now, 3);
    let stamp = (now, subject.to_owned());
    let or = |given: &Option<String>, default: String| given.clone().unwrap_or(default);
    let pattern = Pattern {
        id: new.id.clone(),
        project,
        name: or(&new.name, accelerator.name),
        description: or(&new.description, accelerator.description),
        guidelines: or(&new.guidelines, accelerator.guidelines),
        status: Status::Configured,
        recipe_source: accelerator.recipe_source,
        max_iteration: new.max_iteration.unwrap_or(accelerator.max_iteration),
        usage_count: 0,
        lock: None,
        created: stamp.clone(),
        updated: stamp,
        roles: accelerator.roles,
        integrations: accelerator.integrations,
        revision: 1,
    };
    match insert(tx, &pattern, accelerator.id)? {
        true => Ok(pattern),
        false => Err(CreateError::Exists {
            project: pattern.project.code,
            pattern: pattern.id,
        }),
    }
}

/// Creates a pattern for a caller in the project that the caller names, and records it in the
/// audit trail.
///
/// # Errors
///
/// As [`create`], and when the caller does not have the verb `use` on the project.
pub fn create_for(
    tx: &mut Tx<'_>,
    trail: &AuditContext,
    caller: &str,
    [instance, project]: [&str; 2],
    new: &NewPattern,
) -> Result<Pattern, CreateError> {
    let project = catalog::project_for(tx, caller, Verb::Use, instance, project)?;
    let created = create(tx, project, new, caller, trail.time())?;
    let subject = format!("{}/{}", created.project.code, created.id);
    let accelerator = format!("accelerator {}", new.accelerator);
    trail.record(tx, "patterns.pattern.created", &subject, &accelerator)?;
    Ok(created)
}

/// Counts a change of patterns.
pub fn count(metrics: &Metrics, change: &'static str) {
    metrics.record(|| ::metrics::counter!(CHANGES, "change" => change).increment(1));
}

/// The pattern of a project with this identifier.
///
/// # Errors
///
/// When it does not exist, or the store fails.
pub fn find(tx: &mut Tx<'_>, project: &Project, id: &str) -> Result<Pattern, PatternError> {
    let Some(known) = PatternId::parse(id) else {
        return Err(unknown(project, id));
    };
    let sql = format!(
        "SELECT {COLUMNS} FROM agent_patterns \
         WHERE project_id = $1 AND code = $2 AND version = $3"
    );
    let row = tx
        .query_opt(&sql, params![&project.id, known.code, known.version])?
        .ok_or_else(|| unknown(project, id))?;
    from_row(&row, project)
}

pub(super) fn unknown(project: &Project, id: &str) -> PatternError {
    PatternError::UnknownPattern {
        project: project.code.clone(),
        pattern: id.to_owned(),
    }
}

/// The columns that [`from_row`] reads, in its order.
pub(super) const COLUMNS: &str = "code, version, name, description, guidelines, status, \
    recipe_source, max_iteration, usage_count, locked_by, locked_at, created_at, created_by, \
    updated_at, updated_by, roles, integrations, revision";

/// Reads a row of [`COLUMNS`].
pub(super) fn from_row(row: &Row, project: &Project) -> Result<Pattern, PatternError> {
    let malformed = || PatternError::Row {
        table: "agent_patterns",
    };
    let status: String = row.get(5)?;
    let recipe_source: String = row.get(6)?;
    let locked: (Option<String>, Option<DateTime<Utc>>) = (row.get(9)?, row.get(10)?);
    let roles: String = row.get(15)?;
    let integrations: String = row.get(16)?;
    Ok(Pattern {
        id: PatternId {
            code: row.get(0)?,
            version: row.get(1)?,
        },
        project: project.clone(),
        name: row.get(2)?,
        description: row.get(3)?,
        guidelines: row.get(4)?,
        status: Status::parse(&status).ok_or_else(malformed)?,
        recipe_source: RecipeSource::parse(&recipe_source).ok_or_else(malformed)?,
        max_iteration: row.get(7)?,
        usage_count: row.get(8)?,
        lock: locked.0.zip(locked.1),
        created: (row.get(11)?, row.get(12)?),
        updated: (row.get(13)?, row.get(14)?),
        roles: serde_json::from_str(&roles).map_err(|_| malformed())?,
        integrations: serde_json::from_str(&integrations).map_err(|_| malformed())?,
        revision: row.get(17)?,
    })
}

/// Adds a row. Returns false if the project already has the pattern.
fn insert(
    tx: &mut Tx<'_>,
    pattern: &Pattern,
    accelerator: uuid::Uuid,
) -> Result<bool, PatternError> {
    let malformed = |_| PatternError::Row {
        table: "agent_patterns",
    };
    let name_key = pattern.name.to_lowercase();
    let PatternId { code, version } = &pattern.id;
    let sort_key = pattern.sort_key();
    let (locked_by, locked_at) = pattern.lock.clone().unzip();
    let rows = tx.execute(
        "INSERT INTO agent_patterns (project_id, code, version, accelerator_id, name, name_key, \
         sort_key, description, guidelines, status, recipe_source, max_iteration, usage_count, \
         locked_by, locked_at, created_at, created_by, updated_at, updated_by, roles, \
         integrations, revision) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, \
         $18, $19, $20, $21, $22) \
         ON CONFLICT (project_id, code, version) DO NOTHING",
        params![
            &pattern.project.id,
            code,
            version,
            accelerator,
            &pattern.name,
            name_key,
            sort_key,
            &pattern.description,
            &pattern.guidelines,
            pattern.status.as_str(),
            pattern.recipe_source.as_str(),
            pattern.max_iteration,
            pattern.usage_count,
            locked_by,
            locked_at,
            pattern.created.0,
            &pattern.created.1,
            pattern.updated.0,
            &pattern.updated.1,
            serde_json::to_string(&pattern.roles).map_err(malformed)?,
            serde_json::to_string(&pattern.integrations).map_err(malformed)?,
            pattern.revision,
        ],
    )?;
    Ok(rows == 1)
}
