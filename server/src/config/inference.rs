//! The `[inference]` section of the configuration.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use serde::Deserialize;

/// Which models are served, and how.
#[derive(Debug, Clone, confique::Config)]
pub struct InferenceConfig {
    /// The most API keys that a tenancy may hold, deleted ones not counted: the
    /// limit `api-key-count`. `accord-server limits api-key-count` raises it for one
    /// tenancy.
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
    /// Seconds that model calls go on with the API keys and policies in memory while the
    /// database cannot be reached. After that they are refused with 503, because a key
    /// may have been revoked meanwhile. At least 1.
    #[config(default = 30, env = "ACCORD_INFERENCE_OFFLINE_SECONDS")]
    pub offline_seconds: u32,
    /// The most model calls a minute with one API key; no limit when absent.
    /// `accord-server limits` gives a key limits of its own.
    #[config(env = "ACCORD_REQUESTS_PER_MINUTE")]
    pub requests_per_minute: Option<u32>,
    /// The most tokens a minute with one API key, in and out together; no limit
    /// when absent. A call is let in while there is one left.
    #[config(env = "ACCORD_TOKENS_PER_MINUTE")]
    pub tokens_per_minute: Option<u32>,
    /// The most event streams at once with one API key; no limit when absent.
    #[config(env = "ACCORD_CONCURRENT_STREAMS")]
    pub concurrent_streams: Option<u32>,
    /// The most calls a minute with which one subject manages API keys; no limit
    /// when absent.
    #[config(env = "ACCORD_MANAGEMENT_REQUESTS_PER_MINUTE")]
    pub management_requests_per_minute: Option<u32>,
    /// Whether to serve the models `accord.echo`, `meta.echo`, `builtin/slow` and
    /// `builtin/broken`. They need no model server. They repeat the text of a request, or
    /// fail as it says.
    #[config(default = true, env = "ACCORD_BUILTIN_MODELS")]
    pub builtin_models: bool,
    /// Milliseconds that `builtin/slow` waits before each piece, unless a call
    /// says how long.
    #[config(default = 100, env = "ACCORD_BUILTIN_PACE_MILLISECONDS")]
    pub builtin_pace_milliseconds: u32,
    /// Seconds after which the service sends a comment on a silent event stream; 0 for never.
    /// Balancers close idle connections.
    #[config(default = 15, env = "ACCORD_HEARTBEAT_SECONDS")]
    pub heartbeat_seconds: u32,
    /// Certificates (PEM) that model servers' own may be signed with, beside the
    /// public authorities.
    #[config(env = "ACCORD_INFERENCE_CA_FILE")]
    pub ca_file: Option<PathBuf>,
    /// Models of model servers that follow the chat-completions and responses
    /// conventions. Each is a table of its own:
    ///
    /// ```toml
    /// [[inference.models]]
    /// name = "acme.chat-small"           # what callers write as `model`
    /// aliases = ["chat"]                 # what they may write instead
    /// family = "acme"                    # `meta` is not served by responses
    /// created = "2026-01-01T00:00:00Z"   # what callers read as `created`
    /// region = "local"                   # the region of this service when absent
    /// external_location = "eu (acme)"    # where calls go, when not to the region
    /// queue = 100                        # calls that may wait for a free upstream
    /// queue_seconds = 10                 # how long each of them may
    /// retries = 2                        # further attempts before the first byte
    /// ask_usage = true                   # request the usage of streamed chats
    ///
    /// [[inference.models.upstreams]]     # one or more
    /// url = "http://127.0.0.1:8000/v1"   # what comes before /chat/completions
    /// model = "chat-small"               # its name there, when it is another
    /// api = "all"                        # or "chat": responses are translated
    /// weight = 1                         # its share of the calls
    /// max_concurrent = 64                # calls at once; no limit when absent
    /// timeout_seconds = 600              # until its answer begins
    /// idle_timeout_seconds = 300         # the longest silence within its answer
    /// key_env = "ACME_KEY"               # or key_file = "/run/secrets/acme"
    /// set_headers = { "x-team" = "a" }   # sent with every call
    /// forward_headers = ["x-trace"]      # of the caller's, passed on
    /// ```
    ///
    /// A model with one upstream can have its `url`, `key_env`, `key_file`,
    /// `timeout_seconds` and `idle_timeout_seconds` in its own table.
    #[config(default = [])]
    pub models: Vec<ModelConfig>,
    /// Regions that this process serves beside its own. All other hosts belong to its own
    /// region:
    ///
    /// ```toml
    /// [[inference.regions]]
    /// name = "eu-1"
    /// hosts = ["inference.eu-1.example.com"]   # or "127.0.0.1:8082"
    /// ```
    ///
    /// With `server.domain` a region also has the host `inference.generativeai.NAME.DOMAIN`,
    /// and `hosts` can be left out.
    #[config(default = [])]
    pub regions: Vec<RegionConfig>,
}

