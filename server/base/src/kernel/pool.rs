//! The options of the store from the configuration.

use std::time::Duration;

use crate::config::DatabaseConfig;
use crate::store::PoolOptions;

impl From<&DatabaseConfig> for PoolOptions {
    fn from(config: &DatabaseConfig) -> Self {
        let seconds = |seconds: u32| Duration::from_secs(seconds.into());
        PoolOptions {
            connections: config.connections as usize,
            connect: seconds(config.connect_seconds),
            statement: seconds(config.statement_seconds),
            unacknowledged: seconds(config.unacknowledged_seconds),
            keepalive: seconds(config.keepalive_seconds),
        }
    }
}

#[cfg(test)]
mod tests {
    use confique::Layer as _;

    use super::*;
    use crate::config::{Config, Layer};

    #[test]
    fn the_defaults_of_the_configuration_are_those_of_the_store() {
        let config = Config::from_layers(Layer::empty()).expect("defaults");
        assert_eq!(PoolOptions::from(&config.database), PoolOptions::default());
    }
}
