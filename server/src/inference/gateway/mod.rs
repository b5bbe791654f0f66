//! From a model call to whoever answers it.
//!
//! A request's body goes to the model server as it was received, and the answer
//! comes back as the model server sent it: this module knows which model is
//! meant and whether a stream is wanted, and nothing else of either.

pub mod events;
pub mod models;
pub mod upstream;

use std::convert::Infallible;
use std::pin::Pin;

use bytes::Bytes;
use futures::Stream;

/// An answer.
pub enum Answer {
    /// One JSON document.
    Whole(Bytes),
    /// An event stream, framed.
    Events(Pin<Box<dyn Stream<Item = Result<Bytes, Infallible>> + Send>>),
}

impl std::fmt::Debug for Answer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Answer::Whole(bytes) => write!(f, "Whole({} bytes)", bytes.len()),
            Answer::Events(_) => f.write_str("Events"),
        }
    }
}
