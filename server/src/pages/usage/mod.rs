//! The pages of usage: tokens and requests of the API keys of a compartment.
//!
//! They read what the operation `listUsage` lists, with the same rights.

mod chart;
mod csv;
mod show;
mod sums;

pub use self::csv::inert;
pub use show::{download, show};
