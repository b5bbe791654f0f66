//! The configuration: flags override environment variables, which override a
//! file.
//!
//! Every value has a default for trying the service on this machine.
//! `accord-server config` prints a template of all values, from the comments of
//! the sections. The section of one area is in a file of its own.

mod changes;
mod check;
mod database;
mod effective;
mod error;
mod file;
mod host;
pub mod identity;
pub mod inference;
pub mod levels;
pub mod limits;
pub mod mail;
pub mod network;
mod permissions;
mod secret;
mod sections;
mod server;
mod similar;
pub mod telemetry;
mod tls;

use std::path::Path;

use confique::{Config as _, Layer as _};

pub use changes::Changes;
pub use database::DatabaseConfig;
pub use error::{ConfigError, in_plain_words};
pub use host::normalize as normalize_host;
pub use secret::Secret;
pub use sections::{Config, DemoConfig, Layer, LogConfig, LogFormat, RetentionConfig};
pub use server::{ClientAddressHeader, ForwardedHeader, ServerConfig};
pub use tls::TlsConfig;

impl Config {
    /// Merges flags, the environment and a file, and checks the result.
    ///
    /// # Errors
    ///
    /// The problem with its place: file, line and key, or the variable's name.
    pub fn load(flags: Layer, file: Option<&Path>) -> Result<Config, ConfigError> {
        let environment = Layer::from_env().map_err(ConfigError::environment)?;
        let read = match file {
            Some(path) => file::read(path)?,
            None => Layer::empty(),
        };
        let given = effective::values(&flags)?;
        let config = Config::from_layers(flags.with_fallback(environment).with_fallback(read));
        config.map_err(|error| error.at(|key| effective::place(key, &given, file)))
    }

    /// A configuration of these values and the defaults, for tests and tools.
    ///
    /// # Errors
    ///
    /// The key whose value is missing or conflicts with others.
    pub fn from_layers(layer: Layer) -> Result<Config, ConfigError> {
        let layer = layer.with_fallback(Layer::default_values());
        let config = Config::from_layer(layer).map_err(ConfigError::environment)?;
        check::check(&config)?;
        Ok(config)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_template_names_every_key_and_is_a_valid_file() {
        let template = Config::template();
        for key in [
            "[server]",
            "#listen =",
            "ACCORD_LISTEN",
            "[identity]",
            "#level =",
        ] {
            assert!(template.contains(key), "{key} is missing:\n{template}");
        }
        file::parse(Path::new("accord.toml"), &template).unwrap();
    }

    #[test]
    fn the_template_names_every_key_of_a_model_and_of_its_upstreams() {
        let template = Config::template();
        let text = "name = 'a'\nfamily = 'a'\n[[upstreams]]\nurl = 'http://127.0.0.1:1'\n";
        let model: inference::ModelConfig = toml::from_str(text).unwrap();
        let model = serde_json::to_value(&model).unwrap();
        let (own, upstream) = (model.as_object().unwrap(), &model["upstreams"][0]);
        for key in own.keys().chain(upstream.as_object().unwrap().keys()) {
            let is_named = [format!(" {key} = "), format!("[[inference.models.{key}]]")];
            let is_named = is_named.iter().any(|text| template.contains(text));
            assert!(is_named, "{key} is missing:\n{template}");
        }
    }

    #[test]
    fn a_conflict_is_named_with_the_place_of_its_key() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("accord.toml");
        std::fs::write(&path, "[server]\nhead_seconds = 0\n").unwrap();
        let error = Config::load(Layer::empty(), Some(&path)).unwrap_err();
        let expected = format!(
            "{}:2:16: server.head_seconds: expected 1 or more",
            path.display()
        );
        assert_eq!(error.to_string(), expected);
        // An option takes precedence over the file, and has no place.
        std::fs::write(&path, "[log]\nlevel = 'info'\n").unwrap();
        let mut flags = Layer::empty();
        flags.log.level = Some("loud".to_owned());
        let error = Config::load(flags, Some(&path)).unwrap_err().to_string();
        assert!(error.starts_with("log.level: "), "{error}");
    }

    #[test]
    fn an_empty_configuration_is_valid() {
        let config = Config::from_layers(Layer::empty()).unwrap();
        assert_eq!(config.server.listen.port(), 8080);
        assert_eq!(config.database_url().expose(), "sqlite:data/accord.db");
    }
}
