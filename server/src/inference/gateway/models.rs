//! The models of the region: what the configuration names, and the built-in
//! ones.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, Utc};
use http::{HeaderValue, Uri};

use crate::config::Config;
use crate::config::inference::ModelConfig;
use crate::inference::builtin;

/// The family that the responses endpoint refuses.
const REFUSED_BY_RESPONSES: &str = "meta";

/// A model.
#[derive(Debug, Clone)]
pub struct Model {
    /// What callers write.
    pub name: String,
    /// The family.
    pub family: String,
    /// Who provides it.
    pub owned_by: String,
    /// When it was made known.
    pub created_at: DateTime<Utc>,
    /// Who answers.
    pub backend: Backend,
}

impl Model {
    /// Whether the responses endpoint serves it.
    pub fn serves_responses(&self) -> bool {
        !self.family.eq_ignore_ascii_case(REFUSED_BY_RESPONSES)
    }
}

/// Who answers for a model.
#[derive(Debug, Clone)]
pub enum Backend {
    /// This program.
    Builtin,
    /// A model server.
    Server(Box<ModelServer>),
}

/// A model server.
#[derive(Debug, Clone)]
pub struct ModelServer {
    /// Where chat completions go.
    pub chat_completions: Uri,
    /// Where responses go.
    pub responses: Uri,
    /// The `Authorization` header, marked as sensitive.
    pub authorization: Option<HeaderValue>,
    /// How long the beginning of an answer may take.
    pub timeout: Duration,
}

/// Why the models cannot be served.
#[derive(Debug, thiserror::Error)]
pub enum ModelError {
    /// Two models have one name.
    #[error("inference.models: there are two models {0}")]
    Duplicate(String),
    /// The model's address cannot be used.
    #[error("inference.models: {model}: url: {message}")]
    Url {
        /// The model.
        model: String,
        /// What is wrong.
        message: String,
    },
    /// The model server's key cannot be read.
    #[error("inference.models: {model}: {place}: {message}")]
    Key {
        /// The model.
        model: String,
        /// The variable or the file.
        place: String,
        /// What is wrong.
        message: String,
    },
}

/// All models of the region.
#[derive(Debug, Default)]
pub struct Catalogue {
    by_name: HashMap<String, Arc<Model>>,
    in_order: Vec<Arc<Model>>,
}

impl Catalogue {
    /// Reads the configuration, and the keys that it points at.
    ///
    /// # Errors
    ///
    /// The model that cannot be served, and why.
    pub fn new(config: &Config, now: DateTime<Utc>) -> Result<Self, ModelError> {
        let mut catalogue = Catalogue::default();
        if config.inference.builtin_models {
            for (name, family) in builtin::MODELS {
                catalogue.add(Model {
                    name: name.into(),
                    family: family.into(),
                    owned_by: "accord".into(),
                    created_at: now,
                    backend: Backend::Builtin,
                })?;
            }
        }
        let here = &config.server.region;
        for model in &config.inference.models {
            if model.region.as_ref().is_none_or(|region| region == here) {
                catalogue.add(Model {
                    name: model.name.clone(),
                    family: model.family.clone(),
                    owned_by: model
                        .owned_by
                        .clone()
                        .unwrap_or_else(|| model.family.clone()),
                    created_at: now,
                    backend: Backend::Server(Box::new(server(model)?)),
                })?;
            }
        }
        Ok(catalogue)
    }

    fn add(&mut self, model: Model) -> Result<(), ModelError> {
        let model = Arc::new(model);
        match self.by_name.insert(model.name.clone(), Arc::clone(&model)) {
            Some(_) => Err(ModelError::Duplicate(model.name.clone())),
            None => {
                self.in_order.push(model);
                Ok(())
            }
        }
    }

    /// The model of a name.
    pub fn find(&self, name: &str) -> Option<&Arc<Model>> {
        self.by_name.get(name)
    }

    /// Every model, the built-in ones first.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<Model>> {
        self.in_order.iter()
    }
}

fn server(model: &ModelConfig) -> Result<ModelServer, ModelError> {
    let invalid = |message: String| ModelError::Url {
        model: model.name.clone(),
        message,
    };
    if !matches!(model.url.scheme(), "http" | "https") {
        return Err(invalid("expected http:// or https://".into()));
    }
    if model.url.query().is_some() || model.url.fragment().is_some() {
        return Err(invalid("expected an address without query".into()));
    }
    let base = model.url.as_str().trim_end_matches('/');
    let uri = |path: &str| {
        let uri = format!("{base}{path}").parse::<Uri>();
        uri.map_err(|error| invalid(error.to_string()))
    };
    Ok(ModelServer {
        chat_completions: uri("/chat/completions")?,
        responses: uri("/responses")?,
        authorization: authorization(model)?,
        timeout: Duration::from_secs(model.timeout_seconds),
    })
}

fn authorization(model: &ModelConfig) -> Result<Option<HeaderValue>, ModelError> {
    let error = |place: &str, message: String| ModelError::Key {
        model: model.name.clone(),
        place: place.to_owned(),
        message,
    };
    let (place, key) = match (&model.key_env, &model.key_file) {
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
    let mut value = HeaderValue::from_str(&format!("Bearer {}", key.trim()))
        .map_err(|_| error(&place, "holds what no header can".into()))?;
    value.set_sensitive(true);
    Ok(Some(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn model(url: &str) -> ModelConfig {
        ModelConfig {
            name: "acme.chat-small".into(),
            family: "acme".into(),
            url: url.parse().expect("a url"),
            owned_by: None,
            key_env: None,
            key_file: None,
            region: None,
            timeout_seconds: 1,
        }
    }

    #[test]
    fn paths_are_added_to_the_address_whether_it_ends_with_a_slash_or_not() {
        for url in ["http://h:1/v1", "http://h:1/v1/"] {
            let server = server(&model(url)).expect("a good address");
            assert_eq!(server.chat_completions, "http://h:1/v1/chat/completions");
            assert_eq!(server.responses, "http://h:1/v1/responses");
        }
    }

    #[test]
    fn a_bad_address_is_refused_by_the_name_of_its_model() {
        let error = server(&model("ftp://h/v1")).expect_err("no http");
        let text = "inference.models: acme.chat-small: url: expected http:// or https://";
        assert_eq!(error.to_string(), text);
    }

    #[test]
    fn a_key_is_read_from_its_file_and_does_not_print() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("key");
        std::fs::write(&path, "hidden\n").expect("a file");
        let with_key = ModelConfig {
            key_file: Some(path),
            ..model("http://h/v1")
        };
        let server = server(&with_key).expect("a readable key");
        let value = server.authorization.as_ref().map(HeaderValue::as_bytes);
        assert_eq!(value, Some(&b"Bearer hidden"[..]));
        assert!(!format!("{server:?}").contains("hidden"));
    }
}
