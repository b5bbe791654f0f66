//! The catalogue of accelerators, as the operator keeps it: two come with the
//! service, others are added as [packages](super::package).

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use uuid::{Uuid, uuid};

use super::catalogue::{self, Accelerator, RecipeSource};
use super::error::PatternError;
use super::package::{Package, PackageError};
use crate::params;
use crate::store::{Row, StoreError, Tx};

/// The accelerator that reasons and acts by turns.
pub const REACT: Uuid = uuid!("3f1c2a9e-6d0b-4f6e-9c64-0a4c8c0d7b01");

/// The accelerator that makes a plan first and then carries it out.
pub const PLAN_AND_EXECUTE: Uuid = uuid!("8a5e7c10-2f43-4c1d-b7a9-5d1e0f9c6b02");

type Files = &'static [(&'static str, &'static str)];

/// The files of the packages that come with the service.
const SYSTEM: [Files; 2] = [
    &[
        (
            "accelerator.toml",
            include_str!("accelerators/react/accelerator.toml"),
        ),
        (
            "integrations/REACT_CORE.toml",
            include_str!("accelerators/react/integrations/REACT_CORE.toml"),
        ),
    ],
    &[
        (
            "accelerator.toml",
            include_str!("accelerators/plan_and_execute/accelerator.toml"),
        ),
        (
            "integrations/PLAN_EXECUTE_CORE.toml",
            include_str!("accelerators/plan_and_execute/integrations/PLAN_EXECUTE_CORE.toml"),
        ),
    ],
];

/// Why the catalogue was not changed.
#[derive(Debug, thiserror::Error)]
pub enum CatalogueError {
    /// No accelerator has the identifier.
    #[error("there is no accelerator {0}; `accelerators list` lists them")]
    Unknown(Uuid),
    /// It comes with the service.
    #[error("{0} comes with the service and stays as it is")]
    System(String),
    /// Another version of it exists.
    #[error("version {version} of {name} exists already; --replace replaces it")]
    Exists {
        /// Name of the accelerator.
        name: String,
        /// Its version.
        version: String,
    },
    /// Patterns were made from it.
    #[error("{patterns} agent patterns were made from {name}, so it cannot be removed")]
    InUse {
        /// Name of the accelerator.
        name: String,
        /// How many.
        patterns: i64,
    },
    /// A package that comes with the service is none.
    #[error(transparent)]
    Package(#[from] PackageError),
    /// The rest of what can be wrong.
    #[error(transparent)]
    Pattern(#[from] PatternError),
}

impl From<StoreError> for CatalogueError {
    fn from(error: StoreError) -> Self {
        CatalogueError::Pattern(error.into())
    }
}

/// What adding did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Added {
    /// It is new.
    New,
    /// It took the place of another version.
    Replaced,
    /// The same version exists.
    Unchanged,
}

/// An accelerator of the list.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Listed {
    /// Identifier.
    pub id: String,
    /// Name.
    pub name: String,
    /// Version of its package.
    pub version: String,
    /// `System` or `Store`.
    pub source: String,
    /// Patterns that were made from it.
    pub patterns: i64,
    /// SHA-256 of what its package holds.
    pub digest: String,
    /// When this version was added, in Unix milliseconds.
    pub added_at: i64,
    /// Who added it; nothing for what comes with the service.
    pub added_by: Option<String>,
}

/// Puts the accelerators that come with the service into the catalogue, in the
/// versions that this one comes with.
///
/// # Errors
///
/// When the store fails.
pub fn install_system(tx: &mut Tx<'_>, now: DateTime<Utc>) -> Result<(), CatalogueError> {
    for files in SYSTEM {
        let files: BTreeMap<_, _> = files
            .iter()
            .map(|(path, text)| ((*path).to_owned(), text.as_bytes().to_vec()))
            .collect();
        let package = Package::from_files(&files)?;
        if digest_of(tx, package.id)?.as_ref() != Some(&package.digest) {
            put(tx, &package, RecipeSource::System, None, now)?;
        }
    }
    Ok(())
}

