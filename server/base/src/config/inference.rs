//! The `[inference]` section of the configuration.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};

use super::ConfigError;

/// Models and limits of API keys.
#[derive(Debug, Clone, confique::Config)]
#[config(layer_attr(derive(serde::Serialize)))]
pub struct InferenceConfig {
    /// Maximum number of API keys of a tenancy, without deleted ones: the limit `api-key-count`.
    /// `accord-server limits api-key-count` sets it for one tenancy.
    #[config(default = 100, env = "ACCORD_API_KEY_COUNT")]
    pub key_limit: u32,
    /// Whether both secrets of a new key are active. Otherwise the second waits
    /// in standby until it is activated.
    #[config(default = false, env = "ACCORD_SECOND_SECRET_ACTIVE")]
    pub second_secret_active: bool,
    /// Seconds that a secret keeps working after it was deactivated or revoked.
    #[config(default = 0, env = "ACCORD_PROPAGATION_SECONDS")]
    pub propagation_seconds: u32,
    /// Seconds that model calls continue with the API keys and policies in memory while the
    /// database cannot be reached. After that they are rejected with 503, because a key may have
    /// been revoked meanwhile. At least 1.
    #[config(default = 30, env = "ACCORD_INFERENCE_OFFLINE_SECONDS")]
    pub offline_seconds: u32,
    /// Maximum number of model calls a minute with one API key; no limit by default. `accord-server
    /// limits` sets the limits of one key.
    #[config(env = "ACCORD_REQUESTS_PER_MINUTE")]
    pub requests_per_minute: Option<u32>,
    /// Maximum number of tokens a minute with one API key, input and output together; no limit by
    /// default. A call is accepted while one token is left. Until it ends, it reserves its estimated
    /// input and its maximum output.
    #[config(env = "ACCORD_TOKENS_PER_MINUTE")]
    pub tokens_per_minute: Option<u32>,
    /// Tokens that a call reserves for each choice (`n`) of its output, if the call sets no maximum
    /// (`max_tokens`, `max_completion_tokens`, `max_output_tokens`).
    #[config(default = 1024, env = "ACCORD_RESERVED_OUTPUT_TOKENS")]
    pub reserved_output_tokens: u32,
    /// Maximum number of concurrent model calls with one API key, event streams included; no limit
    /// by default.
    #[config(env = "ACCORD_CONCURRENT_CALLS")]
    pub concurrent_calls: Option<u32>,
    /// Maximum number of concurrent event streams with one API key; no limit by default.
    #[config(env = "ACCORD_CONCURRENT_STREAMS")]
    pub concurrent_streams: Option<u32>,
    /// Maximum number of calls a minute by which one subject manages API keys; no limit by default.
    #[config(env = "ACCORD_MANAGEMENT_REQUESTS_PER_MINUTE")]
    pub management_requests_per_minute: Option<u32>,
    /// Whether to serve the models `accord.echo`, `meta.echo`, `builtin/slow` and `builtin/broken`.
    /// They need no model server. They repeat the text of a request, or fail as it demands.
    #[config(default = true, env = "ACCORD_BUILTIN_MODELS")]
    pub builtin_models: bool,
    /// Milliseconds that `builtin/slow` waits before each piece, unless a call sets another time.
    #[config(default = 100, env = "ACCORD_BUILTIN_PACE_MILLISECONDS")]
    pub builtin_pace_milliseconds: u32,
    /// Seconds after which the service sends a comment on a silent event stream; 0 for never.
    /// Balancers close idle connections.
    #[config(default = 15, env = "ACCORD_HEARTBEAT_SECONDS")]
    pub heartbeat_seconds: u32,
    /// Certificates (PEM) of authorities to trust for model servers, beside the public authorities.
    #[config(env = "ACCORD_INFERENCE_CA_FILE")]
    pub ca_file: Option<PathBuf>,
    /// Models of model servers that follow the chat-completions and responses
    /// conventions. Each is a table of its own:
    ///
    /// ```toml
    /// [[inference.models]]
    /// name = "acme.chat-small"           # the value of `model` in requests
    /// aliases = ["chat"]                 # other values of `model` for it
    /// family = "acme"                    # `meta` is not served by responses
    /// owned_by = "acme"                  # its provider; default: the family
    /// created = "2026-01-01T00:00:00Z"   # the value of `created` in responses
    /// region = "local"                   # default: the region of this service
    /// external_location = "eu (acme)"    # where calls go, if not to the region
    /// queue = 100                        # calls that may wait for a free upstream
    /// queue_seconds = 10                 # maximum wait of a call
    /// retries = 2                        # further attempts before the first byte
    /// ask_usage = true                   # request the usage of streamed chats
    /// shared_store = false               # let calls refer to stored data
    ///
    /// [[inference.models.upstreams]]     # one or more
    /// url = "http://127.0.0.1:8000/v1"   # the address before /chat/completions
    /// model = "chat-small"               # its name there, if it differs
    /// api = "all"                        # or "chat": responses are translated
    /// weight = 1                         # its share of the calls
    /// max_concurrent = 64                # concurrent calls; default: no limit
    /// timeout_seconds = 600              # until its response begins
    /// idle_timeout_seconds = 300         # maximum silence within its response
    /// key_env = "ACME_KEY"               # or key_file = "/run/secrets/acme"
    /// set_headers = { "x-team" = "a" }   # sent with every call
    /// forward_headers = ["x-trace"]      # headers of the caller to forward
    /// ```
    ///
    /// A model with one upstream can have its `url`, `key_env`, `key_file`,
    /// `timeout_seconds` and `idle_timeout_seconds` in its own table.
    ///
    /// An upstream stores data such as responses and files for all callers, and knows them by their
    /// ids only. So calls cannot refer to such data: `previous_response_id` is rejected. With
    /// `shared_store = true` they can, and a caller who knows the id of a response can continue it.
    /// Set it only for a model whose callers may read each other's data, and let policies reject all
    /// other keys.
    #[config(default = [])]
    pub models: Vec<ModelConfig>,
    /// Regions that this process serves beside its own. All other hosts are of its own region:
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
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct RegionConfig {
    /// Its name.
    pub name: String,
    /// Values of `Host` that select the region, with or without a port.
    #[serde(default)]
    pub hosts: Vec<String>,
}

/// One model.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct ModelConfig {
    /// The value of `model` in requests.
    pub name: String,
    /// Other values of `model` for it.
    #[serde(default)]
    pub aliases: Vec<String>,
    /// The family. The responses endpoint refuses `meta`.
    pub family: String,
    /// The provider of the model [default: its family].
    #[serde(default)]
    pub owned_by: Option<String>,
    /// The value of `created` in responses.
    #[serde(default = "created")]
    pub created: DateTime<Utc>,
    /// The region that serves the model [default: the service's own].
    #[serde(default)]
    pub region: Option<String>,
    /// The location to which calls go, for a model that its provider serves elsewhere.
    #[serde(default)]
    pub external_location: Option<String>,
    /// For a model with one upstream: the address before `/chat/completions`.
    #[serde(default)]
    pub url: Option<url::Url>,
    /// For a model with one upstream: the environment variable with its key.
    #[serde(default)]
    pub key_env: Option<String>,
    /// For a model with one upstream: the file with its key.
    #[serde(default)]
    pub key_file: Option<PathBuf>,
    /// Seconds until a response must begin, for upstreams without a value of their own.
    #[serde(default = "default_timeout")]
    pub timeout_seconds: u64,
    /// Maximum silence in seconds within a response, for upstreams without a value of their own.
    #[serde(default = "default_idle_timeout")]
    pub idle_timeout_seconds: u64,
    /// The model servers of the model.
    #[serde(default)]
    pub upstreams: Vec<UpstreamConfig>,
    /// Maximum number of calls that wait for a free upstream. Further calls are rejected.
    #[serde(default = "default_queue")]
    pub queue: usize,
    /// Maximum number of seconds that a call waits.
    #[serde(default = "default_queue_seconds")]
    pub queue_seconds: u64,
    /// Maximum number of further attempts after one that failed before the first byte of its
    /// response.
    #[serde(default = "default_retries")]
    pub retries: u32,
    /// Whether the service requests the usage of each streamed chat, even if the caller did not.
    /// Otherwise it estimates the usage. Some model servers do not support `stream_options`.
    #[serde(default = "default_ask_usage")]
    pub ask_usage: bool,
    /// Whether calls may refer to data in the stores of the upstreams, such as responses and files.
    /// All API keys that may call the model share this data.
    #[serde(default)]
    pub shared_store: bool,
}

