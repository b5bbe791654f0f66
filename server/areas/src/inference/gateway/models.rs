//! The models of the regions: the configured and the built-in ones.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use chrono::{DateTime, Utc};
use foldhash::HashMap;
use http::header::AUTHORIZATION;
use http::{HeaderName, HeaderValue, Uri};

use super::pool::{Pool, Target};
use crate::config::Config;
use crate::config::inference::{self, ModelConfig, UpstreamApi, UpstreamConfig};
use crate::inference::builtin::{self, BuiltinKind};
use crate::inference::regions::Regions;
use crate::kernel::tls::TlsError;

/// The family that the responses endpoint rejects.
const REFUSED_BY_RESPONSES: &str = "meta";

/// A model.
#[derive(Debug, Clone)]
pub struct Model {
    /// The name that callers send.
    pub name: String,
    /// The family.
    pub family: String,
    /// Its provider.
    pub owned_by: String,
    /// The region of the service.
    pub region: String,
    /// The location of an external provider, if the model has one.
    pub external: Option<String>,
    /// Its place in the catalog.
    pub place: Place,
    /// The release date that callers see.
    pub created_at: DateTime<Utc>,
    /// The source of its responses.
    pub backend: Backend,
    /// Whether the service requests the usage of each stream of a chat.
    pub asks_usage: bool,
}

impl Model {
    /// Whether the responses endpoint serves it.
    pub fn serves_responses(&self) -> bool {
        !self.family.eq_ignore_ascii_case(REFUSED_BY_RESPONSES)
    }
}

/// The place of a model in one catalog. A reload creates a new catalog, and places of two catalogs
/// are never equal.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Place {
    /// The number of the catalog.
    pub catalog: u64,
    /// The index in it.
    pub index: usize,
}

/// The source of a model's responses.
#[derive(Debug, Clone)]
pub enum Backend {
    /// This program, with the given behavior.
    Builtin(BuiltinKind),
    /// Model servers.
    Servers(Arc<Pool>),
}

/// Why the models cannot be served.
#[derive(Debug, thiserror::Error)]
pub enum ModelError {
    /// Two models have the same name.
    #[error("inference.models: there are two models {0}")]
    Duplicate(String),
    /// The model's address cannot be used.
    #[error("inference.models: {model}: url: {message}")]
    Url {
        /// The model.
        model: String,
        /// The error.
        message: String,
    },
    /// The model has no model servers, or defines them in two ways.
    #[error("inference.models: {0}: expected either url or upstreams")]
    Upstreams(String),
    /// The location of an external model cannot be a header value.
    #[error(
        "inference.models: {0}: external_location: expected 1 to 64 printable ASCII characters"
    )]
    Location(String),
    /// A header cannot be sent.
    #[error("inference.models: {model}: {header}: {message}")]
    Header {
        /// The model.
        model: String,
        /// The header.
        header: String,
        /// The error.
        message: String,
    },
    /// The certificates of model servers could not be checked.
    #[error("inference.ca_file: {0}")]
    Tls(#[from] TlsError),
    /// The key for the model server cannot be read.
    #[error("inference.models: {model}: {place}: {message}")]
    Key {
        /// The model.
        model: String,
        /// The variable or the file.
        place: String,
        /// The error.
        message: String,
    },
}

/// All models of every served region.
#[derive(Debug, Default)]
pub struct Catalog {
    /// No other catalog of this process has it.
    number: u64,
    /// The service's own region.
    own: String,
    /// By region and name.
    by_name: HashMap<String, HashMap<String, Arc<Model>>>,
    in_order: Vec<Arc<Model>>,
}

impl Catalog {
    /// Reads the configuration, and the keys that it refers to.
    ///
    /// # Errors
    ///
    /// The invalid model, and the reason.
    pub fn new(config: &Config) -> Result<Self, ModelError> {
        Catalog::after(config, None)
    }

