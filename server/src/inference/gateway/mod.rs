//! Passes model calls to upstreams and built-in models.
//!
//! A request's body goes to the upstream as it was received, and the response goes back as the
//! upstream sent it. The gateway reads only the name of the model, and whether a stream is
//! requested. It changes a body in two cases only, if the configuration requires it: to replace the
//! model's name by that of the upstream, and to translate for an upstream that has chat completions
//! only.

pub mod attempts;
pub mod breaker;
pub mod connections;
pub mod events;
mod filter;
mod frames;
pub mod heartbeat;
pub mod hidden_usage;
pub mod masked;
pub mod measures;
mod members;
pub mod models;
pub mod pool;
pub mod relay;
mod response;
pub mod routed;
pub mod span;
pub mod sse;
pub mod translate;
pub mod upstream;
mod upstream_error;
pub mod usage;

pub use response::ModelResponse;
