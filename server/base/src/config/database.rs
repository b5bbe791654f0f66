//! The `[database]` section of the configuration.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer};

use super::Secret;

/// The `[database]` section.
#[derive(Debug, Clone, confique::Config)]
#[config(layer_attr(derive(serde::Serialize)))]
pub struct DatabaseConfig {
    /// `sqlite:PATH` or `postgres://user@host/database` [default: `accord.db` in the data
    /// directory].
    #[config(env = "ACCORD_DATABASE_URL")]
    pub url: Option<Secret>,
    /// Whether the service and its commands apply missing migrations at their start. If not, they
    /// fail until `accord-server migrate --apply` has applied them.
    #[config(default = true, env = "ACCORD_DATABASE_MIGRATE")]
    pub migrate: bool,
    /// Connections to PostgreSQL for transactions, from 1 to 1000. Each replica has one more, for
    /// notices.
    #[config(
        default = 8,
        env = "ACCORD_DATABASE_CONNECTIONS",
        deserialize_with = connections
    )]
    pub connections: u32,
    /// Seconds for connecting to one host of PostgreSQL, from 1 to 3600. `connect_timeout` in the
    /// address takes precedence.
    #[config(
        default = 5,
        env = "ACCORD_DATABASE_CONNECT_SECONDS",
        deserialize_with = seconds
    )]
    pub connect_seconds: u32,
    /// Seconds after which PostgreSQL cancels a statement, from 1 to 3600: `statement_timeout`.
    /// Migrations have no timeout. If PostgreSQL sends nothing for one more second, the service
    /// replaces the connection.
    #[config(
        default = 10,
        env = "ACCORD_DATABASE_STATEMENT_SECONDS",
        deserialize_with = seconds
    )]
    pub statement_seconds: u32,
    /// Seconds after which a connection to PostgreSQL ends if the other machine acknowledges
    /// nothing, from 1 to 3600: `TCP_USER_TIMEOUT`. So a failover costs seconds even if the old
    /// primary closes no connection. `tcp_user_timeout` in the address takes precedence.
    #[config(
        default = 10,
        env = "ACCORD_DATABASE_UNACKNOWLEDGED_SECONDS",
        deserialize_with = seconds
    )]
    pub unacknowledged_seconds: u32,
    /// Seconds without traffic after which a connection to PostgreSQL is probed, from 1 to 3600:
    /// `TCP_KEEPIDLE`.
    #[config(
        default = 30,
        env = "ACCORD_DATABASE_KEEPALIVE_SECONDS",
        deserialize_with = seconds
    )]
    pub keepalive_seconds: u32,
}

fn connections<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
    within(deserializer, 1000)
}

fn seconds<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
    within(deserializer, 3600)
}

/// Reads a number from 1 to `most`.
fn within<'de, D: Deserializer<'de>>(deserializer: D, most: u32) -> Result<u32, D::Error> {
    let value = i64::deserialize(deserializer)?;
    let number = u32::try_from(value).ok();
    let number = number.filter(|number| (1..=most).contains(number));
    number.ok_or_else(|| D::Error::custom(format!("expected 1 to {most}, found {value}")))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use crate::config::file;

    #[test]
    fn a_pool_without_connections_and_absurd_timeouts_are_refused_with_their_place() {
        let refused = |key: &str, value: &str| {
            let text = format!("[database]\n{key} = {value}\n");
            let parsed = file::parse(Path::new("accord.toml"), &text);
            parsed.map(drop).expect_err("refused").to_string()
        };
        assert_eq!(
            refused("connections", "0"),
            "accord.toml:2:15: database.connections: expected 1 to 1000, found 0"
        );
        for key in [
            "connect_seconds",
            "statement_seconds",
            "unacknowledged_seconds",
            "keepalive_seconds",
        ] {
            for value in ["0", "-1", "3601", "99999999999"] {
                let column = key.len() + 4;
                assert_eq!(
                    refused(key, value),
                    format!(
                        "accord.toml:2:{column}: database.{key}: expected 1 to 3600, found {value}"
                    )
                );
            }
        }
    }
}