impl ModelConfig {
    /// The first invalid value, and the values that are valid in its place.
    fn check(&self) -> Result<(), (&'static str, String)> {
        let upstreams = self.upstreams.iter();
        let times = upstreams.flat_map(|one| {
            [
                ("timeout_seconds", one.timeout_seconds),
                ("idle_timeout_seconds", one.idle_timeout_seconds),
            ]
        });
        let own = [
            ("timeout_seconds", Some(self.timeout_seconds)),
            ("idle_timeout_seconds", Some(self.idle_timeout_seconds)),
        ];
        for (name, seconds) in own.into_iter().chain(times) {
            if seconds.is_some_and(|seconds| !(1..=MAX_SECONDS).contains(&seconds)) {
                return Err((name, format!("1 to {MAX_SECONDS}")));
            }
        }
        if self.queue_seconds > MAX_SECONDS {
            return Err(("queue_seconds", format!("0 to {MAX_SECONDS}")));
        }
        if self.aliases.iter().any(|alias| alias.trim().is_empty()) {
            return Err(("aliases", "names that are not empty".to_owned()));
        }
        if self
            .upstreams
            .iter()
            .any(|one| one.max_concurrent == Some(0))
        {
            return Err(("max_concurrent", "1 or more".to_owned()));
        }
        if self.upstreams.iter().any(|one| one.weight == 0) {
            return Err(("weight", "1 or more".to_owned()));
        }
        self.check_keys()
    }

