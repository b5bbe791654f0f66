//! Accounts: hub accounts, their collab profiles, and the parts of both that a hub administrator may see.
//!
//! [`provisioning`] implements the two changes of the document, each as one transaction. It uses [`directory`]
//! (organizations and application instances), [`administrators`] (the rights of users), [`idempotency`] (repeated
//! requests), and [`users`] and [`profiles`] (the created rows). Operators manage the directory in a file, the
//! [`manifest`]. Mail goes into the outbox of [`crate::mail`].

pub mod administrators;
pub mod demo;
pub mod directory;
pub mod idempotency;
pub mod manifest;
pub mod profiles;
pub mod provisioning;
pub mod users;

use std::sync::Arc;
use std::time::Duration;

use crate::kernel::Kernel;
use crate::store::StoreError;

/// How often expired rows are removed.
const SWEEP: Duration = Duration::from_secs(600);

/// Removes expired rows until dropped. Other code does not depend on it.
pub async fn upkeep(kernel: Arc<Kernel>) {
    let mut ticks = tokio::time::interval(SWEEP);
    loop {
        ticks.tick().await;
        let now = kernel.clock.now();
        let swept = kernel
            .store
            .write(move |tx| idempotency::sweep(tx, now))
            .await;
        if let Err(error) = swept.map_err(|error: StoreError| error) {
            tracing::warn!(%error, "cannot remove old stored responses");
        }
    }
}
