//! The `[inference]` section of the configuration.

use std::path::PathBuf;

use chrono::TimeDelta;
use serde::Deserialize;

/// Which models are served, and how.
#[derive(Debug, Clone, confique::Config)]
pub struct InferenceConfig {
    /// The most API keys that there may be, deleted ones not counted: the limit
    /// `api-key-count`.
    #[config(default = 100, env = "ACCORD_API_KEY_COUNT")]
    pub key_limit: u32,
    /// Whether both secrets of a new key are active. Otherwise the second waits
    /// in standby until it is activated.
    #[config(default = false, env = "ACCORD_SECOND_SECRET_ACTIVE")]
    pub second_secret_active: bool,
    /// Seconds that a secret goes on working after it was deactivated or
    /// revoked.
    #[config(default = 0, env = "ACCORD_PROPAGATION_SECONDS")]
    pub propagation_seconds: u32,
    /// The most model calls a minute with one API key; no limit when absent.
    #[config(env = "ACCORD_REQUESTS_PER_MINUTE")]
    pub requests_per_minute: Option<u32>,
    /// The most calls a minute with which one subject manages API keys; no limit
    /// when absent.
    #[config(env = "ACCORD_MANAGEMENT_REQUESTS_PER_MINUTE")]
    pub management_requests_per_minute: Option<u32>,
    /// Whether the models `accord.echo` and `meta.echo` are there. They need no
    /// model server and repeat what they are told.
    #[config(default = true, env = "ACCORD_BUILTIN_MODELS")]
    pub builtin_models: bool,
    /// Models of model servers that follow the chat-completions and responses
    /// conventions. Each is a table of its own:
    ///
    /// ```toml
    /// [[inference.models]]
    /// name = "acme.chat-small"           # what callers write as `model`
    /// family = "acme"                    # `meta` is not served by responses
    /// url = "http://127.0.0.1:8000/v1"   # what comes before /chat/completions
    /// key_env = "ACME_KEY"               # or key_file = "/run/secrets/acme"
    /// region = "local"                   # this service's own when absent
    /// timeout_seconds = 600              # until the model server's answer begins
    /// ```
    #[config(default = [])]
    pub models: Vec<ModelConfig>,
}

/// One model of a model server.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModelConfig {
    /// What callers write as `model`. It goes to the model server as it is.
    pub name: String,
    /// The family. The responses endpoint refuses `meta`.
    pub family: String,
    /// What comes before `/chat/completions`.
    pub url: url::Url,
    /// Who provides the model; its family when absent.
    #[serde(default)]
    pub owned_by: Option<String>,
    /// The environment variable with the model server's key.
    #[serde(default)]
    pub key_env: Option<String>,
    /// The file with the model server's key.
    #[serde(default)]
    pub key_file: Option<PathBuf>,
    /// The region that serves the model; the service's own when absent.
    #[serde(default)]
    pub region: Option<String>,
    /// Seconds until the model server's answer has to begin.
    #[serde(default = "default_timeout")]
    pub timeout_seconds: u64,
}

fn default_timeout() -> u64 {
    600
}

impl InferenceConfig {
    /// How long a secret goes on working after it was deactivated or revoked.
    pub fn propagation_delay(&self) -> TimeDelta {
        TimeDelta::seconds(self.propagation_seconds.into())
    }
}
