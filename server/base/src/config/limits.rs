//! The `[limits]` section of the configuration.

use std::str::FromStr;

use redis::Client;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::Secret;

/// Limits that replicas share.
#[derive(Debug, Clone, confique::Config)]
#[config(layer_attr(derive(serde::Serialize)))]
pub struct LimitsConfig {
    /// The address of a Redis that counts the usage of API keys for all replicas:
    /// `redis://HOST:PORT`, or `rediss://USER:PASSWORD@HOST:PORT` with TLS. By default, and while
    /// Redis is unreachable, each replica admits its share of each limit.
    #[config(env = "ACCORD_LIMITS_URL")]
    pub url: Option<RedisUrl>,
}

/// The address of a Redis. It may have a password, so it is never printed.
#[derive(Clone)]
pub struct RedisUrl {
    client: Client,
    text: Secret,
}

impl PartialEq for RedisUrl {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl RedisUrl {
    /// A client without a connection.
    pub fn client(&self) -> Client {
        self.client.clone()
    }
}

impl std::fmt::Debug for RedisUrl {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("RedisUrl(…)")
    }
}

/// The error for an invalid address, without a quote of the address.
#[derive(Debug, thiserror::Error)]
#[error("expected redis://HOST:PORT, or rediss://HOST:PORT with TLS")]
pub struct NotRedis;

impl FromStr for RedisUrl {
    type Err = NotRedis;

    fn from_str(text: &str) -> Result<Self, NotRedis> {
        let known = ["redis://", "rediss://", "redis+unix://"];
        if !known.iter().any(|scheme| text.starts_with(scheme)) {
            return Err(NotRedis);
        }
        let client = Client::open(text).map_err(|_| NotRedis)?;
        let text = Secret::new(text);
        Ok(RedisUrl { client, text })
    }
}

impl<'de> Deserialize<'de> for RedisUrl {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(D::Error::custom)
    }
}

impl Serialize for RedisUrl {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.text.serialize(serializer)
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use crate::config::file;

    #[test]
    fn an_address_is_never_printed() {
        let text = "[limits]\nurl = \"redis://:hunter2@127.0.0.1:6379\"";
        let layer = file::parse(Path::new("accord.toml"), text).expect("a valid file");
        let url = layer.limits.url.expect("an address");
        assert!(!format!("{url:?}").contains("hunter2"));
        for url in [
            "http://:hunter2@host",
            "redis://:hunter2@host:x",
            "redis://:hunter2@host/x",
        ] {
            let text = format!("[limits]\nurl = \"{url}\"");
            let error = file::parse(Path::new("accord.toml"), &text)
                .err()
                .expect("invalid");
            let expected = "accord.toml:2:7: limits.url: expected redis://HOST:PORT, or \
                            rediss://HOST:PORT with TLS";
            assert_eq!(error.to_string(), expected);
        }
    }
}
