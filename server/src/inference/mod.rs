//! Area B: API keys with two secrets, and the gateway to model servers.
//!
//! Implements `openapi/inference.yaml`. [`keys`] holds what people manage, in
//! the database; [`admission`] says whether a model call may go on, from memory;
//! [`gateway`] hands it to a model server, or [`builtin`] answers it.

pub mod admission;
pub mod builtin;
pub mod demo;
pub mod gateway;
pub mod keys;
pub mod operator;
pub mod problem;
pub mod regions;

use std::ops::Deref;
use std::sync::{Arc, Weak};
use std::time::Duration;

use chrono::{DateTime, SubsecRound as _, Utc};

use crate::kernel::Kernel;
use admission::Admission;
use gateway::measures::AllMeasures;
use gateway::models::{Catalogue, ModelError};
use gateway::upstream::Upstream;
use regions::Regions;

/// How often connections are looked after that nobody uses.
const TIDY: Duration = Duration::from_secs(15);

/// The area: a kernel, and what it keeps in memory.
pub struct Inference {
    /// Secrets, policies and allowances.
    pub admission: Admission,
    /// The regions that are served.
    pub regions: Regions,
    /// The models of all of them.
    pub models: Catalogue,
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
        let models = Catalogue::new(&kernel.config)?;
        Ok(Inference {
            measures: AllMeasures::new(&kernel.metrics, &models),
            admission: Admission::new(&kernel.config.server.data_dir),
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

/// Starts the background tasks, which run until the context is dropped.
pub fn start(inference: &Arc<Inference>) {
    let inference: Weak<Inference> = Arc::downgrade(inference);
    tokio::spawn(admission::follow(Weak::clone(&inference)));
    tokio::spawn(admission::write(Weak::clone(&inference)));
    tokio::spawn(tidy(inference));
}

/// Closes idle connections to model servers, until the context is dropped.
async fn tidy(inference: Weak<Inference>) {
    loop {
        tokio::time::sleep(TIDY).await;
        match inference.upgrade() {
            Some(inference) => inference.upstream.tidy(),
            None => return,
        }
    }
}

/// Writes what is only in memory, when no more calls come.
pub async fn finish(inference: &Inference) {
    if let Err(error) = inference.admission.write_last_used(inference).await {
        tracing::warn!(%error, "times of last use cannot be written");
    }
    if let Err(error) = inference.admission.write_usage(inference).await {
        tracing::warn!(%error, "usage cannot be written");
    }
}

/// The time, as precise as the database keeps it.
pub(crate) fn now(inference: &Inference) -> DateTime<Utc> {
    inference.clock.now().trunc_subsecs(3)
}
