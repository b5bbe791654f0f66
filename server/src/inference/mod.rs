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
mod state;
mod time;

use std::sync::{Arc, Weak};

pub use state::Inference;
pub(crate) use time::now;

/// Starts the background tasks, which run until the context is dropped.
pub fn start(inference: &Arc<Inference>) {
    let inference: Weak<Inference> = Arc::downgrade(inference);
    tokio::spawn(admission::follow(Weak::clone(&inference)));
    tokio::spawn(admission::exchange::run(Weak::clone(&inference)));
    tokio::spawn(admission::redis::run(Weak::clone(&inference)));
    tokio::spawn(admission::write(inference));
}

/// Learns of the other replicas, before the first call.
pub async fn join(inference: &Inference) {
    if let Err(error) = inference.admission.exchange(inference).await {
        tracing::warn!(%error, "limits cannot be divided among replicas yet");
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
    inference.admission.limiter.finish(now(inference)).await;
    if let Err(error) = inference.admission.withdraw(inference).await {
        tracing::debug!(%error, "other replicas wait some seconds for this one's shares");
    }
}
