//! The part of the demo catalog for patterns: a service instance with two projects, and grants on it.

use crate::accounts::demo::{ADMINISTRATOR, COLLEAGUE, ORGANIZATION};
use crate::params;
use crate::rights::{self, Resource, Verb};
use crate::store::{StoreError, Tx};

/// The demo's service instance.
pub const INSTANCE: &str = "design-eu-1";

/// Code of the demo's project.
pub const PROJECT: &str = "RETAIL";

/// Writes the demo's projects into an empty store.
pub fn seed(tx: &mut Tx<'_>) -> Result<(), StoreError> {
    tx.execute(
        "INSERT INTO design_instances (name, organization_id) VALUES ($1, $2)",
        params![INSTANCE, ORGANIZATION],
    )?;
    let instance = Resource::Instance(INSTANCE.to_owned());
    rights::grant(tx, &instance, ADMINISTRATOR, Verb::Manage)?;
    rights::grant(tx, &instance, COLLEAGUE, Verb::Read)?;
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
    Ok(())
}
