//! What every handler is given.
//!
//! [`App`] is the context of all four areas: dropshot holds it as `Arc<App>`
//! and each call hands it out. Time and randomness are parts of it, so that
//! tests own both. An area that keeps something in memory (a key set, a pool of
//! connections) has a field here and fills it in its own module.

mod clock;
mod pepper;
mod random;

use std::sync::Arc;

pub use clock::{Clock, ShiftedClock, SystemClock};
pub use pepper::{Pepper, PepperError};
pub use random::{Random, SystemRandom};

use crate::config::Config;
use crate::store::Store;

/// The context of every call.
pub struct App {
    /// Everything that outlives the process.
    pub store: Store,
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// Randomness fit for secrets.
    pub random: Arc<dyn Random>,
    /// The key of keyed hashes at rest.
    pub pepper: Pepper,
    /// The configuration, complete and checked.
    pub config: Arc<Config>,
}
