//! An accelerator, from which patterns are created: its parts, and its row.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::error::PatternError;
use crate::params;
use crate::store::Tx;

/// A template from which patterns are created.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Accelerator {
    /// Identifier.
    pub id: Uuid,
    /// Default name of a pattern.
    pub name: String,
    /// Version of its package.
    pub version: String,
    /// Default description of a pattern.
    pub description: String,
    /// Default guidelines of a pattern.
    pub guidelines: String,
    /// The source of its recipe.
    pub recipe_source: RecipeSource,
    /// Default maximum number of iterations of one run.
    pub max_iteration: i32,
    /// The roles of its patterns.
    pub roles: Vec<Role>,
    /// The integrations of its patterns.
    pub integrations: Vec<Integration>,
}

/// A role of a pattern. Rows have it as JSON in this form.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Role {
    /// The role.
    pub role: String,
    /// The connections that fill it.
    pub connections: Vec<Connection>,
}

/// A connection in a role.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Connection {
    /// Code.
    pub code: String,
    /// Name.
    pub name: String,
}

/// The source of a recipe.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum RecipeSource {
    /// The recipe is part of the service.
    System,
    /// The recipe is from the store of recipes.
    Store,
}

crate::names! {
    /// The text in the store and the document.
    RecipeSource { System = "System", Store = "Store" }
}

/// An integration of a pattern. Rows have it as JSON in this form.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Integration {
    /// Code.
    pub code: String,
    /// Name.
    pub name: String,
    /// Status.
    pub status: String,
    /// Type. Not `r#type`, which a template cannot name.
    #[serde(rename = "type")]
    pub kind: String,
    /// Version.
    pub version: String,
}

/// The accelerator with this identifier.
///
/// # Errors
///
/// When the store fails.
pub fn find(tx: &mut Tx<'_>, id: Uuid) -> Result<Option<Accelerator>, PatternError> {
    let Some(row) = tx.query_opt(
        "SELECT name, version, description, guidelines, recipe_source, max_iteration, roles, \
         integrations FROM pattern_accelerators WHERE id = $1",
        params![id],
    )?
    else {
        return Ok(None);
    };
    let malformed = || PatternError::Row {
        table: "pattern_accelerators",
    };
    let recipe_source: String = row.get(4)?;
    let roles: String = row.get(6)?;
    let integrations: String = row.get(7)?;
    Ok(Some(Accelerator {
        id,
        name: row.get(0)?,
        version: row.get(1)?,
        description: row.get(2)?,
        guidelines: row.get(3)?,
        recipe_source: RecipeSource::parse(&recipe_source).ok_or_else(malformed)?,
        max_iteration: row.get(5)?,
        roles: serde_json::from_str(&roles).map_err(|_| malformed())?,
        integrations: serde_json::from_str(&integrations).map_err(|_| malformed())?,
    }))
}
