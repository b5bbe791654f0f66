//! Changes of an existing pattern: locks, new values, deletion.
//!
//! Each change has the revision that it was made for. One statement changes the row only if it
//! still has that revision. If two writers have read the same pattern, one of them must read it
//! again. So no update is lost.

use chrono::{DateTime, Utc};

use super::catalog::Project;
use super::error::PatternError;
use super::pattern::{self, Pattern};
use crate::params;
use crate::store::{StoreError, Tx};

/// A change of a pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// Lock it, so that other users cannot change or delete it.
    Lock,
    /// Unlock it, if the subject has locked it.
    Unlock,
    /// Unlock it, even if another user has locked it.
    ForceUnlock,
    /// Set the present values.
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
    /// Maximum number of iterations of one run.
    pub max_iteration: Option<i32>,
}

/// Why a pattern was not changed.
#[derive(Debug, thiserror::Error)]
pub enum ChangeError {
    /// A user has locked it.
    #[error("The agent pattern {id} is locked by {by}")]
    Locked {
        /// The pattern.
        id: String,
        /// The user who locked it.
        by: String,
    },
    /// Its revision has changed.
    #[error("The agent pattern {0} has changed. Read it again")]
    Stale(String),
    /// An error of every operation.
    #[error(transparent)]
    Pattern(#[from] PatternError),
}

impl From<StoreError> for ChangeError {
    fn from(error: StoreError) -> Self {
        ChangeError::Pattern(error.into())
    }
}

/// Finds a pattern for a change. `ignores_lock` decides whether the change ignores the lock of a
/// user, and `is_expected` whether the pattern is the one that the change was made for.
fn find_for_change(
    tx: &mut Tx<'_>,
    project: &Project,
    id: &str,
    ignores_lock: impl Fn(&str) -> bool,
    is_expected: impl Fn(&Pattern) -> bool,
) -> Result<Pattern, ChangeError> {
    let found = pattern::find(tx, project, id)?;
    if !is_expected(&found) {
        return Err(ChangeError::Stale(found.id.to_string()));
    }
    match &found.lock {
        Some((by, _)) if !ignores_lock(by) => Err(ChangeError::Locked {
            id: found.id.to_string(),
            by: by.clone(),
        }),
        _ => Ok(found),
    }
}

/// Changes a pattern for `subject`. It must have the `expected` revision, if one is given. Returns
/// the changed pattern.
///
/// # Errors
///
/// When it does not exist, is locked by another user, has another revision, or the store fails.
pub fn apply(
    tx: &mut Tx<'_>,
    project: &Project,
    id: &str,
    change: &Change,
    expected: Option<i64>,
    subject: &str,
    now: DateTime<Utc>,
) -> Result<Pattern, ChangeError> {
    let is_expected = |found: &Pattern| expected.is_none_or(|expected| expected == found.revision);
    let ignores_lock = |by: &str| by == subject || *change == Change::ForceUnlock;
    let mut pattern = find_for_change(tx, project, id, ignores_lock, is_expected)?;
    let now = chrono::SubsecRound::trunc_subsecs(now, 3);
    change.apply_to(&mut pattern, subject, now);
    match update(tx, &pattern)? {
        true => Ok(pattern),
        false => Err(ChangeError::Stale(pattern.id.to_string())),
    }
}

impl Change {
    /// Changes a pattern in memory.
    fn apply_to(&self, pattern: &mut Pattern, subject: &str, now: DateTime<Utc>) {
        match self {
            Change::Lock => pattern.lock = Some((subject.to_owned(), now)),
            Change::Unlock | Change::ForceUnlock => pattern.lock = None,
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
    }
}

/// Writes a changed pattern. Returns false if its row does not have the revision before it any more.
fn update(tx: &mut Tx<'_>, pattern: &Pattern) -> Result<bool, StoreError> {
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
            pattern.updated.0,
            &pattern.updated.1,
            pattern.revision,
        ],
    )?;
    Ok(rows > 0)
}

/// Deletes an unlocked pattern, if `is_expected` accepts it. Returns the deleted pattern.
///
/// # Errors
///
/// When it does not exist, is locked, is another than expected, or the store fails.
pub fn delete(
    tx: &mut Tx<'_>,
    project: &Project,
    id: &str,
    is_expected: impl Fn(&Pattern) -> bool,
) -> Result<Pattern, ChangeError> {
    let pattern = find_for_change(tx, project, id, |_| false, is_expected)?;
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
