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
    45 "0045_device_quotas",
