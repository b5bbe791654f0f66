//! From a model call to whoever answers it.
//!
//! A request's body goes to the model server as it was received, and the answer
//! comes back as the model server sent it: this module knows which model is
//! meant and whether a stream is wanted, and nothing else of either. Two things
//! are written into a body, and only where the configuration asks for them: the
//! model's name at the model server, and a translation for one that has chat
//! completions only.

pub mod attempts;
pub mod breaker;
pub mod connections;
pub mod events;
pub mod heartbeat;
mod link;
pub mod masked;
pub mod measures;
pub mod models;
pub mod pool;
mod route_members;
pub mod routed;
mod said;
pub mod span;
pub mod sse;
pub mod translate;
pub mod unasked;
pub mod upstream;
pub mod usage;

use std::pin::Pin;

use bytes::Bytes;
use futures::Stream;

use events::Piece;

/// An answer.
pub enum Answer {
    /// One JSON document.
    Whole(Bytes),
    /// An event stream, framed.
    Events(Pin<Box<dyn Stream<Item = Piece> + Send>>),
}

impl std::fmt::Debug for Answer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Answer::Whole(bytes) => write!(f, "Whole({} bytes)", bytes.len()),
            Answer::Events(_) => f.write_str("Events"),
        }
    }
}
