//! The accelerators, which operators manage: two are built in, and others are added as
//! [packages](super::package).

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use uuid::{Uuid, uuid};

use super::accelerator::{self, Accelerator, RecipeSource};
use super::error::PatternError;
use super::package::{Package, PackageError};
use crate::params;
use crate::store::{Row, StoreError, Tx};

/// The accelerator that alternates between reasoning and acting.
pub const REACT: Uuid = uuid!("3f1c2a9e-6d0b-4f6e-9c64-0a4c8c0d7b01");

/// The accelerator that first makes a plan and then executes it.
pub const PLAN_AND_EXECUTE: Uuid = uuid!("8a5e7c10-2f43-4c1d-b7a9-5d1e0f9c6b02");

/// The paths and the contents of a package's files.
type Files = &'static [(&'static str, &'static str)];

/// The files of the built-in packages.
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

/// Why the accelerators were not changed.
#[derive(Debug, thiserror::Error)]
pub enum CatalogError {
    /// No accelerator has the identifier.
    #[error("there is no accelerator {0}; `accelerators list` lists them")]
    Unknown(Uuid),
    /// The accelerator is built in.
    #[error("{0} is built in and cannot be changed")]
    System(String),
    /// Another version of it exists.
    #[error("version {version} of {name} exists already; --replace replaces it")]
    Exists {
        /// Name of the accelerator.
        name: String,
        /// Its version.
        version: String,
    },
    /// Patterns were created from it.
    #[error("{patterns} agent patterns were created from {name}, so it cannot be removed")]
    InUse {
        /// Name of the accelerator.
        name: String,
        /// The number of patterns.
        patterns: i64,
    },
    /// A package is invalid.
    #[error(transparent)]
    Package(#[from] PackageError),
    /// Another error of patterns.
    #[error(transparent)]
    Pattern(#[from] PatternError),
}

impl From<StoreError> for CatalogError {
    fn from(error: StoreError) -> Self {
        CatalogError::Pattern(error.into())
    }
}

/// The outcome of adding a package.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Added {
    /// The accelerator is new.
    New,
    /// The package replaced another version.
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
    /// Number of patterns that were created from it.
    pub patterns: i64,
    /// SHA-256 of the content of its package.
    pub digest: String,
    /// When this version was added, in Unix milliseconds.
    pub added_at: i64,
    /// Who added it; `None` for a built-in one.
    pub added_by: Option<String>,
}

/// Installs the built-in accelerators of this version of the service.
///
/// # Errors
///
/// When the store fails.
pub fn install_system(tx: &mut Tx<'_>, now: DateTime<Utc>) -> Result<(), CatalogError> {
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

/// Adds a package for an operator. Existing patterns keep their content.
///
/// # Errors
///
/// When another version exists and `replace` is false, the accelerator is built
/// in, or the store fails.
pub fn add(
    tx: &mut Tx<'_>,
    package: &Package,
    replace: bool,
    operator: &str,
    now: DateTime<Utc>,
) -> Result<Added, CatalogError> {
    let known = accelerator::find(tx, package.id)?;
    let added = match &known {
        None => Added::New,
        Some(known) if known.recipe_source == RecipeSource::System => {
            return Err(CatalogError::System(known.name.clone()));
        }
        Some(_) if digest_of(tx, package.id)?.as_ref() == Some(&package.digest) => {
            return Ok(Added::Unchanged);
        }
        Some(known) if !replace => {
            return Err(CatalogError::Exists {
                name: known.name.clone(),
                version: known.version.clone(),
            });
        }
        Some(_) => Added::Replaced,
    };
    put(tx, package, RecipeSource::Store, Some(operator), now)?;
    Ok(added)
}

/// Removes an accelerator, and returns it.
///
/// # Errors
///
/// When it does not exist, is built in, or has patterns, or the store fails.
pub fn remove(tx: &mut Tx<'_>, id: Uuid) -> Result<Accelerator, CatalogError> {
    let known = accelerator::find(tx, id)?.ok_or(CatalogError::Unknown(id))?;
    if known.recipe_source == RecipeSource::System {
        return Err(CatalogError::System(known.name));
    }
    let sql = "SELECT COUNT(*) FROM agent_patterns WHERE accelerator_id = $1";
    let patterns = tx.query_integer(sql, params![id])?;
    if patterns > 0 {
        return Err(CatalogError::InUse {
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
) -> Result<(), CatalogError> {
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
