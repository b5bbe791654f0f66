//! The part of the configuration that a reload replaces, with the models.

use super::gateway::measures::AllMeasures;
use super::gateway::model_error::ModelError;
use super::gateway::models::Catalog;
use crate::config::Config;
use crate::config::inference::InferenceConfig;
use crate::kernel::Metrics;

/// The settings of the area at one moment. A call uses those of its beginning until its end.
#[derive(Debug)]
pub struct Settings {
    /// The section of the configuration.
    pub config: InferenceConfig,
    /// The models of all regions.
    pub models: Catalog,
    /// The metrics of the responses of models.
    pub measures: AllMeasures,
}

impl Settings {
    /// Reads the configuration, and the keys of model servers that it refers to. Upstreams share
    /// their state with those of `before`.
    ///
    /// # Errors
    ///
    /// The invalid model, and the reason.
    pub fn new(
        config: &Config,
        metrics: &Metrics,
        before: Option<&Settings>,
    ) -> Result<Settings, ModelError> {
        let models = Catalog::after(config, before.map(|before| &before.models))?;
        Ok(Settings {
            config: config.inference.clone(),
            measures: AllMeasures::new(metrics, &models),
            models,
        })
    }
}
