//! The accounts of the demo catalog: two organizations with an administrator, a foreign one, a
//! colleague without rights, and closed organizations and instances. With them, a user can try
//! every response of the document.

use chrono::{DateTime, Utc};

use crate::params;
use crate::store::{StoreError, Tx};

/// The demo's hub administrator, who is also the subject of her tokens.
pub const ADMINISTRATOR: &str = "ana";

/// The name with which she signs in.
pub const ADMINISTRATOR_EMAIL: &str = "ana@north.example";

/// A colleague who administers nothing.
pub const COLLEAGUE: &str = "ben";

/// The name with which he signs in.
pub const COLLEAGUE_EMAIL: &str = "ben@north.example";

/// The organization of both.
pub const ORGANIZATION: i64 = 3104;

/// Writes the demo's organizations, instances and people into an empty store.
/// `password_hash` is the hash of the password of both people.
pub fn seed(tx: &mut Tx<'_>, now: DateTime<Utc>, password_hash: &str) -> Result<(), StoreError> {
    seed_hub_organizations(tx)?;
    seed_instances(tx)?;
    seed_people(tx, now, password_hash)
}

fn seed_hub_organizations(tx: &mut Tx<'_>) -> Result<(), StoreError> {
    for (id, name, trading_name, [city, state, country], closed) in [
        (
            3104,
            "North Works Ltd",
            "North Works",
            ["Bergen", "Vestland", "Norway"],
            false,
        ),
        (
            3190,
            "North Archive Ltd",
            "North Archive",
            ["Oslo", "Oslo", "Norway"],
            true,
        ),
        (
            4210,
            "South Yards GmbH",
            "South Yards",
            ["Ulm", "Baden-Württemberg", "Germany"],
            false,
        ),
    ] {
        tx.execute(
            "INSERT INTO hub_organizations \
             (id, name, trading_name, city, state, country, closed) \
             VALUES ($1, $2, $3, $4, $5, $6, $7)",
            params![id, name, trading_name, city, state, country, closed],
        )?;
    }
    Ok(())
}

fn seed_instances(tx: &mut Tx<'_>) -> Result<(), StoreError> {
    for (id, name, region, base_url, closed) in [
        (
            71,
            "Collab North",
            "eu-north",
            "https://north.collab.example/login",
            false,
        ),
        (
            72,
            "Collab Central",
            "eu-central",
            "https://central.collab.example/login",
            false,
        ),
        (
            79,
            "Collab Legacy",
            "eu-north",
            "https://legacy.collab.example/login",
            true,
        ),
    ] {
        tx.execute(
            "INSERT INTO application_instances (id, name, region, base_url, closed) \
             VALUES ($1, $2, $3, $4, $5)",
            params![id, name, region, base_url, closed],
        )?;
    }
    for (id, instance, owner, name) in [
        (5201, 71, 3104, "North Works"),
        (5202, 72, 3104, "North Works Central"),
        (5290, 79, 3104, "North Works Legacy"),
        (5310, 71, 4210, "South Yards"),
    ] {
        tx.execute(
            "INSERT INTO collab_organizations \
             (id, application_instance_id, hub_organization_id, name) VALUES ($1, $2, $3, $4)",
            params![id, instance, owner, name],
        )?;
    }
    for (organization, id, name) in [
        (5201, "HARBOUR-2", "Harbour, second basin"),
        (5201, "LOCK-1", "Lock at the old quay"),
        (5202, "QUAY-7", "Quay 7"),
        (5310, "DRYDOCK-4", "Dry dock 4"),
    ] {
        tx.execute(
            "INSERT INTO collab_projects (collab_organization_id, id, name) VALUES ($1, $2, $3)",
            params![organization, id, name],
        )?;
    }
    Ok(())
}

fn seed_people(tx: &mut Tx<'_>, now: DateTime<Utc>, password_hash: &str) -> Result<(), StoreError> {
    for (id, email, first_name, last_name) in [
        (ADMINISTRATOR, ADMINISTRATOR_EMAIL, "Ana", "North"),
        (COLLEAGUE, COLLEAGUE_EMAIL, "Ben", "Holm"),
    ] {
        tx.execute(
            "INSERT INTO hub_users (id, email, email_address, first_name, last_name, language, \
             organization_id, communication_email, password_hash, created_at) \
             VALUES ($1, $2, $2, $3, $4, 'en', 3104, $2, $5, $6)",
            params![id, email, first_name, last_name, password_hash, now],
        )?;
    }
    for organization in [3104, 3190] {
        tx.execute(
            "INSERT INTO hub_administrators (organization_id, user_id) VALUES ($1, $2)",
            params![organization, ADMINISTRATOR],
        )?;
    }
    tx.execute(
        "INSERT INTO operators (user_id) VALUES ($1)",
        params![ADMINISTRATOR],
    )?;
    tx.execute(
        "INSERT INTO collab_profiles (id, hub_user_id, collab_organization_id, user_name, \
         user_name_key, communication_email, language, created_at) \
         VALUES ($1, $2, 5201, 'anorth', 'anorth', $3, 'en', $4)",
        params![
            "5d0c7f3e-2b1a-4a3c-8a54-0f6c2b9d7e10",
            ADMINISTRATOR,
            ADMINISTRATOR_EMAIL,
            now
        ],
    )?;
    Ok(())
}