/// Adds a package for an operator. Patterns keep what they were made with.
///
/// # Errors
///
/// When another version is there and is not to be replaced, when the accelerator
/// is one that comes with the service, or the store fails.
pub fn add(
    tx: &mut Tx<'_>,
    package: &Package,
    replace: bool,
    operator: &str,
    now: DateTime<Utc>,
) -> Result<Added, CatalogueError> {
    let known = catalogue::accelerator(tx, package.id)?;
    let added = match &known {
        None => Added::New,
        Some(known) if known.recipe_source == RecipeSource::System => {
            return Err(CatalogueError::System(known.name.clone()));
        }
        Some(_) if digest_of(tx, package.id)?.as_ref() == Some(&package.digest) => {
            return Ok(Added::Unchanged);
        }
        Some(known) if !replace => {
            return Err(CatalogueError::Exists {
                name: known.name.clone(),
                version: known.version.clone(),
            });
        }
        Some(_) => Added::Replaced,
    };
    put(tx, package, RecipeSource::Store, Some(operator), now)?;
    Ok(added)
}

/// Removes an accelerator; the one that was removed.
///
/// # Errors
///
/// When there is none, it comes with the service, patterns were made from it, or
/// the store fails.
pub fn remove(tx: &mut Tx<'_>, id: Uuid) -> Result<Accelerator, CatalogueError> {
    let known = catalogue::accelerator(tx, id)?.ok_or(CatalogueError::Unknown(id))?;
    if known.recipe_source == RecipeSource::System {
        return Err(CatalogueError::System(known.name));
    }
    let sql = "SELECT COUNT(*) FROM agent_patterns WHERE accelerator_id = $1";
    let patterns: i64 = match tx.query_opt(sql, params![id])? {
        Some(row) => row.get(0)?,
        None => 0,
    };
    if patterns > 0 {
        return Err(CatalogueError::InUse {
            name: known.name,
            patterns,
        });
    }
    tx.execute(
        "DELETE FROM pattern_accelerators WHERE id = $1",
        params![id],
    )?;
    Ok(known)
}

/// All accelerators, by name.
///
/// # Errors
///
/// When the store fails.
pub fn list(tx: &mut Tx<'_>) -> Result<Vec<Listed>, StoreError> {
    let listed = |row: &Row| {
        Ok(Listed {
            id: row.get(0)?,
            name: row.get(1)?,
            version: row.get(2)?,
            source: row.get(3)?,
            digest: row.get(4)?,
            added_at: row.get(5)?,
            added_by: row.get(6)?,
            patterns: row.get(7)?,
        })
    };
    tx.query(
        "SELECT a.id, a.name, a.version, a.recipe_source, a.digest, a.added_at, a.added_by, \
         (SELECT COUNT(*) FROM agent_patterns p WHERE p.accelerator_id = a.id) \
         FROM pattern_accelerators a ORDER BY a.name, a.id",
        &[],
    )?
    .iter()
    .map(listed)
    .collect()
}

fn digest_of(tx: &mut Tx<'_>, id: Uuid) -> Result<Option<String>, StoreError> {
    let sql = "SELECT digest FROM pattern_accelerators WHERE id = $1";
    let row = tx.query_opt(sql, params![id])?;
    row.map(|row| row.get(0)).transpose()
}

fn put(
    tx: &mut Tx<'_>,
    package: &Package,
    source: RecipeSource,
    added_by: Option<&str>,
    now: DateTime<Utc>,
) -> Result<(), CatalogueError> {
    let malformed = |_| PatternError::Row {
        table: "pattern_accelerators",
    };
    tx.execute(
        "INSERT INTO pattern_accelerators (id, name, version, description, guidelines, \
         recipe_source, max_iteration, roles, integrations, digest, added_at, added_by) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) \
         ON CONFLICT (id) DO UPDATE SET name = excluded.name, version = excluded.version, \
         description = excluded.description, guidelines = excluded.guidelines, \
         recipe_source = excluded.recipe_source, max_iteration = excluded.max_iteration, \
         roles = excluded.roles, integrations = excluded.integrations, \
         digest = excluded.digest, added_at = excluded.added_at, added_by = excluded.added_by",
        params![
            package.id,
            &package.name,
            &package.version,
            &package.description,
            &package.guidelines,
            source.as_str(),
            package.max_iteration,
            serde_json::to_string(&package.roles).map_err(malformed)?,
            serde_json::to_string(&package.integrations).map_err(malformed)?,
            &package.digest,
            now,
            added_by,
        ],
    )?;
    Ok(())
}