    /// Checks that no key of a model server is ignored.
    fn check_keys(&self) -> Result<(), (&'static str, String)> {
        let keys = self
            .upstreams
            .iter()
            .map(|one| (&one.key_env, &one.key_file));
        let own = (&self.key_env, &self.key_file);
        if keys
            .chain([own])
            .any(|(env, file)| env.is_some() && file.is_some())
        {
            let expected = "no value, because key_env has the key: remove one of them";
            return Err(("key_file", expected.to_owned()));
        }
        let name = match own {
            (Some(_), None) => "key_env",
            (None, Some(_)) => "key_file",
            _ => return Ok(()),
        };
        match self.upstreams.is_empty() {
            true => Ok(()),
            false => Err((name, "the key in each of its upstreams".to_owned())),
        }
    }
}

/// One model server of a model.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct UpstreamConfig {
    /// The address before `/chat/completions`.
    pub url: url::Url,
    /// The model's name there [default: the name that callers use].
    #[serde(default)]
    pub model: Option<String>,
    /// The endpoints that it has.
    #[serde(default)]
    pub api: UpstreamApi,
    /// Its weight for distributing calls.
    #[serde(default = "default_weight")]
    pub weight: u32,
    /// Maximum number of concurrent calls; no limit by default.
    #[serde(default)]
    pub max_concurrent: Option<usize>,
    /// Seconds until its response must begin [default: the model's].
    #[serde(default)]
    pub timeout_seconds: Option<u64>,
    /// Maximum silence in seconds within its response [default: the model's].
    #[serde(default)]
    pub idle_timeout_seconds: Option<u64>,
    /// The environment variable with its key.
    #[serde(default)]
    pub key_env: Option<String>,
    /// The file with its key.
    #[serde(default)]
    pub key_file: Option<PathBuf>,
    /// Headers of every call to it, which replace others of their names.
    #[serde(default)]
    pub set_headers: BTreeMap<String, String>,
    /// Headers of the caller to forward.
    #[serde(default)]
    pub forward_headers: Vec<String>,
}

/// The endpoints of a model server.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum UpstreamApi {
    /// Chat completions and responses.
    #[default]
    All,
    /// Chat completions only; responses are translated for it.
    Chat,
}

/// The value of `created` of a model without a configured one, such as a built-in one: the same on
/// every replica, and after every start.
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

