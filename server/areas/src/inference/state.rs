//! The state of the area in memory.

use std::ops::Deref;
use std::sync::Arc;

use arc_swap::ArcSwap;

use super::admission::Admission;
use super::admission::by_share::ByShare;
use super::admission::limiter::Limiter;
use super::admission::redis::Redis;
use super::gateway::model_error::ModelError;
use super::gateway::upstream::Upstream;
use super::regions::Regions;
use super::settings::Settings;
use crate::kernel::Kernel;
use crate::store::Turn;

/// The area: a kernel, and its state in memory.
pub struct Inference {
    /// Secrets, policies and allowances.
    pub admission: Admission,
    /// The served regions.
    pub regions: Regions,
    /// Connections to model servers.
    pub upstream: Upstream,
    /// The turn of changes of keys: one row counts all of them, so they conflict.
    pub(super) key_changes: Turn,
    settings: ArcSwap<Settings>,
    kernel: Arc<Kernel>,
}

impl Inference {
    /// Creates the area with the configured models.
    ///
    /// # Errors
    ///
    /// The invalid model, and the reason.
    pub fn new(kernel: Arc<Kernel>) -> Result<Self, ModelError> {
        let settings = Settings::new(&kernel.config, &kernel.metrics, None)?;
        let config = &kernel.config;
        let by_share = ByShare::new(kernel.store.clone(), kernel.replica.clone());
        let limiter = match &config.limits.url {
            None => Limiter::ByShare(by_share),
            Some(url) => {
                let redis = Redis::new(url.client(), by_share, &kernel.metrics);
                Limiter::Redis(Box::new(redis))
            }
        };
        Ok(Inference {
            admission: Admission::new(
                &config.server.data_dir,
                limiter,
                config.inference.management_requests_per_minute,
            ),
            settings: ArcSwap::from_pointee(settings),
            regions: Regions::new(&kernel.config),
            upstream: Upstream::new(kernel.config.inference.ca_file.as_deref())?,
            key_changes: Turn::default(),
            kernel,
        })
    }

    /// The current settings. A reload of the configuration replaces them.
    pub fn settings(&self) -> Arc<Settings> {
        self.settings.load_full()
    }

    pub(super) fn replace_settings(&self, settings: Arc<Settings>) {
        self.settings.store(settings);
    }
}

impl Deref for Inference {
    type Target = Kernel;

    fn deref(&self) -> &Kernel {
        &self.kernel
    }
}
