//! The foundation of every area.
//!
//! A [`Kernel`] holds the store, the time, randomness, the key of keyed hashes, the configuration,
//! the addresses, the counters and the traces. It knows nothing of the areas. Time and randomness
//! are parts of it, so that tests control both.

mod clock;
mod error;
pub mod expiry;
pub mod files;
pub mod idempotency;
pub mod keyring;
pub mod language;
mod lock;
mod mark;
pub mod metrics;
mod names;
mod observer;
mod pool;
pub mod proxies;
mod random;
pub mod server_keys;
pub mod shared;
mod short;
mod state;
mod supervised;
pub mod texts;
pub mod tls;
pub mod traces;
pub mod upkeep;
pub mod urls;

pub use clock::{Clock, ShiftedClock, SystemClock};
pub use error::KernelError;
pub use lock::lock;
pub use metrics::Metrics;
pub use observer::Observer;
pub use proxies::Proxies;
pub use random::{Random, SystemRandom, jittered};
pub use server_keys::{Mac, ServerKeys};
pub use short::Short;
pub use state::{Kernel, check_database};
pub use supervised::supervised;
pub use traces::Traces;
pub use urls::Urls;
