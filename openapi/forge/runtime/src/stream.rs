//! Bodies that come in pieces.

use std::pin::Pin;

use bytes::Bytes;
use futures::Stream;

/// Any error.
pub type BoxError = Box<dyn std::error::Error + Send + Sync>;

/// A body as it is made.
pub type ByteStream = Pin<Box<dyn Stream<Item = Result<Bytes, BoxError>> + Send>>;

/// Why a stream of events ends before its end, in the words of its convention: an
/// event that is sent as the last one, or nothing if the last event sent says so already.
/// A stream that yields this error is not broken off, and needs no terminator.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the stream ends with an event that reports a failure")]
pub struct StreamFailure(pub Bytes);