    /// The same for a catalog that replaces `before`. The upstreams of a model that have the same
    /// address share their circuit and the permits of concurrent calls, because calls of the old
    /// catalog may be in progress. The old catalog itself stays unchanged.
    ///
    /// # Errors
    ///
    /// The invalid model, and the reason.
    pub fn after(config: &Config, before: Option<&Catalog>) -> Result<Self, ModelError> {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let own = &config.server.region;
        let mut catalog = Catalog {
            number: NUMBER.fetch_add(1, Ordering::Relaxed),
            own: own.clone(),
            ..Catalog::default()
        };
        let regions = Regions::new(config);
        for here in regions.all() {
            let builtin = builtin::models(&config.inference).into_iter();
            for (name, family, behavior) in builtin.filter(|_| config.inference.builtin_models) {
                catalog.add(Model {
                    name: name.into(),
                    family: family.into(),
                    owned_by: "accord".into(),
                    region: here.to_owned(),
                    external: None,
                    place: Place::default(),
                    created_at: inference::created(),
                    backend: Backend::Builtin(behavior),
                    asks_usage: false,
                })?;
            }
            catalog.alias(here, builtin::ECHO.0, builtin::ECHO.1)?;
            let of_region = |model: &&ModelConfig| model.region.as_ref().unwrap_or(own) == here;
            for model in config.inference.models.iter().filter(of_region) {
                let mut pool = pool(model)?;
                if let Some(Backend::Servers(old)) = before
                    .and_then(|before| before.find_in(here, &model.name))
                    .map(|old| &old.backend)
                {
                    pool.follow(old);
                }
                catalog.add(Model {
                    name: model.name.clone(),
                    family: model.family.clone(),
                    owned_by: model
                        .owned_by
                        .clone()
                        .unwrap_or_else(|| model.family.clone()),
                    region: here.to_owned(),
                    external: external(model)?,
                    place: Place::default(),
                    created_at: model.created,
                    backend: Backend::Servers(Arc::new(pool)),
                    asks_usage: model.ask_usage,
                })?;
                for alias in &model.aliases {
                    catalog.alias(here, alias, &model.name)?;
                }
            }
        }
        Ok(catalog)
    }

    fn add(&mut self, mut model: Model) -> Result<(), ModelError> {
        model.place = Place {
            catalog: self.number,
            index: self.in_order.len(),
        };
        let model = Arc::new(model);
        let of_region = self.by_name.entry(model.region.clone()).or_default();
        match of_region.insert(model.name.clone(), Arc::clone(&model)) {
            Some(_) => Err(ModelError::Duplicate(model.name.clone())),
            None => {
                self.in_order.push(model);
                Ok(())
            }
        }
    }

    fn alias(&mut self, region: &str, alias: &str, name: &str) -> Result<(), ModelError> {
        let Some(of_region) = self.by_name.get_mut(region) else {
            return Ok(());
        };
        let Some(model) = of_region.get(name).cloned() else {
            return Ok(());
        };
        match of_region.insert(alias.to_owned(), model) {
            Some(_) => Err(ModelError::Duplicate(alias.to_owned())),
            None => Ok(()),
        }
    }

    /// The number of the catalog, which no other catalog of this process has.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// The model with a name or an alias, in the service's own region.
    pub fn find(&self, name: &str) -> Option<&Arc<Model>> {
        self.find_in(&self.own, name)
    }

    /// The model with a name or an alias, in a region.
    pub fn find_in(&self, region: &str, name: &str) -> Option<&Arc<Model>> {
        self.by_name.get(region)?.get(name)
    }

    /// Every model of every region once, the built-in ones of each region first.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<Model>> {
        self.in_order.iter()
    }
}

