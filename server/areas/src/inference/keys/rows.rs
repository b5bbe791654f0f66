//! Keys and secrets in the database.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use serde_json::{Map, Value as Json};

use crate::params;
use crate::store::{Row, StoreError, Tx, Value};

use super::error::KeyError;
use super::key::{Key, Secret};
use super::state::StoredState;

/// The columns of a key, in the order that [`read_key`] reads.
pub const KEY_COLUMNS: &str = "id, region, compartment_id, display_name, description, \
     freeform_tags, defined_tags, version, created_at, updated_at, deleted_at";

/// The columns of a secret, in the order that [`read_secret`] reads.
const SECRET_COLUMNS: &str = "key_id, name, public_id, digest, mask, state, created_at, expires_at, \
     activated_at, deactivated_at, revoked_at, last_used_at";

/// Reads one key of the region, deleted or not, with its secrets.
pub fn find(tx: &mut Tx<'_>, region: &str, id: &str) -> Result<Option<Key>, KeyError> {
    let row = tx.query_opt(
        &format!("SELECT {KEY_COLUMNS} FROM inference_keys WHERE id = $1 AND region = $2"),
        params![id, region],
    )?;
    let Some(row) = row else { return Ok(None) };
    let mut keys = vec![read_key(&row)?];
    attach_secrets(tx, &mut keys)?;
    Ok(keys.pop())
}

/// Reads a row of [`KEY_COLUMNS`], without secrets.
pub fn read_key(row: &Row) -> Result<Key, KeyError> {
    Ok(Key {
        id: row.get(0)?,
        region: row.get(1)?,
        compartment_id: row.get(2)?,
        display_name: row.get(3)?,
        description: row.get(4)?,
        freeform_tags: read_tags(&row.get::<String>(5)?)?,
        defined_tags: read_tags(&row.get::<String>(6)?)?,
        version: row.get(7)?,
        created_at: row.get(8)?,
        updated_at: row.get(9)?,
        deleted_at: row.get(10)?,
        secrets: Vec::new(),
    })
}

/// Reads the secrets of all `keys` at once.
pub fn attach_secrets(tx: &mut Tx<'_>, keys: &mut [Key]) -> Result<(), KeyError> {
    if keys.is_empty() {
        return Ok(());
    }
    let placeholders: Vec<String> = (1..=keys.len()).map(|n| format!("${n}")).collect();
    let ids: Vec<Value> = keys.iter().map(|key| Value::from(&key.id)).collect();
    let rows = tx.query(
        &format!(
            "SELECT {SECRET_COLUMNS} FROM inference_secrets WHERE key_id IN ({}) \
             ORDER BY position",
            placeholders.join(", ")
        ),
        &ids,
    )?;
    let index: HashMap<String, usize> = keys
        .iter()
        .enumerate()
        .map(|(index, key)| (key.id.clone(), index))
        .collect();
    for row in rows {
        let owner = row.get::<String>(0)?;
        if let Some(&index) = index.get(&owner) {
            keys[index].secrets.push(read_secret(&row)?);
        }
    }
    Ok(())
}

/// Reads a row of [`SECRET_COLUMNS`].
fn read_secret(row: &Row) -> Result<Secret, KeyError> {
    Ok(Secret {
        name: row.get(1)?,
        public_id: row.get(2)?,
        digest: row.get(3)?,
        mask: row.get(4)?,
        state: read_state(&row.get::<String>(5)?)?,
        created_at: row.get(6)?,
        expires_at: row.get(7)?,
        activated_at: row.get(8)?,
        deactivated_at: row.get(9)?,
        revoked_at: row.get(10)?,
        last_used_at: row.get(11)?,
    })
}

/// Parses a state in the database.
pub fn read_state(text: &str) -> Result<StoredState, KeyError> {
    StoredState::parse(text)
        .ok_or_else(|| KeyError::Failed(format!("unknown state of a secret: {text}")))
}

