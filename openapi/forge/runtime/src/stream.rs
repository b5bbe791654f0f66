//! Bodies that arrive in pieces.

use std::pin::Pin;

use bytes::Bytes;
use futures::Stream;

/// Any error.
pub type BoxError = Box<dyn std::error::Error + Send + Sync>;

/// A body in the pieces that its source produces.
pub type ByteStream = Pin<Box<dyn Stream<Item = Result<Bytes, BoxError>> + Send>>;

/// Why a stream of events ends early, in the words of its convention: an event that is sent as the
/// last one, or nothing if the last event has said so. A stream that yields this error ends in
/// order, and needs no terminator.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the stream ends with an event that reports a failure")]
pub struct StreamFailure(pub Bytes);
