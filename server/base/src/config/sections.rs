//! The whole configuration, and its small sections.

use std::path::Path;

use super::database::DatabaseConfig;
use super::identity::IdentityConfig;
use super::inference::InferenceConfig;
use super::limits::LimitsConfig;
use super::mail::MailConfig;
use super::telemetry::TelemetryConfig;
use super::{Secret, ServerConfig, permissions};

/// Accord's configuration. Environment variables take precedence over this
/// file, flags over both.
#[derive(Debug, Clone, confique::Config)]
#[config(layer_attr(derive(serde::Serialize)))]
pub struct Config {
    /// Listeners and limits of the service, and its data directory.
    #[config(nested)]
    pub server: ServerConfig,
    /// The database.
    #[config(nested)]
    pub database: DatabaseConfig,
    /// The log, on standard error.
    #[config(nested)]
    pub log: LogConfig,
    /// Traces for an OpenTelemetry collector. The variables are OpenTelemetry's own.
    #[config(nested)]
    pub telemetry: TelemetryConfig,
    /// The demo catalog of a new store, for trying the service.
    #[config(nested)]
    pub demo: DemoConfig,
    /// Device authorization and tokens.
    #[config(nested)]
    pub identity: IdentityConfig,
    /// API keys and models.
    #[config(nested)]
    pub inference: InferenceConfig,
    /// Limits that replicas share.
    #[config(nested)]
    pub limits: LimitsConfig,
    /// Mail to users.
    #[config(nested)]
    pub mail: MailConfig,
    /// How long records are kept.
    #[config(nested)]
    pub retention: RetentionConfig,
}

/// The `[retention]` section. The service deletes old records every hour.
#[derive(Debug, Clone, confique::Config)]
#[config(layer_attr(derive(serde::Serialize)))]
pub struct RetentionConfig {
    /// Days after which sent and undeliverable mail is deleted; 0 for never. Waiting mail stays.
    #[config(default = 90, env = "ACCORD_RETENTION_MAIL_DAYS")]
    pub mail_days: u32,
    /// Days after which expired and used links that set a password are deleted; 0 for never.
    #[config(default = 30, env = "ACCORD_RETENTION_LINK_DAYS")]
    pub link_days: u32,
    /// Days after which deleted API keys are removed; 0 for never. A key that has usage stays until
    /// its usage is deleted.
    #[config(default = 90, env = "ACCORD_RETENTION_DELETED_KEYS_DAYS")]
    pub deleted_keys_days: u32,
    /// Days after which the daily usage of API keys is deleted; 0 for never. At least 62, because
    /// monthly budgets read it.
    #[config(default = 0, env = "ACCORD_RETENTION_USAGE_DAYS")]
    pub usage_days: u32,
    /// Days after which events of the audit trail are deleted; 0 for never. A day of events is
    /// deleted at a time. `accord-server audit verify` reports how many events were deleted, and
    /// still notices when others are missing.
    #[config(default = 0, env = "ACCORD_RETENTION_AUDIT_DAYS")]
    pub audit_days: u32,
}

/// The `[log]` section.
#[derive(Debug, Clone, confique::Config)]
#[config(layer_attr(derive(serde::Serialize)))]
pub struct LogConfig {
    /// `text` for people, `json` for machines.
    #[config(default = "text", env = "ACCORD_LOG_FORMAT")]
    pub format: LogFormat,
    /// `off`, `error`, `warn`, `info`, `debug` or `trace`; or one for each module, as in
    /// `info,accord_base::store=debug`.
    #[config(default = "info", env = "ACCORD_LOG")]
    pub level: String,
    /// Whether the log has the content of model calls: the first 16 KiB of each request
    /// and response. This is personal data: switch it on only to find a fault.
    #[config(default = false, env = "ACCORD_LOG_CONTENTS")]
    pub contents: bool,
}

/// The format of log lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Deserialize, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum LogFormat {
    /// Readable text.
    Text,
    /// JSON objects.
    Json,
}

/// The `[demo]` section.
#[derive(Debug, Clone, confique::Config)]
#[config(layer_attr(derive(serde::Serialize)))]
pub struct DemoConfig {
    /// Whether a service that starts with a new store fills it with the demo catalog. Its
    /// passwords and client secrets are public: it is for trying, not for production.
    #[config(default = true, env = "ACCORD_DEMO")]
    pub enabled: bool,
    /// Whether a store with the demo catalog may be served beyond this machine: at
    /// listeners or public addresses other than loopback ones, or behind trusted proxies.
    #[config(default = false, env = "ACCORD_DEMO_ANYWHERE")]
    pub anywhere: bool,
}

/// The optional values of one source.
pub type Layer = <Config as confique::Config>::Layer;

impl Config {
    /// Files that users other than the owner could read or replace: the configuration
    /// file, if it has secrets, and the data directory. Each text says how to correct
    /// this.
    pub fn open_to_others(&self, file: Option<&Path>) -> Vec<String> {
        permissions::problems(&self.server.data_dir, file)
    }

    /// The documented template: every key, its default and its variable.
    pub fn template() -> String {
        confique::toml::template::<Config>(confique::toml::FormatOptions::default())
    }

    /// The address of the database, or its default.
    pub fn database_url(&self) -> Secret {
        self.database.url.clone().unwrap_or_else(|| {
            let path = self.server.data_dir.join("accord.db");
            Secret::new(format!("sqlite:{}", path.display()))
        })
    }
}