/// The location of an external model's provider, as the value of a header.
fn external(model: &ModelConfig) -> Result<Option<String>, ModelError> {
    let Some(location) = &model.external_location else {
        return Ok(None);
    };
    let is_printable = |byte: u8| byte.is_ascii_graphic() || byte == b' ';
    let is_trimmed = location.trim() == location && !location.is_empty();
    match is_trimmed && location.len() <= 64 && location.bytes().all(is_printable) {
        true => Ok(Some(location.clone())),
        false => Err(ModelError::Location(model.name.clone())),
    }
}

fn pool(model: &ModelConfig) -> Result<Pool, ModelError> {
    let targets = match (&model.url, &model.upstreams[..]) {
        (Some(url), []) => vec![target(model, &only_upstream(model, url))?],
        (None, upstreams @ [_, ..]) => upstreams
            .iter()
            .map(|upstream| target(model, upstream))
            .collect::<Result<_, _>>()?,
        _ => return Err(ModelError::Upstreams(model.name.clone())),
    };
    let timeout = Duration::from_secs(model.queue_seconds);
    Ok(Pool::new(targets, model.queue, timeout, model.retries))
}

/// The one upstream of a model that defines it in its own table.
fn only_upstream(model: &ModelConfig, url: &url::Url) -> UpstreamConfig {
    UpstreamConfig {
        url: url.clone(),
        model: None,
        api: UpstreamApi::All,
        weight: 1,
        max_concurrent: None,
        timeout_seconds: None,
        idle_timeout_seconds: None,
        key_env: model.key_env.clone(),
        key_file: model.key_file.clone(),
        set_headers: BTreeMap::new(),
        forward_headers: Vec::new(),
    }
}

fn target(model: &ModelConfig, upstream: &UpstreamConfig) -> Result<Target, ModelError> {
    let invalid = |message: String| ModelError::Url {
        model: model.name.clone(),
        message,
    };
    let url = &upstream.url;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(invalid("expected http:// or https://".into()));
    }
    if !url.username().is_empty() || url.password().is_some() {
        // Addresses are logged and listed, so they must not contain credentials.
        let message = "expected an address without user and password; name the key in key_file \
                       or key_env";
        return Err(invalid(message.into()));
    }
    if url.query().is_some() || url.fragment().is_some() {
        return Err(invalid("expected an address without query".into()));
    }
    let base = url.as_str().trim_end_matches('/');
    let uri = |path: &str| {
        let uri = format!("{base}{path}").parse::<Uri>();
        uri.map_err(|error| invalid(error.to_string()))
    };
    let responses = match upstream.api {
        UpstreamApi::All => Some(uri("/responses")?),
        UpstreamApi::Chat => None,
    };
    let seconds = upstream.timeout_seconds.unwrap_or(model.timeout_seconds);
    let forward_headers = upstream.forward_headers.iter();
    let mut target = Target::new(base.to_owned(), uri("/chat/completions")?, responses);
    target.model = upstream.model.clone();
    target.shared_store = model.shared_store;
    target.set_headers = set_headers(model, upstream)?;
    target.forward_headers = forward_headers
        .map(|name| forwarded_name(model, name))
        .collect::<Result<_, _>>()?;
    target.timeout = Duration::from_secs(seconds);
    let idle = upstream.idle_timeout_seconds;
    let idle = idle.unwrap_or(model.idle_timeout_seconds);
    target.idle_timeout = Duration::from_secs(idle);
    target.weight = upstream.weight;
    Ok(match upstream.max_concurrent {
        Some(most) => target.with_max_concurrent(most),
        None => target,
    })
}

/// Names of headers that belong to the connection, or that the gateway sets itself.
const RESERVED: [&str; 12] = [
    "accept-encoding",
    "connection",
    "content-length",
    "content-type",
    "expect",
    "host",
    "keep-alive",
    "proxy-connection",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
];

/// The ends of the names of headers with the caller's credentials, for this service or others. No
/// model server receives them.
const CREDENTIALS: [&str; 12] = [
    "assertion",
    "auth",
    "authentication",
    "authorization",
    "cookie",
    "cookie2",
    "credential",
    "jwt",
    "key",
    "password",
    "secret",
    "token",
];

