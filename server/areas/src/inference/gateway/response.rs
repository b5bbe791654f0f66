//! The response of a model server or a built-in model.

use std::pin::Pin;

use bytes::Bytes;
use futures::Stream;

use super::events::Piece;

/// The maximum size of a response in one piece, and of the items of a translated stream.
pub const MAX_RESPONSE_BYTES: usize = 64 << 20;

/// A response.
pub enum ModelResponse {
    /// One JSON document.
    Whole(Bytes),
    /// An event stream, framed.
    Events(Pin<Box<dyn Stream<Item = Piece> + Send>>),
}

impl std::fmt::Debug for ModelResponse {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ModelResponse::Whole(bytes) => write!(f, "Whole({} bytes)", bytes.len()),
            ModelResponse::Events(_) => f.write_str("Events"),
        }
    }
}