/// The maximum of a time in seconds: a year, which can be added to every clock.
const MAX_SECONDS: u64 = 31_536_000;

impl InferenceConfig {
    /// Checks that calls can be admitted, and that each upstream can get calls.
    pub(super) fn check(&self) -> Result<(), ConfigError> {
        if self.offline_seconds == 0 {
            let message = "expected 1 or more: 0 would reject every model call";
            return Err(ConfigError::refused("inference.offline_seconds", message));
        }
        for model in &self.models {
            if model.name.trim().is_empty() {
                let message = "expected a name of each model: one is empty";
                return Err(ConfigError::refused("inference.models", message));
            }
            if let Err((name, expected)) = model.check() {
                let message = format!("{}: {name}: expected {expected}", model.name);
                return Err(ConfigError::refused("inference.models", message));
            }
        }
        Ok(())
    }

    /// How long a stream is silent before the service sends a heartbeat.
    pub fn heartbeat(&self) -> Option<Duration> {
        let seconds = u64::from(self.heartbeat_seconds);
        (seconds > 0).then(|| Duration::from_secs(seconds))
    }

    /// How long a secret keeps working after it was deactivated or revoked.
    pub fn propagation_delay(&self) -> TimeDelta {
        TimeDelta::seconds(self.propagation_seconds.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::check::error_of;

    #[test]
    fn a_model_server_that_could_get_no_call_is_refused() {
        let model = "name = \"m\"\nfamily = \"f\"\n";
        for (more, expected) in [
            (
                "timeout_seconds = 0",
                "timeout_seconds: expected 1 to 31536000",
            ),
            (
                "queue_seconds = 31536001",
                "queue_seconds: expected 0 to 31536000",
            ),
            (
                "[[upstreams]]\nurl = \"http://a\"\nidle_timeout_seconds = 0",
                "idle_timeout_seconds: expected 1 to 31536000",
            ),
            (
                "[[upstreams]]\nurl = \"http://a\"\nmax_concurrent = 0",
                "max_concurrent: expected 1 or more",
            ),
            (
                "[[upstreams]]\nurl = \"http://a\"\nweight = 0",
                "weight: expected 1 or more",
            ),
        ] {
            let model: ModelConfig = toml::from_str(&format!("{model}{more}\n")).unwrap();
            let text = error_of(|layer| layer.inference.models = Some(vec![model]));
            assert_eq!(text, format!("inference.models: m: {expected}"));
        }
    }

    #[test]
    fn an_empty_name_of_a_model_is_refused() {
        for (names, expected) in [
            ("name = \"\"", "expected a name of each model: one is empty"),
            (
                "name = \" \"",
                "expected a name of each model: one is empty",
            ),
            (
                "name = \"m\"\naliases = [\"n\", \"\"]",
                "m: aliases: expected names that are not empty",
            ),
        ] {
            let model = format!("{names}\nfamily = \"f\"\nurl = \"http://a\"\n");
            let model: ModelConfig = toml::from_str(&model).unwrap();
            let text = error_of(|layer| layer.inference.models = Some(vec![model]));
            assert_eq!(text, format!("inference.models: {expected}"));
        }
    }

    #[test]
    fn a_key_that_no_call_would_have_is_refused() {
        let model = "name = \"m\"\nfamily = \"f\"\n";
        let upstream = "[[upstreams]]\nurl = \"http://a\"\n";
        let both = "key_env = \"A\"\nkey_file = \"a\"\n";
        let one_of_them =
            "key_file: expected no value, because key_env has the key: remove one of them";
        for (more, expected) in [
            (format!("url = \"http://a\"\n{both}"), one_of_them),
            (format!("{upstream}{both}"), one_of_them),
            (
                format!("key_env = \"A\"\n{upstream}"),
                "key_env: expected the key in each of its upstreams",
            ),
            (
                format!("key_file = \"a\"\n{upstream}"),
                "key_file: expected the key in each of its upstreams",
            ),
        ] {
            let model: ModelConfig = toml::from_str(&format!("{model}{more}")).unwrap();
            let text = error_of(|layer| layer.inference.models = Some(vec![model]));
            assert_eq!(text, format!("inference.models: m: {expected}"));
        }
    }
}