/// Whether the name of a header is that of a credential, such as `x-vault-token`.
fn is_credential(name: &HeaderName) -> bool {
    let name = name.as_str();
    !name.ends_with("idempotency-key") && CREDENTIALS.iter().any(|ending| name.ends_with(ending))
}

/// The name of a header that the gateway forwards from the caller.
fn forwarded_name(model: &ModelConfig, name: &str) -> Result<HeaderName, ModelError> {
    let parsed = header_name(model, name)?;
    match is_credential(&parsed) {
        true => Err(ModelError::Header {
            model: model.name.clone(),
            header: format!("forward_headers: {name}"),
            message: "is a credential of the caller; a credential of the service's own belongs in \
                      key_file, key_env or set_headers"
                .into(),
        }),
        false => Ok(parsed),
    }
}

fn header_name(model: &ModelConfig, name: &str) -> Result<HeaderName, ModelError> {
    let error = |message: &str| ModelError::Header {
        model: model.name.clone(),
        header: name.to_owned(),
        message: message.into(),
    };
    let parsed: HeaderName = name.parse().map_err(|_| error("is not a header name"))?;
    match RESERVED.contains(&parsed.as_str()) {
        true => Err(error("is set by the gateway itself")),
        false => Ok(parsed),
    }
}

fn set_headers(
    model: &ModelConfig,
    upstream: &UpstreamConfig,
) -> Result<Vec<(HeaderName, HeaderValue)>, ModelError> {
    let mut headers = Vec::new();
    if let Some(value) = authorization(model, upstream)? {
        headers.push((AUTHORIZATION, value));
    }
    for (name, value) in &upstream.set_headers {
        let parsed = HeaderValue::from_str(value).map_err(|_| ModelError::Header {
            model: model.name.clone(),
            header: name.clone(),
            message: "contains characters that are invalid in a header".into(),
        });
        let mut value = parsed?;
        let name = header_name(model, name)?;
        value.set_sensitive(is_credential(&name));
        headers.push((name, value));
    }
    Ok(headers)
}

