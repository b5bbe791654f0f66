//! The area of inference: API keys, and the gateway to model servers.
//!
//! Implements `openapi/inference.yaml`. [`keys`] manages API keys in the database. [`admission`]
//! decides from memory whether a model call is admitted. [`gateway`] sends it to a model server, or
//! [`builtin`] responds itself.

pub mod admission;
pub mod builtin;
pub mod demo;
pub mod explanation;
pub mod gateway;
pub mod keys;
pub mod operator;
pub mod problem;
pub mod regions;
pub mod reload;
pub mod settings;
mod state;
mod time;

use std::sync::{Arc, Weak};

use crate::kernel::supervised;

pub use state::Inference;
pub use time::now;

/// Starts the background tasks, which run until the context is dropped.
pub fn start(inference: &Arc<Inference>) {
    let inference: Weak<Inference> = Arc::downgrade(inference);
    tokio::spawn(supervised(Weak::clone(&inference), admission::follow));
    tokio::spawn(supervised(
        Weak::clone(&inference),
        admission::exchange::run,
    ));
    tokio::spawn(supervised(Weak::clone(&inference), admission::redis::run));
    tokio::spawn(supervised(inference, admission::write));
}

/// Exchanges reports with the other replicas before the first call.
pub async fn join(inference: &Inference) {
    if let Err(error) = inference.admission.exchange(inference).await {
        tracing::warn!(%error, "reports of replicas cannot be exchanged yet: this replica admits calls up to the whole limits");
    }
}

/// Writes the data that is only in memory, after the last call.
pub async fn finish(inference: &Inference) {
    if let Err(error) = inference.admission.write_last_used(inference).await {
        tracing::warn!(%error, "times of last use cannot be written");
    }
    if let Err(error) = inference.admission.write_usage(inference).await {
        tracing::warn!(%error, "usage cannot be written");
    }
    inference.admission.limiter.finish(now(inference)).await;
    if let Err(error) = inference.admission.withdraw(inference).await {
        tracing::debug!(%error, "other replicas get this one's shares after some seconds");
    }
}
