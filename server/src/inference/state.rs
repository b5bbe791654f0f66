//! The state of the area in memory.

use std::ops::Deref;
use std::sync::Arc;

use super::admission::Admission;
use super::admission::limiter::Limiter;
use super::admission::redis::Redis;
use super::admission::shared::ByShare;
use super::gateway::measures::AllMeasures;
use super::gateway::models::{Catalog, ModelError};
use super::gateway::upstream::Upstream;
use super::regions::Regions;
use crate::kernel::Kernel;

/// The area: a kernel, and its state in memory.
pub struct Inference {
    /// Secrets, policies and allowances.
    pub admission: Admission,
    /// The served regions.
    pub regions: Regions,
    /// The models of all regions.
    pub models: Catalog,
    /// The metrics of their responses.
    pub measures: AllMeasures,
    /// Connections to model servers.
    pub upstream: Upstream,
    kernel: Arc<Kernel>,
}

impl Inference {
    /// Creates the area with the configured models.
    ///
    /// # Errors
    ///
    /// The invalid model, and the reason.
    pub fn new(kernel: Arc<Kernel>) -> Result<Self, ModelError> {
        let models = Catalog::new(&kernel.config)?;
        let config = &kernel.config;
        let limiter = match &config.limits.url {
            None => Limiter::ByShare(ByShare),
            Some(url) => {
                let redis = Redis::new(url.client(), kernel.replica.clone(), &kernel.metrics);
                Limiter::Redis(Box::new(redis))
            }
        };
        Ok(Inference {
            measures: AllMeasures::new(&kernel.metrics, &models),
            admission: Admission::new(
                &config.server.data_dir,
                limiter,
                config.inference.management_requests_per_minute,
            ),
            models,
            regions: Regions::new(&kernel.config),
            upstream: Upstream::new(kernel.config.inference.ca_file.as_deref())?,
            kernel,
        })
    }
}

impl Deref for Inference {
    type Target = Kernel;

    fn deref(&self) -> &Kernel {
        &self.kernel
    }
}