fn authorization(
    model: &ModelConfig,
    upstream: &UpstreamConfig,
) -> Result<Option<HeaderValue>, ModelError> {
    let error = |place: &str, message: String| ModelError::Key {
        model: model.name.clone(),
        place: place.to_owned(),
        message,
    };
    let (place, key) = match (&upstream.key_env, &upstream.key_file) {
        (None, None) => return Ok(None),
        (Some(name), _) => {
            let key = std::env::var(name).map_err(|e| error(name, e.to_string()))?;
            (name.clone(), key)
        }
        (None, Some(path)) => {
            let place = path.display().to_string();
            let key = std::fs::read_to_string(path).map_err(|e| error(&place, e.to_string()))?;
            (place, key)
        }
    };
    if key.trim().is_empty() {
        return Err(error(&place, "is empty".into()));
    }
    let mut value = HeaderValue::from_str(&format!("Bearer {}", key.trim())).map_err(|_| {
        error(
            &place,
            "contains characters that are invalid in a header".into(),
        )
    })?;
    value.set_sensitive(true);
    Ok(Some(value))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn read(more: Value) -> Result<Pool, ModelError> {
        let mut model = json!({"name": "acme.chat-small", "family": "acme"});
        if let (Some(model), Value::Object(more)) = (model.as_object_mut(), more) {
            model.extend(more);
        }
        pool(&serde_json::from_value(model).expect("a model"))
    }

    fn complaint(more: Value) -> String {
        read(more).expect_err("a bad model").to_string()
    }

    #[test]
    fn a_credential_is_known_by_the_end_of_its_name() {
        for (name, expected) in [
            ("authorization", true),
            ("ocp-apim-subscription-key", true),
            ("x-amz-security-token", true),
            ("x-functions-key", true),
            ("private-token", true),
            ("x-vault-token", true),
            ("x-apikey", true),
            ("cookie2", true),
            ("x-trace", false),
            ("idempotency-key", false),
            ("x-tokens-left", false),
        ] {
            assert_eq!(
                is_credential(&HeaderName::from_static(name)),
                expected,
                "{name}"
            );
        }
    }

    #[test]
    fn paths_are_added_to_the_address_whether_it_ends_with_a_slash_or_not() {
        for url in ["http://h:1/v1", "http://h:1/v1/"] {
            let pool = read(json!({"url": url})).expect("a good address");
            let target = &pool.targets[0];
            assert_eq!(target.chat_completions, "http://h:1/v1/chat/completions");
            let responses = target.responses.as_ref().expect("both conventions");
            assert_eq!(responses, "http://h:1/v1/responses");
        }
    }

    #[test]
    fn a_bad_model_is_refused_by_its_name() {
        for (more, text) in [
            (
                json!({"url": "ftp://h/v1"}),
                "url: expected http:// or https://",
            ),
            (json!({}), "expected either url or upstreams"),
            (
                json!({"url": "http://h", "upstreams": [{"url": "http://h"}]}),
                "expected either url or upstreams",
            ),
            (
                json!({"upstreams": [{"url": "http://h", "set_headers": {"Host": "x"}}]}),
                "Host: is set by the gateway itself",
            ),
            (
                json!({"upstreams": [{"url": "http://h", "forward_headers": ["Accept-Encoding"]}]}),
                "Accept-Encoding: is set by the gateway itself",
            ),
            (
                json!({"upstreams": [{"url": "http://h", "set_headers": {"x-a": "b\nc"}}]}),
                "x-a: contains characters that are invalid in a header",
            ),
            (
                json!({"upstreams": [{"url": "http://h", "forward_headers": ["x-a", "Authorization"]}]}),
                "forward_headers: Authorization: is a credential of the caller; a credential of \
                 the service's own belongs in key_file, key_env or set_headers",
            ),
            (
                json!({"upstreams": [{"url": "http://h", "forward_headers": ["X-API-Key"]}]}),
                "forward_headers: X-API-Key: is a credential of the caller; a credential of the \
                 service's own belongs in key_file, key_env or set_headers",
            ),
            (
                json!({"url": "http://user:hidden@h/v1"}),
                "url: expected an address without user and password; name the key in key_file or \
                 key_env",
            ),
            (
                json!({"url": "http://user@h/v1"}),
                "url: expected an address without user and password; name the key in key_file or \
                 key_env",
            ),
        ] {
            let expected = format!("inference.models: acme.chat-small: {text}");
            assert_eq!(complaint(more), expected);
        }
    }

    #[test]
    fn a_location_is_what_a_header_can_say() {
        let read = |location: &str| {
            let model = json!({"name": "a", "family": "b", "external_location": location});
            external(&serde_json::from_value(model).expect("a model"))
        };
        assert_eq!(
            read("eu-central (acme)").unwrap().unwrap(),
            "eu-central (acme)"
        );
        for bad in ["", " x", "x\ny", "é", &"x".repeat(65)] {
            assert!(read(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn a_key_is_read_from_its_file_and_does_not_print() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("key");
        std::fs::write(&path, "hidden\n").expect("a file");
        let pool = read(json!({"url": "http://h/v1", "key_file": path})).expect("a readable key");
        let (name, value) = &pool.targets[0].set_headers[0];
        assert_eq!(
            (name, value.as_bytes()),
            (&AUTHORIZATION, &b"Bearer hidden"[..])
        );
        assert!(!format!("{pool:?}").contains("hidden"));
        std::fs::write(&path, " \n").expect("a file");
        assert!(read(json!({"url": "http://h/v1", "key_file": path})).is_err());
    }
}