/// Writes a new key with its secrets.
pub fn insert(tx: &mut Tx<'_>, key: &Key) -> Result<(), KeyError> {
    tx.execute(
        &format!(
            "INSERT INTO inference_keys ({KEY_COLUMNS}, name_order) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)"
        ),
        params![
            &key.id,
            &key.region,
            &key.compartment_id,
            &key.display_name,
            key.description.clone(),
            write_tags(&key.freeform_tags),
            write_tags(&key.defined_tags),
            key.version,
            key.created_at,
            key.updated_at,
            key.deleted_at,
            key.display_name.as_bytes()
        ],
    )?;
    for (position, secret) in key.secrets.iter().enumerate() {
        insert_secret(tx, &key.id, secret, position)?;
    }
    Ok(())
}

/// Writes a new secret at a position of a key's secrets.
pub fn insert_secret(
    tx: &mut Tx<'_>,
    key_id: &str,
    secret: &Secret,
    position: usize,
) -> Result<(), KeyError> {
    tx.execute(
        &format!(
            "INSERT INTO inference_secrets ({SECRET_COLUMNS}, position) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)"
        ),
        params![
            key_id,
            &secret.name,
            &secret.public_id,
            secret.digest,
            &secret.mask,
            secret.state.as_str(),
            secret.created_at,
            secret.expires_at,
            secret.activated_at,
            secret.deactivated_at,
            secret.revoked_at,
            secret.last_used_at,
            position as i64
        ],
    )?;
    Ok(())
}

/// Writes the mutable columns of a key, as its next version.
pub fn update(tx: &mut Tx<'_>, key: &mut Key, now: DateTime<Utc>) -> Result<(), KeyError> {
    key.version += 1;
    key.updated_at = now;
    tx.execute(
        "UPDATE inference_keys SET compartment_id = $2, display_name = $3, name_order = $4, \
         description = $5, freeform_tags = $6, defined_tags = $7, version = $8, updated_at = $9, \
         deleted_at = $10 WHERE id = $1",
        params![
            &key.id,
            &key.compartment_id,
            &key.display_name,
            key.display_name.as_bytes(),
            key.description.clone(),
            write_tags(&key.freeform_tags),
            write_tags(&key.defined_tags),
            key.version,
            key.updated_at,
            key.deleted_at
        ],
    )?;
    Ok(())
}

/// Writes the mutable columns of a secret.
pub fn update_secret(tx: &mut Tx<'_>, key_id: &str, secret: &Secret) -> Result<(), KeyError> {
    tx.execute(
        "UPDATE inference_secrets SET digest = $3, mask = $4, state = $5, created_at = $6, \
         expires_at = $7, activated_at = $8, deactivated_at = $9, revoked_at = $10, \
         last_used_at = $11, public_id = $12 WHERE key_id = $1 AND name = $2",
        params![
            key_id,
            &secret.name,
            secret.digest,
            &secret.mask,
            secret.state.as_str(),
            secret.created_at,
            secret.expires_at,
            secret.activated_at,
            secret.deactivated_at,
            secret.revoked_at,
            secret.last_used_at,
            &secret.public_id
        ],
    )?;
    Ok(())
}

/// Notifies every replica that a key has changed.
pub fn announce_key(tx: &mut Tx<'_>, key_id: &str) -> Result<(), StoreError> {
    tx.execute(
        "UPDATE inference_changes SET count = count + 1, keyed = keyed + 1 WHERE id = 1",
        &[],
    )?;
    tx.execute(
        "UPDATE inference_keys SET changed = (SELECT keyed FROM inference_changes WHERE id = 1) \
         WHERE id = $1",
        params![key_id],
    )?;
    tx.notify()
}

/// Notifies every replica that policies or several keys have changed.
pub fn announce_change(tx: &mut Tx<'_>) -> Result<(), StoreError> {
    tx.execute(
        "UPDATE inference_changes SET count = count + 1 WHERE id = 1",
        &[],
    )?;
    tx.notify()
}

fn read_tags(text: &str) -> Result<Map<String, Json>, KeyError> {
    serde_json::from_str(text).map_err(|error| KeyError::Failed(format!("stored tags: {error}")))
}

fn write_tags(tags: &Map<String, Json>) -> String {
    Json::Object(tags.clone()).to_string()
}
