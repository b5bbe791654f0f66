//! Which server keys there are, and which of them is the current one.
//!
//! The keys themselves are with the operator ([`text`]). The database knows their
//! names: which were promoted, in which order, and which are retired. The one that
//! was promoted last is the current one, for every replica at once; each looks
//! every two seconds, and reads its key file again.
//!
//! A replica that does not have a key would refuse what others made with it. So
//! each says in the database which keys it holds and which one it uses: a key is
//! promoted when all hold it, and the one before is retired when nobody uses it
//! any more and nothing needs it. A replica that is without a key that is needed
//! does not start; one to which that happens goes on with the keys it has, says
//! so, and is not ready.

mod follow;
mod known;
pub mod replicas;
mod source;
pub mod text;

use std::sync::Arc;
use std::time::Duration;

use crate::kernel::Kernel;

pub use follow::{FollowError, follow};
pub(super) use known::begin;
pub use known::{MissingKey, Promoted, promote, promoted, retire, ring};
pub use source::KeySource;

/// How often a replica looks which key is the current one.
pub const PAUSE: Duration = Duration::from_secs(2);

/// Follows the keys and the database, until dropped.
pub async fn run(kernel: Arc<Kernel>) {
    let mut announced = None;
    loop {
        tokio::time::sleep(PAUSE).await;
        if let Err(error) = follow(&kernel).await {
            tracing::error!(%error, "the server keys cannot be followed");
        }
        if let Err(error) = replicas::announce_changes(&kernel, &mut announced).await {
            tracing::warn!(%error, "cannot announce the server keys of this replica to the others");
        }
    }
}
