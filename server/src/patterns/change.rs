//! Changes of an existing pattern: a lock, other values, its deletion.
//!
//! Each change names the revision that it was made for. One statement changes the row only if
//! it still has that revision. So of two writers who have read the same pattern, one has to
//! read it again: no update is lost.

use chrono::{DateTime, Utc};

use super::catalogue::Project;
use super::error::PatternError;
use super::pattern::{self, Pattern};
use crate::params;
use crate::store::{StoreError, Tx};

/// What is to become of a pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// Nobody else changes or deletes it.
    Lock,
    /// Everybody may again.
    Unlock,
    /// Other values, where there are any.
    Set(Values),
}

/// Values of a pattern.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Values {
    /// Name.
    pub name: Option<String>,
    /// Description.
    pub description: Option<String>,
    /// Guidelines.
    pub guidelines: Option<String>,
    /// Most iterations of one run.
    pub max_iteration: Option<i32>,
}

/// Why a pattern was not changed.
#[derive(Debug, thiserror::Error)]
pub enum ChangeError {
    /// Somebody has locked it.
    #[error("The agent pattern {id} is locked by {by}")]
    Locked {
        /// The pattern.
        id: String,
        /// Who has.
        by: String,
    },
    /// It has another revision by now.
    #[error("The agent pattern {0} has changed. Read it again")]
    Stale(String),
    /// What can be wrong with any operation.
    #[error(transparent)]
    Pattern(#[from] PatternError),
}

impl From<StoreError> for ChangeError {
    fn from(error: StoreError) -> Self {
        ChangeError::Pattern(error.into())
    }
}

/// Finds a pattern for a change by `subject`, who has seen what `seen` lets
/// through.
fn open(
    tx: &mut Tx<'_>,
    project: &Project,
    id: &str,
    subject: Option<&str>,
    seen: impl Fn(i64) -> bool,
) -> Result<Pattern, ChangeError> {
    let found = pattern::find(tx, project, id)?;
    if !seen(found.revision) {
        return Err(ChangeError::Stale(found.id.to_string()));
    }
    match &found.lock {
        Some((by, _)) if subject != Some(by) => Err(ChangeError::Locked {
            id: found.id.to_string(),
            by: by.clone(),
        }),
        _ => Ok(found),
    }
}

/// Changes a pattern for `subject`; with `seen`, only if that is its revision.
/// Answers what it is now.
///
/// # Errors
///
/// When it does not exist, is locked by somebody else, has another revision, or
/// the store fails.
pub fn apply(
    tx: &mut Tx<'_>,
    project: &Project,
    id: &str,
    change: &Change,
    seen: Option<i64>,
    subject: &str,
    now: DateTime<Utc>,
) -> Result<Pattern, ChangeError> {
    let is_seen = |revision| seen.is_none_or(|seen| seen == revision);
    let mut pattern = open(tx, project, id, Some(subject), is_seen)?;
    let now = chrono::SubsecRound::trunc_subsecs(now, 3);
    match change {
        Change::Lock => pattern.lock = Some((subject.to_owned(), now)),
        Change::Unlock => pattern.lock = None,
        Change::Set(values) => {
            let Values {
                name,
                description,
                guidelines,
                max_iteration,
            } = values.clone();
            let set = |place: &mut String, value: Option<String>| {
                *place = value.unwrap_or_else(|| std::mem::take(place));
            };
            set(&mut pattern.name, name);
            set(&mut pattern.description, description);
            set(&mut pattern.guidelines, guidelines);
            pattern.max_iteration = max_iteration.unwrap_or(pattern.max_iteration);
        }
    }
    pattern.updated = (now, subject.to_owned());
    pattern.revision += 1;
    let (locked_by, locked_at) = pattern.lock.clone().unzip();
    let rows = tx.execute(
        "UPDATE agent_patterns SET name = $5, name_key = $6, sort_key = $7, description = $8, \
         guidelines = $9, max_iteration = $10, locked_by = $11, locked_at = $12, \
         updated_at = $13, updated_by = $14, revision = $15 \
         WHERE project_id = $1 AND code = $2 AND version = $3 AND revision = $4",
        params![
            &pattern.project.id,
            &pattern.id.code,
            &pattern.id.version,
            pattern.revision - 1,
            &pattern.name,
            pattern.name.to_lowercase(),
            pattern.sort_key(),
            &pattern.description,
            &pattern.guidelines,
            pattern.max_iteration,
            locked_by,
            locked_at,
            now,
            subject,
            pattern.revision,
        ],
    )?;
    match rows {
        0 => Err(ChangeError::Stale(pattern.id.to_string())),
        _ => Ok(pattern),
    }
}

/// Deletes a pattern that nobody has locked, if `seen` lets its revision
/// through. Answers what it was.
///
/// # Errors
///
/// When it does not exist, is locked, has another revision, or the store fails.
pub fn delete(
    tx: &mut Tx<'_>,
    project: &Project,
    id: &str,
    seen: impl Fn(i64) -> bool,
) -> Result<Pattern, ChangeError> {
    let pattern = open(tx, project, id, None, seen)?;
    let rows = tx.execute(
        "DELETE FROM agent_patterns \
         WHERE project_id = $1 AND code = $2 AND version = $3 AND revision = $4",
        params![
            &pattern.project.id,
            &pattern.id.code,
            &pattern.id.version,
            pattern.revision
        ],
    )?;
    match rows {
        0 => Err(ChangeError::Stale(pattern.id.to_string())),
        _ => Ok(pattern),
    }
}
