//! What the area keeps in memory.

use std::ops::Deref;
use std::sync::Arc;

use super::admission::Admission;
use super::admission::redis::Redis;
use super::admission::shared::{ByShare, Limiter};
use super::gateway::measures::AllMeasures;
use super::gateway::models::{Catalog, ModelError};
use super::gateway::upstream::Upstream;
use super::regions::Regions;
use crate::kernel::Kernel;

/// The area: a kernel, and what it keeps in memory.
pub struct Inference {
    /// Secrets, policies and allowances.
    pub admission: Admission,
    /// The regions that are served.
    pub regions: Regions,
    /// The models of all of them.
    pub models: Catalog,
    /// How fast they answer.
    pub measures: AllMeasures,
    /// Connections to model servers.
    pub upstream: Upstream,
    kernel: Arc<Kernel>,
}

impl Inference {
    /// Makes the models known that the configuration names.
    ///
    /// # Errors
    ///
    /// The model that cannot be served, and why.
    pub fn new(kernel: Arc<Kernel>) -> Result<Self, ModelError> {
        let models = Catalog::new(&kernel.config)?;
        let limiter = match &kernel.config.limits.url {
            None => Limiter::ByShare(ByShare),
            Some(url) => {
                let redis = Redis::new(url.client(), kernel.replica.clone(), &kernel.metrics);
                Limiter::Redis(Box::new(redis))
            }
        };
        Ok(Inference {
            measures: AllMeasures::new(&kernel.metrics, &models),
            admission: Admission::new(&kernel.config.server.data_dir, limiter),
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