/// A region beside the service's own.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RegionConfig {
    /// Its name.
    pub name: String,
    /// Values of `Host` that select the region, with a port or without.
    #[serde(default)]
    pub hosts: Vec<String>,
}

/// One model.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModelConfig {
    /// What callers write as `model`.
    pub name: String,
    /// What callers may write instead.
    #[serde(default)]
    pub aliases: Vec<String>,
    /// The family. The responses endpoint refuses `meta`.
    pub family: String,
    /// Who provides the model; its family when absent.
    #[serde(default)]
    pub owned_by: Option<String>,
    /// What callers read as `created`.
    #[serde(default = "created")]
    pub created: DateTime<Utc>,
    /// The region that serves the model; the service's own when absent.
    #[serde(default)]
    pub region: Option<String>,
    /// For a model that its provider serves elsewhere: where. Calls go there.
    #[serde(default)]
    pub external_location: Option<String>,
    /// For a model with one upstream: what comes before `/chat/completions`.
    #[serde(default)]
    pub url: Option<url::Url>,
    /// For a model with one upstream: the environment variable with its key.
    #[serde(default)]
    pub key_env: Option<String>,
    /// For a model with one upstream: the file with its key.
    #[serde(default)]
    pub key_file: Option<PathBuf>,
    /// Seconds until an answer has to begin, of upstreams that do not say.
    #[serde(default = "default_timeout")]
    pub timeout_seconds: u64,
    /// Seconds that an answer may be silent once it has begun, of upstreams that do not
    /// say.
    #[serde(default = "default_idle_timeout")]
    pub idle_timeout_seconds: u64,
    /// Who can answer.
    #[serde(default)]
    pub upstreams: Vec<UpstreamConfig>,
    /// Calls that may wait for a free upstream; more are turned away.
    #[serde(default = "default_queue")]
    pub queue: usize,
    /// Seconds that each of them may wait.
    #[serde(default = "default_queue_seconds")]
    pub queue_seconds: u64,
    /// Further attempts when one fails before its answer's first byte.
    #[serde(default = "default_retries")]
    pub retries: u32,
    /// Whether the service requests the usage of each stream of a chat, also if the caller did
    /// not. Otherwise it estimates the usage. Some model servers do not support `stream_options`.
    #[serde(default = "default_ask_usage")]
    pub ask_usage: bool,
}

/// One model server of a model.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UpstreamConfig {
    /// What comes before `/chat/completions`.
    pub url: url::Url,
    /// The model's name there; the name that callers write when absent.
    #[serde(default)]
    pub model: Option<String>,
    /// What it serves.
    #[serde(default)]
    pub api: UpstreamApi,
    /// Its share of the calls, beside the others' weights.
    #[serde(default = "default_weight")]
    pub weight: u32,
    /// The most calls at once; no limit when absent.
    #[serde(default)]
    pub max_concurrent: Option<usize>,
    /// Seconds until its answer has to begin; the model's when absent.
    #[serde(default)]
    pub timeout_seconds: Option<u64>,
    /// Seconds that its answer may be silent once it has begun; the model's when absent.
    #[serde(default)]
    pub idle_timeout_seconds: Option<u64>,
    /// The environment variable with its key.
    #[serde(default)]
    pub key_env: Option<String>,
    /// The file with its key.
    #[serde(default)]
    pub key_file: Option<PathBuf>,
    /// Headers that every call to it gets, instead of what would be sent.
    #[serde(default)]
    pub set_headers: BTreeMap<String, String>,
    /// Headers of the caller that are passed on.
    #[serde(default)]
    pub forward_headers: Vec<String>,
}

/// What a model server serves.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum UpstreamApi {
    /// Chat completions and responses.
    #[default]
    All,
    /// Chat completions only; responses are translated for it.
    Chat,
}

/// What callers read as `created` of a model for which nothing is configured, such as a
/// built-in one: the same on every replica, and after every start.
pub fn created() -> DateTime<Utc> {
    // 2026-01-01.
    DateTime::UNIX_EPOCH + TimeDelta::seconds(1_767_225_600)
}

fn default_timeout() -> u64 {
    600
}

fn default_idle_timeout() -> u64 {
    300
}

fn default_queue() -> usize {
    100
}

fn default_queue_seconds() -> u64 {
    10
}

fn default_retries() -> u32 {
    2
}

fn default_ask_usage() -> bool {
    true
}

fn default_weight() -> u32 {
    1
}

impl InferenceConfig {
    /// How long a stream is silent before the service sends a heartbeat.
    pub fn heartbeat(&self) -> Option<Duration> {
        let seconds = u64::from(self.heartbeat_seconds);
        (seconds > 0).then(|| Duration::from_secs(seconds))
    }

    /// How long a secret goes on working after it was deactivated or revoked.
    pub fn propagation_delay(&self) -> TimeDelta {
        TimeDelta::seconds(self.propagation_seconds.into())
    }
}
