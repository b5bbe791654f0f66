//! The foundation of the areas of Accord's service.
//!
//! A [`config`]uration names a [`store`]. The [`kernel`] has both, with a clock, randomness, the
//! server keys, metrics and traces. The [`audit`] trail records changes, and idle [`connections`]
//! are closed. Lower modules use no higher ones, and none knows a document.

pub mod area;
pub mod audit;
pub mod config;
pub mod connections;
pub mod kernel;
pub mod store;
