//! The available server keys, and the current one of them.
//!
//! The operator has the keys themselves ([`text`]). The database knows their names: which were
//! promoted, in which order, and which are retired. The last promoted key is the current one, for
//! every replica at once. Each replica checks this every two seconds, and reads its key file again.
//!
//! A replica without a key would reject hashes that others made with it. So each replica records in
//! the database which keys it has and which one it uses. A key is promoted when all replicas have
//! it. The previous key is retired when neither a replica nor stored data uses it any more. A
//! replica without a required key, or with keys in another order, does not start. A running replica
//! that loses a key continues with the others, logs it, and is not ready.

mod address;
mod follow;
mod known;
pub mod replicas;
mod source;
pub mod text;

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::oneshot;

use crate::kernel::{Kernel, supervised};

pub(super) use address::Address;
pub use address::OtherAddress;
use follow::follow;
pub(super) use known::begin;
pub use known::{KeyMismatch, Promoted, promoted};
pub use known::{promote, retire, ring};
pub use source::KeySource;

/// The interval at which a replica checks which key is the current one.
pub const PAUSE: Duration = Duration::from_secs(2);

/// Updates the keys from the key file and the database, and announces them, until the sender of
/// `stop` is dropped. A write continues after its future is dropped, so the last one must be awaited.
pub async fn run(kernel: Arc<Kernel>, mut stop: oneshot::Receiver<()>) {
    while tokio::time::timeout(PAUSE, &mut stop).await.is_err() {
        supervised(Arc::clone(&kernel), update).await;
    }
}

async fn update(kernel: Arc<Kernel>) {
    if let Err(error) = follow(&kernel).await {
        tracing::error!(%error, "the server keys cannot be updated");
    }
    if let Err(error) = replicas::announce(&kernel).await {
        tracing::warn!(%error, "cannot announce the server keys of this replica to the others");
    }
}
