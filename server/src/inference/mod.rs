//! Area B: API keys with two secrets, and the gateway to model servers.
//!
//! Implements `openapi/inference.yaml`. A call takes this way: [`api`] is the
//! document's side of it; [`keys`] holds what people manage, in the database;
//! [`admission`] says whether a model call may go on, from memory; [`gateway`]
//! hands it to a model server, or [`builtin`] answers it.

pub mod admission;
pub mod api;
pub mod builtin;
pub mod config;
pub mod demo;
pub mod gateway;
pub mod keys;
pub mod problem;

use std::sync::{Arc, Weak};

use chrono::{DateTime, Utc};

use crate::app::App;
use crate::config::Config;
use admission::Admission;
use gateway::models::{Catalogue, ModelError};
use gateway::upstream::Upstream;

/// What the area keeps in memory.
pub struct State {
    /// Secrets, policies and allowances.
    pub admission: Admission,
    /// The models of the region.
    pub models: Catalogue,
    /// Connections to model servers.
    pub upstream: Upstream,
}

impl State {
    /// Makes the models known that the configuration names.
    ///
    /// # Errors
    ///
    /// The model that cannot be served, and why.
    pub fn new(config: &Config, now: DateTime<Utc>) -> Result<Self, ModelError> {
        Ok(State {
            admission: Admission::default(),
            models: Catalogue::new(config, now)?,
            upstream: Upstream::default(),
        })
    }
}

/// Starts what goes on beside the calls, until the context is gone.
pub fn start(app: &Arc<App>) {
    let app: Weak<App> = Arc::downgrade(app);
    tokio::spawn(admission::run(app));
}

/// Writes what is only in memory, when no more calls come.
pub async fn finish(app: &App) {
    if let Err(error) = app.inference.admission.write_last_used(app).await {
        tracing::warn!(%error, "times of last use cannot be written");
    }
}

/// The time, as precise as the database keeps it.
pub(crate) fn now(app: &App) -> DateTime<Utc> {
    let now = app.clock.now();
    DateTime::from_timestamp_millis(now.timestamp_millis()).unwrap_or(now)
}
