//! The migrations of the schema.
//!
//! Each area has files with numbers of its own: `0010_accounts.sql` and
//! `0011_…` are those of accounts. They are embedded and run in order in one
//! transaction. Their checksums are recorded, so that a change of an applied
//! file is detected. Never edit a released migration: write another one.
//!
//! The files work for both databases: their types are `BIGINT`, `TEXT` and
//! `BYTES`, and `BYTES` is replaced by the type of the database.

use sha2::{Digest, Sha256};

use super::tx::{Connection, Failure};
use super::{StoreError, Value};
use crate::params;

/// The dialect of a database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Dialect {
    Sqlite,
    Postgres,
}

struct Migration {
    version: i64,
    name: &'static str,
    sql: &'static str,
}

macro_rules! migrations {
    ($($version:literal $name:literal,)*) => {
        &[$(Migration {
            version: $version,
            name: $name,
            sql: include_str!(concat!("migrations/", $name, ".sql")),
        }),*]
    };
}

/// All migrations, in the order of their versions.
const MIGRATIONS: &[Migration] = migrations![
    1 "0001_core",
    2 "0002_audit",
    5 "0005_replica_addresses",
    10 "0010_accounts",
    20 "0020_identity",
    22 "0022_identity",
    30 "0030_inference",
    40 "0040_patterns",
    41 "0041_owners_and_grants",
];

/// Applies missing migrations, in a transaction that excludes other replicas.
pub(super) fn run(connection: &mut dyn Connection, dialect: Dialect) -> Result<(), StoreError> {
    let error = |failure: Failure| failure.error;
    connection
        .script(
            "CREATE TABLE IF NOT EXISTS migrations (\
             version BIGINT PRIMARY KEY, name TEXT NOT NULL, checksum TEXT NOT NULL)",
        )
        .map_err(error)?;
    let applied = connection
        .query(
            "SELECT version, name, checksum FROM migrations ORDER BY version",
            &[],
        )
        .map_err(error)?;
    let mut known = std::collections::HashMap::new();
    for row in applied {
        let (version, name): (i64, String) = (row.get(0)?, row.get(1)?);
        if !MIGRATIONS.iter().any(|one| one.version == version) {
            return Err(StoreError::Migration {
                name,
                message: "unknown here: the database belongs to a newer version of this program"
                    .into(),
            });
        }
        known.insert(version, row.get::<String>(2)?);
    }
    for migration in MIGRATIONS {
        let checksum = checksum(migration.sql);
        match known.get(&migration.version) {
            Some(recorded) if *recorded == checksum => {}
            Some(_) => {
                return Err(StoreError::Migration {
                    name: migration.name.into(),
                    message: "was changed after it had been applied to this database".into(),
                });
            }
            None => {
                connection
                    .script(&translate(migration.sql, dialect))
                    .map_err(|failure| StoreError::Migration {
                        name: migration.name.into(),
                        message: failure.error.to_string(),
                    })?;
                let row: &[Value] = params![migration.version, migration.name, checksum];
                connection
                    .execute(
                        "INSERT INTO migrations (version, name, checksum) VALUES ($1, $2, $3)",
                        row,
                    )
                    .map_err(error)?;
            }
        }
    }
    Ok(())
}

fn checksum(sql: &str) -> String {
    base16ct::lower::encode_string(&Sha256::digest(sql.as_bytes()))
}

/// Replaces the word `BYTES`, but not words that contain it.
fn translate(sql: &str, dialect: Dialect) -> String {
    let bytes = match dialect {
        Dialect::Sqlite => "BLOB",
        Dialect::Postgres => "BYTEA",
    };
    let mut result = String::with_capacity(sql.len());
    let mut rest = sql;
    while !rest.is_empty() {
        let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let end = match rest.find(|c| !word(c)) {
            Some(0) => rest.find(word).unwrap_or(rest.len()),
            Some(end) => end,
            None => rest.len(),
        };
        let (token, tail) = rest.split_at(end);
        result.push_str(if token == "BYTES" { bytes } else { token });
        rest = tail;
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_whole_word_is_replaced() {
        assert_eq!(
            translate(
                "a BYTES NOT NULL, MAX_BYTES BIGINT, (BYTES)",
                Dialect::Postgres
            ),
            "a BYTEA NOT NULL, MAX_BYTES BIGINT, (BYTEA)"
        );
    }

    #[test]
    fn versions_ascend_and_match_their_file_names() {
        assert!(MIGRATIONS.is_sorted_by(|a, b| a.version < b.version));
        for migration in MIGRATIONS {
            let prefix = format!("{:04}_", migration.version);
            assert!(migration.name.starts_with(&prefix), "{}", migration.name);
        }
    }
}
