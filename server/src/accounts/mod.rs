//! Accounts: hub accounts, the collab profiles linked to them, and what a hub
//! administrator may see of both.
//!
//! [`provisioning`] holds the two changes that the document offers, each one
//! transaction. It is written in terms of [`directory`] (organizations and
//! application instances, which the operator keeps), [`administrators`] (who
//! administers what), [`idempotency`] (what was asked before), and [`users`] and [`profiles`] (the rows that are created).
//! The operator keeps the directory as a file, a [`manifest`].
//! What is sent because of it goes into the outbox of [`crate::mail`].

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

/// How often what is too old is removed.
const SWEEP: Duration = Duration::from_secs(600);

/// Removes what is too old, until dropped. Nothing depends on it.
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
