//! The patterns' part of the demo catalogue: a service instance with two
//! projects, and the two accelerators that come with the service.

use uuid::{Uuid, uuid};

use super::catalogue::{Integration, RecipeSource};
use crate::params;
use crate::store::{StoreError, Tx};

/// The demo's service instance.
pub const INSTANCE: &str = "design-eu-1";

/// Code of the demo's project.
pub const PROJECT: &str = "RETAIL";

/// The accelerator that reasons and acts by turns.
pub const REACT: Uuid = uuid!("3f1c2a9e-6d0b-4f6e-9c64-0a4c8c0d7b01");

/// The accelerator that makes a plan first and then carries it out.
pub const PLAN_AND_EXECUTE: Uuid = uuid!("8a5e7c10-2f43-4c1d-b7a9-5d1e0f9c6b02");

/// Writes the demo's projects and accelerators into an empty store.
///
/// # Errors
///
/// When the store fails.
pub fn seed(tx: &mut Tx<'_>) -> Result<(), StoreError> {
    tx.execute(
        "INSERT INTO design_instances (name) VALUES ($1)",
        params![INSTANCE],
    )?;
    for (id, code, name) in [
        ("9d2f6a34-1c0e-4c57-8e0b-7b6f3a2d1e01", PROJECT, "Retail"),
        (
            "9d2f6a34-1c0e-4c57-8e0b-7b6f3a2d1e02",
            "SUPPLY",
            "Supply chain",
        ),
    ] {
        tx.execute(
            "INSERT INTO design_projects (id, instance, code, name, version) \
             VALUES ($1, $2, $3, $4, '01.00.0000')",
            params![id, INSTANCE, code, name],
        )?;
    }
    accelerator(
        tx,
        REACT,
        "ReAct",
        "Reasons about the task, acts through a tool, looks at the result and goes on.",
        "Think before every action. Stop as soon as the task is answered.",
        ("REACT_CORE", "ReAct core"),
    )?;
    accelerator(
        tx,
        PLAN_AND_EXECUTE,
        "Plan and Execute",
        "Makes a plan of steps first, carries them out in order, and plans again when one fails.",
        "Keep plans short. Change a plan only when a step has failed.",
        ("PLAN_EXECUTE_CORE", "Plan and Execute core"),
    )
}

fn accelerator(
    tx: &mut Tx<'_>,
    id: Uuid,
    name: &str,
    description: &str,
    guidelines: &str,
    (code, integration): (&str, &str),
) -> Result<(), StoreError> {
    let integrations = [Integration {
        code: code.into(),
        name: integration.into(),
        status: "ACTIVATED".into(),
        r#type: "APPLICATION".into(),
        version: "01.00.0000".into(),
    }];
    let integrations = serde_json::to_string(&integrations)
        .map_err(|error| StoreError::Statement(error.to_string()))?;
    tx.execute(
        "INSERT INTO pattern_accelerators \
         (id, name, description, guidelines, recipe_source, max_iteration, integrations) \
         VALUES ($1, $2, $3, $4, $5, 10, $6)",
        params![
            id,
            name,
            description,
            guidelines,
            RecipeSource::System.as_str(),
            integrations
        ],
    )?;
    Ok(())
}
