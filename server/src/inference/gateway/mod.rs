//! From a model call to whoever answers it.
//!
//! A request's body goes to the model server as it was received, and the answer
//! comes back as the model server sent it: this module knows which model is
//! meant and whether a stream is wanted, and nothing else of either. Two things
//! are written into a body, and only where the configuration asks for them: the
//! model's name at the model server, and a translation for one that has chat
//! completions only.

mod answer;
pub mod attempts;
pub mod breaker;
pub mod connections;
pub mod events;
mod filter;
mod frames;
pub mod heartbeat;
pub mod masked;
pub mod measures;
mod members;
pub mod models;
pub mod pool;
pub mod relay;
pub mod routed;
pub mod span;
pub mod sse;
pub mod translate;
pub mod unasked;
pub mod upstream;
mod upstream_error;
pub mod usage;

pub use answer::Answer;
