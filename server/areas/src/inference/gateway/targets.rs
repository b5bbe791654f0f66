//! Builds the upstreams of a model from its configuration, with the keys that it refers to.

use std::collections::BTreeMap;
use std::time::Duration;

use http::header::AUTHORIZATION;
use http::{HeaderName, HeaderValue, Uri};

use super::model_error::ModelError;
use super::pool::{Pool, Target};
use crate::config::inference::{ModelConfig, UpstreamApi, UpstreamConfig};

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

/// Builds the upstreams of a model.
///
/// # Errors
///
/// The invalid value, and the reason.
pub fn pool(model: &ModelConfig) -> Result<Pool, ModelError> {
    let targets = match (&model.url, &model.upstreams[..]) {
        (Some(url), []) => vec![target(model, &only_upstream(model, url))?],
        (None, upstreams @ [_, ..]) => upstreams
            .iter()
            .map(|upstream| target(model, upstream))
            .collect::<Result<_, _>>()?,
        _ => return Err(ModelError::Upstreams(model.name.clone())),
    };
    let timeout = Duration::from_secs(model.queue_seconds);
    let mut pool = Pool::new(targets, model.queue, timeout, model.retries);
    pool.shared_store = model.shared_store;
    Ok(pool)
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

/// One upstream, with the defaults of its model.
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

/// Whether the name of a header is that of a credential, such as `x-vault-token`. An idempotency key
/// is not one, although its name ends as those of API keys do.
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

/// The name of a header that the gateway does not set itself.
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

/// The headers of every call, with the key of the upstream.
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

/// The key of the upstream in its variable or its file, as a header.
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
