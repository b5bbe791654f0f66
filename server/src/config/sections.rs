//! The configuration as a whole, and its small sections.

use std::path::Path;

use super::identity::IdentityConfig;
use super::inference::InferenceConfig;
use super::mail::MailConfig;
use super::telemetry::TelemetryConfig;
use super::{Secret, ServerConfig, permissions};

/// Accord's configuration. Environment variables take precedence over this
/// file, flags over both.
#[derive(Debug, Clone, confique::Config)]
pub struct Config {
    /// Where the service listens, and what it keeps where.
    #[config(nested)]
    pub server: ServerConfig,
    /// Where everything is stored.
    #[config(nested)]
    pub database: DatabaseConfig,
    /// What is logged, to standard error.
    #[config(nested)]
    pub log: LogConfig,
    /// Traces, for an OpenTelemetry collector. The variables are those that every
    /// program with OpenTelemetry reads.
    #[config(nested)]
    pub telemetry: TelemetryConfig,
    /// The catalogue that a new store begins with, to try everything at once.
    #[config(nested)]
    pub demo: DemoConfig,
    /// Device authorization and tokens.
    #[config(nested)]
    pub identity: IdentityConfig,
    /// API keys and models.
    #[config(nested)]
    pub inference: InferenceConfig,
    /// Mail to users.
    #[config(nested)]
    pub mail: MailConfig,
}

/// The `[database]` section.
#[derive(Debug, Clone, confique::Config)]
pub struct DatabaseConfig {
    /// `sqlite:PATH` or `postgres://user@host/database`. Without one,
    /// `accord.db` in the data directory.
    #[config(env = "ACCORD_DATABASE_URL")]
    pub url: Option<Secret>,
}

/// The `[log]` section.
#[derive(Debug, Clone, confique::Config)]
pub struct LogConfig {
    /// `text` for people, `json` for machines.
    #[config(default = "text", env = "ACCORD_LOG_FORMAT")]
    pub format: LogFormat,
    /// `off`, `error`, `warn`, `info`, `debug` or `trace`; or one for each module, as in
    /// `info,accord_server::store=debug`.
    #[config(default = "info", env = "ACCORD_LOG")]
    pub level: String,
    /// Whether the log holds what is said in model calls: the first 16 KiB of each
    /// request and answer. These are people's own words: switch it on to find a
    /// fault, and off again.
    #[config(default = false, env = "ACCORD_LOG_CONTENTS")]
    pub contents: bool,
}

/// How log lines look.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LogFormat {
    /// One readable line each.
    Text,
    /// One JSON object each.
    Json,
}

/// The `[demo]` section.
#[derive(Debug, Clone, confique::Config)]
pub struct DemoConfig {
    /// Whether a service that starts with a new store fills it with the demo
    /// catalogue. Its passwords and
    /// client secrets are in the manual: it is for trying, not for operating.
    #[config(default = true, env = "ACCORD_DEMO")]
    pub enabled: bool,
    /// Whether a store with the demo catalogue may be served beyond this
    /// machine: at other listeners or public addresses than loopback ones, or behind
    /// trusted proxies.
    #[config(default = false, env = "ACCORD_DEMO_ANYWHERE")]
    pub anywhere: bool,
}

/// Values of one source, each of which may be missing.
pub type Layer = <Config as confique::Config>::Layer;

impl Config {
    /// What others than the owner of its files could read or replace: of the
    /// configuration file, if it holds secrets, and of the data directory. Each
    /// complaint says what to do.
    pub fn open_to_others(&self, file: Option<&Path>) -> Vec<String> {
        permissions::complaints(&self.server.data_dir, file)
    }

    /// The documented template: every key, its default and its variable.
    pub fn template() -> String {
        confique::toml::template::<Config>(confique::toml::FormatOptions::default())
    }

    /// Where the database is, with the default filled in.
    pub fn database_url(&self) -> Secret {
        self.database.url.clone().unwrap_or_else(|| {
            let path = self.server.data_dir.join("accord.db");
            Secret::new(format!("sqlite:{}", path.display()))
        })
    }
}
