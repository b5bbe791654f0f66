//! Passes model calls to upstreams and built-in models.
//!
//! The gateway forwards a request's body to the upstream, and the response to the caller, unchanged.
//! It reads only the members that decide the route or refer to stored data. The configuration can
//! require two changes of a body: the upstream's own name for the model, and a translation for an
//! upstream that has chat completions only.

pub mod attempts;
pub mod breaker;
pub mod connections;
pub mod events;
mod filter;
mod frames;
pub mod heartbeat;
pub mod hidden_usage;
mod joined;
pub mod masked;
pub mod measures;
mod members;
pub mod model_error;
pub mod models;
pub mod permits;
pub mod pool;
mod references;
pub mod relay;
mod response;
pub mod routed;
pub mod span;
pub mod sse;
mod targets;
pub mod translate;
pub mod upstream;
mod upstream_error;
pub mod usage;

pub use response::ModelResponse;
