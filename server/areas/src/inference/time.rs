//! The time of API keys and calls.

use chrono::{DateTime, SubsecRound as _, Utc};

use crate::kernel::Kernel;

/// The time in milliseconds, which is the precision of the database.
pub fn now(kernel: &Kernel) -> DateTime<Utc> {
    kernel.clock.now().trunc_subsecs(3)
}
