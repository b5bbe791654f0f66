//! The background task that connects to Redis, settles calls and renews leases.

use std::sync::Weak;
use std::time::{Duration, Instant};

use crate::inference::Inference;
use crate::inference::admission::limiter::Limiter;
use crate::kernel::jittered;

/// The delay of settlements, in which others join them.
const BATCH_DELAY: Duration = Duration::from_millis(10);
/// The interval at which leases are renewed.
const RENEWAL: Duration = Duration::from_secs(5);
/// The interval at which the task checks whether the context was dropped.
const CHECK: Duration = Duration::from_secs(1);
/// The wait after the first failed attempt to connect. Later waits are longer.
const MIN_BACKOFF: Duration = Duration::from_millis(100);
/// The maximum wait between attempts to connect.
const MAX_BACKOFF: Duration = Duration::from_secs(5);

/// Connects, settles and renews until the context is dropped. Without Redis, it ends at once.
pub async fn run(inference: Weak<Inference>) {
    let mut backoff = MIN_BACKOFF;
    let mut connected_at: Option<Instant> = None;
    let mut renewed_at = Instant::now();
    loop {
        let wake = {
            let Some(inference) = inference.upgrade() else {
                return;
            };
            let Limiter::Redis(redis) = &inference.admission.limiter else {
                return;
            };
            let held = || inference.admission.held();
            if redis.is_connected() {
                redis.flush(crate::inference::now(&inference)).await;
                if renewed_at.elapsed() >= RENEWAL {
                    renewed_at = Instant::now();
                    redis.renew(held()).await;
                }
                if connected_at.is_some_and(|at| at.elapsed() >= MAX_BACKOFF) {
                    backoff = MIN_BACKOFF;
                }
            } else {
                // A server that accepts connections may still reject the commands, so a connection
                // that was lost soon is followed by a pause.
                let connected = connected_at.take();
                if connected.is_none_or(|at| at.elapsed() >= MAX_BACKOFF) {
                    match redis.connect(held).await {
                        Ok(()) => {
                            renewed_at = Instant::now();
                            connected_at = Some(renewed_at);
                            inference.admission.forget_taken();
                            tracing::info!("Redis counts the usage of API keys");
                        }
                        Err(error) if backoff == MIN_BACKOFF => {
                            tracing::warn!(%error, "Redis is unreachable for limits; retrying");
                        }
                        Err(error) => tracing::debug!(%error, "Redis is still unreachable"),
                    }
                }
            }
            redis.is_connected().then(|| redis.wake())
        };
        match wake {
            Some(wake) => {
                let timeout = RENEWAL.saturating_sub(renewed_at.elapsed()).min(CHECK);
                let woken = tokio::time::timeout(timeout, wake.notified()).await;
                if woken.is_ok() {
                    tokio::time::sleep(BATCH_DELAY).await;
                }
            }
            None => {
                tokio::time::sleep(jittered(backoff)).await;
                backoff = (backoff * 2).min(MAX_BACKOFF);
            }
        }
    }
}
