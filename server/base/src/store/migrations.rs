//! The migrations of the schema.
//!
//! Each area has files with numbers of its own: `0010_accounts.sql` and
//! `0011_…` are those of accounts. They are embedded and run in order in one
//! transaction. Their checksums are recorded, so that a change of an applied
//! file is detected. Never edit a released migration: write another one.
//!
//! The files work for both databases: their types are `BIGINT`, `TEXT` and
//! `BYTES`, and `BYTES` is replaced by the type of the database. The
//! statements after a line `-- only SQLite` or `-- only PostgreSQL` are for that
//! database, up to a line `-- both`.

use sha2::{Digest, Sha256};

use super::tx::Connection;
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
    11 "0011_accounts",
    12 "0012_user_indexes",
    13 "0013_audit_anchor",
    20 "0020_identity",
    22 "0022_identity",
    23 "0023_identity",
    24 "0024_identity",
    30 "0030_inference",
    31 "0031_shares",
    32 "0032_changed_keys",
    33 "0033_deleted_keys",
    40 "0040_patterns",
    41 "0041_owners_and_grants",
    42 "0042_expiry",
    43 "0043_budget_allocations",
    44 "0044_live_keys",
    45 "0045_device_quotas",
    46 "0046_concurrent_calls",
    47 "0047_key_counts",
];

/// The treatment of missing migrations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MigrationMode {
    /// Apply them.
    Apply,
    /// Fail, and change nothing.
    Check,
}

/// Applies missing migrations, in a transaction that excludes other replicas.
pub(super) fn run(
    connection: &mut dyn Connection,
    dialect: Dialect,
    mode: MigrationMode,
) -> Result<(), StoreError> {
    let missing = missing(connection, dialect)?;
    if let (MigrationMode::Check, Some(first)) = (mode, missing.first()) {
        return Err(not_applied(first.name));
    }
    if !missing.is_empty() {
        connection.script(
            "CREATE TABLE IF NOT EXISTS migrations (\
                 version BIGINT PRIMARY KEY, name TEXT NOT NULL, checksum TEXT NOT NULL)",
        )?;
    }
    let is_new = missing.len() == MIGRATIONS.len();
    for migration in missing {
        // On large tables, a migration may take minutes, in which the service does not listen.
        if !is_new {
            tracing::info!(migration = migration.name, "migrating the database");
        }
        connection
            .script(&translate(migration.sql, dialect))
            .map_err(|failure| StoreError::Migration {
                name: migration.name.into(),
                message: failure.error.to_string(),
            })?;
        let checksum = checksum(migration.sql);
        let row: &[Value] = params![migration.version, migration.name, checksum];
        connection.execute(
            "INSERT INTO migrations (version, name, checksum) VALUES ($1, $2, $3)",
            row,
        )?;
    }
    Ok(())
}

/// The error of a missing migration that must not be applied.
pub(super) fn not_applied(name: &str) -> StoreError {
    StoreError::Migration {
        name: name.to_owned(),
        message: "is missing, and database.migrate is false: run accord-server migrate --apply"
            .into(),
    }
}

/// The names of missing migrations, in their order. Changes nothing.
pub(super) fn missing_names(
    connection: &mut dyn Connection,
    dialect: Dialect,
) -> Result<Vec<&'static str>, StoreError> {
    let missing = missing(connection, dialect)?;
    Ok(missing.iter().map(|migration| migration.name).collect())
}

/// The names of all migrations, in their order.
pub(super) fn all_names() -> Vec<&'static str> {
    MIGRATIONS.iter().map(|migration| migration.name).collect()
}

/// Compares the migrations with those of a database, and returns the missing ones.
fn missing(
    connection: &mut dyn Connection,
    dialect: Dialect,
) -> Result<Vec<&'static Migration>, StoreError> {
    // A role that may not create tables can run this.
    let table = match dialect {
        Dialect::Sqlite => {
            "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'migrations'"
        }
        Dialect::Postgres => "SELECT 1 WHERE to_regclass('migrations') IS NOT NULL",
    };
    if connection.query(table, &[])?.is_empty() {
        return Ok(MIGRATIONS.iter().collect());
    }
    let applied = connection.query(
        "SELECT version, name, checksum FROM migrations ORDER BY version",
        &[],
    )?;
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
    let mut missing = Vec::new();
    for migration in MIGRATIONS {
        match known.get(&migration.version) {
            Some(recorded) if *recorded == checksum(migration.sql) => {}
            Some(_) => {
                return Err(StoreError::Migration {
                    name: migration.name.into(),
                    message: "was changed after it had been applied to this database".into(),
                });
            }
            None => missing.push(migration),
        }
    }
    Ok(missing)
}

fn checksum(sql: &str) -> String {
    base16ct::lower::encode_string(&Sha256::digest(sql.as_bytes()))
}

/// The statements for a database, with its types.
fn translate(sql: &str, dialect: Dialect) -> String {
    let mut is_included = true;
    let mut result = String::with_capacity(sql.len());
    for line in sql.split_inclusive('\n') {
        match line.trim_end() {
            "-- only SQLite" => is_included = dialect == Dialect::Sqlite,
            "-- only PostgreSQL" => is_included = dialect == Dialect::Postgres,
            "-- both" => is_included = true,
            _ if is_included => result.push_str(&with_types(line, dialect)),
            _ => {}
        }
    }
    result
}

/// Replaces the word `BYTES`, but not words that contain it.
fn with_types(sql: &str, dialect: Dialect) -> String {
    let bytes = match dialect {
        Dialect::Sqlite => "BLOB",
        Dialect::Postgres => "BYTEA",
    };
    let is_between_words = |c: char| !c.is_ascii_alphanumeric() && c != '_';
    let words = sql.split_inclusive(is_between_words);
    words
        .map(|word| match word.strip_prefix("BYTES") {
            Some(end) if end.chars().all(is_between_words) => bytes.to_owned() + end,
            _ => word.to_owned(),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_for_another_database_are_left_out() {
        let sql = "a\n-- only SQLite\nb\n-- only PostgreSQL\nBYTES\n-- both\nc\n";
        assert_eq!(translate(sql, Dialect::Sqlite), "a\nb\nc\n");
        assert_eq!(translate(sql, Dialect::Postgres), "a\nBYTEA\nc\n");
    }

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
