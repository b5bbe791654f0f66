//! The models of the regions: the configured and the built-in ones.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use chrono::{DateTime, Utc};
use foldhash::HashMap;

use super::model_error::{MAX_LOCATION_LENGTH, ModelError};
use super::pool::Pool;
use super::targets;
use crate::config::Config;
use crate::config::inference::{self, ModelConfig};
use crate::inference::builtin::{self, BuiltinKind};
use crate::inference::regions::Regions;

/// The family that the document excludes from the responses endpoint.
const WITHOUT_RESPONSES: &str = "meta";

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
        !self.family.eq_ignore_ascii_case(WITHOUT_RESPONSES)
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

/// All models of every served region.
#[derive(Debug, Default)]
pub struct Catalog {
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
                let old = before.and_then(|before| before.find_in(here, &model.name));
                catalog.add(configured(model, here, old)?)?;
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
        // Without the built-in models, an alias of one of them names nothing.
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

/// A model of the configuration, in a region. Its upstreams follow those of the model of this name
/// in the catalog before.
fn configured(
    model: &ModelConfig,
    region: &str,
    before: Option<&Arc<Model>>,
) -> Result<Model, ModelError> {
    let mut pool = targets::pool(model)?;
    if let Some(Backend::Servers(before)) = before.map(|before| &before.backend) {
        pool.follow(before);
    }
    let owned_by = model.owned_by.as_ref().unwrap_or(&model.family);
    Ok(Model {
        name: model.name.clone(),
        family: model.family.clone(),
        owned_by: owned_by.clone(),
        region: region.to_owned(),
        external: external(model)?,
        place: Place::default(),
        created_at: model.created,
        backend: Backend::Servers(Arc::new(pool)),
        asks_usage: model.ask_usage,
    })
}

/// The location of an external model's provider, as the value of a header.
fn external(model: &ModelConfig) -> Result<Option<String>, ModelError> {
    let Some(location) = &model.external_location else {
        return Ok(None);
    };
    let is_printable = |byte: u8| byte.is_ascii_graphic() || byte == b' ';
    let is_trimmed = location.trim() == location && !location.is_empty();
    let is_short = location.len() <= MAX_LOCATION_LENGTH;
    match is_trimmed && is_short && location.bytes().all(is_printable) {
        true => Ok(Some(location.clone())),
        false => Err(ModelError::Location(model.name.clone())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_location_is_a_value_of_a_header() {
        let read = |location: &str| {
            let model = json!({"name": "a", "family": "b", "external_location": location});
            external(&serde_json::from_value(model).expect("a model"))
        };
        assert_eq!(
            read("eu-central (acme)").unwrap().unwrap(),
            "eu-central (acme)"
        );
        for bad in ["", " x", "x\ny", "é", &"x".repeat(MAX_LOCATION_LENGTH + 1)] {
            assert!(read(bad).is_err(), "{bad:?}");
        }
    }
}
